"""Which files of a folder are documents, and at which address."""

import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote_to_bytes

from smartbrain.uploads import file_uri

_FOLDERS_LEFT_OUT = frozenset({"node_modules", "__pycache__"})
_BINARY = frozenset(
    (
        *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".ico", ".tif", ".tiff", ".heic", ".avif", ".psd"),
        *(".mp3", ".wav", ".flac", ".ogg", ".m4a", ".mp4", ".mov", ".avi", ".mkv", ".webm"),
        *(".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar", ".jar", ".whl", ".iso", ".dmg", ".deb"),
        *(".exe", ".dll", ".so", ".dylib", ".a", ".o", ".obj", ".class", ".pyc", ".pyd", ".wasm", ".bin"),
        *(".ttf", ".otf", ".woff", ".woff2", ".eot", ".db", ".sqlite", ".sqlite3", ".npy", ".npz", ".pt", ".onnx"),
        *(".safetensors", ".parquet", ".pkl"),
    )
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which files are asked for. A glob is held against a file's name and against its path below the folder."""

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    follow_symlinks: bool = False

    def takes(self, place: str) -> bool:
        """Return whether a file is wanted. place: its path below the folder, with slashes."""
        if _matches(place, self.exclude):
            return False
        if self.include:
            return _matches(place, self.include)
        name = PurePosixPath(place)
        return not name.name.startswith(".") and name.suffix.lower() not in _BINARY

    def enters(self, place: str) -> bool:
        """Return whether a folder is looked into."""
        name = place.rpartition("/")[2]
        return not name.startswith(".") and name not in _FOLDERS_LEFT_OUT and not _matches(place, self.exclude)


@dataclass(frozen=True, slots=True)
class Found:
    """A file that is a document, and its address."""

    path: Path
    uri: str


class Folder:
    """A folder of documents. prefix: the address under which they stand, without a slash at its end."""

    def __init__(self, path: Path, uri_prefix: str) -> None:
        """uri_prefix: "" means the folder's own address."""
        self.path = path
        self.prefix = (uri_prefix or path.resolve().as_uri()).rstrip("/")

    def files(self, wanted: Wanted, unreadable: Callable[[OSError], None]) -> tuple[list[Found], int]:
        """Return (files by their path below the folder, how many are left out). Folders left out count as one."""
        places: list[str] = []
        left_out = 0
        seen = {os.path.realpath(self.path)}
        for top, folders, names in os.walk(self.path, onerror=unreadable, followlinks=wanted.follow_symlinks):
            below = Path(top).relative_to(self.path).as_posix()
            above = "" if below == "." else below
            entered = [
                name
                for name in folders
                if wanted.enters(_below(above, name)) and _is_met_first(Path(top, name), wanted.follow_symlinks, seen)
            ]
            left_out += len(folders) - len(entered)
            folders[:] = entered
            taken = [
                _below(above, name)
                for name in names
                if wanted.takes(_below(above, name)) and _is_file(Path(top, name), wanted.follow_symlinks)
            ]
            left_out += len(names) - len(taken)
            places += taken
        return [
            Found(self.path / place, f"{self.prefix}/{quote(os.fsencode(place))}") for place in sorted(places)
        ], left_out

    def is_gone(self, uri: str, *, follow_symlinks: bool) -> bool:
        """Return whether an address below the prefix is that of a file that is no more, or only a link to one now."""
        try:
            place = os.fsdecode(unquote_to_bytes(uri.removeprefix(f"{self.prefix}/")))
            if not follow_symlinks and self._leads_through_a_link(PurePosixPath(place)):
                return True
            mode = (self.path / place).stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return True
        except (OSError, ValueError):
            return False  # it may be there
        return not stat.S_ISREG(mode)

    def _leads_through_a_link(self, place: PurePosixPath) -> bool:
        return any((self.path / part).is_symlink() for part in (place, *place.parents) if part.name)


def single(path: Path, uri_prefix: str) -> Found:
    """Return a file named by itself."""
    return Found(path, f"{uri_prefix.rstrip('/')}/{quote(os.fsencode(path.name))}" if uri_prefix else file_uri(path))


def _below(above: str, name: str) -> str:
    return f"{above}/{name}" if above else name


def _matches(place: str, globs: Sequence[str]) -> bool:
    name = place.rpartition("/")[2]
    return any(fnmatchcase(name, glob) or fnmatchcase(place, glob) for glob in globs)


def _is_met_first(folder: Path, follow_symlinks: bool, seen: set[str]) -> bool:
    """Return whether a folder is to be looked into, and not reached by a link for a second time."""
    if not follow_symlinks:
        return not folder.is_symlink()
    place = os.path.realpath(folder)
    if place in seen:
        return False
    seen.add(place)
    return True


def _is_file(path: Path, follow_symlinks: bool) -> bool:
    return path.is_file() and (follow_symlinks or not path.is_symlink())
