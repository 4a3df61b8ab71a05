"""The table's tokens: the teacher's word pieces, and whole words that it would cut into several."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tokenizers import Tokenizer

_HUMP = re.compile("(?<=[a-z])(?=[A-Z])")
_WORD = re.compile("[a-z]{3,24}")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_OFTEN = 50
"""Occurrences in one source beyond which a word gains nothing, so that no source decides alone."""
_UNKNOWN = "[UNK]"


def frequent_words(sources: Mapping[str, Iterable[str]], known: Mapping[str, int], most: int) -> list[str]:
    """Return the words that occur in most sources, then most often, and are not among the known tokens."""
    total: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for texts in sources.values():
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(_WORD.findall(_HUMP.sub(" ", text).lower()))
        for word, count in counts.items():
            if word not in known:
                total[word] += min(count, _OFTEN)
                spread[word] += 1
    candidates = [word for word in total if total[word] >= 3 and spread[word] >= 2]
    return sorted(candidates, key=lambda word: (-spread[word], -total[word], word))[:most]


def kept_pieces(known: Mapping[str, int]) -> list[str]:
    """Return the teacher's tokens in their order, without special ones and Chinese characters."""
    ordered = sorted(known, key=known.__getitem__)
    return [one for one in ordered if one == _UNKNOWN or not (re.fullmatch(r"\[\w+\]", one) or _HAN.search(one))]


def make_tokenizer(teacher: Path, tokens: Sequence[str]) -> Tokenizer:
    """Return the teacher's tokenizer with these tokens, numbered in order; it also cuts camelCase into words."""
    spec = json.loads((teacher / "tokenizer.json").read_text("utf-8"))
    spec["truncation"] = spec["padding"] = spec["post_processor"] = None
    spec["added_tokens"] = []
    spec["model"]["vocab"] = {token: number for number, token in enumerate(tokens)}
    humps = {"type": "Replace", "pattern": {"Regex": _HUMP.pattern}, "content": " "}
    spec["normalizer"] = {"type": "Sequence", "normalizers": [humps, spec["normalizer"]]}
    return Tokenizer.from_str(json.dumps(spec))
