"""Load from outside: each client is a process of its own, so that no client waits for another one's interpreter.

Requests are serialised before the clock starts and responses are not parsed: what is timed is the call.
"""

import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import TracebackType

import grpc

from benchmarks.engine.calls import Call

CALL_TIMEOUT = 30.0  # seconds
_LEAD = 0.2  # seconds between the order and the common start


@dataclass(frozen=True, slots=True)
class Order:
    """What one client shall do: calls in order, from the beginning again while `repeat`, until the time is up."""

    target: str
    calls: list[Call]
    repeat: bool
    start: float  # time.monotonic(), which all processes of a machine share
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """What one client saw. Latencies in milliseconds; sizes of the responses in bytes; both by call."""

    latencies: list[float]
    sizes: list[int]
    began: float
    ended: float


class ClientError(Exception):
    """A call failed; the message carries method, status and details."""


class Clients:
    """A number of client processes that are given the same order of work at the same time."""

    def __init__(self, count: int) -> None:
        self.count = count
        context = multiprocessing.get_context("spawn")
        self._pipes: list[Connection] = []
        self._processes = []
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs,), daemon=True)
            process.start()
            self._pipes.append(ours)
            self._processes.append(process)

    def run(self, target: str, calls: Sequence[list[Call]], *, repeat: bool, seconds: float) -> list[Result]:
        """Send each client's calls at once, at most `seconds` long.

        Raises ClientError for the first failed call, or where a client process ended.
        """
        start = time.monotonic() + _LEAD
        for pipe, of_client in zip(self._pipes, calls, strict=True):
            pipe.send(Order(target, of_client, repeat, start, seconds))
        try:
            answers: list[Result | str] = [pipe.recv() for pipe in self._pipes]
        except EOFError:
            raise ClientError("a client process ended; its error stands above") from None
        results = [answer for answer in answers if isinstance(answer, Result)]
        for answer in answers:
            if isinstance(answer, str):
                raise ClientError(answer)
        return results

    def __enter__(self) -> "Clients":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(timeout=5.0)
            if process.is_alive():
                process.terminate()


def _serve(pipe: Connection) -> None:
    """Carry out orders until the other end closes. Connections are kept from order to order."""
    channels: dict[str, grpc.Channel] = {}
    while True:
        try:
            order: Order = pipe.recv()
        except EOFError:
            return
        if order.target not in channels:
            channels[order.target] = grpc.insecure_channel(order.target)
        pipe.send(_carry_out(order, channels[order.target]))


def _carry_out(order: Order, channel: grpc.Channel) -> Result | str:
    methods: dict[str, grpc.UnaryUnaryMultiCallable[bytes, bytes]] = {
        path: channel.unary_unary(path) for path, _ in order.calls
    }
    grpc.channel_ready_future(channel).result(timeout=CALL_TIMEOUT)
    latencies: list[float] = []
    sizes: list[int] = []
    time.sleep(max(0.0, order.start - time.monotonic()))
    began = now = time.monotonic()
    deadline = began + order.seconds
    while now < deadline and (order.repeat or len(latencies) < len(order.calls)):
        path, request = order.calls[len(latencies) % len(order.calls)]
        before = time.perf_counter()
        try:
            response: bytes = methods[path](request, timeout=CALL_TIMEOUT)
        except grpc.RpcError as error:
            return f"{path}: {error}"
        latencies.append((time.perf_counter() - before) * 1e3)
        sizes.append(len(response))
        now = time.monotonic()
    return Result(latencies, sizes, began, now)
