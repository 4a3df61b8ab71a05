"""How long and how hard the world is broken."""

from collections.abc import Iterator

import pytest

from tests.server.strays import stopped_strays


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=int, default=3, help="how long the mixed load lasts (tests/faults)")
    parser.addoption("--kills", type=int, default=2, help="how often the server is killed amid 500 commits")


@pytest.fixture(autouse=True)
def no_server_stays() -> Iterator[None]:
    """Stop what a failed test leaves running."""
    with stopped_strays():
        yield


@pytest.fixture
def seconds(pytestconfig: pytest.Config) -> int:
    """Give how long a load lasts."""
    return int(pytestconfig.getoption("--seconds", 3))


@pytest.fixture
def kills(pytestconfig: pytest.Config) -> int:
    """Give how often the server is killed."""
    return int(pytestconfig.getoption("--kills", 2))
