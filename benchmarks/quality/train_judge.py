"""`python -m benchmarks.quality.train_judge [--around FILE]`: make the judge of what is worth learning.

See benchmarks/notes/extraction.md.

Some two minutes around an earlier fit, more from nothing. Needs what `pip install -e '.[train]'` brings, which neither
product nor tests do, and copies of RealMem and MemoryBank.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from functools import lru_cache
from itertools import chain
from pathlib import Path

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.event_pb2 import Message, Turn, TurnEvents
from smartbrain.v1.item_pb2 import MemoryItem

from benchmarks.quality.linear.fit import Example, Fitting, fit
from benchmarks.quality.worth.labels import (
    CHATS,
    OF_WORK,
    TALKERS,
    Labelled,
    asked,
    chat,
    dialogues,
    messages,
    of_hands,
    revised,
    written,
)
from brain_core import load_policy
from brain_core.extract.claims import Claims
from brain_core.extract.read import read_turn
from brain_core.extract.worth import LABELS, TYPES, WEIGHTS, of_rule
from brain_core.kinds.draft import Draft
from brain_core.policy import ByType, WorthPolicy
from brain_core.text.linear import read_linear, write_linear

READ_BY_THE_RULES_WRITERS = ("en_open", "zh_open", "en_dev", "zh_dev")
"""Dialogues that the rules were written on: how right a rule is there says nothing of the rule."""

NEW = ("en_odd", "zh_odd")
MESSAGES = ("messages_en", "messages_zh", *of_hands("talk_en", TALKERS), *of_hands("talk_zh", TALKERS))
LEARNED = LABELS[0]
_WEIGHT = {
    "realmem": 0.5,
    **dict.fromkeys(["memorybank_en", "memorybank_cn", "unchanged_en", "unchanged_zh", "alike_en", "alike_zh"], 2.0),
    **dict.fromkeys([f"talk_{lang}_{hand}" for lang in ("en", "zh") for hand in OF_WORK], 2.0),
    **dict.fromkeys(["written_en", "written_zh"], 3.0),
}
"""Of a sentence by the set it is from: friends' chat, talk about software and plain statements are few beside what was
written to be hard, and RealMem's are many, in prompts of several pages."""
_FITTING = Fitting(LABELS, "each", strength=15.0, least=4, meaning=0.6)
_AROUND = 1.0
"""Strength around an earlier fit, in place of that from nothing: best of .1, .3 and 1 on halves of talk left out."""
_CONFIDENCE = load_policy().policies.retention.confidence
_RULES_ALONE = WorthPolicy(
    look=0.0,
    keep=0.0,
    overrule=1.0,
    propose=1.0,
    guess=ByType(**dict.fromkeys(TYPES, 1.0)),
    between_people=0.0,
    doubt=1.0,
    revise=1.0,
)


class _Nothing:
    """A memory that holds nothing."""

    claims = Claims()

    def active(self, item_type: str) -> list[MemoryItem]:  # noqa: ARG002
        return []


def examples(data: Path) -> list[Example]:
    """Return all that the judge is fitted on."""
    new = chain(
        *(each(lang) for lang in ("en", "zh") for each in (written, revised, asked)),
        *(messages(name) for name in MESSAGES),
        *(dialogues(name) for name in NEW),
        *(chat(name, data) for name in CHATS),
    )
    seen = chain(*(dialogues(name) for name in READ_BY_THE_RULES_WRITERS))
    return [*map(example, seen), *(each for one in new for each in with_rules(one))]


def example(labelled: Labelled, rule: tuple[str, ...] = (), weight: float = 1.0) -> Example:
    """Return a sentence to fit on. rule: what is known of the rule that has read it."""
    taught = labelled.must | labelled.may if labelled.must else frozenset[str]()
    unsure = frozenset([LEARNED]) if labelled.may and not labelled.must else frozenset[str]()
    return Example(
        labelled.passage.text,
        (LEARNED, *taught) if taught else (),
        (*labelled.passage.named, *rule),
        # Only what is learned has a type.
        unsure | (frozenset() if taught else frozenset(TYPES)),
        labelled.group,
        weight * _WEIGHT.get(labelled.origin, 1.0),
    )


def with_rules(labelled: Labelled) -> Iterator[Example]:
    """Yield a sentence once for each rule that reads it, as a share of one; once without, if none does."""
    rules = dict.fromkeys((draft.rule, draft.kind.type) for draft in drafts_of(labelled))
    yield from (example(labelled, of_rule(*rule), 1 / len(rules)) for rule in rules)
    if not rules:
        yield example(labelled)


def drafts_of(labelled: Labelled) -> list[Draft]:
    """Return what the rules alone read in a sentence."""
    start, stop = labelled.span
    read = _read(labelled.message, labelled.said)
    return [draft for draft in read if draft.kind.type in TYPES and draft.span and start <= draft.span[0] < stop]


@lru_cache(maxsize=1)  # the sentences of a message come one after another
def _read(message: str, day: date) -> Sequence[Draft]:
    """Return what the rules alone read in a message of a day."""
    said = Timestamp()
    said.FromDatetime(datetime.combine(day, time(10), UTC))
    turn = Turn(events=TurnEvents(messages=[Message(role="user", content=message, created_at=said)]))
    return [each for each in read_turn(turn, _Nothing(), _CONFIDENCE, _RULES_ALONE) if isinstance(each, Draft)]


def main() -> None:
    """Fit the judge and write its files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder that holds realmem, …")
    parser.add_argument("--into", type=Path, default=WEIGHTS, metavar="FILE")
    parser.add_argument("--around", type=Path, metavar="FILE", help="of an earlier fit, of the same table and features")
    chosen = parser.parse_args()
    told = examples(chosen.data)
    if chosen.around:
        model = fit(told, replace(_FITTING, strength=_AROUND), read_linear(chosen.around))
    else:
        model = fit(told, _FITTING)
    write_linear(model, chosen.into)
    print(f"{chosen.into}: {chosen.into.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
