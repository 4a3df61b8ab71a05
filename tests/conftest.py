"""Fixtures that all tests share, and the Hypothesis profile of `make fuzz`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.serving import Server, start_server

_NIGHTLY = "nightly"
_TIMES = 10

# Hypothesis itself loads its profile "ci", whose examples are always the same, where CI is set, and else "default".
settings.register_profile(_NIGHTLY, derandomize=False, deadline=None, print_blob=True)


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
