"""Chinese words in the space of an English table, without a model.

A word has the weighted token ids of its dictionary glosses, or a vector of its own that was fitted on parallel
sentences. Words are found by the most probable cut of a run of characters (a unigram model); a word that the dictionary
lacks falls apart into ones that it has, in the end single characters. Traditional characters are read as their
simplified ones where that makes the more probable words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from brain_core.kernels.pool import Pool, parts_of
from brain_core.models.table import Table
from brain_core.text.remembered import remembered

HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff]+")
LONGEST_WORD = 6
"""Characters."""
_BEGINS_A_WORD, _BEGINS_NONE = -1, -2
_COST_OF_UNKNOWN = 25.0
"""Of a character without a gloss; the rarest word costs 17."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the data file holds. Glosses of word i are entries starts[i]..starts[i + 1] - 1 of ids and weights."""

    words: list[str]
    """n simplified words of 1 to `LONGEST_WORD` characters"""
    costs: NDArray[np.float32]
    """float32[n]: -ln of each word's share of running text"""
    starts: NDArray[np.int32]
    """int32[n + 1]"""
    ids: NDArray[np.int32]
    """int32[m]: rows of the table"""
    weights: NDArray[np.float32]
    """float32[m]"""
    own: Table
    """Vectors of their own that words have: ids from the table's length on are rows of it."""
    traditional: str
    simplified: str
    """Characters that stand for each other, in the same order."""


def write_lexicon(lexicon: Lexicon, file: Path) -> None:
    """Write a lexicon where `read_lexicon` finds it, numbers in half precision."""
    texts = {"words": "\n".join(lexicon.words), "traditional": lexicon.traditional, "simplified": lexicon.simplified}
    tensors: dict[str, NDArray[Any]] = {
        name: np.frombuffer(text.encode(), dtype=np.uint8) for name, text in texts.items()
    }
    tensors |= {
        "costs": lexicon.costs.astype(np.float16),
        "lengths": np.diff(lexicon.starts).astype(np.uint8),
        "ids": lexicon.ids.astype(np.uint16),
        "weights": lexicon.weights.astype(np.float16),
        "rows": lexicon.own.rows,
        "scales": lexicon.own.scales,
    }
    file.write_bytes(save(tensors))


def read_lexicon(file: Path, table_rows: int, dimension: int) -> Lexicon:
    """Read the words whose glosses are rows of a table of that many, each of so many numbers.

    Raises ValueError when the file is not there, is damaged or was made for another table.
    """
    try:
        tensors = load_file(file)
        words, traditional, simplified = (
            tensors[name].tobytes().decode() for name in ("words", "traditional", "simplified")
        )
        starts = np.concatenate([[0], np.cumsum(tensors["lengths"], dtype=np.int32)]).astype(np.int32)
        ids, weights = tensors["ids"].astype(np.int32), tensors["weights"].astype(np.float32)
        costs, own = tensors["costs"].astype(np.float32), Table(tensors["rows"], tensors["scales"])
        lexicon = Lexicon(words.split("\n"), costs, starts, ids, weights, own, traditional, simplified)
    except (OSError, SafetensorError, KeyError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: not a readable lexicon: {error!r}") from error
    count = len(lexicon.words)
    if not (count == len(lexicon.costs) == len(starts) - 1 and starts[-1] == len(ids) == len(weights)):
        raise ValueError(f"{file}: words, costs, lengths, ids and weights do not belong together")
    if own.rows.dtype != np.int8 or own.rows.ndim != 2 or own.scales.shape != own.rows.shape[:1]:
        raise ValueError(f'{file}: "rows" must be int8, with one of "scales" for each row')
    rows = table_rows + len(own.rows)
    if len(traditional) != len(simplified) or own.rows.shape[1] != dimension or (len(ids) and ids.max() >= rows):
        raise ValueError(f"{file}: made for another table")
    return lexicon


_REMEMBERED = 1024  # runs between two marks
_AT_ONCE = 4096  # words


class ChineseWords:
    """Finds the words of a lexicon in text. Any thread may use it.

    The newest runs of characters are remembered: a commit reads each twice, as a sentence and as part of a chunk.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._texts = lexicon.words
        self._costs: list[float] = lexicon.costs.tolist()
        self._starts = lexicon.starts
        self._ids = lexicon.ids
        self._weights = lexicon.weights
        self._simplified = str.maketrans(lexicon.traditional, lexicon.simplified)
        self.words = remembered(_REMEMBERED)(self._cut)
        """Returns the numbers of the words in a run of Chinese characters; characters that no word has are left out."""

    def __len__(self) -> int:
        return len(self._texts)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Numbers of words, and what stands for the beginning of one. Made at first use: most of loading is that."""
        numbers = {word[:stop]: _BEGINS_A_WORD for word in self._texts for stop in range(1, len(word))}
        return numbers | {word: number for number, word in enumerate(self._texts)}

    def pool(self, table: Table) -> Pool:
        """Return what tokens of a table, which the words' own rows follow, and numbers of words are pooled from."""
        return Pool(table.rows, table.scales, self._starts, self._ids, self._weights)

    def text(self, number: int) -> str:
        """Return the word of a number."""
        return self._texts[number]

    def _cut(self, run: str) -> tuple[int, ...]:
        simplified = run.translate(self._simplified)
        words, cost = self._cheapest(run)
        if simplified == run:
            return words
        others, other_cost = self._cheapest(simplified)
        # 么, 宁 and 著 stand for 幺, 㝉 and 着 in traditional texts, and for themselves in simplified ones.
        return others if other_cost < cost else words

    def _cheapest(self, run: str) -> tuple[tuple[int, ...], float]:
        """Return the words of the most probable cut of a run and its cost."""
        numbers, costs = self._numbers, self._costs
        length = len(run)
        best = [0.0] * (length + 1)  # cost of the cheapest cut of run[start:]
        chosen = [(0, _BEGINS_NONE)] * length  # (where its first word ends, that word)
        for start in range(length - 1, -1, -1):
            least, choice = best[start + 1] + _COST_OF_UNKNOWN, (start + 1, _BEGINS_NONE)
            for stop in range(start + 1, min(start + LONGEST_WORD, length) + 1):
                number = numbers.get(run[start:stop], _BEGINS_NONE)
                if number == _BEGINS_NONE:
                    break
                if number >= 0 and costs[number] + best[stop] < least:
                    least, choice = costs[number] + best[stop], (stop, number)
            best[start], chosen[start] = least, choice
        found: list[int] = []
        start = 0
        while start < length:
            start, number = chosen[start]
            if number >= 0:
                found.append(number)
        return tuple(found), best[0]

    def glosses(self, words: Mapping[int, int]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the table rows of the glosses of words and their weights, int32[k] and float32[k].

        words: how often each is said; n times it weighs √n.
        """
        numbers = np.fromiter(words, dtype=np.int32, count=len(words))
        counts = np.fromiter(words.values(), dtype=np.int32, count=len(words))
        return parts_of(self._starts, self._ids, self._weights, numbers, counts)

    def sum_glosses(self, of_rows: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        """Write of each word the weighted sum of its glosses into out, float32[words, d].

        of_rows: float32[table rows, d].
        """
        out[:] = 0
        glossed = np.flatnonzero(np.diff(self._starts))
        for some in np.array_split(glossed, -(-len(glossed) // _AT_ONCE)):
            first, last = self._starts[some[0]], self._starts[some[-1] + 1]
            glosses = of_rows[self._ids[first:last]] * self._weights[first:last, None]
            out[some] = np.add.reduceat(glosses, self._starts[some] - first, axis=0)
