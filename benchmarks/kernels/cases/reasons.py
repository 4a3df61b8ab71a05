"""Why 60 rows were dropped, and 140 words that a query was expanded by, in bytes."""

from collections.abc import Iterator

import numpy as np
from smartbrain.v1.context_pb2 import ContextDebug, PlannerDebug
from smartbrain.v1.evidence_pb2 import Dropped

from benchmarks.kernels.case import Case, Size, chance
from benchmarks.kernels.stored import stored
from brain_core.kernels import reference
from brain_core.kernels.reasons import dropped, expansions

_DROPPED, _EXPANDED = 60, 140
_DROPPED_FIELD = ContextDebug.DROPPED_FIELD_NUMBER
_EXPANSIONS_FIELD = PlannerDebug.EXPANSIONS_FIELD_NUMBER


def cases(size: Size) -> Iterator[Case]:
    """Say why rows were not chosen, and by what words a query was expanded."""
    random, (content, ends) = chance(), stored(size)
    order = random.permutation(len(ends) - 1).astype(np.int32)
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
