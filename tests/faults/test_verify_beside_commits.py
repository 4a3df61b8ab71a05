"""A check of a memory holds up no other call of it."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.building import open_brain, say


def test_commits_go_on_while_their_memory_is_checked(folder: Path) -> None:
    """A commit waited for the whole of it: 36 s beside three checks, of which two had been cancelled."""
    with open_brain(folder) as brain:
        for number in range(600):
            brain.commit_turn(say("m", "s", f"The kite number {number} is red.", "I see."))
        ended = threading.Event()
        committed: list[int] = []

        def commit() -> None:
            while not ended.is_set():
                committed.append(brain.commit_turn(say("m", "beside", f"note {len(committed)}")).revision)

        beside = threading.Thread(target=commit)
        beside.start()
        try:
            before = len(committed)
            [answer] = brain.verify()
            during = len(committed) - before
        finally:
            ended.set()
            beside.join()
        assert list(answer.problems) == []
        assert during > 3
        assert [list(again.problems) for again in brain.verify()] == [[]]
