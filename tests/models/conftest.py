"""Fixtures of this folder."""

from collections.abc import Iterator

import pytest

from tests.models.endpoint import Stub, endpoint


@pytest.fixture
def stub() -> Iterator[Stub]:
    """Give a running endpoint."""
    with endpoint() as running:
        yield running
