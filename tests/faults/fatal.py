"""A brain-server that dies by kill -9 at a point of its own code, for test_fault_points.py.

`python fatal.py ORDER …` is brain-server with the arguments that follow, and with the functions of POINTS wrapped. Once
the file ORDER says "NAME N", the process kills itself in the N-th pass through the point of that name. The product
knows nothing of this: nothing in it is slower or has another path for it.
"""

from __future__ import annotations

import functools
import importlib
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
CALL, REFINER, LEARNER, FOLLOWER = "call", "refiner", "learner", "follower"
"""How the names of threads begin: those that serve calls, and those of the background passes."""


@dataclass(frozen=True, slots=True)
class Point:
    """Just before or just after a function, named as module:path, is carried out by a thread of some name."""

    function: str
    after: bool = True
    thread: str = ""


_WRITE, _APPLY = "brain_core.store.rocks:RocksKV.write", "brain_core.index.memory_index:MemoryIndex.apply"

POINTS = {
    # a commit, step by step
    "commit checked": Point("brain_core.brain:check_commit"),
    "turn learned from": Point("brain_core.commit.pipeline:_Work.learn"),
    "turn cut into chunks": Point("brain_core.commit.pipeline:_Work.chunks"),
    "commit prepared": Point("brain_core.brain:prepare"),
    "batch written": Point(_WRITE, thread=CALL),
    "index has followed": Point(_APPLY, thread=CALL),
    "sync about to be asked for": Point("brain_core.store.rocks:RocksKV.sync", after=False, thread=CALL),
    "log flushed": Point("brain_core.store.flusher:Flusher.wait", thread=CALL),
    "commit done": Point("brain_core.brain:Brain.commit_turn"),
    # lasting vectors, in the background
    "vectors to be asked for": Point("brain_core.refine:Refiner._refine_batch", after=False),
    "vectors to be written": Point("brain_core.refine:Refiner._write", after=False),
    "vectors batched": Point(_WRITE, after=False, thread=REFINER),
    "vectors written": Point(_WRITE, thread=REFINER),
    "vectors indexed": Point(_APPLY, thread=REFINER),
    # what a language model learns, in the background
    "model to be asked": Point("brain_core.study:Study.read", after=False),
    "model has answered": Point("brain_core.study:Study.read"),
    "model's items batched": Point(_WRITE, after=False, thread=LEARNER),
    "model's items written": Point(_WRITE, thread=LEARNER),
    "model's items indexed": Point(_APPLY, thread=LEARNER),
    # files that turns refer to, in the background
    "file about to be taken in": Point("brain_core.follower:Follower._take_in", after=False),
    "file's batch written": Point(_WRITE, thread=FOLLOWER),
    "file taken in": Point("brain_core.follower:Follower._take_in"),
    "refs counted as followed": Point("brain_core.follower:write_followed"),
    # a purge, and the thread that takes its bytes from the files
    "purge prepared": Point("brain_core.purger:noted"),
    "index about to be forgotten": Point("brain_core.index.snapshot:remove", after=False, thread=CALL),
    "index forgotten": Point("brain_core.index.snapshot:remove", thread=CALL),
    "purge written": Point("brain_core.store.contexts:ContextLog.purge", after=False, thread=CALL),
    "memory removed": Point("brain_core.store.rocks:RocksKV.remove"),
    "contexts purged": Point("brain_core.store.contexts:ContextLog.purge", thread=CALL),
    "purge durable": Point("brain_core.store.rocks:RocksKV.sync", thread=CALL),
    "files about to be erased": Point("brain_core.store.rocks:RocksKV.erase", after=False),
    "files erased": Point("brain_core.store.rocks:RocksKV.erase"),
    # snapshots, start and stop
    "snapshot about to be put in place": Point("pathlib:Path.replace", after=False),
    "snapshot put in place": Point("pathlib:Path.replace"),
    "indexes closed": Point("brain_core.index.cache:IndexCache.close"),
    "store closed": Point("brain_core.store.rocks:RocksKV.close"),
    "store opened": Point("brain_core.store.rocks:RocksKV.__init__"),
    "store locked": Point("brain_core.brain:lock_store"),
    # any write, of a re-embed for one
    "written": Point(_WRITE),
}


class _Orders:
    """What the file says: at which pass of which point to die."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._passes: Counter[str] = Counter()
        self._lock = threading.Lock()

    def passing(self, name: str) -> None:
        """Count a pass of a point, if it is the one; die if this is the pass."""
        with self._lock:
            try:
                ordered, _, count = self._file.read_text("utf-8").rpartition(" ")
            except FileNotFoundError:
                return
            if ordered != name:
                return
            self._passes[name] += 1
            if self._passes[name] == int(count):
                os.kill(os.getpid(), signal.SIGKILL)
                threading.Event().wait()  # the signal may be another thread's to take


def _wrapped(function: Callable[..., Any], name: str, point: Point, orders: _Orders) -> Callable[..., Any]:
    def passing() -> None:
        if threading.current_thread().name.startswith(point.thread):
            orders.passing(name)

    @functools.wraps(function)
    def wrapper(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401  whatever the function takes and gives
        if not point.after:
            passing()
        answer = function(*arguments, **named)
        if point.after:
            passing()
        return answer

    return wrapper


def _wrap_all(orders: _Orders) -> None:
    for name, point in POINTS.items():
        module, _, path = point.function.partition(":")
        owner: Any = importlib.import_module(module)
        *owners, attribute = path.split(".")
        for each in owners:
            owner = getattr(owner, each)
        setattr(owner, attribute, _wrapped(getattr(owner, attribute), name, point, orders))


def main() -> None:
    """Serve as brain-server does, until an order comes true."""
    from brain_server.__main__ import main as serve  # noqa: PLC0415  found only once the path below is set

    _wrap_all(_Orders(Path(sys.argv.pop(1))))
    serve()


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    main()
