"""One client process of test_mixed_load.py: threads that commit and compose, and say what was acknowledged.

Arguments: target, number of the client, seconds. Prints {"sessions": {memory/session: [content]}, "composed": n,
"errors": [...], "missed": [...], "commit_ms": [p50, p95], "compose_ms": [p50, p95]} as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

import grpc

sys.path.insert(0, str(Path(__file__).parents[2]))

from smartbrain.v1.brain_service_pb2_grpc import BrainServiceStub

from tests.server.asking import commit, compose

THREADS = 8
MEMORIES = 3


class Client:
    """What the threads of a client have done."""

    def __init__(self, target: str, number: int, seconds: float) -> None:
        self._target = target
        self._number = number
        self._ends = time.monotonic() + seconds
        self.sessions: dict[str, list[str]] = {}
        self.errors: list[str] = []
        self.missed: list[str] = []
        self.composed = [0] * THREADS
        self.commit_ms: list[float] = []
        self.compose_ms: list[float] = []

    def work(self, thread: int) -> None:
        """Commit, and compose as often, until the time is over."""
        # Threads of both clients share memories, and each has a session of its own.
        memory, session = f"mixed-{thread % MEMORIES}", f"client {self._number}, thread {thread}"
        acknowledged = self.sessions.setdefault(f"{memory}/{session}", [])
        with grpc.insecure_channel(self._target, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
            brain = BrainServiceStub(channel)
            while time.monotonic() < self._ends:
                word = self._word(thread, len(acknowledged))
                content = f"The word is {word}, 记住了吗？"
                began = time.perf_counter()
                try:
                    revision = brain.CommitTurn(commit(memory, session, content), timeout=60).revision
                    acknowledged.append(content)
                    committed = time.perf_counter()
                    request = compose(memory, f"asking {thread}", f"What is {word}?", min_revision=revision)
                    context = brain.ComposeContext(request, timeout=60).context
                except grpc.RpcError as error:
                    self.errors.append(f"{error.code()}: {error.details()}")
                    return
                self.commit_ms.append((committed - began) * 1000)
                self.compose_ms.append((time.perf_counter() - committed) * 1000)
                self.composed[thread] += 1
                if not any(content in evidence.snippet for evidence in context.evidence):
                    self.missed.append(word)

    def _word(self, thread: int, number: int) -> str:
        digits = f"{self._number}{thread}{number:06d}"
        return "qz" + "".join(chr(ord("a") + int(digit)) for digit in digits) + "xk"


def p50_and_p95(times: list[float]) -> list[float]:
    """Return the median and the 95th percentile."""
    ordered = sorted(times) or [0.0]
    return [round(ordered[int(len(ordered) * share)], 2) for share in (0.5, 0.95)]


def main() -> None:
    """Run the threads to their end."""
    client = Client(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
    threads = [threading.Thread(target=client.work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = {"commit_ms": p50_and_p95(client.commit_ms), "compose_ms": p50_and_p95(client.compose_ms)}
    done = {"sessions": client.sessions, "errors": client.errors, "missed": client.missed}
    json.dump({**done, **times, "composed": sum(client.composed)}, sys.stdout)


if __name__ == "__main__":
    main()
