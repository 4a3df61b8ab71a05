"""Fixtures that all tests share."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving import Server, start_server


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder whose name is short enough for a unix socket."""
    with tempfile.TemporaryDirectory(prefix="brain-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Give one server for all tests that only need theirs to have a memory of its own."""
    with tempfile.TemporaryDirectory(prefix="brain-", ignore_cleanup_errors=True) as name:
        running = start_server(Path(name))
        yield running
        assert running.terminate() == 0, running.log.read_text(errors="replace")
