"""The messages that were written for the planner's classifier: the files of `messages` beside this one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_FOLDER = Path(__file__).parent / "messages"


def intended(name: str) -> Iterator[tuple[str, str]]:
    """Yield (intent, message) of a file: "en", or "en_near", of whose messages many are nearly taken for another."""
    intent = ""
    for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            intent = line.strip("[]")
        else:
            yield intent, line
