"""SQLite connections that can load the sqlite-vec extension."""

import sqlite3
from pathlib import Path

import sqlite_vec


def connect(path: Path) -> sqlite3.Connection:
    """Open a file in autocommit with sqlite-vec loaded: what is written survives the process, not the power.

    Some builds of Python cannot load extensions; there the package pysqlite3-binary must be installed. Raises
    ImportError when it is not.
    """
    if hasattr(sqlite3.Connection, "enable_load_extension"):
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    else:
        from pysqlite3 import dbapi2  # noqa: PLC0415  needed by such builds only

        connection = dbapi2.connect(str(path), check_same_thread=False, isolation_level=None)
    connection.enable_load_extension(True)
    sqlite_vec.load(connection)
    connection.enable_load_extension(False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = OFF")
    return connection
