"""Who may be asked how to look for a message, and what of its answer the planner takes over what rules read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from smartbrain.v1.admin_service_pb2 import ExecutorStatus
from smartbrain.v1.plan_pb2 import PlanQuery

from brain_core.compose.planner.read import Reading
from brain_core.compose.planner.tells import Period
from brain_core.env import Watch
from brain_core.errors import shorten
from brain_core.policy import Retrieval

SECTION = "planner.llm"
"""Of the policy. What of an answer is not taken is named under it."""


class Adviser(Protocol):
    """A language model that says how to look. Safe for use from many threads."""

    @property
    def name(self) -> str:
        """Name of the model."""

    def admit(self, due: float | None) -> None:
        """Raise AdviserUnavailable where it is not to be asked now: it fails, or the deadline is too near.

        due: when the caller's answer must be there, seconds of time.perf_counter.
        """

    def ask(self, said: Mapping[str, Any], watch: Watch | None) -> Mapping[str, Any]:
        """Return its answer, of which nothing is believed: an object with the fields of `consult.FIELDS`.

        said: JSON. watch: ends the wait. Raises AdviserUnavailable.
        """

    def status(self) -> ExecutorStatus:
        """Return how it is doing."""

    def close(self) -> None:
        """Let go of it; who waits for an answer gets none."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a model says of a message, checked, or why it says nothing.

    told: in words. given: whether there is an answer. ignored: what of it is not taken, named. waited_ms: for it. The
    rest is empty where rules are left to decide: intent; documents and why; period; types; words to search for too.
    """

    told: str
    given: bool = False
    ignored: Sequence[str] = ()
    waited_ms: float = 0.0
    intent: str = ""
    documents: tuple[bool, str] | None = None
    period: Period | None = None
    types: tuple[str, ...] = ()
    expansions: tuple[str, ...] = ()

    def beside(self, reading: Reading) -> Advice:
        """Return it as far as the message's own words allow: what they name or ask for is looked in."""
        named = reading.asked_for
        if not named or self.documents is None or self.documents[0]:
            return self
        line = f"{SECTION}: documents: false, but the message names {shorten(named)}"
        return replace(self, documents=None, ignored=[*self.ignored, line])

    def over(self, reading: Reading) -> Reading:
        """Return what rules read with what the model says in place of it."""
        resources, why_resources = self.documents or (reading.resources, reading.why_resources)
        return reading._replace(
            intent=self.intent or reading.intent,
            why=f"{self.intent}: as the llm planner says" if self.intent else reading.why,
            resources=resources,
            why_resources=why_resources,
            period=self.period or reading.period,
            types=self.types or reading.types,
        )

    def under(self, policy: Retrieval, left_out: Sequence[PlanQuery]) -> Advice:
        """Return it with what the policy overrules named too. left_out: queries beyond the policy's most."""
        ignored = [*self.ignored]
        if self.documents and policy.enable_resource_retrieval != "auto":
            decides = f"policies.retrieval.enable_resource_retrieval is {policy.enable_resource_retrieval}"
            ignored.append(f"{SECTION}: documents: {decides}")
        if not policy.query_expansion.enabled:
            unused = {"expansions": self.expansions, "time": self.period, "types": self.types}
            why = "policies.retrieval.query_expansion is off"
            ignored += [f"{SECTION}: {name}: {why}" for name, value in unused.items() if value]
        beyond = [query.text for query in left_out if query.text in self.expansions]
        most = policy.query_expansion.max_queries
        ignored += [f"{SECTION}: expansions: {text!r}: the plan has its {most} queries" for text in beyond]
        return replace(self, ignored=ignored)
