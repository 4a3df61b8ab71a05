"""A brain whose store lets other calls come in between, for tests of what a purge does beside them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from brain_core import Brain, load_policy
from brain_core.models.embedder import Embedder
from brain_core.store.kv import NONE_BESIDE, Batch, Partition
from brain_core.store.migrate import lock_store
from brain_core.store.rocks import RocksKV, RocksView
from tests.building import embedder, ticking

_KEPT_WAITING_SECONDS = 0.2
_MOST_SECONDS = 60


class PassedStore(RocksKV):
    """A store that lets another call come wherever the thread that purges turns to it after its batch.

    after_view: called once, when whoever asks next has a view and nothing of it has been read.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, durable=False)
        self.calls: list[Future[str]] = []
        self.syncs = 0
        self.after_view: Callable[[], object] | None = None
        self._thread = 0
        self._call: Callable[[], str] | None = None
        self._pool = ThreadPoolExecutor(32)

    @contextmanager
    def passed_by(self, call: Callable[[], str]) -> Iterator[None]:
        """Have a call come at each turn of this thread after its next write."""
        self._thread, self._call = threading.get_ident(), call
        try:
            yield
        finally:
            self._call = None
        wait(self.calls, _MOST_SECONDS)

    def _pass(self) -> None:
        if self._call is not None and threading.get_ident() == self._thread:
            self.calls.append(self._pool.submit(self._call))
            wait(self.calls[-1:], _KEPT_WAITING_SECONDS)

    def write(
        self,
        partition: Partition,
        batch: Batch,
        expect: int | None = None,
        beside: Mapping[Partition, Batch] = NONE_BESIDE,
    ) -> int:
        revision = super().write(partition, batch, expect, beside)
        self._pass()
        return revision

    def snapshot(self) -> RocksView:
        if self.calls:
            self._pass()
        view = super().snapshot()
        call, self.after_view = self.after_view, None
        if call is not None:
            call()
        return view

    def close(self) -> None:
        self._pool.shutdown()
        super().close()

    def sync(self) -> None:
        self.syncs += 1
        self._pass()
        super().sync()


@contextmanager
def opened(
    folder: Path, given: Embedder | None = None, **changes: dict[str, Any]
) -> Iterator[tuple[Brain, PassedStore]]:
    """Open the brain of a folder on such a store. changes: sections of the policy."""
    store, given = PassedStore(folder / "store"), given or embedder()
    lock_store(store, given)
    with Brain(store, folder, load_policy({"store": {"durability": "process"}, **changes}), given, ticking()) as brain:
        yield brain, store
