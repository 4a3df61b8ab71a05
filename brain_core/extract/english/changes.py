"""Corrections and denials: what is said of something that the memory holds already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.bare_day import in_month_of
from brain_core.extract.dates import first_day
from brain_core.extract.english.denials import CALLED_OFF, GIVEN_UP, deny
from brain_core.extract.english.mentioned import best, content, fact_of, mentioned, newest
from brain_core.extract.english.replacing import at_hour, hour_in, rewritten, undated
from brain_core.extract.english.target import denied, supposed, targets, targets_in
from brain_core.extract.english.tenses import moved_day
from brain_core.extract.english.values import clean, preference, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import body_of, day_of, denial, value_of, words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.vital import is_vital, is_vital_item


def _no_longer(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    yield from _denying(scene, scene.clause.text)


def _not_so(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that what is named does not hold: of a statement most of its words are enough."""
    found = list(_denying(scene, match["what"]))
    item = None if found else best(scene, match["what"], 0.5, ("knowledge", "decisions", "goals", "preferences"))
    yield from found if item is None else deny(next(targets_in(item)), scene)


def _cancelled(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield from _denying(scene, match["what"] or match["what2"], CALLED_OFF)


def _denying(scene: Scene, words: str, slots: frozenset[str] = frozenset()) -> Iterator[Found]:
    target = denied(scene, words, slots)
    if target is not None:
        yield from deny(target, scene)


def _quit(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what the user has left, given up or sold: each verb ends facts of some slots only."""
    target = denied(scene, match["what"], next(slots for verb, slots in _ENDED if verb.match(match["verb"])))
    if target is not None:
        if target.item.type != "tasks":
            yield from deny(target, scene)
        return
    if re.match(r"(?:smok|drink|eat|us|sugar|coffee|alcohol|meat|tak)", match["what"], re.IGNORECASE):
        yield Found(preference(scene.clause.text), type="preferences")


def _not_allergic(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what one does not suffer from; where that is not named, it is the one allergy that is known."""
    words = re.sub(r"\s*\b(?:after all|at all|any ?more|actually)\b.*$", "", match["what"])
    if not re.fullmatch(r"(?:allergic|intolerant)\s*", words, re.IGNORECASE):
        yield from _denying(scene, words)
        return
    allergies = [target for target in targets(scene, ("preferences",)) if target.slot.name == "allergy"]
    if len(allergies) == 1 and not supposed(scene):
        yield from deny(allergies[0], scene)


_ENDED = (
    (pattern(r"sold|got rid of"), frozenset({"thing", "pet"})),
    (pattern(r"left|quit"), frozenset({"work", "doing"})),
    (pattern(r"cancell?ed|dropped|ended|abandoned"), CALLED_OFF),
    (pattern(r""), GIVEN_UP),
)


_REFUSALS = frozenset("that it this what thing last everything there here".split())  # noqa: SIM905


def _forget(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    words, _, rest = (match["what"] or "").partition(", ")
    pointing = not words or words.split()[0].lower() in _REFUSALS
    item = None if pointing else _named(scene, words)
    goes_on = False
    if item is None and (
        pointing or match["scratch"].lower().startswith(("scratch", "strike", "disregard that", "i take"))
    ):
        after = f"{rest} {scene.clause.sentence[scene.clause.sentence.find(match[0]) + len(match[0]) :]}"
        item = _named(scene, after, 0.34) if after.strip() else None
        goes_on = item is None and bool(words_of(after))
        item = item or newest(scene)
        if goes_on and item is not None and not _was_just_told(item, scene):
            return
    deletes_text = match["scratch"].lower().startswith(("delete", "remove")) and _A_TEXT.match(words)
    if item is None or deletes_text or (item.type == "profile" and (rest or _FROM_A_TEXT.search(words))):
        return
    fact = fact_of(item, words or item.text) if item.type == "profile" else None
    doubted = goes_on and is_vital_item(item, fact)
    for found in (each for told in targets_in(item) if told.fact == fact for each in deny(told, scene)):
        yield replace(found, doubts=True, weak=True) if doubted else found
    if item.type == "preferences" and re.match(
        r"(?:please )?(?:use|go with|make it|write|answer|keep)\b", rest, re.IGNORECASE
    ):
        yield Found({**value_of(item), "value": clean(rest)}, type="preferences", span=(0, len(scene.clause.text)))


def _was_just_told(item: MemoryItem, scene: Scene) -> bool:
    """Return whether the message, or the one before it, has words of an item."""
    last = " ".join([*scene.earlier()[-1:], scene.message[: scene.clause.start]])
    return not words_of(body_of(item)).isdisjoint(content(last))


def _named(scene: Scene, words: str, least: float = 0.5) -> MemoryItem | None:
    """Return the item that the words name; what is vital they name only by saying what it is, not by whose it is."""
    item = best(scene, words, least)
    fact = fact_of(item, words) if item is not None and item.type == "profile" else None
    return None if item is not None and is_vital_item(item, fact) and not is_vital("", words) else item


_FROM_A_TEXT = pattern(
    r"\b(?:from|in|on) (?:the|this|that|my) (?:list|letter|form|e-?mail|mail|text|draft|document|file|message|page)\b"
)


_A_TEXT = pattern(
    r"(?:(?:the|my|our|that|this) )?(?:[\w-]+ ){0,2}(?:files?|lists?|letters?|forms?|e-?mails?|mails?|texts?|drafts?|"
    r"documents?|docs?|messages?|pages?|photos?|pictures?|posts?|lines?|rows?|columns?|paragraphs?|sections?|cells?|"
    r"sentences?|folders?|sticky notes?) (?:with|of|containing|that|which|where|about)\b"
)
"""Names a text in which something of the user's stands: "delete the file with my phone number"."""


def _changed_to(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what something known by that name has been changed to; of what is not known, nothing."""
    item = best(scene, match["what"], 1.0, ("knowledge", "preferences", "decisions"))
    if item is not None and re.search(r"\d|[A-Z]", match["new"]):
        yield from (found for told in targets_in(item) for found in rewritten(told, clean(scene.clause.text), scene))


def _moved_event(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    rest = text[match.start("to") :]
    moved = moved_day(text, scene.said)
    day = moved or first_day(rest, scene.said)
    hour = hour_in(rest)
    if (day is not None and not day.exact) or (day is None and not (hour and _CHANGES.search(text))):
        return
    what = match["what"]
    target = denied(scene, what, types=("events", "tasks"))
    item = None if target is None else target.item
    if item is None and re.match(r"(?:it|that|they|this|the (?:date|appointment|meeting|call))\b", what, re.IGNORECASE):
        item = newest(scene, ("events", "tasks"))
    if item is None:
        return
    before = day_of(item)
    if moved is None and day is not None:
        day = in_month_of(before, day, rest, first_day, scene.said)
    yield from put_on(item, None if day is None else day.day.isoformat(), scene)


_CHANGES = pattern(r"\b(?:now|moved|rescheduled|pushed|postponed|shifted|changed|brought forward|delayed|put back)\b")


def put_on(item: MemoryItem, day: str | None, scene: Scene) -> Iterator[Found]:
    """Yield a known event or task on another day, or at another hour of its day; the event of the old day is denied."""
    text = scene.clause.text
    value = value_of(item)
    fields = {name: part for name, part in value.items() if isinstance(part, str)}
    if item.type == "tasks":
        if day is not None:
            yield Found({**fields, "due": day}, type="tasks", span=(0, len(text)))
        return
    if day is None:
        yield Found({**fields, "title": at_hour(str(value["title"]), text)}, type="events", span=(0, len(text)))
        return
    yield Found(denial(item), type="events", denies=True, span=(0, len(text)))
    title = at_hour(undated(str(value["title"]), scene), text)
    yield Found(
        {"date": day, "title": title, "slug": value.get("slug") or topic(title)},
        type="events",
        span=(0, len(text)),
    )


def _moved_otherwise(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read another day for a known event that the sentence names, where it says that something changed.

    What has happened is moved no more: its day can only have been told wrong.
    """
    text = scene.clause.text
    day = moved_day(text, scene.said) or first_day(text, scene.said)
    if day is None or not day.exact or not _SHIFTED.search(text):
        return
    item = mentioned(scene, text, 0.5, ("events",))
    if item is None or value_of(item).get("date") == day.day.isoformat():
        return
    before = day_of(item)
    if before is None or before >= scene.said or _PUTS_RIGHT.search(f"{scene.before} {text}"):
        yield from put_on(item, day.day.isoformat(), scene)


_PUTS_RIGHT = pattern(r"\b(?:actually|not|no|correction|wrong|sorry|mean|meant|mistake|mixed up|turns out)\b")
_SHIFTED = pattern(
    r"\b(?:mov(?:ed?|ing)|push\w*|postpon\w*|shift\w*|re-?schedul\w*|re-?book\w*|bump\w*|brought|put|delay\w*|slip\w*|"
    r"slid|chang\w*|instead|rather|actually|correction|wrong|sorry|now|not|update|new (?:date|day|time|slot)|"
    r"(?:day|days|week|weeks|month|hours?) (?:earlier|later)|(?:earlier|later) than)\b"
)
"""Says that a day is another than it was; "back", "later" and "new" alone do not."""


_GONE = r"(?:no longer|not (?=.{2,60}\b(?:any ?more|any longer)\b)|never again)"
RULES = (
    Rule("scratch_that", "",
        "scratch forget never strike delete disregard ignore remove cancel drop mind erase undo back",
         pattern(
             r"^(?:actually,? |please |wait,? |no,? |oh,? |you can |sorry,? )*(?P<scratch>scratch that|"
             r"strike that|never ?mind (?=(?:the|what i|about|my)\b)|i take (?:that|it) back|disregard "
             r"(?:that|what i said)|forget (?:that|it|what i said|i said)|ignore what i said|ignore (?:that|"
             r"my|the) (?:preference|rule|note|reminder)|delete (?:that|it|this)|"
                  r"forget(?= (?:about |the |my |our )|$)|delete(?= (?:the|my|what))|remove(?= (?:the|"
                  r"my) \w+(?: \w+)? (?:preference|note|task|reminder|from))|drop(?= (?:the|my) \w+ (?:preferenc"
                  r"e|rule|note|task|reminder|goal|plan))|disregard(?= the| my)|cancel (?:that|it)(?=$|"
                  r",)|cancel(?= (?:the|my) (?:reminder|task|appointment|meeting|note))) ?(?:about |on "
                  r"|from )?(?P<what>.{0,160})$"), _forget),
    Rule("no_longer", "", "longer anymore more stopped any",
         pattern(
             r"^(?:.{0,40}?\b)?(?:i|we|i'm|i’m|we're|we’re|i've|we've|he|she|they|it's|it’s|it|my [\w "
             r"]{2,30}|our [\w ]{2,40}|the [\w ]{2,60})(?:'m|’m|'re| am| are| is| do| does|'s|’s)"
             rf"? ?{_GONE} ?(?P<what>.{{0,160}})$|"
                  r"^(?:.{0,40}?\b)?(?P<whole>(?:i|we|my|our|the|that|it) ?.{0,60}?(?:don't|don’t|do not|"
                  r"doesn't|doesn’t|isn't|isn’t|is not|aren't|aren’t|am not|'m not|’m not|'re not|not|"
                  r"won't|no) .{2,120}?(?:any ?more|any longer|these days))\b.{0,80}$"), _no_longer),
    Rule("the_thing_about", "", "longer true valid anymore", pattern(
        r"^(?:the thing about|what i (?:said|told you) about|that (?:bit|part|thing) about) (?P<what>.{2,80}?)"
        r" (?:is|isn't|is not|was) (?:no longer|not|wrong|outdated|obsolete|true any ?more).{0,80}$"), _not_so),
    Rule("not_true", "", "wrong outdated true", pattern(
        r"^(?:the |my |our )?(?P<what>[\w' -]{3,60}?) (?:is|was) (?:no longer true|outdated|not true(?: "
        r"any ?more)?|obsolete|wrong)\b.{0,60}$"), _not_so),
    Rule("not_allergic", "", "not", pattern(
        r"^(?:(?:got tested|tested|the test|turns out|it turns out|good news)\b.{0,40}?[:,] ?|turns out "
        r")?(?:turns out )?(?:i'm|i’m|i am) not (?P<what>(?:actually )?(?:allergic|intolerant|diabetic|"
        r"vegetarian|vegan|coeliac|celiac|lactose).{0,60})$"), _not_allergic, shares=True),
    Rule("stopped", "", "stopped quit gave given cancelled canceled dropped sold left ended", pattern(
        r"^(?:i|we)(?:'ve|’ve| have)?(?: just| finally| also| actually)* (?P<verb>stopped|left|quit|gave up(?: "
        r"on)?|given up(?: on)?|cancell?ed|dropped|got rid of|sold|ended|abandoned) (?P<what>.{2,120})"
        r"$"), _quit),
    Rule("cancelled", "", "cancelled canceled off scrapped dropped happening dead",
         pattern(
             r"^(?P<what>(?:(?:the |my |our |that )|(?-i:[A-Z])\w+['’]s )[\w' -]{2,60}?)(?:'s|’s| is| "
             r"was| has been| got| got itself| are| were)(?: now| been| all)? (?:cancell?ed|called off|"
             r"off(?= the table|$|,)|scrapped|dropped|not happening|dead|abandoned)\b.{0,80}$|"
             r"^(?P<what2>(?:the |my |our |that )[\w' -]{2,60}?) (?:isn['’]t|aren['’]t|won['’]t be|is no longer) "
             r"happening\b.{0,80}$"), _cancelled),
    Rule("moved_event", "", "moved rescheduled pushed postponed shifted changed brought instead now put delayed",
         pattern(
             r"^(?:(?:actually|wait|no|correction|update|sorry)[,:]? )*(?:they(?:'ve| have)? |we(?:'ve|"
             r" have)? |i(?:'ve| have)? (?:had to )?)?(?:(?:moved|rescheduled|pushed|postponed|shifted|"
             r"changed|put off) )?(?P<what>(?:the |my |our |that |it|this )[\w' -]{0,60}?)(?:'s|’s| is|"
             r" was| has| have| had| got| been| now| just)* ?(?P<to>(?:been )?(?:now )?(?:(?:moved|rescheduled|"
             r"pushed(?: back| out)?|postponed|shifted|changed|brought forward|delayed|put back|slipped|"
             r"slid) )?(?:(?:to|until|till|on|for|by|at|from .{2,30} to)\b).{2,80})$"), _moved_event),
    Rule("moved_otherwise", "",
        "moved pushed now actually not instead new change changed changes postponed rather correction wrong sorry "
        "brought earlier "
        "later slipped delayed shifted rebooked rescheduled bumped back forward update",
        pattern(r"^"), _moved_otherwise),
    Rule("changed_to", "",
        "changed cut raised increased reduced lowered set migrated switched upgraded renamed bumped", pattern(
        r"^(?:i|we|they)(?:'ve|’ve| have| just| finally| now)* (?:changed|cut|raised|increased|reduced|lowered|set|"
        r"migrated|switched|upgraded|renamed|bumped) (?:the |our |my )?(?P<what>[\w' -]{2,40}?) (?:up |down |"
        r"over )?to "
        r"(?P<new>[^,;]{1,60})$"), _changed_to),
)  # fmt: skip
