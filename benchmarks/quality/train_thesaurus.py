"""`python -m benchmarks.quality.train_thesaurus`: find the words of like meaning.

See benchmarks/notes/ranking.md.

A minute. Needs the built-in table and its Chinese words alone; no text of any data set.
"""

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tqdm import tqdm

from brain_core.models.chinese import Lexicon, read_lexicon
from brain_core.models.static import BUILT_IN
from brain_core.models.table import Table, read_table
from brain_core.models.thesaurus import FILE, LIKENESS_STEPS, Neighbours, write_neighbours
from brain_core.text.words import terms

LEAST_LIKENESS = 0.4
MOST, MOST_OF_RARE = 24, 8
"""Neighbours of a word in each language; of a rare Chinese word."""
COMMON_CHINESE = 30_000
"""Chinese words that are neighbours of others, the most common."""
LONGEST_CHINESE = 4
"""Characters of these."""
_AT_ONCE = 512

Vectors = NDArray[np.float32]


def main() -> None:
    """Read table and words, write the neighbours."""
    chosen = _parser().parse_args()
    table = read_table(BUILT_IN / "model.safetensors")
    lexicon = read_lexicon(chosen.words, *table.rows.shape)
    english = english_words(Tokenizer.from_file(str(BUILT_IN / "tokenizer.json")), table)
    chinese = chinese_words(lexicon, table.followed_by(lexicon.own))
    write_neighbours(neighbours(english, chinese, common(lexicon)), chosen.out)


def english_words(tokenizer: Tokenizer, table: Table) -> dict[str, Vectors]:
    """Return index term → unit vector: the mean direction of the words of the vocabulary that have this one term."""
    vectors = _unit(table.vectors())
    rows: dict[str, list[int]] = {}
    for word, row in sorted(tokenizer.get_vocab().items(), key=lambda one: one[1]):
        if word.isascii() and word.isalpha() and len(word) > 1 and len(found := terms(word)) == 1:
            rows.setdefault(found[0], []).append(row)
    return {term: _unit(vectors[chosen].mean(axis=0)) for term, chosen in rows.items()}


def chinese_words(lexicon: Lexicon, table: Table) -> Vectors:
    """Return the unit vector of each word, the weighted sum of its glosses; zeros where it has none."""
    vectors = table.vectors()
    found = np.zeros((len(lexicon.words), vectors.shape[1]), dtype=np.float32)
    for number, (start, stop) in enumerate(pairwise(lexicon.starts.tolist())):
        found[number] = (vectors[lexicon.ids[start:stop]] * lexicon.weights[start:stop, None]).sum(axis=0)
    return _unit(found)


def common(lexicon: Lexicon) -> NDArray[np.int64]:
    """Return the most common of the short words that have glosses, the most common first."""
    lengths = np.array([len(word) for word in lexicon.words])
    order = np.argsort(lexicon.costs, kind="stable")
    return order[((lengths <= LONGEST_CHINESE) & (np.diff(lexicon.starts) > 0))[order]][:COMMON_CHINESE]


def neighbours(english: dict[str, Vectors], chinese: Vectors, common: NDArray[np.int64]) -> Neighbours:
    """Return of each word the nearest of either language; of a Chinese one the English ones alone.

    A Chinese word is found by its characters already: with its Chinese neighbours too, less was found.
    """
    count = len(english)
    vectors = np.concatenate([np.stack(list(english.values())), chinese])
    targets = np.concatenate([np.arange(count), count + np.sort(common)])
    near_by, is_target = vectors[targets].T, np.isin(np.arange(len(vectors)), targets)
    others, likeness = [], []
    for place in tqdm(range(len(vectors)), desc="neighbours", unit="", disable=None):
        if place % _AT_ONCE == 0:
            block = vectors[place : place + _AT_ONCE] @ near_by
        row = block[place % _AT_ONCE]
        if is_target[place]:
            row[np.searchsorted(targets, place)] = 0.0
        if place < count:
            near = np.concatenate([_nearest(row[:count], MOST), count + _nearest(row[count:], MOST)])
        else:
            near = _nearest(row[:count], MOST if is_target[place] else MOST_OF_RARE)
        others.append(near.astype(np.uint16))
        likeness.append(np.rint(row[near] * LIKENESS_STEPS).clip(0, LIKENESS_STEPS).astype(np.uint8))
    starts = np.cumsum([0, *map(len, others)]).astype(np.int32)
    return Neighbours([*english], starts, targets.astype(np.int32), np.concatenate(others), np.concatenate(likeness))


def _nearest(cosines: Vectors, most: int) -> NDArray[np.int64]:
    best = np.argpartition(-cosines, most)[:most]
    best = best[np.lexsort((best, -cosines[best]))]
    return best[cosines[best] >= LEAST_LIKENESS]


def _unit(vectors: NDArray[np.floating]) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.train_thesaurus", description=__doc__)
    words = FILE.with_name("words.safetensors")
    parser.add_argument("--words", type=Path, default=words, metavar="FILE", help="default: %(default)s")
    parser.add_argument("--out", type=Path, default=FILE, metavar="FILE", help="default: %(default)s")
    return parser


if __name__ == "__main__":
    main()
