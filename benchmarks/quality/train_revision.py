"""`python -m benchmarks.quality.train_revision [--folds N] [--beside FILE]`: make the judge of revisions, or judge it.

It learns from pairs that were written for this project, `labels/revisions_{en,zh}*.tsv`: a fact, and what later made it
untrue, among the facts of others; `labels/unchanged_{en,zh}*.tsv`, a fact and what was said of the matter without
changing it; `labels/alike_{en,zh}*.tsv`, which have both; all these told plainly (`plainly.py`); worlds of a few names
(`labels/crowds_*`); sentences that teach nothing (`labels/messages_*`, `talk_*`); and chats, in which hardly anything
is revised. Some five minutes. Needs what `pip install -e '.[train]'` brings.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
from google.protobuf.struct_pb2 import Struct
from numpy.typing import NDArray
from smartbrain.conversations import Conversation, load_conversations
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest
from smartbrain.v1.event_pb2 import Message, TurnEvents
from smartbrain.v1.item_pb2 import MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest, ListItemsResponse

from benchmarks.quality.linear.fit import Example, Fitting, added, fit, out_of_fold
from benchmarks.quality.plainly import Pair, plainly
from benchmarks.quality.worth.labels import CHATS, crowds, messages, of_hands, rows
from benchmarks.quality.worth.labels import LABELS as TEXTS
from brain_core import Brain, load_policy
from brain_core.extract.claims import Claim, ClaimTable, claims_of
from brain_core.extract.masks import masked, masks
from brain_core.extract.pasted import pasted
from brain_core.extract.revision import LABELS, WEIGHTS, weighed
from brain_core.extract.sentences import sentences
from brain_core.extract.worth import TYPES, Passage, passages
from brain_core.text.linear import read_linear, write_linear

_OF_CHAT = 120
"""Messages of the user that are taken of a conversation."""

_OF_SENTENCE = 3
"""Claims that each sentence of a chat is weighed against."""

_IDLE = 5000
"""Sentences of each language that teach nothing."""

_ASIDE = 0.3
"""Weight of a claim that the sentence is not about."""

_WEIGHTS = {"revisions": 2.0, "unchanged": 1.5, "crowds": 2.0}
"""Of what is told in the files of a kind: short pairs and worlds are few beside what was written to be hard."""

_PASSING = ("passing",)
"""Who wrote remarks in passing about what is known, and changes of the same told as plainly."""

_REMARKS = 2.5
"""As so many each of these remarks counts, itself and not what is made of it; chosen on files that are open."""

_BESIDE = 40
"""Facts of others among which a fact is told."""

_SORTS = ("revised", "unchanged", "plain", "fact", "crowd", "talk", "idle")
"""Sentences: that revise, that sound like it, either told plainly, of facts, of a crowd's, of chats, of no use."""

_THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
_EVEN = 0.5
_FITTING = Fitting(LABELS, "each", strength=1.0, least=3, meaning=0.4)
_SHARES = (0.5, 0.65)
"""Of a new fit's weights and of an earlier one's, in their sum."""

_SEED = 5


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence beside a claim. sort: of the sentence."""

    example: Example
    sort: str


def pairs(language: str) -> list[Pair]:
    """Return the pairs of a language."""
    of_short, beside = _WEIGHTS["revisions"], _WEIGHTS["unchanged"]
    revisions = chain.from_iterable(map(rows, of_hands(f"revisions_{language}", _PASSING)))
    found = [Pair(first, second, old, new, sort, of_short) for first, second, old, new, sort in revisions]
    for name in of_hands(f"unchanged_{language}", _PASSING):
        stress = _REMARKS if name.endswith(_PASSING) else 1.0
        found += [Pair(first, second, "", None, "knowledge", beside, stress) for first, second, _ in rows(name)]
    told = chain.from_iterable(map(rows, of_hands(f"alike_{language}")))
    for first, second, old, new, item_type, alike, _ in told:
        found += [Pair(first, second, old, new, item_type), Pair(first, alike, old, None, item_type)]
    return found


def held(each: Sequence[Pair]) -> list[list[Claim]]:
    """Return what a memory holds after each first sentence; the sentence itself where nothing was learned from it."""
    with _brain() as brain:
        return [_learned(brain, f"m{number}", pair.first) or [_as_told(pair)] for number, pair in enumerate(each)]


@contextmanager
def _brain() -> Iterator[Brain]:
    """Open a brain that revises nothing but by rules."""
    never = {"retention": {"worth": {"doubt": 1, "revise": 1}}}
    policy = load_policy({"store": {"durability": "process"}, "policies": never})
    with tempfile.TemporaryDirectory() as folder, Brain.open(Path(folder), policy) as brain:
        yield brain


def _learned(brain: Brain, memory: str, text: str) -> list[Claim]:
    """Return what a memory holds after a message of the user; nothing if the message taught nothing."""
    events = TurnEvents(messages=[Message(role="user", content=text)])
    if not brain.commit_turn(CommitTurnRequest(memory_id=memory, session_id="s", turn=events)).items:
        return []
    items: list[MemoryItem] = []
    listed = ListItemsResponse()
    while not items or listed.next_page_token:
        listed = brain.list_items(ListItemsRequest(memory_id=memory, page_token=listed.next_page_token))
        items += listed.items
    return [claim for name in TYPES for item in items if item.type == name for claim in claims_of(item)]


def talk(data: Path) -> Iterator[Weighed]:
    """Yield sentences of chats beside what was learned before in them: hardly any of them revises anything."""
    with _brain() as brain:
        for name in CHATS:
            for path in sorted((data / name).glob("conversations.jsonl*")):
                for conversation in load_conversations(path):
                    yield from _of_chat(brain, f"{name} {conversation.id}", conversation)


def _of_chat(brain: Brain, memory: str, conversation: Conversation) -> Iterator[Weighed]:
    said = [turn.text for session in conversation.sessions for turn in session.turns if turn.role == "user"]
    known: list[Claim] = []
    for text in said[:_OF_CHAT]:
        words = masked(text, masks(text))
        for passage in passages(words, list(sentences(words))) if not pasted(text) else ():
            for _, named in islice(_weighed(passage, known), _OF_SENTENCE):
                yield Weighed(_example(passage.text, named, None, memory), "talk")
        known = _learned(brain, memory.replace(" ", "_"), text) or known


def _weighed(passage: Passage, held: Sequence[Claim]) -> Iterator[tuple[Claim, list[str]]]:
    table = ClaimTable(held)
    return weighed(passage, table, table.rows())


def _as_told(pair: Pair) -> Claim:
    value = Struct()
    value.update({"content": pair.first})
    return Claim(MemoryItem(type=pair.type, value=value), None, pair.first)


def examples(every: Sequence[Pair], facts: Sequence[list[Claim]], language: str) -> Iterator[Weighed]:
    """Yield the sentences of pairs beside claims. facts: what each pair's fact teaches."""
    chance = random.Random(_SEED)
    for number, (pair, own) in enumerate(zip(every, facts, strict=True)):
        others = [
            each for other in chance.sample(range(len(every)), _BESIDE) if other != number for each in facts[other]
        ]
        group = f"{language} {pair.first}"
        of_second = "unchanged" if pair.new is None else "revised"
        told = [(pair, own, of_second), (replace(pair, second=pair.first), [], "fact")]
        told += [(made, own, "plain") for made in plainly(pair, language, chance)]
        for each, of_it, sort in told:
            weight = each.weight * (each.stress if each is pair else 1.0)
            yield from counted(_beside(each.second, each, own, [*of_it, *others], group, sort), weight)


def _beside(
    text: str, pair: Pair | None, own: Sequence[Claim], known: Sequence[Claim], group: str, sort: str
) -> Iterator[Weighed]:
    """Yield a sentence beside what is known. pair: it is of. own: what the pair's fact teaches."""
    true = [each for each in own if pair is not None and pair.old in each.text] or own
    [passage] = passages(text, [(0, len(text))])
    for claim, named in _weighed(passage, known):
        mine = any(claim is each for each in true)
        if pair is not None and pair.new is not None and not mine and any(claim is each for each in own):
            continue  # something else that the fact told
        yield Weighed(_example(passage.text, named, pair if mine else None, group), sort)


def counted(told: Iterable[Weighed], weight: float) -> Iterator[Weighed]:
    """Yield sentences as so many of them."""
    for each in told:
        yield replace(each, example=replace(each.example, weight=weight * each.example.weight))


def crowded(path: Path, name: str) -> Iterator[Weighed]:
    """Yield lines about the same few people and things beside what was told before; hardly any of it is untrue then."""
    for number, block in enumerate(crowds(path)):
        told = [line[1] for line in block if line[0] == "+"]
        facts = held([Pair(text, "", "", None, "knowledge") for text in told])
        known: list[Claim] = []
        for place, (sign, text, *change) in enumerate(block):
            old, new = [*change, "", ""][:2]
            pair = Pair(told[int(sign) - 1], text, old, new, "knowledge") if sign.isdigit() else None
            own = facts[int(sign) - 1] if pair else []
            yield from _beside(text, pair, own, known, f"{name} {number}", "revised" if pair else "crowd")
            known += facts[place] if place < len(facts) else []


def idle(facts: Sequence[list[Claim]], language: str) -> Iterator[Weighed]:
    """Yield sentences that teach nothing, as of a day's talk, beside the facts that are most like them."""
    chance = random.Random(_SEED)
    held_all = [claim for of_pair in facts for claim in of_pair]
    told = [
        each.passage
        for name in (f"messages_{language}", *of_hands(f"talk_{language}"))
        for each in messages(name)
        if not each.must | each.may
    ]
    for passage in chance.sample(told, _IDLE):
        for _, named in islice(_weighed(passage, chance.sample(held_all, _BESIDE)), _OF_SENTENCE):
            yield Weighed(_example(passage.text, named, None, passage.text), "idle")


def _example(text: str, named: Sequence[str], pair: Pair | None, group: str) -> Example:
    """Return a sentence beside a claim. pair: what the claim is of, if it is the one that the sentence is about."""
    changed = pair is not None and pair.new is not None
    ends = changed and pair is not None and not pair.new
    labels = (*(["revises"] if changed else []), *(["ends"] if ends else []))
    unknown = frozenset[str]() if changed else frozenset(["ends"])
    return Example(text, labels, tuple(named), unknown, group, 1.0 if pair is not None else _ASIDE)


def main() -> None:
    """Write the weights, or with --folds say how they do on what they have not seen."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.train_revision", description=__doc__)
    parser.add_argument("--folds", type=int, default=0, metavar="N", help="judge by cross-validation and write nothing")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder that holds realmem, …")
    parser.add_argument("--beside", type=Path, metavar="FILE", help="weights of an earlier fit, which are added")
    chosen = parser.parse_args()
    told = list(talk(chosen.data))
    for language in ("en", "zh"):
        every = pairs(language)
        facts = held(every)
        told += [*examples(every, facts, language), *idle(facts, language)]
        for name in of_hands(f"crowds_{language}"):
            told += counted(crowded(TEXTS / f"{name}.tsv", name), _WEIGHTS["crowds"])
    if chosen.folds:
        print(judged(told, out_of_fold([each.example for each in told], _FITTING, chosen.folds)))
    else:
        fitted = fit([each.example for each in told], _FITTING)
        model = added(fitted, read_linear(chosen.beside), _SHARES) if chosen.beside else fitted
        write_linear(model, WEIGHTS)


def judged(told: Sequence[Weighed], likely: NDArray[np.float32]) -> str:
    """Return a table by threshold: of each sort of sentence, the share that would revise something.

    found: of the revising ones, those that revise what they are about. ends: of these, where it is rightly told whether
    something takes its place.
    """
    best: dict[tuple[str, str], int] = {}
    for number, each in enumerate(told):
        sentence = each.example.group, each.example.text
        best[sentence] = max(best.get(sentence, number), number, key=lambda one: float(likely[one, 0]))
    of_sort = {sort: [number for number in best.values() if told[number].sort == sort] for sort in _SORTS}
    lines = [" ".join(f"{name:>9}" for name in ("at", "found", "ends", *_SORTS))]
    for least in _THRESHOLDS:
        over = {sort: [number for number in numbers if likely[number, 0] >= least] for sort, numbers in of_sort.items()}
        found = [number for number in over["revised"] if told[number].example.labels]
        ended = [(likely[number, 1] > _EVEN) == ("ends" in told[number].example.labels) for number in found]
        shares = [len(over[sort]) / max(len(of_sort[sort]), 1) for sort in _SORTS]
        row = (least, len(found) / max(len(of_sort["revised"]), 1), sum(ended) / max(len(ended), 1), *shares)
        lines.append(" ".join(f"{value:9.4f}" for value in row))
    return "\n".join(lines)


if __name__ == "__main__":
    main()
