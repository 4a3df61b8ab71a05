"""A language model that says how to look for a message: in its time, or not at all."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from smartbrain.v1.admin_service_pb2 import ExecutorStatus

from brain_core.breaker import FAILURES, Breaker, Calls
from brain_core.env import Watch
from brain_core.errors import AdviserUnavailable, ModelUnavailable
from brain_core.models.endpoint import Unwanted
from brain_core.models.prompts import PLAN_SEARCH
from brain_core.models.remote import ChatEndpoint, ChatModel, Prompt, Schema

_EXPANSIONS = 6
_WHOLE = "purpose"
"""Field without which an object is no answer."""


class ChatAdviser:
    """An `Adviser` of compose/planner behind a chat endpoint. Safe for use from many threads."""

    def __init__(
        self, endpoint: ChatEndpoint, reserve_ms: float, purposes: Sequence[str], types: Sequence[str]
    ) -> None:
        """reserve_ms: of a deadline, for the search. types: of memory item. Connects to nothing yet."""
        self._endpoint = endpoint
        self._timeout_ms = endpoint.timeout_seconds * 1000
        self._reserve_ms = reserve_ms
        self._chat = ChatModel(endpoint)
        self._system = PLAN_SEARCH + ", ".join(types)
        self._schema = _schema(purposes, types)
        self._breaker = Breaker(time.monotonic)
        self._calls = Calls()

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._chat.name

    def admit(self, due: float | None) -> None:
        """Raise AdviserUnavailable where the deadline leaves no time for model and search, or the endpoint rests.

        due: of the caller's answer, seconds of time.perf_counter.
        """
        if due is not None:
            left_ms = (due - time.perf_counter()) * 1000
            if left_ms < self._timeout_ms + self._reserve_ms:
                needs = f"it is given {self._timeout_ms:.0f} and the search {self._reserve_ms:.0f}"
                raise AdviserUnavailable(f"not asked: {max(left_ms, 0):.0f} ms are left, {needs}")
        rest = self._breaker.admit()
        if rest:
            why = f"after {FAILURES} failures or more"
            raise AdviserUnavailable(f"not asked for another {rest:.1f} s, {why}: {self._calls.problem}")

    def ask(self, said: Mapping[str, Any], watch: Watch | None) -> Mapping[str, Any]:
        """Return the object that the model answers; only that it has a purpose is checked.

        Raises AdviserUnavailable, after the timeout at the latest.
        """
        self._calls.began()
        began = time.monotonic()
        try:
            reply = self._chat.ask(Prompt("search_plan", self._system, said, self._schema, _WHOLE), watch)
        except Unwanted as left:
            raise AdviserUnavailable(str(left)) from left
        except ModelUnavailable as failed:
            late = (time.monotonic() - began) * 1000 >= self._timeout_ms
            problem = f"no answer within {self._timeout_ms:.0f} ms" if late else failed.why
            self._breaker.failed()
            self._calls.ended(problem)
            raise AdviserUnavailable(problem) from failed
        self._breaker.succeeded()
        self._calls.ended("")
        return reply.value

    def status(self) -> ExecutorStatus:
        """Return how it is doing."""
        return self._calls.status(self.name, self._endpoint.url, self._breaker.resting())

    def close(self) -> None:
        """Close the connection; who waits gets no answer, and later calls fail."""
        self._chat.close()


def _schema(purposes: Sequence[str], types: Sequence[str]) -> Schema:
    text = {"type": "string"}
    fields: dict[str, Schema] = {
        "purpose": {"enum": list(purposes)},
        "documents": {"type": "boolean"},
        "why": text,
        "expansions": {"type": "array", "maxItems": _EXPANSIONS, "items": text},
        "time_from": text,
        "time_to": text,
        "time_words": text,
        "types": {"type": "array", "maxItems": len(types), "items": {"enum": list(types)}},
    }
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
