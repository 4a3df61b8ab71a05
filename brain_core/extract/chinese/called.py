"""Who is known by name in Chinese, 小白, and all that is told of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.chinese.recall import profile_fact, told
from brain_core.extract.chinese.vocabulary import RELATIVE
from brain_core.extract.known import denial, known_facts, value_of
from brain_core.extract.language import Found, Scene
from brain_core.extract.vital import is_vital_item
from brain_core.text.script import fold


def told_of(scene: Scene, name: str) -> Iterator[Found]:
    """Yield the denial of all that is told of a person or pet known by a name; nothing where nobody is."""
    called = re.compile(rf"(?:叫做?|名字是|名叫|(?:{RELATIVE}|朋友|同事|同学|室友|宠物|[猫狗])){re.escape(name)}")
    profile = [(k, v) for k, v in known_facts(scene.known) if called.search(fold(v))]
    known = [item for kind in ("knowledge", "preferences", "events") for item in scene.known.active(kind)]
    of_them = [item for item in known if called.search(fold(told(item))) or _must_be_known_of(name, item)]
    people = [item for item in scene.known.active("entities") if _is_person(item, name)]
    if not (profile or of_them or people):
        return
    yield from (
        profile_fact(k, v, denies=True) for k, v in known_facts(scene.known) if (k, v) in profile or name in fold(v)
    )
    yield from (Found(denial(item), type=item.type, denies=True) for item in known if name in fold(told(item)))
    yield from (Found(denial(item), type="entities", denies=True) for item in people)


def _must_be_known_of(name: str, item: MemoryItem) -> bool:
    """Return whether what must be known of somebody begins with a name: 小李不吃肉."""
    return is_vital_item(item) and fold(told(item)).startswith(name)


def _is_person(item: MemoryItem, name: str) -> bool:
    value = value_of(item)
    return value.get("kind") == "person" and str(value.get("canonical")) == name
