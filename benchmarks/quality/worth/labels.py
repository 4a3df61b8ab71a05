"""Labelled sentences: of users, of dialogues and written for the purpose. `../labels/README.md` has the files.

Of RealMem and MemoryBank the files hold ids, numbers of sentences and labels; the text is found again in a copy of the
sets. Sentences are cut as extraction cuts them, so a number means the same for as long as `extract/sentences.py` and
`extract/masks.py` cut alike; `read` refuses a number that a message does not have.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.quality.linear.own import intended
from brain_core.extract.masks import masked, masks
from brain_core.extract.pasted import pasted
from brain_core.extract.sentences import sentences
from brain_core.extract.worth import TYPES, Passage, passages

LABELS = Path(__file__).parents[1] / "labels"
_ASKING = ("qa", "summarize", "research", "debug")
DIALOGUES = Path(__file__).parents[3] / "tests/extraction/dialogues"
CHATS = ("realmem", "memorybank_en", "memorybank_cn")

HANDS = ("work", "home", "friends")
"""Who wrote of each language the newest texts, each of one field: the end of their files' names."""
OF_WORK = ("code", "study", "plain")
"""Of talk alone: who builds software, writes or does research with an assistant; what is told in few plain words."""
TALKERS = (*HANDS, *OF_WORK)

_SHORTEST = 4
"""Characters of a sentence that was shown to those who labelled chats."""

_WRITTEN_ON = date(2026, 3, 18)
_TYPES = frozenset(TYPES)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence and what it teaches.

    origin: the set it is from. group: what stays together in cross-validation. must: types to be learned. may: types
    that would do as well, or that need not be learned and may be; where `must` is empty nobody knows whether to learn.
    message: what the user wrote, and where in it the sentence stands.
    """

    origin: str
    group: str
    passage: Passage
    must: frozenset[str]
    may: frozenset[str]
    message: str
    span: tuple[int, int]
    said: date


def written(lang: str) -> Iterator[Labelled]:
    """Yield the sentences that were written to be labelled."""
    for number, line in enumerate((LABELS / f"written_{lang}.tsv").read_text("utf-8").splitlines()):
        labels, _, text = line.partition("\t")
        must, may = _split("" if labels == "-" else labels)
        [passage] = passages(masked(text, masks(text)), [(0, len(text))])
        yield Labelled(f"written_{lang}", f"{lang}-{number}", passage, must, may, text, (0, len(text)), _WRITTEN_ON)


def revised(lang: str) -> Iterator[Labelled]:
    """Yield the facts that were written to be revised, what revises them, and what was said of one and teaches nothing.

    What only ends a fact, and what teaches of a type that nobody named, are left out.
    """
    for name in (f"revisions_{lang}", *of_hands(f"alike_{lang}")):
        for number, (first, second, _, new, item_type, *_) in enumerate(rows(name)):
            for text in (first, *([second] if new else [])):
                yield from _alone(name.replace("alike", "revised"), number, text, frozenset([item_type]))
    for number, (_, second, teaches) in enumerate(rows(f"unchanged_{lang}")):
        if teaches == "n":
            yield from _alone(f"unchanged_{lang}", number, second, frozenset())
    for name in of_hands(f"alike_{lang}"):
        for number, (*_, alike, label) in enumerate(rows(name)):
            must, may = _split(label)
            yield from _alone(name, number, alike, must, may)


def of_hands(name: str, hands: tuple[str, ...] = HANDS) -> list[str]:
    """Return the names of the files of one kind in a language: by many hands in one, then by each of some."""
    return [name, *(f"{name}_{hand}" for hand in hands)]


def rows(name: str) -> list[list[str]]:
    """Return the lines of a file by column."""
    return [line.split("\t") for line in (LABELS / f"{name}.tsv").read_text("utf-8").splitlines()]


def crowds(path: Path) -> Iterator[list[list[str]]]:
    """Yield blocks of lines by column: `+`, a fact; number of a fact, what makes it untrue, old, new; `-`, the rest."""
    for block in path.read_text("utf-8").strip().split("\n\n"):
        yield [line.split("\t") for line in block.split("\n")]


def _alone(
    name: str, number: int, text: str, told: frozenset[str], perhaps: frozenset[str] = frozenset()
) -> Iterator[Labelled]:
    """Yield the sentences of a message that teaches one thing; which of several does so is not known."""
    words, spans = _cut(text)
    must, may = (told, perhaps) if len(spans) == 1 else (frozenset[str](), told | perhaps)
    for passage, span in zip(passages(words, spans), spans, strict=True):
        yield Labelled(name, f"{name}-{number}", passage, must, may, text, span, _WRITTEN_ON)


def asked(lang: str) -> Iterator[Labelled]:
    """Yield messages that ask for something, as the planner learns intents from them: they tell nothing that lasts."""
    for number, (intent, line) in enumerate(intended(lang)):
        if intent in _ASKING:
            yield from _alone(f"asked_{lang}", number, line, frozenset())


def messages(name: str) -> Iterator[Labelled]:
    """Yield the sentences of a file of whole messages that were written to be labelled, such as messages_en."""
    between = "" if "_zh" in name else " "
    blocks = (LABELS / f"{name}.tsv").read_text("utf-8").strip().split("\n\n")
    for number, block in enumerate(blocks):
        told = [line.partition("\t")[::2] for line in block.split("\n")]
        text = between.join(sentence.strip() for _, sentence in told)
        if pasted(text):
            continue
        words, spans = _cut(text)
        for passage, (start, stop) in zip(passages(words, spans), spans, strict=True):
            must, may = _split(_label_of(text[start:stop], told))
            yield Labelled(name, f"{name}-{number}", passage, must, may, text, (start, stop), _WRITTEN_ON)


def _label_of(sentence: str, told: Sequence[tuple[str, str]]) -> str:
    """Return the labels of a sentence as it is cut, which may be a part of one as it was written, or hold several."""
    held = [labels for labels, written in told if labels != "-" and _overlap(sentence.strip(), written.strip())]
    return ",".join(held)


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


def dialogues(name: str) -> Iterator[Labelled]:
    """Yield the user's sentences of a file of dialogues, such as en_odd."""
    for line in (DIALOGUES / f"{name}.jsonl").read_text("utf-8").splitlines():
        dialogue = json.loads(line)
        for turn in dialogue["turns"]:
            for message in turn:
                if message["role"] == "user" and not pasted(message["content"]):
                    yield from _told(name, dialogue, message["content"])


def chat(name: str, data: Path) -> Iterator[Labelled]:
    """Yield the labelled sentences of a set of chats; data: the folder that holds the sets."""
    texts = _texts(data / name)
    for line in (LABELS / f"{name}.tsv").read_text("utf-8").splitlines():
        ident, day, told = line.split("\t")
        labels = dict(_numbered(each) for each in told.split())
        text = texts[ident]
        words, spans = _cut(text)
        read = passages(words, spans)
        shown = [number for number, (start, stop) in enumerate(spans) if len(text[start:stop].strip()) >= _SHORTEST]
        if labels and max(labels) >= len(shown):
            raise ValueError(f"{name}: {ident} has no sentence {max(labels)}")
        for place, number in enumerate(shown):
            must, may = _split(labels.get(place, ""))
            said = date.fromisoformat(day) if day else _WRITTEN_ON
            yield Labelled(name, ident, read[number], must, may, text, spans[number], said)


def _numbered(label: str) -> tuple[int, str]:
    number, _, names = label.partition(":")
    return int(number), names


def _split(labels: str) -> tuple[frozenset[str], frozenset[str]]:
    names = [name for name in labels.split(",") if name]
    must = frozenset(name for name in names if name in TYPES)
    return must, frozenset(name[:-1] for name in names if name.endswith("?") and name[:-1] in TYPES) - must


def _cut(text: str) -> tuple[str, list[tuple[int, int]]]:
    words = masked(text, masks(text))
    return words, list(sentences(words))


def _texts(folder: Path) -> dict[str, str]:
    """Return the messages of a set by conversation/session/turn."""
    file = next(iter(sorted(folder.glob("conversations.jsonl*"))))
    opened: Callable[..., Any] = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt", encoding="utf-8") as lines:
        return {
            f"{conversation['id']}/{session['session_id']}/{turn['turn_id']}": turn["text"]
            for conversation in map(json.loads, lines)
            for session in conversation["sessions"]
            for turn in session["turns"]
        }


def _told(name: str, dialogue: dict[str, Any], text: str) -> Iterator[Labelled]:
    words, spans = _cut(text)
    for passage, (start, stop) in zip(passages(words, spans), spans, strict=True):
        by_hand = "sentences" in dialogue
        must, may = _by_hand(dialogue, text[start:stop]) if by_hand else _by_words(dialogue, text, start, stop)
        said = date.fromisoformat(dialogue["now"][:10])
        known, perhaps = frozenset(must & _TYPES), frozenset((may - must) & _TYPES)
        yield Labelled(name, dialogue["id"], passage, known, perhaps, text, (start, stop), said)


def _types(label: dict[str, Any]) -> list[str]:
    return list(label["type"]) if isinstance(label["type"], list) else [label["type"]]


def _holds(text: str, label: dict[str, Any]) -> bool:
    return all(words.casefold() in text.casefold() for words in label["contains"])


def _by_hand(dialogue: dict[str, Any], sentence: str) -> tuple[set[str], set[str]]:
    """Return what a sentence teaches where sentences are labelled; what its dialogue takes instead may be, too."""
    must: set[str] = set()
    for told, types in dialogue["sentences"]:
        if told.strip() and (told.strip() in sentence or sentence.strip() in told):
            must |= set(types)
    may = {name for label in dialogue["expect"] if must & set(_types(label)) for name in _types(label)}
    may |= {name for label in dialogue.get("allow", ()) if _holds(sentence, label) for name in _types(label)}
    return must, may


def _by_words(dialogue: dict[str, Any], text: str, start: int, stop: int) -> tuple[set[str], set[str]]:
    """Return what a sentence teaches by the words that the dialogue's labels name."""
    must: set[str] = set()
    may: set[str] = set()
    for label in (*dialogue["expect"], *dialogue.get("retracted", ())):
        first, *others = _types(label)
        if _holds(text[start:stop], label):
            must.add(first)
            may |= set(others)
        elif not _said_whole(dialogue, label):
            may |= {first, *others}
    may |= {name for label in dialogue.get("allow", ()) if _holds(text[start:stop], label) for name in _types(label)}
    return must, may


def _said_whole(dialogue: dict[str, Any], label: dict[str, Any]) -> bool:
    """Return whether one sentence of the user holds all the words of a label."""
    messages = [message["content"] for turn in dialogue["turns"] for message in turn if message["role"] == "user"]
    return any(_holds(text[start:stop], label) for text in messages for start, stop in _cut(text)[1])
