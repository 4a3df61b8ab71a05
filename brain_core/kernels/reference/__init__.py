"""What each kernel means, in plain NumPy, and for messages in the classes of the contract.

Each module is the twin of the kernel that has its name, with every public function of it: same arguments, same result,
bit for bit, since both add the same numbers in the same order and precision (`sums.py`). Slow, and never called by the
house: it is here to be read, and to hold the compiled code to its word. Logarithms and powers are those of the C
library, as in the kernels.

The postings of `bm25` are given here as `documents`: (terms, counts, group) per row, in the order they were added.
"""

from brain_core.kernels.reference import (
    best,
    bm25,
    budget,
    classify,
    convolve,
    densest,
    diversify,
    evidence,
    features,
    fuse,
    linear,
    offers,
    pack,
    passages,
    pool,
    rank,
    reasons,
    records,
    scan,
    sieve,
    signals,
    sums,
    tokens,
    vectors,
    vocabulary,
    words,
)

__all__ = [
    "best",
    "bm25",
    "budget",
    "classify",
    "convolve",
    "densest",
    "diversify",
    "evidence",
    "features",
    "fuse",
    "linear",
    "offers",
    "pack",
    "passages",
    "pool",
    "rank",
    "reasons",
    "records",
    "scan",
    "sieve",
    "signals",
    "sums",
    "tokens",
    "vectors",
    "vocabulary",
    "words",
]
