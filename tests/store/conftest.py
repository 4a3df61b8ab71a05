"""Fixtures of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from brain_core.store.rocks import RocksKV
from tests.models.conftest import stub

__all__ = ["stub"]


@pytest.fixture
def kv(folder: Path) -> Iterator[RocksKV]:
    """Give a store in a folder of its own."""
    opened = RocksKV(folder / "store", durable=True)
    yield opened
    opened.close()
