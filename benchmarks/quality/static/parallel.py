"""Fitting Chinese words on parallel sentences: the dictionary says what a word may mean, these what it does mean.

The English table stays as it is. A Chinese sentence is to point where its English one points; how far a word may move
from its glosses grows with how often it is said.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from brain_core.models.chinese import HAN, ChineseWords, Lexicon
from brain_core.models.static import StaticEmbedder
from brain_core.models.table import Table, quantise

Vectors = NDArray[np.float32]

WRITTEN = Path(__file__).parent / "pairs"
"""Files of a pair a line, Chinese and English with a tab between, written for this project."""

_RIDGE = 1.0
_LEAST = 2
"""Texts that say a word which gets a vector of its own: those of rarer words would double the file for nothing."""
_STEPS = 150
_RATE = 0.02
_EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts of one meaning."""

    chinese: str
    english: str


def written_pairs(folder: Path = WRITTEN) -> Iterator[Pair]:
    """Yield the pairs of all files of a folder."""
    for file in sorted(folder.glob("*.tsv")):
        for line in file.read_text("utf-8").splitlines():
            yield Pair(*line.split("\t"))


def memorybank_pairs(data: Path) -> Iterator[Pair]:
    """Yield the turns of memorybank_cn and memorybank_en whose sessions have the same number of turns."""
    chinese, english = (_sessions(data / name) for name in ("memorybank_cn", "memorybank_en"))
    for name, turns in chinese.items():
        if len(turns) == len(english.get(name, ())):
            yield from map(Pair, turns, english[name])


def _sessions(folder: Path) -> dict[tuple[int, str], list[str]]:
    lines = (folder / "conversations.jsonl").read_text("utf-8").splitlines()
    return {
        (number, session["session_id"]): [turn["text"] for turn in session["turns"]]
        for number, line in enumerate(lines)
        for session in json.loads(line)["sessions"]
    }


def with_own_vectors(lexicon: Lexicon, table: Table, embedder: StaticEmbedder, pairs: Sequence[Pair]) -> Lexicon:
    """Return a lexicon of glosses whose words that the pairs have are given vectors of their own.

    embedder: of this table and this lexicon.
    """
    words, counts = _said([pair.chinese for pair in pairs], ChineseWords(lexicon))
    glosses = np.stack([_gloss(lexicon, table, word) for word in words])
    sums = np.stack([_sum(table, *embedder.token_rows(pair.chinese)) for pair in pairs])
    targets = embedder.embed([pair.english for pair in pairs])
    fitted = fit(glosses, counts, sums - counts @ glosses, targets)
    often = np.flatnonzero(counts.getnnz(axis=0) >= _LEAST)
    return _instead(lexicon, len(table.rows), [words[place] for place in often], quantise(fitted[often]))


def _said(texts: Sequence[str], chinese: ChineseWords) -> tuple[list[int], csr_matrix]:
    """Return (the words of texts, float32[texts, words]: roots of how often each text has them)."""
    cut = [Counter(chain.from_iterable(map(chinese.words, HAN.findall(text)))) for text in texts]
    words = sorted(set(chain.from_iterable(cut)))
    place = {word: number for number, word in enumerate(words)}
    columns = np.array([place[word] for one in cut for word in one], dtype=np.int32)
    roots = np.sqrt(np.array([count for one in cut for count in one.values()], dtype=np.float32))
    starts = np.cumsum([0, *map(len, cut)])
    return words, csr_matrix((roots, columns, starts), shape=(len(texts), len(words)))


def _gloss(lexicon: Lexicon, table: Table, word: int) -> Vectors:
    entries = slice(lexicon.starts[word], lexicon.starts[word + 1])
    return _sum(table, lexicon.ids[entries], lexicon.weights[entries])


def _sum(table: Table, ids: NDArray[np.int32], weights: NDArray[np.float32]) -> Vectors:
    vector: Vectors = (weights * table.scales[ids]) @ table.rows[ids].astype(np.float32)
    return vector


def fit(start: Vectors, counts: csr_matrix, rest: Vectors, targets: Vectors) -> Vectors:
    """Return the fitted vectors of words, float32[n, d].

    start: float32[n, d], none of length 0. counts: float[texts, n]. rest: float32[texts, d], what stands in a text
    beside the words. targets: float32[texts, d], of unit length. Loss: the sum of 1 - cosine over the texts, and half
    of `_RIDGE` times the squared length by which each word has moved, as a share of where it began. Adam, all at once.
    """
    moved, first, second = np.zeros_like(start), np.zeros_like(start), np.zeros_like(start)
    squared = (start * start).sum(axis=1, keepdims=True)
    rate = _RATE * np.sqrt(squared / start.shape[1])
    for step in range(1, _STEPS + 1):
        sums = rest + counts @ (start + moved)
        lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
        units = sums / lengths
        by_sums = ((targets * units).sum(axis=1, keepdims=True) * units - targets) / lengths
        gradient = counts.T @ by_sums + _RIDGE * moved / squared
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient * gradient
        moved -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + _EPSILON)
    fitted: Vectors = (start + moved).astype(np.float32)
    return fitted


def _instead(lexicon: Lexicon, table_rows: int, words: Sequence[int], own: Table) -> Lexicon:
    """Return the lexicon with a row of its own for each of the words, in place of their glosses."""
    ids = np.split(lexicon.ids, lexicon.starts[1:-1])
    weights = np.split(lexicon.weights, lexicon.starts[1:-1])
    for number, word in enumerate(words):
        ids[word] = np.array([table_rows + number], dtype=np.int32)
        weights[word] = np.ones(1, dtype=np.float32)
    starts = np.cumsum([0, *map(len, ids)]).astype(np.int32)
    return replace(lexicon, starts=starts, ids=np.concatenate(ids), weights=np.concatenate(weights), own=own)
