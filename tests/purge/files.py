"""What still stands in the files of a data folder."""

from __future__ import annotations

import time
from pathlib import Path

from brain_core import Brain

_LONGEST_SECONDS = 60


def files_with(folder: Path, *words: str) -> list[str]:
    """Return the files that hold one of some words: as they are, or as RocksDB's own log writes keys."""
    wanted = [form for word in words for form in (word.encode(), word.encode().hex().upper().encode())]
    files = [each for each in sorted(folder.rglob("*")) if each.is_file()]
    return [each.name for each in files if any(form in each.read_bytes() for form in wanted)]


def erased(brain: Brain) -> None:
    """Wait until what was purged has left the files."""
    last = time.monotonic() + _LONGEST_SECONDS
    while brain.status().purges_to_erase:
        assert time.monotonic() < last, brain.status().erase_problem
        time.sleep(0.02)
