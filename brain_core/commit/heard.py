"""What the user said in the newest turns of sessions, kept from one commit to the next.

A turn stands as it was written until it is purged, and then all that is held of its memory is let go.
"""

from __future__ import annotations

from collections import OrderedDict

from brain_core.commit.learn import said_in
from brain_core.store import events
from brain_core.store.kv import ReadView

_MOST_TURNS = 256
_BYTES_OF_TEXT = 100  # besides its characters
_BYTES_OF_TURN = 200


class Heard:
    """What was said in a memory, by session and turn. Used by one thread at a time."""

    def __init__(self) -> None:
        self._said: OrderedDict[tuple[str, int], list[str]] = OrderedDict()
        self.nbytes = 0

    def newest(self, view: ReadView, memory_id: str, session_id: str, limit: int) -> list[str]:
        """Return what the user said in up to `limit` newest turns of a session, oldest first."""
        places = events.newest_places(view, memory_id, session_id, limit)
        found = {place: self._said.get((session_id, place)) for place in places}
        missing = [place for place, said in found.items() if said is None]
        for place, turn in events.turns_at(view, memory_id, session_id, missing):
            found[place] = said = said_in([turn])
            self._keep((session_id, place), said)
        return [each for said in found.values() if said for each in said]

    def _keep(self, turn: tuple[str, int], said: list[str]) -> None:
        self._said[turn] = said
        self.nbytes += _nbytes(said)
        if len(self._said) > _MOST_TURNS:
            self.nbytes -= _nbytes(self._said.popitem(last=False)[1])


def _nbytes(said: list[str]) -> int:
    return _BYTES_OF_TURN + sum(_BYTES_OF_TEXT + 2 * len(each) for each in said)
