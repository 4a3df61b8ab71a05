"""`python -m benchmarks.learned --data DIR --out DIR`: see benchmarks/README.md."""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import NamedTuple, TypedDict

from smartbrain.conversations import Conversation, ConversationError, Session, Turn, load_conversations
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest
from smartbrain.v1.event_pb2 import Message, TurnEvents
from smartbrain.v1.memory_service_pb2 import GetItemRequest
from tqdm import tqdm

from benchmarks.arguments import positive
from benchmarks.machine import Machine, describe_machine, in_one_line
from benchmarks.tables import table
from brain_core import Brain, load_policy
from brain_core.models.static import StaticEmbedder

_SEED = 20261121
_VERDICTS = ("written", "masked", "event_only", "refused")


class Item(NamedTuple):
    """An item as a commit left it. read: the passage that the rule read. said: the whole message."""

    data: str
    type: str
    key: str
    rule: str
    text: str
    read: str
    said: str


class Counts(TypedDict):
    """Of one data folder. user_turns: those that rules read. verdicts: by rule, then by verdict."""

    data: str
    sessions: int
    turns: int
    user_turns: int
    items: dict[str, int]
    verdicts: dict[str, dict[str, int]]


def main(arguments: list[str] | None = None) -> int:
    """Learn and count; 1 with a message when the data or the disk cannot be used."""
    chosen = _parser().parse_args(arguments)
    machine, chance = describe_machine(), random.Random(_SEED)
    learned, drawn = list[Counts](), list[Item]()
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        for folder in chosen.data:
            counts, items = learn(folder, chosen.sessions)
            learned.append(counts)
            drawn += chance.sample(items, min(len(items), chosen.sample // len(chosen.data)))
    except (OSError, ConversationError) as error:
        print(f"benchmarks.learned: {error}", file=sys.stderr)
        return 1
    results = json.dumps({"machine": machine, "learned": learned}, ensure_ascii=False, indent=1) + "\n"
    (chosen.out / "results.json").write_text(results, encoding="utf-8")
    (chosen.out / "table.md").write_text(markdown(machine, learned), encoding="utf-8")
    lines = "".join(json.dumps(one._asdict(), ensure_ascii=False) + "\n" for one in drawn)
    (chosen.out / "sample.jsonl").write_text(lines, encoding="utf-8")
    print(f"written to {chosen.out}: table.md, results.json, and sample.jsonl, which holds texts: not to be committed")
    return 0


def learn(folder: Path, most: int | None) -> tuple[Counts, list[Item]]:
    """Commit the sessions of a data folder to a new brain; return the counts and every item that a commit wrote."""
    path = next(folder.glob("conversations.jsonl*"), folder / "conversations.jsonl")
    sessions = list(_in_turn(list(load_conversations(path))))[:most]
    counts = Counts(data=folder.name, sessions=len(sessions), turns=0, user_turns=0, items={}, verdicts={})
    items = list[Item]()
    with (
        tempfile.TemporaryDirectory(prefix="sb-learned-") as store,
        Brain.open(Path(store), load_policy({"store": {"durability": "process"}}), StaticEmbedder()) as brain,
        tqdm(total=sum(len(one.turns) for _, one in sessions), desc=folder.name, leave=False, disable=None) as bar,
    ):
        for memory, session in sessions:
            for turn in session.turns:
                items += _commit(brain, _request(memory, session, turn), counts)
                bar.update()
    counts["items"] = dict(Counter(one.type for one in items).most_common())
    return counts, items


def _in_turn(conversations: Sequence[Conversation]) -> Iterator[tuple[str, Session]]:
    """Give memory and session: the first session of every conversation, then the second of each, and so on."""
    rows = ([(one.id, session) for session in one.sessions] for one in conversations)
    return (each for each in chain.from_iterable(zip_longest(*rows)) if each is not None)


def _request(memory: str, session: Session, turn: Turn) -> CommitTurnRequest:
    said = Message(role=turn.role, speaker=turn.speaker, content=turn.text)
    if turn.datetime is not None:
        said.created_at.FromDatetime(turn.datetime)
    return CommitTurnRequest(memory_id=memory, session_id=session.session_id, turn=TurnEvents(messages=[said]))


def _commit(brain: Brain, request: CommitTurnRequest, counts: Counts) -> Iterator[Item]:
    said = request.turn.messages[0]
    counts["turns"] += 1
    counts["user_turns"] += said.role == "user"
    for one in brain.commit_turn(request).explain.retention:
        verdicts = counts["verdicts"].setdefault(one.rule, {})
        verdicts[one.verdict] = verdicts.get(one.verdict, 0) + 1
        if one.verdict in _VERDICTS[:2]:
            asked = GetItemRequest(memory_id=request.memory_id, type=one.type, key=one.key)
            text, read = brain.get_item(asked).item.text, said.content[one.span.start : one.span.end]
            yield Item(counts["data"], one.type, one.key, one.rule, text, read, said.content)


def markdown(machine: Machine, learned: Sequence[Counts]) -> str:
    """Write the whole table.md."""
    parts = ["# What was learned", in_one_line(machine)]
    for one in learned:
        items, share = sum(one["items"].values()), 100 / max(1, one["turns"])
        told = f"{one['sessions']:,} sessions, {one['turns']:,} turns, {one['user_turns']:,} of them of users"
        parts += [f"## {one['data']}", f"{told}: {items:,} items, {items * share:.1f} per 100 turns."]
        types = [(name, f"{count:,}", f"{count * share:.1f}") for name, count in one["items"].items()]
        rules = [(rule, *(f"{had.get(each, 0):,}" for each in _VERDICTS)) for rule, had in one["verdicts"].items()]
        rules.sort(key=lambda row: (-sum(one["verdicts"][row[0]].values()), row[0]))
        parts += [table(("type", "items", "per 100 turns"), types), table(("rule", *_VERDICTS), rules)]
    return "\n\n".join(parts) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learned", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR", help="folder; repeatable")
    parser.add_argument("--sessions", type=positive, metavar="N", help="of each folder; default: all")
    parser.add_argument("--sample", type=positive, default=100, metavar="N", help="items drawn; default: %(default)s")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    return parser


if __name__ == "__main__":
    sys.exit(main())
