"""Search by the product's static embedder: the same vectors that it is given, in its stead searched alone."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from benchmarks.quality.baseline import Texts
from brain_core.index.lexical import LexicalIndex
from brain_core.index.weighed import weighed
from brain_core.models.embedder import Words
from brain_core.models.static import StaticEmbedder

Vectors = NDArray[np.float32]


class StaticModel:
    """A folder of the product's static embedder, or one in model2vec's format.

    Raises ValueError when a file of it is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._embedder = StaticEmbedder(folder)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.name = folder.name

    def word_pieces(self, text: str) -> int:
        """Count the word pieces of the whole text, without special tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def embed(self, text: str) -> Vectors:
        """Make the text's unit vector (size,); zeros when it has no known word."""
        vector: Vectors = self._embedder.embed([text])[0]
        return vector

    def words(self, text: str) -> Words:
        """Return what each word of a query adds to its vector."""
        return self._embedder.words(text)


class Dense:
    """Growing vector index, searched exactly: texts are numbered 0, 1, … as they are added, and found at once."""

    def __init__(self, model: StaticModel) -> None:
        self._model = model
        self._vectors: list[Vectors] = []
        self._matrix: Vectors | None = None

    def add(self, text: str, speaker: str) -> None:
        """Add the next text as "speaker: text": on chats of named people the name is worth 6 points of recall@10."""
        self._vectors.append(self._model.embed(f"{speaker}: {text}"))
        self._matrix = None

    def rank(self, question: str) -> Texts:
        """Return the numbers of all texts by falling cosine, equal ones in the order added."""
        return self.nearest(self._model.embed(question))

    def nearest(self, vector: Vectors) -> Texts:
        """Return the same for a vector (size,)."""
        if not self._vectors:
            return np.zeros(0, dtype=np.intp)
        if self._matrix is None:
            self._matrix = np.stack(self._vectors)
        return np.argsort(-(self._matrix @ vector), kind="stable")


class Semantic:
    """The same vectors, asked as the product asks by meaning alone: the words count that few texts have."""

    def __init__(self, model: StaticModel) -> None:
        self._model = model
        self._dense = Dense(model)
        self._lexical = LexicalIndex()

    def add(self, text: str, speaker: str) -> None:
        """Add the next text as "speaker: text"."""
        self._dense.add(text, speaker)
        self._lexical.add(f"{speaker}: {text}")

    def rank(self, question: str) -> Texts:
        """Return the numbers of all texts by falling cosine, equal ones in the order added."""
        return self._dense.nearest(weighed(self._model.words(question), self._lexical))
