"""What a Chinese sentence is that no rule reads: plain values of each type, the sentence as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from brain_core.extract.chinese.aspects import area_of
from brain_core.extract.chinese.clauses import tidy
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.facts import facts
from brain_core.extract.chinese.knowledge import knowledge
from brain_core.extract.chinese.lists import LEADING
from brain_core.extract.chinese.moves import status_in
from brain_core.extract.chinese.spoken import as_mandarin
from brain_core.extract.chinese.standing import ILLNESS_OF_ANOTHER
from brain_core.extract.chinese.tenses import REPEATS, SOME_TIME_AGO, event_day
from brain_core.extract.chinese.vocabulary import content_slug, named_attribute, scope_of, topic_of
from brain_core.extract.language import Found, Propose, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_ONE_KEY = 12
"""Characters of a sentence that name what it tells of."""


_ASIDE = Expression(
    r"(?:(?:哦+|噢+|嗯+|啊+|诶|哎|哈+|好的?|行|是的?|没错|对了|对哦|哦对了?|另外|还有|顺便(?:说|提)?(?:一[下句])?|话说|那个|等等|等一下|"
    r"说实话)[,，、!！~～…\s]+)+"
)
"""Begins a sentence, and is no part of what it tells: 哦对了，营业时间改了."""


def _text(scene: Scene) -> str:
    start, length = scene.clause.start, len(scene.clause.text)
    aside = _ASIDE.match(scene.clause.text)
    return tidy(scene.message[start + (aside.end() if aside else 0) : start + length])


def _preference(scene: Scene) -> Found:
    folded = as_mandarin(scene.clause.text)
    scope, name = named_attribute(folded) or (scope_of(folded), content_slug(folded)[:_ONE_KEY])
    return Found({"scope": scope, "name": name, "value": _text(scene)})


def _goal(scene: Scene) -> Found:
    folded = as_mandarin(scene.clause.text)
    if _SETTLED.search(folded) and not _WILLED.search(folded):
        return replace(_knowledge(scene), type="knowledge")
    return Found({"name": content_slug(folded), "description": _text(scene)})


_SETTLED = Expression(
    r"(?:[月年天]|合同|租约?|房租|店租|租期)[^,，]{0,6}到期|(?:[签谈定租交付买办卖]|涨)(?:下来|好|完)?了|欠"
)
_WILLED = Expression(r"想|打算|计划|准备|争取|希望|目标|梦|愿|盼|一定|攒|存|考")
"""What is over and done, or falls due, is aimed at by nobody who does not say so: 店租明年三月到期."""


def _task(scene: Scene) -> Found:
    folded = as_mandarin(scene.clause.text)
    day = first_day(folded, scene.said)
    text = _text(scene)
    lead = LEADING.match(fold(text))
    title = text[lead.end() :] if lead and len(text) - lead.end() > 1 else text
    given = {"task_id": content_slug(fold(title)), "title": title, "status": status_in(folded) or "todo"}
    return Found({**given, "due": day.day.isoformat()} if day is not None and day.exact else given)


def _decision(scene: Scene) -> Found:
    text = _text(scene)
    return Found({"topic": topic_of(fold(text)), "decision": text, "made_at": scene.said.isoformat()})


def _event(scene: Scene) -> Found | None:
    folded = as_mandarin(scene.clause.text)
    if REPEATS.search(folded):
        return replace(_knowledge(scene), type="knowledge")
    found, past = event_day(folded, scene.said, fold(scene.told_before))
    if found is None and not past:
        return None
    if found is None and SOME_TIME_AGO.search(folded):
        return replace(_knowledge(scene), type="knowledge")
    about = folded[: found.start] + folded[found.stop :] if found else folded
    day = (found.day if found else scene.said).isoformat()
    until = {"until": found.last.isoformat()} if found and found.last else {}
    return Found({"date": day, "title": _text(scene), "slug": content_slug(about), **until})


def _profile(scene: Scene) -> Found | None:
    folded = as_mandarin(scene.clause.text)
    if _DONE_TO_SOMEBODY.search(folded) and not _FIRST_PERSON.search(folded):
        return None
    area = "" if ILLNESS_OF_ANOTHER.search(folded) else area_of(folded)
    return facts((f"{area or 'about'}_{content_slug(folded)[:_ONE_KEY]}", _text(scene)))


_DONE_TO_SOMEBODY = Expression(r"手术|复查|化验|住院|出院|开刀|化疗|透析")
_FIRST_PERSON = Expression(r"我|俺|咱|本人")
"""An operation of which nobody is named may be anybody's of whom the talk is: 手术做完了."""


def _knowledge(scene: Scene) -> Found:
    text = _text(scene)
    return knowledge(text, fold(text))


PROPOSALS: Mapping[str, Propose] = {
    "preferences": _preference,
    "goals": _goal,
    "tasks": _task,
    "decisions": _decision,
    "events": _event,
    "profile": _profile,
    "knowledge": _knowledge,
}
"""By type. An event needs a day, or to be over."""
