"""An echo server: what a call of a given size costs in this gRPC with nothing behind it. No part of the product.

`python -m benchmarks.engine.echo TARGET` serves until it is terminated. Like the product it is a synchronous server
with 8 threads that takes and gives bytes. The first four bytes of a request are the size of the response it wants.
"""

import contextlib
import functools
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc

PATH = "/benchmark.Echo/Call"
_THREADS = 8
_START_SECONDS = 30.0


def echo_request(request_bytes: int, response_bytes: int) -> bytes:
    """Make a request of this size (at least 4) that is answered with this many bytes."""
    return response_bytes.to_bytes(4, "big").ljust(request_bytes, b"\x01")


@contextlib.contextmanager
def running_echo() -> Iterator[str]:
    """Start an echo server in a process of its own; its target. It is stopped when the block ends."""
    with tempfile.TemporaryDirectory(prefix="sb-echo-") as folder:
        target = f"unix:{folder}/sock"
        process = subprocess.Popen([sys.executable, "-m", __name__, target], cwd=Path(__file__).parents[2])
        try:
            with grpc.insecure_channel(target) as channel:
                grpc.channel_ready_future(channel).result(timeout=_START_SECONDS)
            yield target
        finally:
            process.terminate()
            process.wait(_START_SECONDS)


@functools.lru_cache(maxsize=64)
def _response(size: int) -> bytes:
    return bytes(size)


def _echo(request: bytes, _: grpc.ServicerContext) -> bytes:
    return _response(int.from_bytes(request[:4], "big"))


class _Handler(grpc.GenericRpcHandler):
    _method: "grpc.RpcMethodHandler[bytes, bytes]" = grpc.unary_unary_rpc_method_handler(_echo)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        return self._method if handler_call_details.method == PATH else None


def _serve(target: str) -> None:
    server = grpc.server(ThreadPoolExecutor(_THREADS))
    server.add_generic_rpc_handlers((_Handler(),))
    server.add_insecure_port(target)
    signal.signal(signal.SIGTERM, lambda *_: server.stop(0.5))
    server.start()
    server.wait_for_termination()


if __name__ == "__main__":
    _serve(sys.argv[1])
