"""A brain in plain dicts: what memories must hold after any run of calls. The oracle of test_model.py.

    memory = {"revision": int, "sessions": {id: [turn]}, "items": {(type, key): [version]}, "requests": {id: request},
              "message_ids": {session id: ids}}

A turn is the JSON form of TurnEvents, whose messages say nothing that is learned and whose entities are to be
remembered. Nothing here knows of indexes, disks or tokens.
"""

from __future__ import annotations

import copy
from typing import Any

Turn = dict[str, Any]
Slot = tuple[str, str]
Version = dict[str, Any]
Memory = dict[str, Any]

KINDS: dict[str, tuple[str, tuple[str, ...], dict[str, Any], str]] = {
    "tasks": ("task", ("project", "task_id"), {"project": "default", "status": "todo"}, "overwrite"),
    "decisions": ("decision", ("project", "topic"), {"project": "default"}, "versioned"),
    "goals": ("goal", ("project", "name"), {"project": "default", "status": "active"}, "overwrite"),
    "events": ("event", ("scope", "date", "slug"), {"scope": "default"}, "versioned"),
    "preferences": ("pref", ("scope", "name"), {"scope": "other"}, "overwrite"),
    "entities": ("entity", ("kind", "canonical"), {"kind": "other", "mentions": 1}, "accumulate"),
}
"""Type to key prefix, parts of the key, defaults and conflict policy, in the order in which a turn is learned from."""

_DECISIONS = {"overwrite": "superseded", "versioned": "versioned", "accumulate": "merged"}
_SURE, _INFERRED = 0.8, 0.6


class Refused(Exception):
    """The call must fail with this reason and change nothing."""


class ModelBrain:
    """Memories by id. day: the day of every turn that names none."""

    def __init__(self, day: str) -> None:
        self._day = day
        self.memories: dict[str, Memory] = {}

    def commit(
        self, memory_id: str, session_id: str, turn: Turn, request_id: str = "", *, validate_only: bool = False
    ) -> dict[str, Any]:
        """Return what the answer must say: revision, items, conflicts, and whether it repeats an earlier answer."""
        memory = copy.deepcopy(self.memories.get(memory_id, _empty()))
        request = {"session_id": session_id, "turn": turn}
        seen = memory["requests"].get(request_id)
        if request_id and seen is not None:
            if seen["request"] != request:
                raise Refused("ALREADY_EXISTS")
            return {**seen["answer"], "repeat": True}
        _refuse_taken_ids(memory["message_ids"].get(session_id, set()), turn)
        changed, conflicts = self._learn(memory, turn)
        answer = {
            "revision": memory["revision"] + (not validate_only),
            "items": [
                (*slot, memory["items"][slot][-1]["status"], len(memory["items"][slot]))
                for slot in dict.fromkeys(changed)
            ],
            "conflicts": conflicts,
            "repeat": False,
        }
        for slot in changed:
            memory["items"][slot][-1]["stood"] = True
        if not validate_only:
            memory["revision"] += 1
            memory["sessions"].setdefault(session_id, []).append(turn)
            if request_id:
                memory["requests"][request_id] = {"request": request, "answer": answer}
            self.memories[memory_id] = memory
        return answer

    def take(self, memory_id: str, session_id: str, message_ids: list[str]) -> None:
        """Take note of the ids of a committed turn's messages, those that the brain made included."""
        self.memories[memory_id]["message_ids"].setdefault(session_id, set()).update(message_ids)

    def _learn(self, memory: Memory, turn: Turn) -> tuple[list[Slot], list[tuple[Any, ...]]]:
        changed: list[Slot] = []
        conflicts: list[tuple[Any, ...]] = []
        for denial in turn.get("retractions", ()):
            slot = (denial["type"], denial["key"])
            conflicts.append((*slot, "retraction", *_retract(memory, slot, changed)))
        for kind in KINDS:
            for entry in turn.get(kind, ()):
                facts = self.facts(kind, entry)
                slot = (kind, item_key(kind, facts))
                sure = kind != "preferences" or entry.get("confirmed", False)
                decision = _enter(memory, slot, facts, changed, sure=sure, day=self._day)
                if decision:
                    is_dated = kind == "decisions" and decision[0] == "kept"
                    conflicts.append((*slot, "validity" if is_dated else KINDS[kind][3], *decision))
        return changed, conflicts

    def facts(self, kind: str, entry: dict[str, Any]) -> dict[str, Any]:
        """Return what an entry says of the world, with what the brain adds to it."""
        facts = {name: value for name, value in entry.items() if name not in {"confirmed", "remember"}}
        if kind == "decisions":
            facts.setdefault("made_at", self._day)
        if kind == "events":
            facts.setdefault("date", self._day)
            facts["slug"] = facts["title"].casefold().replace(" ", "_")
        return facts


def _empty() -> Memory:
    return {"revision": 0, "sessions": {}, "items": {}, "requests": {}, "message_ids": {}}


def item_key(kind: str, facts: dict[str, Any]) -> str:
    """Return the key under which facts stand."""
    prefix, parts, defaults, _ = KINDS[kind]
    full = {**defaults, **facts}
    return ":".join([prefix, *(full[part].replace(" ", "_") for part in parts)])


def _refuse_taken_ids(taken: set[str], turn: Turn) -> None:
    given = [message["message_id"] for message in turn.get("messages", ()) if "message_id" in message]
    if len(set(given)) < len(given) or taken & set(given):
        raise Refused("ALREADY_EXISTS")


def _retract(memory: Memory, slot: Slot, changed: list[Slot]) -> tuple[Any, ...]:
    versions = memory["items"].get(slot, [])
    if not versions or versions[-1]["status"] != "active":
        return "not_found", 0, 0
    versions[-1]["status"] = "retracted"
    versions.append({**versions[-1]})
    changed.append(slot)
    return "retracted", len(versions) - 1, len(versions)


def _enter(
    memory: Memory, slot: Slot, facts: dict[str, Any], changed: list[Slot], *, sure: bool, day: str
) -> tuple[Any, ...] | None:
    """Put facts under a key; return (decision, old version, new version) where it was taken. day: of the turn."""
    _, _, defaults, policy = KINDS[slot[0]]
    confidence = _SURE if sure else _INFERRED
    versions = memory["items"].setdefault(slot, [])
    if not versions or versions[-1]["status"] != "active":
        denied = versions[-1]["value"] if versions else {}
        if not sure and denied in ({**defaults, **facts}, {**denied, **facts}):
            return None  # the echo of a guess
        versions.append({"value": {**defaults, **facts}, "status": "active", "confidence": confidence, "sure": sure})
        changed.append(slot)
        return None
    current, old = versions[-1], len(versions)
    value = _merged(current["value"], facts) if policy == "accumulate" else {**current["value"], **facts}
    if all(value[name] == current["value"].get(name) for name in value if name not in {"mentions", "made_at"}):
        current["value"] |= {name: value[name] for name in ("mentions",) if name in value}
        if confidence >= current["confidence"]:
            current["confidence"], current["sure"] = confidence, sure
        changed.append(slot)
        return "refreshed", old, old
    if current["sure"] and not sure:
        return "kept", old, old
    if day != facts.get("made_at", day) < current["value"].get("made_at", ""):
        return "kept", old, old
    current["status"] = "superseded"
    versions.append({"value": value, "status": "active", "confidence": confidence, "sure": sure})
    changed.append(slot)
    return _DECISIONS[policy], old, old + 1


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    merged = {**old, **new}
    for name, value in new.items():
        if isinstance(value, list):
            merged[name] = list(dict.fromkeys([*old.get(name, []), *value]))
        elif isinstance(value, dict):
            merged[name] = {**old.get(name, {}), **value}
    return {**merged, "mentions": old["mentions"] + 1}
