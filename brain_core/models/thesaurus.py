"""Words of like meaning, in both languages: what else a text may call what a question names.

They are the nearest neighbours of single words in the built-in table, found once and kept in a file: a query costs a
lookup. A word that the file lacks, as most names, stands for itself alone.

Each neighbour stands for the query's word (`kernels/words.pyx`): of a word and those that stand for it, the one that
gains a text most counts, so a text that says a thing in both languages is not twice as good, and a neighbour is no
rarer than the word itself. Coverage still asks for the query's own words.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from brain_core.kernels.words import Alike
from brain_core.models.chinese import HAN, ChineseWords
from brain_core.models.static import built_in
from brain_core.text.remembered import remembered
from brain_core.text.words import distinct_terms

FILE = Path(__file__).parent / "cedict-zh/alike.safetensors"
LIKENESS_STEPS = 255
_REMEMBERED_WORDS, _REMEMBERED_TEXTS = 8192, 256


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What the file holds, by word: English ones in their order, then those of a lexicon in its order.

    Neighbours of word i are targets[others[j]] for j in starts[i]..starts[i + 1] - 1, the likest first.
    """

    english: list[str]
    """Index terms."""
    starts: NDArray[np.int32]
    """int32[n + 1]"""
    targets: NDArray[np.int32]
    """int32[t], t ≤ 65,536: words that are a neighbour"""
    others: NDArray[np.uint16]
    """uint16[m]"""
    likeness: NDArray[np.uint8]
    """uint8[m]: cosine in steps of 1 / LIKENESS_STEPS"""


def write_neighbours(found: Neighbours, file: Path) -> None:
    """Write neighbours where `read_neighbours` finds them."""
    tensors: dict[str, NDArray[Any]] = {
        "english": np.frombuffer("\n".join(found.english).encode(), dtype=np.uint8),
        "lengths": np.diff(found.starts).astype(np.uint8),
        "targets": found.targets,
        "others": found.others,
        "likeness": found.likeness,
    }
    file.write_bytes(save(tensors))


def read_neighbours(file: Path, lexicon_words: int) -> Neighbours:
    """Read the neighbours of English words and of a lexicon of so many.

    Raises ValueError, with the file's name, when it is not there, is damaged or was made for another lexicon.
    """
    try:
        tensors = load_file(file)
        english = tensors["english"].tobytes().decode().split("\n")
        starts = np.concatenate([[0], np.cumsum(tensors["lengths"], dtype=np.int32)]).astype(np.int32)
        found = Neighbours(english, starts, *(tensors[name] for name in ("targets", "others", "likeness")))
    except (OSError, SafetensorError, KeyError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: not a readable thesaurus: {error!r}") from error
    words, entries = len(english) + lexicon_words, len(found.others)
    if starts[-1] != entries or entries != len(found.likeness):
        raise ValueError(f"{file}: lengths, others and likeness do not belong together")
    if entries and (found.others.max() >= len(found.targets) or found.targets.min() < 0):
        raise ValueError(f"{file}: names words that it has not")
    if len(starts) - 1 != words or (len(found.targets) and found.targets.max() >= words):
        raise ValueError(f"{file}: made for another lexicon")
    return found


class Thesaurus:
    """Words of like meaning by the words of a text. Any thread may use it."""

    def __init__(self, neighbours: Neighbours, chinese: ChineseWords) -> None:
        self._neighbours = neighbours
        self._places = {word: place for place, word in enumerate(neighbours.english)}
        self._chinese = chinese
        self._of = lru_cache(maxsize=_REMEMBERED_WORDS)(self._read)
        self.alike = remembered(_REMEMBERED_TEXTS)(self._alike)
        """Returns what the words of a text may be called otherwise; each word once, English and Chinese apart."""

    def _alike(self, text: str) -> tuple[Alike, ...]:
        return tuple(chain.from_iterable(map(self._of, dict.fromkeys(self._words(text)))))

    def _words(self, text: str) -> list[int]:
        places = self._places
        found = [place for term in distinct_terms(text) if (place := places.get(term)) is not None]
        for run in HAN.findall(text):
            found += (len(places) + number for number in self._chinese.words(run))
        return found

    def _word(self, place: int) -> str:
        english = self._neighbours.english
        return english[place] if place < len(english) else self._chinese.text(place - len(english))

    def _read(self, place: int) -> tuple[Alike, ...]:
        """Return the English and the Chinese neighbours of a word, as far as it has some."""
        known, count = self._neighbours, len(self._places)
        first, last = known.starts[place : place + 2].tolist()
        places = known.targets[known.others[first:last]].tolist()
        likeness = (known.likeness[first:last] / LIKENESS_STEPS).tolist()
        found = [(one, (_terms_of(self._word(one)), how)) for one, how in zip(places, likeness, strict=True)]
        word, is_english = self._word(place), place < count
        own = (word,) if is_english else tuple(dict.fromkeys((*_terms_of(word), *word)))
        english = tuple(other for one, other in found if one < count)
        chinese = tuple(other for one, other in found if one >= count)
        pairs = ((english, not is_english), (chinese, is_english))
        return tuple(Alike(own, others, translated) for others, translated in pairs if others)


def _terms_of(word: str) -> tuple[str, ...]:
    """Return the index terms that stand for a word: a Chinese one's pairs of characters, as the strings of indexes."""
    if word.isascii() or len(word) < 3:
        return (sys.intern(word),)
    return tuple(sys.intern(first + second) for first, second in pairwise(word))


@lru_cache(maxsize=1)
def built_in_thesaurus() -> Thesaurus:
    """Return the built-in thesaurus, loaded once for all who ask."""
    chinese = built_in().chinese
    if chinese is None:
        raise ValueError(f"{FILE}: the built-in table has no Chinese words")
    return Thesaurus(read_neighbours(FILE, len(chinese)), chinese)
