"""The messages that were written for the planner's classifier: `messages/{en,zh}.txt` beside this file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

Part = Literal["", "_near"]

_FOLDER = Path(__file__).parent / "messages"


def intended(language: str, part: Part = "") -> Iterator[tuple[str, str]]:
    """Yield (intent, message), in one language. part: "_near" are those of which many are nearly taken for another."""
    intent = ""
    for line in (_FOLDER / f"{language}{part}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            intent = line.strip("[]")
        else:
            yield intent, line
