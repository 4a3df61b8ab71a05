"""All that may go into a package, as it is gathered at one revision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smartbrain.v1.evidence_pb2 import Dropped

from brain_core.compose.blocks import Pinned
from brain_core.compose.foreign import NOTHING, Foreign
from brain_core.compose.retrieve import Found
from brain_core.compose.said import SaidTurn
from brain_core.compose.slots import SlotCounter
from brain_core.compose.summary import SessionSummary
from brain_core.index.chunks import ChunkTable
from brain_core.index.speakers import Speakers


class Material(NamedTuple):
    """All that may go into a package.

    said_cost: what the user message costs, in hundredths of a token. most: most pieces of evidence. pinned: items
    that every context carries. ended: pinned items that no longer hold. turns: newest last. chunks: what is known of
    every row. counter: of tokens. speakers: of all rows. summary: of the session, if it has one. foreign: what other
    executors found.
    """

    user_message: str
    said_cost: int
    most: int
    pinned: Pinned
    ended: Sequence[Dropped]
    turns: Sequence[SaidTurn]
    found: Found
    chunks: ChunkTable
    counter: SlotCounter
    speakers: Speakers
    summary: SessionSummary | None = None
    foreign: Foreign = NOTHING
