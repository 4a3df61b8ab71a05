"""The endpoint for monitoring systems: what dawdles at it, and how many come at once."""

from __future__ import annotations

import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from brain_server import scrape
from brain_server.scrape import Scrape

_PAGE = b"smartbrain_memories 1\n"


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """Give the place of an endpoint for three at once, half a second each."""

    def page(_: object, start_response: object) -> list[bytes]:
        assert callable(start_response)
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [_PAGE]

    def no_name(_: str = "") -> str:
        raise AssertionError("the name of a host is looked up")

    monkeypatch.setattr(scrape, "_SECONDS", 0.5)
    monkeypatch.setattr(scrape, "_AT_ONCE", 3)
    monkeypatch.setattr(socket, "getfqdn", no_name)
    served = Scrape("127.0.0.1:0", page)
    served.start()
    host, _, port = served.address.rpartition(":")
    yield host, int(port)
    served.stop()


def fetched(place: tuple[str, int]) -> bytes:
    with urllib.request.urlopen(f"http://{place[0]}:{place[1]}/metrics", timeout=30) as answer:
        content: bytes = answer.read()
        return content


def test_a_request_that_trickles_is_cut_off(place: tuple[str, int]) -> None:
    began = time.monotonic()
    with socket.create_connection(place) as connection:
        connection.settimeout(0.05)
        connection.sendall(b"GET /metrics HTTP/1.1\r\nX: ")
        with suppress(ConnectionError):
            while time.monotonic() - began < 30:
                with suppress(TimeoutError):
                    assert connection.recv(1) == b""
                    break
                connection.sendall(b"x")
    assert time.monotonic() - began < 10
    assert fetched(place) == _PAGE


def test_one_too_many_is_turned_away_until_the_others_are_gone(place: tuple[str, int]) -> None:
    with ExitStack() as held:
        for _ in range(3):
            held.enter_context(socket.create_connection(place))
        with socket.create_connection(place, timeout=30) as one_too_many:
            assert one_too_many.recv(1) == b""
        deadline = time.monotonic() + 30
        while True:
            with suppress(OSError):
                assert fetched(place) == _PAGE
                break
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_a_host_is_not_asked_for_by_name(place: tuple[str, int]) -> None:
    assert fetched(place) == _PAGE
