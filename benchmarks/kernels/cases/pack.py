"""Evidences of a pack, from the records of their rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.evidence_pb2 import EvidencePack

from benchmarks.kernels.case import Case, Size, chance
from benchmarks.kernels.stored import PIECES, stored
from brain_core.kernels import reference
from brain_core.kernels.pack import longer, pack_evidences

_LONGEST = 800
_EVIDENCES = EvidencePack.DESCRIPTOR.fields_by_name["evidences"].number


def cases(size: Size) -> Iterator[Case]:
    """Write the evidences of a pack, and look for texts that must be cut."""
    random, (content, ends) = chance(), stored(size)
    rows = random.permutation(len(ends) - 1)[:PIECES].astype(np.int32)
    asked, texts = (["hybrid"], ["some words"], Timestamp(seconds=1).SerializeToString()), [None] * PIECES
    kinds = np.zeros(len(ends) - 1, dtype=np.uint8)
    given = (np.ones((PIECES, 2), dtype=np.int32), random.random((PIECES, 5)), _EVIDENCES)
    of_rows: tuple[Any, ...] = (np.zeros(PIECES, dtype=np.int32), asked, [], [], (kinds, kinds, 0))
    pack: tuple[Any, ...] = (content, ends, rows, texts, "l2", *of_rows, *given)
    yield Case(
        "pack.pack_evidences",
        f"{PIECES} messages",
        lambda: pack_evidences(*pack),
        lambda: reference.pack.pack_evidences(*pack),
    )
    yield Case(
        "pack.longer",
        f"{PIECES} messages",
        lambda: longer(content, ends, rows, _LONGEST),
        lambda: reference.pack.longer(content, ends, rows, _LONGEST),
    )
