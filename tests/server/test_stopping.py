"""A graceful stop: what has come is answered, what comes is refused as of a server that stops."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path

import grpc

from tests.server.asking import commit, compose
from tests.serving import start_server

_CLIENTS = 24


def test_calls_that_come_as_the_server_stops_are_answered_or_unavailable(folder: Path) -> None:
    """Those that came in the moment of the stop ended as CANCELLED, which no client tries again."""
    server = start_server(folder, config="store: {durability: process}")
    ends: Counter[tuple[str, str]] = Counter()
    begun = threading.Barrier(_CLIENTS + 1)

    def ask(number: int) -> None:
        with server.stubs() as stubs:
            begun.wait(30)
            while True:
                try:
                    if number % 2:
                        stubs.brain.ComposeContext(compose("m", "s", "Which bridge? 哪座桥？"), timeout=30)
                    else:
                        stubs.brain.CommitTurn(commit("m", f"s{number}", "The bridge is blue."), timeout=30)
                except grpc.RpcError as error:
                    ends[error.code().name, error.details() or ""] += 1
                    return

    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", "The bridge is blue."))
    clients = [threading.Thread(target=ask, args=(number,)) for number in range(_CLIENTS)]
    for client in clients:
        client.start()
    begun.wait(30)
    time.sleep(0.5)
    assert server.terminate() == 0
    for client in clients:
        client.join(60)
    assert {code for code, _ in ends} == {"UNAVAILABLE"}, ends
    assert ends["UNAVAILABLE", "the server is stopping"] > _CLIENTS / 2, ends
