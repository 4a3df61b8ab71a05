"""What a plan may rest on, read at one revision: the newest turns of the session, addresses that the memory holds."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from brain_core.compose.planner.read import Recent
from brain_core.compose.said import SaidTurn
from brain_core.index.chunks import ChunkTable
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT

TURNS = 8
"""Newest turns in which something is pointed at, and amid which a message is looked for."""

_MOST_PLACES = 2
_BETWEEN = r"(?:%20|[\W_])*"
"""What may stand between the words of a name in an address."""
_WITHOUT_ADDRESS = (CHUNK_KIND_MESSAGE, CHUNK_KIND_ITEM, CHUNK_KIND_TOOL_RESULT)


def recent_of(turns: Sequence[SaidTurn]) -> Recent:
    """Return the texts and addresses of turns, less what tools said: it is long, and nobody points at it."""
    texts: list[str] = []
    refs: dict[str, None] = {}
    for turn in turns:
        texts += turn.texts
        for address in turn.addresses:
            refs.pop(address, None)
            refs[address] = None  # what was named last is newest
    return Recent(texts, list(refs))


def newest(texts: Sequence[str], most: int) -> list[str]:
    """Return the last texts, as many as `most` characters hold; the first of them may lack its beginning."""
    kept: list[str] = []
    for text in reversed(texts):
        if most <= 0:
            break
        kept.append(text[-most:])
        most -= len(text)
    return kept[::-1]


def places_named(chunks: ChunkTable, size: int, name: str) -> list[str]:
    """Return prefixes of the addresses of documents and refs in which a name stands, the most used first.

    name: its words may be written together or apart there. size: how many rows are looked at, the first ones.
    """
    words = name.lower().lstrip("~./").split()
    if not words:
        return []
    wanted = re.compile(_BETWEEN.join(map(re.escape, words)))
    rows = ~np.isin(chunks.column("kind")[:size], _WITHOUT_ADDRESS)
    ordinals, counts = np.unique(chunks.column("uri")[:size][rows], return_counts=True)
    found: dict[str, int] = {}
    for ordinal, count in zip(ordinals.tolist(), counts.tolist(), strict=True):
        address = chunks.names["uri"][ordinal] if ordinal >= 0 else ""
        place = wanted.search(address.lower())
        if place is not None:
            prefix = address[: place.end()]
            found[prefix] = found.get(prefix, 0) + count
    return sorted(found, key=lambda prefix: (-found[prefix], prefix))[:_MOST_PLACES]
