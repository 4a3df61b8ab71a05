"""The built-in embedder: the weighted mean of a text's token vectors, looked up in a table."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from brain_core.kernels.pool import Pool, counted
from brain_core.models.chinese import HAN, ChineseWords, read_lexicon
from brain_core.models.table import Table, read_table
from brain_core.models.tokenized import TokenizedWords
from brain_core.models.wordwise import SHARED, Wordwise, read_shared
from brain_core.text.remembered import remembered

BUILT_IN = Path(__file__).parent / "static-minilm-384"
_LETTER = re.compile(r"[^\W_]")
_REMEMBERED = 64  # texts
_AT_ONCE = 4096  # rows, so that no more of the table stand in full
_TABLE, _TOKENIZER, _CONFIG = "model.safetensors", "tokenizer.json", "config.json"


class StaticEmbedder:
    """A `WordwiseEmbedder` over a folder.

    It has model.safetensors, tokenizer.json and, if Chinese words have rows too, config.json; query.safetensors has the
    directions that queries lose a part of.

    A folder in model2vec's format serves as it is. Its config.json may name a lexicon of Chinese words under
    "chinese", a path from the folder.
    """

    def __init__(self, folder: Path = BUILT_IN) -> None:
        """Load a folder. Raises ValueError, with the file's name, when a file is missing, damaged or does not fit."""
        files = [folder / _TABLE, folder / _TOKENIZER]
        self._table = read_table(files[0])
        self._words = TokenizedWords(_read_tokenizer(files[1], len(self._table.rows)))
        lexicon = _lexicon_file(folder)
        self._chinese: ChineseWords | None = None
        if lexicon is not None:
            words = read_lexicon(lexicon, *self._table.rows.shape)
            self._chinese = ChineseWords(words)
            self._table = self._table.followed_by(words.own)
            files.append(lexicon)
        self._pool = _pool_of(self._table, self._chinese)
        wordwise = Wordwise(self._table, self._words.ids, self._chinese, read_shared(folder / SHARED, self.dimension))
        self.words = remembered(_REMEMBERED)(wordwise.words)
        # A message and what was said before it are looked at by the planner, in small letters, then searched for.
        self._vector = remembered(_REMEMBERED)(self._pooled)
        self._ids = remembered(_REMEMBERED)(self._words.ids)
        self._name = folder.name
        self._fingerprint = _fingerprint(files)

    @property
    def name(self) -> str:
        """Name of the folder."""
        return self._name

    @property
    def dimension(self) -> int:
        """Length of a token vector."""
        return int(self._table.rows.shape[1])

    @property
    def fingerprint(self) -> str:
        """SHA-256 over table, tokenizer and lexicon, hex."""
        return self._fingerprint

    @property
    def chinese(self) -> ChineseWords | None:
        """The Chinese words that have rows too."""
        return self._chinese

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32[n, dimension], rows of unit length; a text without known words gives zeros."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self.vector(text)
        return vectors

    def vector(self, text: str) -> NDArray[np.float32]:
        """Return the row of one text, float32[dimension], which is not to be written to."""
        return self._vector(self._words.folded(text))

    def _pooled(self, text: str) -> NDArray[np.float32]:
        return self._pool.vector(*self._taken_apart(text))

    def _taken_apart(self, text: str) -> tuple[list[int], list[int]]:
        """Return the tokens of a text less its Chinese words, and the numbers of these, in their order."""
        if self._chinese is None or text.isascii() or not (runs := HAN.findall(text)):
            return self._ids(text), []
        words = list(chain.from_iterable(map(self._chinese.words, runs)))
        rest = HAN.sub(" ", text)
        return self._words.ids(rest) if _LETTER.search(rest) else [], words

    def token_rows(self, text: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the table rows whose weighted sum is a text's direction, int32[k] and float32[k].

        What occurs n times weighs √n: a long text is not what it repeats.
        """
        tokens, words = self._taken_apart(text)
        rows = counted(tokens)
        if self._chinese is None:
            return rows
        glosses = self._chinese.glosses(Counter(words))
        return np.concatenate([rows[0], glosses[0]]), np.concatenate([rows[1], glosses[1]])

    def tokens(self, text: str) -> Sequence[int]:
        """Return the tokens of a text in their order, for `token_vectors`; characters that no word has are left out."""
        if self._chinese is None or text.isascii():
            return self._ids(self._words.folded(text))
        words, first = self._chinese.words, len(self._table.rows)
        found: list[int] = []
        done = 0
        for run in HAN.finditer(text):
            if run.start() > done:
                found += self._words.ids(text[done : run.start()])
            found += [first + word for word in words(run.group())]
            done = run.end()
        return found + self._words.ids(text[done:])

    def token_vectors(self, onto: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return what becomes of each token's vector, float32[tokens, d]. onto: float32[dimension, d]."""
        rows, words = len(self._table.rows), 0 if self._chinese is None else len(self._chinese)
        found = np.empty((rows + words, onto.shape[1]), np.float32)
        for start in range(0, rows, _AT_ONCE):
            some = slice(start, min(start + _AT_ONCE, rows))
            found[some] = (self._table.rows[some] @ onto) * self._table.scales[some, None]
        if self._chinese is not None:
            self._chinese.sum_glosses(found[:rows], found[rows:])
        return found


@lru_cache(maxsize=1)
def built_in() -> StaticEmbedder:
    """Return the built-in embedder, loaded once for all who ask."""
    return StaticEmbedder()


def _pool_of(table: Table, chinese: ChineseWords | None) -> Pool:
    if chinese is not None:
        return chinese.pool(table)
    none = np.zeros(0, np.int32)
    return Pool(table.rows, table.scales, np.zeros(1, np.int32), none, none.astype(np.float32))


def _read_tokenizer(file: Path, rows: int) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # tokenizers raises nothing narrower
        raise ValueError(f"{file}: not a readable tokenizer: {error}") from error
    if tokenizer.get_vocab_size() > rows:
        raise ValueError(f"{file}: {tokenizer.get_vocab_size()} tokens for a table of {rows} rows")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _lexicon_file(folder: Path) -> Path | None:
    """Return the file that config.json names under "chinese", if there is a config.json and it names one."""
    file = folder / _CONFIG
    if not file.exists():
        return None
    try:
        named = json.loads(file.read_text("utf-8")).get("chinese")
    except (OSError, ValueError, AttributeError) as error:
        raise ValueError(f"{file}: not a readable configuration: {error}") from error
    return (folder / named).resolve() if isinstance(named, str) else None


def _fingerprint(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
