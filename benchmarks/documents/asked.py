"""The questions of the mixed trial: which there are, and which of them are drawn."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import quote

from benchmarks.quality.datasets import DataSet

Source = Literal["memory", "documents"]

_SEED = 20261122
_NOT_ASKED = "adversarial"  # a category whose gold answers no question


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the ids that answer it, and which source they are in. drawn: it is one of the headline's."""

    data: str
    id: str
    text: str
    source: Source
    gold: frozenset[str]
    drawn: bool = False


def message_id(conversation_id: str, turn_id: str) -> str:
    """Name a turn among those of all conversations."""
    return f"{conversation_id}/{turn_id}"


def document_uri(conversation_id: str, turn_id: str) -> str:
    """Name a passage among those of all data."""
    return f"passage:/{quote(conversation_id)}/{quote(turn_id)}"


def questions(chats: Sequence[DataSet], documents: Sequence[DataSet], drawn: int) -> list[Asked]:
    """Give all questions with gold, in the order of the data.

    Of each data set an equal share is drawn, always the same; what is left over goes to the first data sets.
    """
    sets = [_of(data, "memory") for data in chats] + [_of(data, "documents") for data in documents]
    return [
        one
        for number, of_set in enumerate(sets)
        for one in _drawn(of_set, drawn // len(sets) + (number < drawn % len(sets)))
    ]


def _of(data: DataSet, source: Source) -> list[Asked]:
    name = message_id if source == "memory" else document_uri
    return [
        Asked(
            data=data.name,
            id=one.id,
            text=one.text,
            source=source,
            gold=frozenset(name(one.conversation_id, turn) for turn in one.gold_turns),
        )
        for one in data.questions
        if one.gold_turns and one.category != _NOT_ASKED
    ]


def _drawn(of_set: Sequence[Asked], count: int) -> list[Asked]:
    chosen = random.Random(_SEED).sample(range(len(of_set)), min(count, len(of_set)))
    return [replace(one, drawn=number in set(chosen)) for number, one in enumerate(of_set)]
