"""What is wrong with a policy, in words: each fault by the path of its key, and all of them at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from operator import attrgetter
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel, ValidationError

from brain_core.errors import PolicyError, shorten

if TYPE_CHECKING:
    from brain_core.policy import Policy

_COMPOSITION = "policies.composition"
_RETRIEVAL = "policies.retrieval"
_WORTH = "policies.retention.worth"
_TOKENS = "server.tokens"
"""What stands there by mistake may be a token, and is not shown."""
_GATE = "policies.retention.entity_gate"
_AT_MOST = (
    (f"{_COMPOSITION}.token_limit", "limits.token_limit"),
    (f"{_RETRIEVAL}.top_k", "limits.top_k"),
    (f"{_RETRIEVAL}.candidate_k", "limits.candidate_k"),
    *((f"{_RETRIEVAL}.per_mode_k.{mode}", "limits.top_k")
      for mode in ("exact", "semantic", "hybrid", "relational", "associative")),
    (f"{_RETRIEVAL}.query_expansion.max_queries", "limits.queries_per_plan"),
    (f"{_COMPOSITION}.diversity.by_document", "limits.top_k"),
    (f"{_COMPOSITION}.diversity.by_source_uri", "limits.top_k"),
    (f"{_WORTH}.doubt", f"{_WORTH}.revise"),
    (f"{_GATE}.freq_threshold", f"{_GATE}.window_turns"),
)  # fmt: skip
"""Of each pair, the first may not be above the second: a default that a request could not name, or what never is."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong. field: its path, as a.b.c; an entry of a list is its number, from 0."""

    field: str
    why: str
    value: object
    limit: object = ""


def refusal(source: str, faults: Sequence[Fault]) -> PolicyError:
    """Return the error that tells all faults and is of the first. source: the file's name."""
    first = faults[0]
    return PolicyError(
        f"{source}: " + "; ".join(f"{fault.field}: {fault.why}" for fault in faults),
        field=first.field,
        value=first.value,
        limit=first.limit,
        hint="brain_core/brain.yml lists every key with its default",
    )


def contradictions(policy: Policy) -> list[Fault]:
    """Return the values that contradict another of the same policy."""
    pairs = [(*pair, attrgetter(pair[0])(policy), attrgetter(pair[1])(policy)) for pair in _AT_MOST]
    faults = [
        Fault(field, f"{value} is above {bound}, {limit}", value, limit)
        for field, bound, value, limit in pairs
        if value > limit
    ]
    worth = policy.policies.retention.worth
    if worth.look > worth.keep > 0:  # keep 0 keeps all that rules read, of the sentences that are read
        why = f"{worth.look} is above {_WORTH}.keep, {worth.keep}"
        faults.append(Fault(f"{_WORTH}.look", why, worth.look, worth.keep))
    return faults


def of_validation(error: ValidationError, root: type[BaseModel], defaults: Mapping[str, Any]) -> list[Fault]:
    """Return the faults that pydantic has found in a policy of a class. defaults: all keys, nested."""
    return [_fault(each, root, defaults) for each in error.errors()]


def _fault(found: Any, root: type[BaseModel], defaults: Mapping[str, Any]) -> Fault:  # noqa: ANN401  of pydantic
    path = ".".join(str(part) for part in found["loc"])
    value, kind = found["input"], found["type"]
    got = f", got {_shown(value)}"
    if path.startswith(_TOKENS):
        value = got = ""
    if kind == "extra_forbidden":
        return Fault(path, _unknown(found["loc"], root, defaults), value)
    if kind == "model_type":
        return Fault(path, f"expected a section{got}", value, "a section")
    if kind == "missing":
        return Fault(path, "Field required", "")
    bounds = found.get("ctx", {})
    limit = next((bounds[name] for name in ("ge", "gt", "le", "lt") if name in bounds), "")
    return Fault(path, f"{found['msg']}{got}", value, limit)


def _shown(value: object) -> str:
    return "nothing" if value is None else shorten(repr(value))


def _unknown(place: Sequence[str | int], root: type[BaseModel], defaults: Mapping[str, Any]) -> str:
    """Return the words for an unknown key, with what may be meant: one like it beside it, or the same elsewhere."""
    *above, key = place
    kind: Any = root
    for part in above:
        kind = get_args(kind)[0] if isinstance(part, int) else kind.model_fields[part].annotation
    near = get_close_matches(str(key), kind.model_fields, n=1)
    meant = near or [path for path in _paths(defaults) if path.rpartition(".")[2] == key][:3]
    return "unknown key" + (f", did you mean {' or '.join(meant)}?" if meant else "")


def _paths(section: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for name, value in section.items():
        yield f"{above}{name}"
        if isinstance(value, Mapping):
            yield from _paths(value, f"{above}{name}.")
