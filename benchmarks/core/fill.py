"""A MemoryIndex full of texts, made as commits make it, but without a store."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.event_pb2 import Message, Turn, TurnEvents
from tqdm import tqdm

from benchmarks.engine.texts import Texts
from brain_core.index.derive import chunk_text, turn_chunks
from brain_core.index.memory_index import MemoryIndex
from brain_core.store.v1.records_pb2 import ChunkRecord

_OF_A_TURN = 2
_OF_A_SESSION = 40
_WINDOW_CHARS = 800
_AT_ONCE = 500
_EPOCH = 1_750_000_000  # seconds; text n was said a minute after text n-1


class Embedding(Protocol):
    """What makes vectors of texts."""

    @property
    def dimension(self) -> int:
        """Numbers of a vector."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32[n, dimension], rows of unit length."""


def filled(texts: Texts, embedder: Embedding, vectors: NDArray[np.float16]) -> MemoryIndex:
    """Return an index of as many chunks as there are rows, with nothing being made in the background any more.

    vectors: are overwritten with those of the chunks.
    """
    index, chunks = MemoryIndex(embedder.dimension), len(vectors)
    with tqdm(total=chunks, desc="fill", unit="", leave=False, disable=None) as bar:
        for first in range(0, chunks, _AT_ONCE):
            batch = list(records(texts, first, min(first + _AT_ONCE, chunks)))
            rows = vectors[first : first + len(batch)]
            rows[:] = embedder.embed([chunk_text(one) for one in batch])
            for record, vector in zip(batch, rows, strict=True):
                record.vector = vector.astype("<f2").tobytes()
            index.add(batch)
            bar.update(len(batch))
    index.vectors.settle()
    return index


def records(texts: Texts, start: int, stop: int) -> Iterator[ChunkRecord]:
    """Give the chunks of texts start … stop - 1 without vectors: two of a turn, forty of a session."""
    for first in range(start, stop, _OF_A_TURN):
        numbers = range(first, min(first + _OF_A_TURN, stop))
        chunks = turn_chunks("core", _turn(texts, numbers), first, _WINDOW_CHARS)
        for number, record in zip(numbers, chunks, strict=True):
            record.ordinal = number
            yield record


def _turn(texts: Texts, numbers: range) -> Turn:
    messages = [
        Message(
            message_id=f"m{number}",
            role="assistant" if number % 2 else "user",
            speaker="assistant" if number % 2 else "user",
            content=texts.text(number),
            created_at=Timestamp(seconds=_EPOCH + 60 * number),
        )
        for number in numbers
    ]
    session = f"session-{numbers.start // _OF_A_SESSION}"
    return Turn(session_id=session, turn_id=f"turn-{numbers.start}", events=TurnEvents(messages=messages))


def rows_of(count: int, share: float, *, together: bool, seed: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Return uint8[count]: 1 for a share of the rows, drawn one by one or one stretch of them."""
    random = np.random.default_rng(seed)
    wanted = max(1, round(share * count))
    allowed = np.zeros(count, dtype=np.uint8)
    if together:
        first = int(random.integers(0, count - wanted + 1))
        allowed[first : first + wanted] = 1
    else:
        allowed[random.permutation(count)[:wanted]] = 1
    return allowed
