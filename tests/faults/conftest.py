"""How long and how hard the world is broken."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.victim import Victim
from tests.server.strays import stopped_strays


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=int, default=3, help="how long the mixed load lasts (tests/faults)")
    parser.addoption("--kills", type=int, default=2, help="how often the server is killed amid 500 commits")


@pytest.fixture(autouse=True, scope="module")
def no_server_stays() -> Iterator[None]:
    """Stop what a module's failed tests leave running, once all are done: some share a server."""
    with stopped_strays():
        yield


@pytest.fixture(scope="module")
def victim(request: pytest.FixtureRequest) -> Iterator[Victim]:
    """Give a server that has died of other tests of the module before, under the module's CONFIG."""
    with tempfile.TemporaryDirectory(prefix="brain-", ignore_cleanup_errors=True) as name:
        running = Victim(Path(name), getattr(request.module, "CONFIG", ""))
        yield running
        running.stop()


@pytest.fixture
def seconds(pytestconfig: pytest.Config) -> int:
    """Give how long a load lasts."""
    return int(pytestconfig.getoption("--seconds", 3))


@pytest.fixture
def kills(pytestconfig: pytest.Config) -> int:
    """Give how often the server is killed."""
    return int(pytestconfig.getoption("--kills", 2))


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    """Give a file system of 16 MiB."""
    with _mounted(folder / "disk", 16) as disk:
        yield disk


@pytest.fixture
def disk(folder: Path) -> Iterator[Path]:
    """Give a file system of 64 MiB: one with less than RocksDB's write buffer free stays full to it."""
    with _mounted(folder / "disk", 64) as disk:
        yield disk


@contextmanager
def _mounted(folder: Path, mebibytes: int) -> Iterator[Path]:
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
