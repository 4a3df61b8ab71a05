"""A server of a test's own on loopback."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast


@contextlib.contextmanager
def served(handler: type[BaseHTTPRequestHandler], behaviour: object, port: int) -> Iterator[tuple[str, int]]:
    """Serve on a port, 0 for a free one; give the API's address and the port. The handler finds `server.behaviour`."""
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    cast("Any", server).behaviour = behaviour
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
