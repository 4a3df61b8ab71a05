"""Lines to a server that drop connections, or carry them as a test says."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from smartbrain import Client, NotFound

from tests.serving import Server

Handler = Callable[[socket.socket, socket.socket], None]
"""Carries one connection: what is near the client, and what leads to the server."""


def carry(source: socket.socket, sink: socket.socket) -> None:
    """Pass bytes on until either end closes."""
    with closing(source), closing(sink):
        try:
            while received := source.recv(1 << 16):
                sink.sendall(received)
        except OSError:
            return


def through(near: socket.socket, far: socket.socket) -> None:
    """Carry a connection both ways."""
    threading.Thread(target=carry, args=(far, near), daemon=True).start()
    carry(near, far)


def dropped(near: socket.socket, far: socket.socket) -> None:
    """Drop a connection at once."""
    near.close()
    far.close()


@contextmanager
def line_to(server: Server, *handlers: Handler) -> Iterator[str]:
    """Open a TCP port that leads to the server: one handler per connection, then `through` for all that follow."""

    def serve() -> None:
        for number in range(1_000):
            try:
                near, _ = listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(server.target.removeprefix("unix:"))
            handler = handlers[number] if number < len(handlers) else through
            threading.Thread(target=handler, args=(near, far), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def answer_lost(server: Server, memory_id: str, lost: threading.Event) -> Handler:
    """Give what carries a connection until the server has made a commit to `chat` of it, and then breaks it.

    The commit must say Longjing. lost: is set then.
    """

    def carried(near: socket.socket, far: socket.socket) -> None:
        asked = threading.Event()

        def answers() -> None:
            while (received := far.recv(1 << 16)) and not asked.is_set():
                near.sendall(received)

        threading.Thread(target=answers, daemon=True).start()
        with closing(near), closing(far):
            while received := near.recv(1 << 16):
                if b"Longjing" in received:
                    asked.set()
                far.sendall(received)
                if asked.is_set():
                    break
            wait_for_a_turn(server, memory_id)
            lost.set()

    return carried


def wait_for_a_turn(server: Server, memory_id: str) -> None:
    with Client(server.target, memory_id=memory_id) as client:
        while True:
            try:
                if list(client.turns("chat")):
                    return
            except NotFound:
                time.sleep(0.01)
