"""BM25 over the turns of one memory (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009)."""

from array import array
from collections import Counter

import numpy as np

from benchmarks.quality.baseline import Scores, Texts
from benchmarks.quality.words import Words

K1 = 0.9
B = 0.4


class Bm25:
    """Growing keyword index: texts are numbered 0, 1, … as they are added, and found at once."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._postings: dict[str, tuple[array[int], array[int]]] = {}  # term: (text numbers, occurrences)
        self._lengths = array("i")

    def add(self, text: str, speaker: str) -> None:
        """Add the next text; the speaker's name counts as a word of it."""
        terms = self._words.terms(f"{speaker} {text}")
        number = len(self._lengths)
        for term, count in Counter(terms).items():
            numbers, counts = self._postings.setdefault(term, (array("i"), array("i")))
            numbers.append(number)
            counts.append(count)
        self._lengths.append(len(terms))

    def scores(self, question: str) -> Scores:
        """Score every text, float64 (texts,); 0 for one that shares no term. A repeated term counts repeatedly."""
        size = len(self._lengths)
        total = np.zeros(size)
        if not size:
            return total
        lengths = np.frombuffer(self._lengths, dtype=np.intc)
        norms = K1 * (1.0 - B + B * lengths / max(1.0, lengths.mean()))
        for term, weight in Counter(self._words.terms(question)).items():
            if term not in self._postings:
                continue
            numbers, counts = (np.frombuffer(part, dtype=np.intc) for part in self._postings[term])
            idf = np.log1p((size - len(numbers) + 0.5) / (len(numbers) + 0.5))
            total[numbers] += weight * idf * counts * (K1 + 1.0) / (counts + norms[numbers])
        return total

    def rank(self, question: str) -> Texts:
        """Return the texts that share a term with the question, best first, equal ones in the order added."""
        scores = self.scores(question)
        order = np.argsort(-scores, kind="stable")
        return order[: np.count_nonzero(scores > 0.0)]
