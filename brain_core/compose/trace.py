"""Whether a package keeps its trace: what was dropped, and how long each stage took."""

from __future__ import annotations

from hashlib import blake2b

from smartbrain.v1.brain_service_pb2 import ComposeContextRequest

_POINTS = 1 << 64


def left_out_for(request: ComposeContextRequest, revision: int, share: float) -> str:
    """Return why the trace is left out of an answer, "" if it is among the share that keeps it or its plan asks for it.

    revision: of the answer. share: policies.observability.trace, 0..1. Which are kept depends on memory, revision and
    message alone, so that the same request at the same revision is kept or not.
    """
    if share >= 1 or request.plan.debug.trace:
        return ""
    if share > 0 and _point(request, revision) < share * _POINTS:
        return ""
    why = f"keeps {share:g} of them, not this one" if share else "is off"
    return f"dropped and timings_ms: policies.observability.trace {why}"


def _point(request: ComposeContextRequest, revision: int) -> int:
    """Return where a request falls, evenly spread over 0.._POINTS - 1."""
    told = f"{request.memory_id}\n{revision}\n{request.user_message}"
    return int.from_bytes(blake2b(told.encode(), digest_size=8).digest(), "big")
