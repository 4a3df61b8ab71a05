"""Why twelve pieces were chosen and 60 rows dropped, and 140 words that a query was expanded by, in bytes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from smartbrain.v1.context_pb2 import ContextDebug, PlannerDebug
from smartbrain.v1.evidence_pb2 import Dropped

from benchmarks.kernels.case import Case, Size, chance
from benchmarks.kernels.stored import PIECES, stored
from brain_core.kernels import reference
from brain_core.kernels.reasons import dropped, expansions, selected

_DROPPED, _EXPANDED = 60, 140
_DROPPED_FIELD, _WHY_FIELD = ContextDebug.DROPPED_FIELD_NUMBER, ContextDebug.WHY_SELECTED_FIELD_NUMBER
_EXPANSIONS_FIELD = PlannerDebug.EXPANSIONS_FIELD_NUMBER


def cases(size: Size) -> Iterator[Case]:
    """Say why pieces were chosen, why rows were not, and by what words a query was expanded."""
    random, (content, ends) = chance(), stored(size)
    order = random.permutation(len(ends) - 1).astype(np.int32)
    given_to = (random.random(PIECES), np.ones((PIECES, 2), dtype=np.int32), random.random((PIECES, 5)))
    beside = (np.arange(0, 6 * PIECES + 1, 6), np.ones(len(order), dtype=np.uint8), 5, "messages", "sections")
    said = (np.ones(PIECES, dtype=np.uint8), *given_to, [""] * PIECES, [""] * PIECES, beside, [""] * PIECES)
    why: tuple[Any, ...] = (content, ends, order[:PIECES], *said, _WHY_FIELD)
    yield Case("reasons.selected", f"{PIECES} pieces", lambda: selected(*why), lambda: reference.reasons.selected(*why))
    out = order[:_DROPPED].tolist()
    words = [Dropped(reason="budget", detail=f"over the {k} best").SerializeToString() for k in range(3)]
    drops = (content, ends, out, [words[place % 3] for place in range(len(out))], _DROPPED_FIELD)
    yield Case(
        "reasons.dropped", f"{len(out)} rows", lambda: dropped(*drops), lambda: reference.reasons.dropped(*drops)
    )
    given = ({f"word{number}": random.random() for number in range(_EXPANDED)}, 0, "alike", _EXPANSIONS_FIELD)
    yield Case(
        "reasons.expansions",
        f"{_EXPANDED} words",
        lambda: expansions(*given),
        lambda: reference.reasons.expansions(*given),
    )
