"""Fixtures that all tests share, and the Hypothesis profile of `make fuzz`."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from brain_core import Brain
from tests.building import Clock, open_by
from tests.serving import Server, start_server

_NIGHTLY = "nightly"
_TIMES = 10

_IN_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30
"""Bytes that must be free there; a run takes less than a quarter of that."""

# Hypothesis itself loads its profile "ci", whose examples are always the same, where CI is set, and else "default".
settings.register_profile(_NIGHTLY, derandomize=False, deadline=None, print_blob=True)
if settings.get_current_profile_name() == "default":
    settings.register_profile("default", deadline=None)  # a busy machine fails nothing
    settings.load_profile("default")


def pytest_configure() -> None:
    """Keep stores in memory where there is room: each waits for a disk some ten times when it is opened and closed."""
    if "TMPDIR" not in os.environ and _IN_MEMORY.is_dir() and shutil.disk_usage(_IN_MEMORY).free >= _ROOM:
        tempfile.tempdir = os.environ["TMPDIR"] = str(_IN_MEMORY)


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Let each property test draw more examples than it asks for: what it asks for stands over any profile's number."""
    if settings.get_current_profile_name() != _NIGHTLY:
        return
    places: dict[int, tuple[Any, str]] = {}
    for item in items:
        test = getattr(item, "obj", None)
        if getattr(test, "is_hypothesis_test", False):
            name = "_hypothesis_internal_use_settings"
            place = (test, name) if hasattr(test, name) else (item.cls, "settings")  # type: ignore[attr-defined]
            places[id(place[0])] = place  # parameters share one
    for place, name in places.values():
        asked = getattr(place, name)
        setattr(place, name, settings(asked, max_examples=_TIMES * asked.max_examples))


def pytest_collection_finish() -> None:
    """Let no garbage collection walk what stays until the end: a sixth of the time of tests was that."""
    gc.freeze()


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


@pytest.fixture
def clock() -> Clock:
    """Return the clock of `brain_by_clock`."""
    return Clock()


@pytest.fixture
def brain_by_clock(folder: Path, clock: Clock) -> Iterator[Brain]:
    """Yield a brain whose clock a test sets."""
    with open_by(clock, folder) as opened:
        yield opened
