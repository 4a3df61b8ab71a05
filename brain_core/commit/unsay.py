"""What is left of an item's versions when some of the turns that said it are purged.

Each part of a value (a field, an entry of a list, a fact) is followed through the versions from the one that brought
it: it stays while one of the turns that said it does. A part that holds the words of an older one, and whose own turn
does not say them, needs a turn of both.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.item_pb2 import ITEM_STATUS_DELETED, MemoryItem

from brain_core.commit.ledger import put_text, turns_referred_to
from brain_core.kinds.kind import Kind, number_told
from brain_core.text.naming import folded

Says = Callable[[str, str], bool]
"""Whether a turn, by its id, has a text in its words."""

_Path = tuple[str, ...]
_Part = tuple[_Path, str]
"""Where a part stands in a value, and what it says, as JSON."""

_Needs = list[frozenset[str]]
"""Of each set of turns one must be left."""

_ENTRY = "[]"
_NAMES = ("k",)  # of facts: words of the brain, not of who speaks
_LEAST_CHARS = 2


@dataclass(frozen=True, slots=True)
class Purging:
    """Turns to be purged. sources: the turns that wrote a version, or said it again. at: when that is."""

    turns: frozenset[str]
    sources: Callable[[MemoryItem], frozenset[str]]
    says: Says
    session_of: Callable[[str], str]
    at: Timestamp


def unsaid(versions: Sequence[MemoryItem], kind: Kind | None, purging: Purging) -> dict[int, MemoryItem | None]:
    """Return the versions that change, by number: what is left of each, None for nothing.

    versions: of one item, oldest first. kind: None where the type is not known any more: then a version stays or goes
    as a whole.
    """
    known: dict[_Part, _Needs] = {}
    changed: dict[int, MemoryItem | None] = {}
    for version in versions:
        sources = purging.sources(version)
        if version.status == ITEM_STATUS_DELETED or not sources:
            continue
        parts = dict(_needs(version, sources, known, kind, purging.says))
        known |= parts
        gone = {part for part, needs in parts.items() if any(need <= purging.turns for need in needs)}
        left = [turn for turn in sources if turn not in purging.turns]
        named = {version.source_turn_id, *(origin.source_turn_id for origin in version.fact_origins)}
        if not left or (gone and kind is None) or not turns_referred_to(version).isdisjoint(purging.turns):
            changed[version.version] = None
        elif gone or not named.isdisjoint(purging.turns):
            changed[version.version] = _without(version, kind, gone, left, purging)
    return changed


def tombstone(version: MemoryItem, at: Timestamp) -> MemoryItem:
    """Return what stays of a version that is purged: its place."""
    return MemoryItem(
        id=version.id,
        memory_id=version.memory_id,
        type=version.type,
        key=version.key,
        uri=version.uri,
        layer=version.layer,
        category=version.category,
        status=ITEM_STATUS_DELETED,
        created_at=version.created_at,
        updated_at=version.updated_at,
        version=version.version,
        revision=version.revision,
        purged_at=at,
    )


def _needs(
    version: MemoryItem, sources: frozenset[str], known: Mapping[_Part, _Needs], kind: Kind | None, says: Says
) -> Iterator[tuple[_Part, _Needs]]:
    """Yield each part of a version with the turns it needs. known: those of the versions before."""
    value = _content(version)
    told_by = {origin.k: origin.source_turn_id for origin in version.fact_origins}
    for part in _parts(value):
        path, text = part
        texts = list(_texts(json.loads(text)))
        sayers = frozenset(turn for turn in sources if _says_all(turn, texts, says))
        if kind is not None and _is_anybodys(path, text, value["value"], kind, version.key):
            yield part, [sources]
        elif part in known:
            yield part, [need | sayers for need in known[part]]
        else:
            wrote = f"t{version.revision}" if f"t{version.revision}" in sources else version.source_turn_id
            teller = told_by.get(_fact_named(part)) or wrote
            yield part, [sayers | {teller}, *_held_within(part, sources, known, says)]


def _fact_named(part: _Part) -> str:
    """Return the name of the fact that a part is, empty if it is none."""
    path, text = part
    fact = json.loads(text) if path == ("value", "facts", _ENTRY) else None
    return str(fact.get("k", "")) if isinstance(fact, dict) else ""


def _is_anybodys(path: _Path, text: str, value: Mapping[str, Any], kind: Kind, key: str) -> bool:
    """Return whether whoever speaks of an item says a part: of its key, a default, a counter or the day."""
    if path[0] != "value" or len(path) != len(("value", "name")):
        return False
    name = path[1]
    named = {*kind.key_parts(value), *kind.counters, kind.dated}
    if kind.whole_key is not None and str(value[name]) in key:
        return True
    return name in named or (name in kind.defaults and _json(kind.defaults[name]) == text)


def _held_within(
    part: _Part, sources: Collection[str], known: Mapping[_Part, _Needs], says: Says
) -> Iterator[frozenset[str]]:
    """Yield what older parts need whose words a new part holds, unless its own turns say them."""
    text = part[1]
    words = folded(text)
    for (_, older), needs in known.items():
        held = [each for each in _texts(json.loads(older)) if len(each) >= _LEAST_CHARS and folded(each) in words]
        if any(not any(says(turn, each) for turn in sources) for each in held):
            yield from needs


def _content(version: MemoryItem) -> dict[str, Any]:
    return {
        "value": json_format.MessageToDict(version.value),
        "held_before": [json_format.MessageToDict(held.value) for held in version.held_before],
        "disclosure": version.disclosure,
        "evidence_refs": list(version.evidence_refs),
    }


def _parts(value: object, path: _Path = ()) -> Iterator[_Part]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _parts(each, (*path, name))
    elif isinstance(value, list):
        for each in value:
            yield (*path, _ENTRY), _json(each)
    elif value not in ("", None):
        yield path, _json(value)


def _left(value: Any, gone: Collection[_Part], path: _Path = ()) -> Any:  # noqa: ANN401  what JSON can say
    """Return a value without some parts; None for nothing."""
    if isinstance(value, dict):
        left = {name: _left(each, gone, (*path, name)) for name, each in value.items()}
        return {name: each for name, each in left.items() if each is not None and (each != [] or value[name] == [])}
    if isinstance(value, list):
        return [each for each in value if ((*path, _ENTRY), _json(each)) not in gone]
    return None if (path, _json(value)) in gone else value


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _texts(value: object) -> Iterator[str]:
    """Yield what a part says in words."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in _NAMES:
                yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield number_told(float(value))


def _without(
    version: MemoryItem, kind: Kind | None, gone: Collection[_Part], sources: Sequence[str], purging: Purging
) -> MemoryItem | None:
    """Return a version without some parts, None if it is nothing without them. sources: turns left that said it."""
    left = MemoryItem()
    left.CopyFrom(version)
    left.purged_at.CopyFrom(purging.at)
    if version.source_turn_id in purging.turns:
        left.source_turn_id = _last(sources)
        left.session_id = purging.session_of(left.source_turn_id)
        left.ClearField("source_message_id")
        left.ClearField("source_span")
    for origin in left.fact_origins:
        if origin.source_turn_id in purging.turns:
            texts = _texts_of(version, origin.k)
            sayers = [turn for turn in sources if _says_all(turn, texts, purging.says)]
            origin.source_turn_id, origin.source_message_id = _last(sayers) if sayers else left.source_turn_id, ""
    if not gone or kind is None:
        return left
    content = _content(version)
    kept = _left(content, gone)
    value = kept["value"]
    if any(value.get(name) in (None, "", [], {}) for name in kind.required):
        return None
    value = kind.complete(value)
    if kind.key(value) != version.key or not _says_something(value, kind):
        return None
    left.value.Clear()
    left.value.update(value)
    held = [
        each
        for each, one in zip(version.held_before, content["held_before"], strict=True)
        if (("held_before", _ENTRY), _json(one)) not in gone
    ]
    del left.held_before[:]
    left.held_before.extend(held)
    left.disclosure = kept.get("disclosure", "") or ""
    del left.evidence_refs[:]
    left.evidence_refs.extend(kept.get("evidence_refs", ()))
    facts = {fact.get("k") for fact in value.get("facts", ())}
    origins = [origin for origin in left.fact_origins if origin.k in facts]
    del left.fact_origins[:]
    left.fact_origins.extend(origins)
    put_text(left, kind, value)
    return left


def _last(turns: Sequence[str]) -> str:
    return max(turns, key=lambda turn: (len(turn), turn))


def _texts_of(version: MemoryItem, k: str) -> list[str]:
    """Return what a fact of a profile says in words."""
    facts = json_format.MessageToDict(version.value).get("facts", ())
    return [text for fact in facts if fact.get("k") == k for text in _texts(fact)]


def _says_all(turn: str, texts: Collection[str], says: Says) -> bool:
    return bool(texts) and all(says(turn, text) for text in texts)


def _says_something(value: Mapping[str, Any], kind: Kind) -> bool:
    """Return whether a value says more than its key and what its kind gives everything."""
    besides = {*kind.key_parts(value), *kind.counters, *kind.quiet}
    said = {name: each for name, each in value.items() if name not in besides and each not in ("", [], {}, None)}
    return any(kind.defaults.get(name) != each for name, each in said.items()) or not set(kind.required) - besides
