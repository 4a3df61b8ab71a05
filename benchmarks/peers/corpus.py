"""The memories and queries that every peer gets: made once per size, and handed over in a folder."""

import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from smartbrain.conversations import Turn, load_conversations

from benchmarks.peers.peer import WANTED, Memory, Query

PER_OWNER = 200
SPEAKER = "user"
"""Who says all memories. SmartBrain embeds a message as "speaker: text", so that is what all vectors are made of."""

BATCH = 50
"""Memories that come in together, all of one owner; owners take turns, as they would."""

_LONGEST = 600  # characters of a memory: one chunk for every peer, SmartBrain included
_LONGEST_QUERY = 200
_QUERIES = 200
_SEED = 7
_NEAR_TIE = 1e-5  # of cosine: which of two so close is better is float32 rounding

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Memories by number, PER_OWNER in a row for each owner, and queries; vectors are float32[n, dimension]."""

    texts: list[str]
    vectors: NDArray[np.float32]
    query_texts: list[str]
    query_owners: list[int]
    query_vectors: NDArray[np.float32]

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.vectors.shape[1])

    def memory(self, number: int) -> Memory:
        """Give one memory."""
        return Memory(number, _name(number // PER_OWNER), self.texts[number], self.vectors[number])

    def batches(self, stop: int) -> Iterator[list[Memory]]:
        """Give the memories below `stop` in the order of arrival."""
        for start in range(0, PER_OWNER, BATCH):
            for first in range(start, stop, PER_OWNER):
                yield [self.memory(number) for number in range(first, min(first + BATCH, stop))]

    def queries(self) -> list[Query]:
        """Give the queries in order."""
        rows = zip(self.query_texts, self.query_owners, self.query_vectors, strict=True)
        return [Query(_name(owner), text, vector) for text, owner, vector in rows]

    def recall(self, query: int, found: Sequence[int]) -> float:
        """Return the share of the exact answer, the owner's WANTED nearest by cosine, that was found.

        A near-tie with the last of them counts as one of them.
        """
        first = self.query_owners[query] * PER_OWNER
        cosines = self.vectors[first : first + PER_OWNER] @ self.query_vectors[query]
        wanted = min(WANTED, len(cosines))
        least = np.partition(cosines, -wanted)[-wanted] - _NEAR_TIE
        return min(wanted, sum(bool(cosines[number - first] >= least) for number in set(found))) / wanted

    def save(self, folder: Path) -> None:
        """Write it for `load_corpus`."""
        words = {"texts": self.texts, "query_texts": self.query_texts, "query_owners": self.query_owners}
        (folder / "words.json").write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
        np.save(folder / "vectors.npy", self.vectors)
        np.save(folder / "query_vectors.npy", self.query_vectors)


def load_corpus(folder: Path) -> Corpus:
    """Read what `save` wrote."""
    words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    return Corpus(vectors=np.load(folder / "vectors.npy"), query_vectors=np.load(folder / "query_vectors.npy"), **words)


class Source:
    """Texts of data folders: some turns of users are held out as queries, all others become memories.

    Raises ValueError when the folders have too few turns.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        chance = random.Random(_SEED)
        turns = [(turn.role, turn.text.strip()) for folder in folders for turn in _turns(folder)]
        asked = [place for place, (role, _) in enumerate(turns) if role == "user"]
        held_out = set(chance.sample(asked, min(_QUERIES, len(asked) // 4)))
        self.queries = [turns[place][1][:_LONGEST_QUERY].strip() for place in sorted(held_out)]
        kept = (text[:_LONGEST].strip() for place, (_, text) in enumerate(turns) if place not in held_out)
        self._texts = list(dict.fromkeys(kept))  # LangGraph refuses a batch in which a text stands twice
        if not self.queries:
            raise ValueError(f"{', '.join(map(str, folders))}: fewer than four turns of users")
        self._blocks = list(range(max(1, len(self._texts) // PER_OWNER)))
        chance.shuffle(self._blocks)

    def corpus(self, memories: int, embed: Embed) -> Corpus:
        """Make one of this many memories; a smaller one is the beginning of a larger one, its queries are the same."""
        texts = self.texts(memories)
        owners = -(-memories // PER_OWNER)
        chance = random.Random(_SEED)
        return Corpus(
            texts=texts,
            vectors=embed([f"{SPEAKER}: {text}" for text in texts]),
            query_texts=self.queries,
            query_owners=[chance.randrange(owners) for _ in self.queries],
            query_vectors=embed(self.queries),
        )

    def texts(self, memories: int) -> list[str]:
        """Give this many memories' texts."""
        return [self._text(number) for number in range(memories)]

    def _text(self, number: int) -> str:
        """Give each owner a stretch of conversation; once all are given away, mix the halves of two texts."""
        owner, place = divmod(number, PER_OWNER)
        lap, block = divmod(owner, len(self._blocks))
        more_laps, at = divmod(self._blocks[block] * PER_OWNER + place, len(self._texts))
        text, lap = self._texts[at], lap + more_laps
        if not lap:
            return text
        other = self._texts[(at + lap * (PER_OWNER + 1)) % len(self._texts)]
        return f"{text[: len(text) // 2].strip()} {other[len(other) // 2 :].strip()}"


def _turns(folder: Path) -> Iterator[Turn]:
    paths = sorted(folder.glob("conversations.jsonl*"))
    if not paths:
        raise ValueError(f"{folder}: no conversations.jsonl is there")
    for conversation in itertools.chain.from_iterable(load_conversations(path) for path in paths):
        for session in conversation.sessions:
            yield from session.turns


def _name(owner: int) -> str:
    return f"user-{owner}"
