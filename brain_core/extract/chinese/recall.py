"""Finding what a Chinese clause speaks of among what is known, by the content words they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.known import FIELDS, known_facts, last_of, names_another, value_of
from brain_core.extract.language import Found, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_COMMON = Expression(
    r"我们|咱们|你们|他们|大家|自己|那个|这个|那条|这条|那些|这些|那件|这件|那茬|这茬|那事|这事|事情|事儿|东西|时候|"
    r"现在|目前|以后|之后|之前|以前|往后|今后|将来|后来|刚才|刚刚|已经|早就|终于|总算|其实|还是|就是|不是|没有|不用|"
    r"不要|可以|应该|需要|打算|计划|准备|决定|喜欢|讨厌|希望|记得|记住|记一下|帮我|提醒|一下|一个|一份|一直|全部|"
    r"时间|问题|方面|今天|明天|昨天|后天|这周|下周|上周|本周|周末|月底|今年|明年|去年|早上|上午|中午|下午|晚上|开始|固定|统一|默认|"
    r"(?:周|星期|礼拜)[一二三四五六日天末]|[0-9一二三四五六七八九十]+ ?(?:点|号|月|日|年)|取消|改成|换成|改到|"
    r"作废|算了|"
    r"[的了着过吧啊呢吗把被就都也还又再很我你他她它这那是在有和跟与不没要给得去来能从到对让叫说做用好个件份次每天先]"
)
_REMEMBERED = 4096  # what items say, which is asked for by commit after commit
_PIECE = Expression(r"[\u4e00-\u9fff]+|[a-z][a-z0-9+#.-]*|[0-9]{2,}")


@lru_cache(maxsize=_REMEMBERED)
def content_words(text: str) -> frozenset[str]:
    """Return the bigrams of the Han content words of a text and its Latin words."""
    words: set[str] = set()
    for piece in _PIECE.findall(_COMMON.sub(" ", fold(text).lower())):
        words |= {piece} if piece.isascii() else {piece[place : place + 2] for place in range(len(piece) - 1)}
    return frozenset(words)


def told(item: MemoryItem) -> str:
    """Return what an item tells, without its key."""
    return str(value_of(item).get(FIELDS[item.type], ""))


def spoken_of(scene: Scene, words: str, types: Iterable[str] = tuple(FIELDS), least: float = 0.25) -> MemoryItem | None:
    """Return the known item that shares the most content words with `words`, the newest of equals, or None.

    least: the share of the shorter of the two that they must have in common. A word that several items have is who or
    what they are about, and names none of them.
    """
    wanted = content_words(words)
    if not wanted:
        return None
    met = [
        (item, both, len(held))
        for item_type in types
        for item in scene.known.active(item_type)
        if not (item_type == "tasks" and names_another(words, told(item)))
        and (both := wanted & (held := content_words(told(item))))
    ]
    once = _had_once(both for _, both, _ in met)
    best, best_share = None, 0.0
    for item, both, size in met:
        shorter = min(len(wanted), size)
        own = bool(both & once) and (len(both) > 1 or shorter <= _FEW)
        share = len(both) / shorter if own or item.session_id == scene.session else 0.0
        if share >= least and share > best_share:
            best, best_share = item, share
    return best


_FEW = 2
"""Content words up to which one in common names an item of another session."""


def newest(scene: Scene, types: Iterable[str] = tuple(FIELDS)) -> MemoryItem | None:
    """Return what is pointed at and not named: `last_told` of the items of these types."""
    return last_of(scene.known, types, scene.session)


def points_at(scene: Scene, telling: str) -> bool:
    """Return whether what is named by no name may be this: nothing else was named before the clause, or that was."""
    named = content_words(scene.message[: scene.clause.start])
    return not named or bool(named & content_words(telling))


def fact_spoken_of(scene: Scene, words: str) -> tuple[str, str] | None:
    """Return the fact (k, v) of the user whose value the words name, by a word that no other fact has, or None."""
    wanted = content_words(words)
    met = [(k, v, both) for k, v in known_facts(scene.known) if (both := wanted & content_words(v))]
    once = _had_once(both for _, _, both in met)
    return next(((k, v) for k, v, both in met if both & once), None)


def _had_once(sets: Iterable[frozenset[str]]) -> set[str]:
    """Return the words that are in one of the sets alone."""
    return {word for word, count in Counter(word for each in sets for word in each).items() if count == 1}


def own(value: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a value without what counts its history."""
    return {name: part for name, part in value.items() if name not in {"denied", "mentions"}}


def profile_fact(k: str, v: str, *, denies: bool = False, span: tuple[int, int] | None = None) -> Found:
    """Return a fact of the user, told or denied."""
    return Found({"subject": "user", "facts": [{"k": k, "v": v}]}, type="profile", denies=denies, span=span)
