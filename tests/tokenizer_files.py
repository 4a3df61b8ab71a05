"""Tokenizers as files: the one of all-MiniLM-L6-v2, and byte-level ones made here."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

_ROOT = Path(__file__).parents[1]
MINILM = _ROOT.parent / "shared/models/all-MiniLM-L6-v2-onnx/tokenizer.json"

_FOLDER = tempfile.TemporaryDirectory(prefix="tokenizer-")  # goes when the process ends

# How Llama 3 splits text before it merges: a line break sticks to the punctuation before it.
_LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@cache
def byte_level(kind: str) -> Path:
    """Return the file of a small tokenizer, to which line breaks are tokens. kind: gpt2 or llama3, how it splits."""
    tokenizer = Tokenizer(models.BPE())
    if kind == "gpt2":
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    else:
        split = pre_tokenizers.Split(Regex(_LLAMA3), "isolated")
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
        )
    pages = [(_ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh-CN.md", "ARCHITECTURE.md")]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=2000, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(pages, trainer)
    file = Path(_FOLDER.name) / kind / "tokenizer.json"
    file.parent.mkdir()
    tokenizer.save(str(file))
    return file
