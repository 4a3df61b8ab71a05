"""Fixtures of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from brain_core import Brain
from tests.building import fresh, open_brain


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """Give one brain to a module's tests, each of which takes a memory of its own (`fresh`)."""
    with open_brain(tmp_path_factory.mktemp("brain")) as opened:
        yield opened


@pytest.fixture
def memory() -> str:
    """Give the name of a memory of its own in that brain."""
    return fresh()
