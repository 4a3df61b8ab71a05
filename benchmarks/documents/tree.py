"""A tree of files as documents: which they are, where each is from, and how a changed one looks."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from benchmarks.documents.upload import parts_of

_SEED = 20261122
_ADDED = b"\n\nAdded in the second edition: this paragraph, and nothing else.\n"


@dataclass(frozen=True)
class Tree:
    """Files under a folder, by their names below it. changed: those that have a paragraph more."""

    folder: Path
    names: tuple[str, ...]
    changed: frozenset[str] = frozenset()

    @cached_property
    def name_of(self) -> dict[str, str]:
        """Map address → name."""
        return {self.uri(name): name for name in self.names}

    def uri(self, name: str) -> str:
        """Return where a file is from."""
        return (self.folder / name).as_uri()

    def parts(self, name: str) -> Iterator[bytes]:
        """Read a file in parts."""
        yield from parts_of(self.folder / name)
        if name in self.changed:
            yield _ADDED

    def with_changes(self, share: float) -> "Tree":
        """Return the tree with a share of its files changed, at least one, always the same."""
        count = max(1, round(share * len(self.names)))
        return replace(self, changed=frozenset(random.Random(_SEED).sample(self.names, count)))


def tree_of(folder: Path) -> Tree:
    """Find the files below a folder, hidden ones and links apart. Raises ValueError if there is none."""
    root = folder.resolve()
    names = sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink() and not _hidden(path.relative_to(root))
    )
    if not names:
        raise ValueError(f"{folder}: no files are there")
    return Tree(root, tuple(names))


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
