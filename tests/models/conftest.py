"""Fixtures of this folder."""

from collections.abc import Iterator

import pytest

from tests.models.chat_endpoint import ChatStub, chat_endpoint
from tests.models.endpoint import Stub, endpoint


@pytest.fixture
def stub() -> Iterator[Stub]:
    """Give a running endpoint."""
    with endpoint() as running:
        yield running


@pytest.fixture
def chat() -> Iterator[ChatStub]:
    """Give a running chat endpoint."""
    with chat_endpoint() as running:
        yield running
