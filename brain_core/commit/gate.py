"""The retention gate: which drafts may become memory, and how sure they are (types §5, policies §1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import tzinfo

from smartbrain.v1.brain_service_pb2 import RetentionVerdict
from smartbrain.v1.event_pb2 import Turn
from smartbrain.v1.item_pb2 import ITEM_SOURCE_ASSISTANT, TextSpan

from brain_core.commit.learn import confidence_of
from brain_core.commit.lines import without_secrets
from brain_core.commit.masking import Secrets, secrets_in, texts
from brain_core.commit.mentions import Importance
from brain_core.commit.profile import dated_facts
from brain_core.errors import InvalidArgument
from brain_core.kinds.draft import Draft, Skip
from brain_core.policy import Limits, Retention

MUST_WRITE = frozenset({"tasks", "decisions"})
"""Types that are always written."""

NEVER_BY_ASSISTANT = frozenset({"preferences", "profile", "goals", "identity"})
"""What an assistant supposes of a user is no fact until the user says so."""


class Gate:
    """The gate of one turn. zone: in which it was said."""

    def __init__(self, turn: Turn, importance: Importance, policy: Retention, limits: Limits, zone: tzinfo) -> None:
        self._turn = turn
        self._zone = zone
        self._importance = importance
        self._policy = policy
        self._limits = limits
        self._secrets_of: dict[str, Secrets] = {}

    def judge(self, draft: Draft) -> tuple[Draft, RetentionVerdict]:
        """Return the draft as it may be written, and the verdict: written, masked, event_only or refused."""
        verdict = RetentionVerdict(
            path=draft.path,
            type=draft.kind.type,
            verdict="written",
            reason=draft.reason,
            rule=draft.rule or ("must_write" if draft.kind.type in MUST_WRITE else "conditional"),
            span=None if draft.span is None else TextSpan(start=draft.span[0], end=draft.span[1]),
        )
        draft = dated_facts(self._sure(draft), self._zone)
        verdict.confidence = draft.confidence
        draft = self._without_secrets(draft, verdict)
        if not self._fits(draft, verdict):
            return draft, verdict
        verdict.key = draft.key
        if not draft.denies and verdict.verdict != "refused":
            self._weigh(draft, verdict)
        return draft, verdict

    def passed_over(self, skip: Skip) -> RetentionVerdict:
        """Return the verdict on a passage that extraction would not learn from."""
        return RetentionVerdict(
            path=skip.path,
            type="event",
            verdict="event_only",
            reason=self.without_secrets(skip.reason),
            rule=skip.rule,
            span=None if skip.span is None else TextSpan(start=skip.span[0], end=skip.span[1]),
        )

    def without_secrets(self, text: str) -> str:
        """Return a text that goes into explain as the policy lets it be shown."""
        return text if self._policy.secrets == "keep" else without_secrets(text)

    def _sure(self, draft: Draft) -> Draft:
        sure = confidence_of(draft.source, draft.confidence, self._policy.confidence)
        return draft if sure == draft.confidence else replace(draft, confidence=sure)

    def _fits(self, draft: Draft, verdict: RetentionVerdict) -> bool:
        """Return whether a draft has the shape of its type; what callers give has been checked before."""
        try:
            if draft.denies:
                verdict.key = draft.key
            elif draft.is_read:
                draft.kind.check("value", draft.given, self._limits.id_bytes)
        except (InvalidArgument, KeyError) as error:
            verdict.verdict, verdict.rule, verdict.reason = "refused", "schema", str(error)
            return False
        begins, ends = draft.valid_from_us, draft.valid_to_us
        if begins is not None and ends is not None and begins >= ends:
            verdict.verdict, verdict.rule, verdict.reason = "refused", "schema", "ends before it begins"
            return False
        return True

    def _without_secrets(self, draft: Draft, verdict: RetentionVerdict) -> Draft:
        """Return a draft without what is secret in it, or have it refused, as the policy says."""
        if self._policy.secrets == "keep" or draft.denies:
            return draft
        masked = self._secrets(draft).masked(draft)
        if masked == draft:
            return draft
        verdict.rule = "secret"
        if self._policy.secrets == "refuse":
            verdict.verdict, verdict.reason = "refused", "holds a secret; policies.retention.secrets is refuse"
        else:
            verdict.verdict, verdict.reason = "masked", f"{draft.reason}; what is secret in it is masked"
        return masked

    def _secrets(self, draft: Draft) -> Secrets:
        """Return the secrets of the message that a draft was read from, where they have context, else of the draft."""
        if not draft.path.startswith("messages["):
            return secrets_in("\n".join((*texts(draft.given), draft.disclosure, *draft.evidence_refs)))
        if draft.path not in self._secrets_of:
            place = int(draft.path[len("messages[") : -1])
            self._secrets_of[draft.path] = secrets_in(self._turn.events.messages[place].content)
        return self._secrets_of[draft.path]

    def _weigh(self, draft: Draft, verdict: RetentionVerdict) -> None:
        kind, least = draft.kind.type, self._policy.min_confidence
        if kind in NEVER_BY_ASSISTANT and draft.source == ITEM_SOURCE_ASSISTANT:
            why = "what the assistant supposes is no fact until the user says so"
            verdict.verdict, verdict.rule, verdict.reason = "event_only", "never", why
        elif kind == "entities":
            signal = self._importance.of(draft)
            verdict.rule = draft.rule or "entity_gate"
            if signal:
                verdict.reason = f"{verdict.reason}: {signal}"
            else:
                gate = self._policy.entity_gate
                often = f"in fewer than {gate.freq_threshold} of the last {gate.window_turns} turns"
                verdict.verdict, verdict.rule = "event_only", "entity_gate"
                verdict.reason = f"not important yet: named {often}"
        elif kind not in MUST_WRITE and draft.confidence < least:
            why = f"confidence {draft.confidence:g} is under {least:g}"
            verdict.verdict, verdict.rule, verdict.reason = "event_only", "never", why


def kept_as_events(turn: Turn, judged: Collection[str]) -> Iterator[RetentionVerdict]:
    """Yield a verdict for each message, tool call and ref that no other is about: it is kept in the event log."""
    for number in range(len(turn.events.messages)):
        if (path := f"messages[{number}]") not in judged:
            yield _event(path, "never", "says nothing that is learned; kept and found in the event log")
    for name in ("tool_calls", "refs"):
        for number in range(len(getattr(turn.events, name))):
            if (path := f"{name}[{number}]") not in judged:
                yield _event(path, "must_write", "kept and found in the event log")


def _event(path: str, rule: str, reason: str) -> RetentionVerdict:
    return RetentionVerdict(path=path, type="event", verdict="event_only", rule=rule, reason=reason)
