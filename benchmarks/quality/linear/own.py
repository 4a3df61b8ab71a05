"""The messages that were written for the planner's classifier: `messages/{en,zh}.txt` beside this file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_FOLDER = Path(__file__).parent / "messages"


def intended(language: str) -> Iterator[tuple[str, str]]:
    """Yield (intent, message), in one language."""
    intent = ""
    for line in (_FOLDER / f"{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            intent = line.strip("[]")
        else:
            yield intent, line
