"""What a model makes of the user's words counts as theirs only where the words bear it out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.v1.item_pb2 import ITEM_SOURCE_INFERENCE, ITEM_SOURCE_USER

from tests.building import say
from tests.models.chat_endpoint import ChatStub, chat_endpoint
from tests.models.refining import sound
from tests.models.test_learner import Item, drink, item, open_reading, until_status

_KEYS = {"preferences": "pref:other:drink", "profile": "profile:user"}


@pytest.fixture
def chat() -> Iterator[ChatStub]:
    with chat_endpoint() as running:
        yield running


def confidence(folder: Path, chat: ChatStub, said: str, *found: Item) -> float:
    """Return how sure the first find is once a model has found these in what the user said."""
    chat.behaviour.answer = lambda _: {"items": list(found)}
    with open_reading(folder, chat, summarize=False) as brain:
        brain.commit_turn(say("m", "s", said))
        until_status(brain)
        sound(brain)
        kept = item(brain, found[0]["type"], _KEYS[found[0]["type"]])
        assert kept.source == (ITEM_SOURCE_USER if kept.confidence > 0.6 else ITEM_SOURCE_INFERENCE)
        return kept.confidence


@pytest.mark.parametrize(
    ("said", "quote", "value"),
    [
        ("The barista didn't pour green tea.", "pour green tea", "green tea"),
        ("The barista didn’t pour green tea.", "pour green tea", "green tea"),
        ("That kettle couldn't hold green tea.", "hold green tea", "green tea"),
        ("This kettle wouldn’t hold green tea.", "hold green tea", "green tea"),
        ("We stopped brewing green tea at home.", "brewing green tea", "green tea"),
        ("Our kitchen quit green tea in May.", "green tea in May", "green tea"),
        ("We gave green tea up in May.", "green tea", "green tea"),
        ("Nobody here pours green tea.", "pours green tea", "green tea"),
        ("We rarely brew green tea.", "brew green tea", "green tea"),
        ("Everyone at home hates green tea.", "green tea", "green tea"),
        ("家里戒了龙井茶，改喝别的。", "龙井茶", "龙井茶"),
        ("家里没再泡过龙井茶。", "泡过龙井茶", "龙井茶"),
        ("家里停掉了龙井茶。", "龙井茶", "龙井茶"),
        ("家里很少泡龙井茶。", "泡龙井茶", "龙井茶"),
    ],
)
def test_what_its_sentence_denies_or_ends_is_not_the_users_word(
    folder: Path, chat: ChatStub, said: str, quote: str, value: str
) -> None:
    assert confidence(folder, chat, said, drink(value, quote)) == 0.6


@pytest.mark.parametrize(
    ("said", "quote", "value"),
    [
        ("Green tea is not only cheap, mornings begin with green tea.", "mornings begin with green tea", "green tea"),
        ("We stopped by the shop for green tea.", "for green tea", "green tea"),
        ("Our kitchen quit sugar in May.", "quit sugar", "quit sugar"),
        ("The kitchen doesn’t take sugar.", "doesn’t take sugar", "doesn't take sugar"),
        ("每天早上特别想泡龙井茶。", "泡龙井茶", "龙井茶"),
        ("龙井茶非常好，每天早上都泡龙井茶。", "每天早上都泡龙井茶", "龙井茶"),
        ("这家的龙井茶不错，每天都泡。", "龙井茶不错", "龙井茶"),
    ],
)
def test_what_only_looks_denied_is_the_users_word(
    folder: Path, chat: ChatStub, said: str, quote: str, value: str
) -> None:
    assert confidence(folder, chat, said, drink(value, quote)) == 0.8
