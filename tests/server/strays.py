"""Servers that a failed test leaves running."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psutil


@contextmanager
def stopped_strays() -> Iterator[None]:
    """Kill, at the end of the block, the child processes that began in it."""
    here = psutil.Process()
    before = {child.pid for child in here.children()}
    try:
        yield
    finally:
        for child in here.children():
            if child.pid not in before:
                child.kill()
