"""How well the rules read the labelled dialogues: `python -m tests.extraction.measure --half open --lang en --show`."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest
from smartbrain.v1.event_pb2 import Message, TurnEvents
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core import Brain, load_policy
from brain_core.env import Env
from brain_core.kinds.registry import KINDS
from brain_core.store import items
from tests.building import embedder

DIALOGUES = Path(__file__).parent / "dialogues"
HALVES = ("open", "held")
LANGUAGES = ("en", "zh")
LABELLED = ("preferences", "goals", "tasks", "decisions", "events", "profile", "knowledge", "entities")

Label = dict[str, Any]


@dataclass
class Score:
    """Counts over dialogues, all by type. right: expected and found. wrong: neither expected nor allowed, or stale."""

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def precision(self, *types: str) -> float:
        right, wrong = _sum(self.right, types), _sum(self.wrong, types)
        return right / (right + wrong) if right + wrong else 1.0

    def recall(self, *types: str) -> float:
        right, missed = _sum(self.right, types), _sum(self.missed, types)
        return right / (right + missed) if right + missed else 1.0


def _sum(counts: Counter[str], types: tuple[str, ...]) -> int:
    return sum(counts[name] for name in types) if types else counts.total()


def measured(half: str, lang: str) -> Score:
    """Run the dialogues of a half through a brain and compare what it holds at the end."""
    score = Score()
    lines = (DIALOGUES / f"{lang}_{half}.jsonl").read_text("utf-8").splitlines()
    now_us = [0]
    ids = count(1)
    env = Env(lambda: now_us[0], lambda: f"id-{next(ids)}")
    policy = load_policy({"store": {"durability": "process"}})
    with tempfile.TemporaryDirectory() as folder, Brain.open(Path(folder), policy, embedder(), env) as brain:
        for dialogue in map(json.loads, filter(None, lines)):
            memory = dialogue["id"]
            now_us[0] = int(datetime.fromisoformat(dialogue["now"]).timestamp() * 1_000_000)
            for turn in dialogue["turns"]:
                brain.commit_turn(CommitTurnRequest(memory_id=memory, session_id="s", turn=_events(turn)))
                now_us[0] += 1_000_000
            held = [item for name in KINDS for item in items.scan_items(brain._kv, memory, name)]
            compare(dialogue, held, score)
    return score


def _events(turn: Iterable[dict[str, str]]) -> TurnEvents:
    return TurnEvents(messages=[Message(role=each["role"], content=each["content"]) for each in turn])


@dataclass(frozen=True)
class _Part:
    """What is matched with a label: an item, as it reads and in the words it was told in, or one fact of a profile."""

    type: str
    text: str
    value: dict[str, Any]


def compare(dialogue: dict[str, Any], held: list[MemoryItem], score: Score) -> None:
    """Add a dialogue to the score: greedy one-to-one with what is expected, then what is allowed, the rest is wrong."""
    active = [part for item in held if item.status == ITEM_STATUS_ACTIVE for part in _parts(item)]
    left, wrong = list(active), []
    unmet: list[Label] = []
    for label in dialogue["expect"]:
        found = next((part for part in left if _meets(part, label)), None)
        if found is None:
            unmet.append(label)
            continue
        left.remove(found)
        score.right[found.type] += 1
    allowed = [*dialogue.get("allow", ()), *dialogue["expect"]]
    for part in left:
        again = part.type == "profile" and any(_meets(part, label) for label in dialogue["expect"])
        if not again and not any(_meets(part, label) for label in allowed[: len(dialogue.get("allow", ()))]):
            wrong.append(part)
    stale = [word.casefold() for word in dialogue.get("stale", ())]
    wrong += [part for part in active if part not in wrong and any(word in part.text.casefold() for word in stale)]
    for label in dialogue.get("retracted", ()):
        wrong += [part for part in active if part not in wrong and _meets(part, label)]
        if not any(_meets(part, label) for item in held if item.status != ITEM_STATUS_ACTIVE for part in _parts(item)):
            unmet.append({**label, "retracted": True})
    for part in wrong:
        score.wrong[part.type] += 1
    for label in unmet:
        score.missed[_type_of(label)] += 1
    if unmet or wrong:
        score.failures.append(_told(dialogue, unmet, wrong))


def _parts(item: MemoryItem) -> Iterator[_Part]:
    value = json_format.MessageToDict(item.value)
    if item.type == "profile":
        for fact in (*value.get("facts", ()), *value.get("denied", ())):
            yield _Part("profile", f"{fact['k']}: {fact['v']} {fact.get('since', '')}", fact)
    else:
        said = value.get({"preferences": "value", "goals": "description"}.get(item.type, ""), "")
        yield _Part(item.type, f"{item.text}\n{said}", value)


def _meets(part: _Part, label: Label) -> bool:
    types = label["type"] if isinstance(label["type"], list) else [label["type"]]
    folded = part.text.casefold()
    fields = label.get("fields", {})
    return (
        part.type in types
        and all(words.casefold() in folded for words in label["contains"])
        and all(part.value.get(name) == wanted for name, wanted in fields.items())
    )


def _type_of(label: Label) -> str:
    return str(label["type"][0] if isinstance(label["type"], list) else label["type"])


def _told(dialogue: dict[str, Any], unmet: list[Label], wrong: list[_Part]) -> str:
    said = [f"    {each['role'][0]}| {each['content']}" for turn in dialogue["turns"] for each in turn]
    return "\n".join(
        [
            f"{dialogue['id']} {dialogue['kind']} {dialogue['now']}",
            *said,
            *(f"  missed {json.dumps(label, ensure_ascii=False)}" for label in unmet),
            *(f"  wrong  {part.type}: {part.text!r} {part.value}" for part in wrong),
        ]
    )


def table(score: Score) -> str:
    """Return precision and recall, overall and by type."""
    rows = [("all", ()), *((name, (name,)) for name in LABELLED)]
    return "\n".join(
        f"{name:12} precision {score.precision(*types):.3f} recall {score.recall(*types):.3f}"
        f"  ({_sum(score.right, types)} right, {_sum(score.wrong, types)} wrong, {_sum(score.missed, types)} missed)"
        for name, types in rows
    )


def main() -> None:
    """Print the table, and with --show the failures of the open half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=(*HALVES, "dev", "odd", "even", "lives", "lives_held"), default="open")
    parser.add_argument("--lang", choices=LANGUAGES, default="en")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    if asked.show and asked.half not in ("open", "odd", "lives"):
        parser.error("--show: only what was open to the writers of rules may be looked at: open, odd, lives")
    score = measured(asked.half, asked.lang)
    if asked.show:
        print("\n".join(score.failures))
    print(f"{asked.lang} {asked.half}\n{table(score)}")


if __name__ == "__main__":
    main()
