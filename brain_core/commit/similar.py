"""Near-duplicates: an item under another key that says the same, or the opposite, in almost the same words."""

from __future__ import annotations

from dataclasses import replace

from smartbrain.v1.brain_service_pb2 import ConflictDecision
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.commit.known import StoreAndLedger
from brain_core.commit.ledger import Ledger
from brain_core.commit.material import likeness, opposed, same
from brain_core.extract.known import value_of
from brain_core.kinds.draft import Draft
from brain_core.kinds.kind import Kind

_EXACT = ("url", "file")
"""Kinds of entities that are the same only if their name is."""


def other_name(ledger: Ledger, known: StoreAndLedger, draft: Draft) -> Draft:
    """Return a draft of an entity as one of the entity that it is another name of, if one is known by that name.

    Two are one where the alias of one is the canonical name of the other, and their kind is the same.
    """
    value = draft.kind.complete(draft.given)
    if "canonical" not in value or value.get("kind") in _EXACT:
        return draft
    if known.read(draft.kind.type, draft.key) is not None:
        return draft
    name, aliases = str(value["canonical"]), list(value.get("aliases", ()))
    for item in known.active(draft.kind.type, f"{draft.kind.prefix}:{value['kind']}:"):
        canonical = item.value.fields["canonical"].string_value
        held = map(str, item.value.get_or_create_list("aliases")) if "aliases" in item.value else ()
        if any(same(name, alias) for alias in held) or any(same(canonical, alias) for alias in aliases):
            names = [each for each in (name, *aliases) if not same(each, canonical)]
            ledger.conflicts.append(_decision(draft.kind.type, draft.key, item, "merged", "one name is the other's"))
            return replace(draft, given={**draft.given, "canonical": canonical, "aliases": names})
    return draft


def report_similar(ledger: Ledger, known: StoreAndLedger, kind: Kind, item: MemoryItem, least: float) -> None:
    """Report the active item of the type that is most like a new one, or its opposite, which is linked as well.

    It is of the same subject.
    """
    words = _words(kind, item)
    sort = item.value.fields["kind"].string_value if "canonical" in item.value.fields else ""
    if not words or sort in _EXACT:
        return
    best, best_share = None, least
    beside, subject = f"{kind.prefix}:{sort}:" if sort else "", kind.subject_of(item.key)
    for other in known.active(kind.type, beside):
        if kind.subject_of(other.key) != subject:
            continue
        text = _words(kind, other)
        if kind.asserts and opposed(words, text, least):
            item.links.add(relation="contradicts", item_id=other.id)
            reason = "the same but for numbers or negations"
            ledger.conflicts.append(_decision(kind.type, item.key, other, "reported", reason))
            return
        share = likeness(words, text)
        if share > best_share or (share == best_share and best is None):
            best, best_share = other, share
    if best is not None:
        reason = f"{best_share:.0%} of the words are the same"
        ledger.conflicts.append(_decision(kind.type, item.key, best, "reported", reason))


def _words(kind: Kind, item: MemoryItem) -> str:
    """Return the texts of an item by which near-duplicates are told."""
    value = value_of(item)
    return " ".join(value[name] if isinstance(value[name], str) else "" for name in kind.compared if name in value)


def _decision(item_type: str, key: str, other: MemoryItem, decision: str, reason: str) -> ConflictDecision:
    return ConflictDecision(
        type=item_type,
        key=key,
        policy="near_duplicate",
        decision=decision,
        reason=reason,
        other_type=other.type,
        other_key=other.key,
    )
