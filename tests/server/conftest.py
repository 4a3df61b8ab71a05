"""No server outlives its test."""

from collections.abc import Iterator

import pytest

from tests.server.strays import stopped_strays


@pytest.fixture(autouse=True)
def no_server_stays() -> Iterator[None]:
    """Stop what a failed test leaves running."""
    with stopped_strays():
        yield
