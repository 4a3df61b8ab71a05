"""The folder of a backup, or of what is restored of one: there whole or not at all, and cleared of what was killed."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

MANIFEST = "manifest.json"
"""Names the files of a backup; a folder without it is none."""

VERSION = 1
"""Of the manifest."""

STORE_FORMAT = 1
"""Number of the newest format of a store's files that this release reads."""

STORE = "store"
"""Folder of the store's files, in a backup as in a data folder."""

_UNFINISHED = re.compile(r".+\.unfinished-[a-z0-9_]{8}")


@contextmanager
def unfinished(target: Path) -> Iterator[Path]:
    """Give a folder beside a target, which only its owner may read; it is gone in the end unless it was renamed.

    Who is killed leaves it behind, unlocked: `clear_unfinished` knows it by that.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f"{target.name}.unfinished-", dir=target.parent))
    number = _locked(work)
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)
        if number is not None:
            os.close(number)


def clear_unfinished(folder: Path) -> list[str]:
    """Remove what killed processes have left in a folder; return that, in words.

    Such a folder has the name and the content that `unfinished` gives it, belongs to this user and is locked by nobody.
    One whose lock cannot be asked for, as on some network file systems, stays.
    """
    removed = []
    for left in sorted(folder.glob("*.unfinished-*")) if folder.is_dir() else ():
        if _UNFINISHED.fullmatch(left.name) and _is_own(left) and (number := _locked(left)) is not None:
            shutil.rmtree(left, ignore_errors=True)
            os.close(number)
            if not left.exists():
                removed.append(f"removed {left}, which was left when a backup or a restore was killed")
    return removed


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _is_own(left: Path) -> bool:
    """Return whether a folder is this user's and holds what is put there, and something: it is locked by then."""
    try:
        is_ours = left.is_dir() and not left.is_symlink() and left.stat().st_uid == os.geteuid()
        return is_ours and STORE in (names := {entry.name for entry in left.iterdir()}) and names <= {STORE, MANIFEST}
    except OSError:
        return False


def _locked(folder: Path) -> int | None:
    """Lock a folder for as long as the number that is returned is open; None where somebody else has, or none can."""
    if sys.platform == "win32":
        return None
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(number)
        return None
    return number
