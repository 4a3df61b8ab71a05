"""Whether a package keeps its trace: what was dropped, and how long each stage took."""

from __future__ import annotations

from hashlib import blake2b

from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ComposeContextResponse

_POINTS = 1 << 64


def leave_out_trace(request: ComposeContextRequest, response: ComposeContextResponse, share: float) -> None:
    """Take the trace out of an answer, and say so, unless it is among the share that keeps it or its plan asks for it.

    share: policies.observability.trace, 0..1. Which are kept depends on memory, revision and message alone, so that
    the same request at the same revision is kept or not.
    """
    if share >= 1 or request.plan.debug.trace:
        return
    if share > 0 and _point(request, response.revision) < share * _POINTS:
        return
    debug = response.context.debug
    del debug.dropped[:]
    debug.timings_ms.clear()
    why = f"keeps {share:g} of them, not this one" if share else "is off"
    debug.ignored.append(f"dropped and timings_ms: policies.observability.trace {why}")


def _point(request: ComposeContextRequest, revision: int) -> int:
    """Return where a request falls, evenly spread over 0.._POINTS - 1."""
    told = f"{request.memory_id}\n{revision}\n{request.user_message}"
    return int.from_bytes(blake2b(told.encode(), digest_size=8).digest(), "big")
