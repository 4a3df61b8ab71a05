"""Corrections and denials: what is said of something that the memory holds already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.dates import first_day
from brain_core.extract.english.values import clean, preference, topic
from brain_core.extract.known import denial, find, overlap, value_of
from brain_core.extract.language import Found, Rule, Scene


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


TYPES = ("preferences", "knowledge", "profile", "decisions", "goals", "tasks", "events", "entities")
"""Types that are searched for what a correction speaks of, in this order."""

_FIELDS = {
    "preferences": "value", "knowledge": "content", "decisions": "decision", "goals": "description",
    "tasks": "title", "events": "title",
}  # fmt: skip
_HERE = re.compile(
    r"^(?:(?:no|oh|wait|sorry|oops|hmm?|ah|ok|and|so|well|but|hang on|hold on|my mistake|my bad)[,!. ]+)"
    r"*(?:actually|correction|i (?:mis(?:spoke|counted|remembered|read)|was wrong|meant|mean|mixed up)"
    r"|i've changed my mind|changed my mind|"
    r"scratch that|strike that|no,|wait|sorry|my mistake|oops|update|small change|change of plans?|i take "
    r"that back|on second thought|let me correct|i got that wrong|that (?:was|is) wrong|not true any ?more|"
    r"turns out|it turns out|they moved)",
    re.IGNORECASE,
)
_REFUSALS = frozenset("that it this what thing last everything there here".split())  # noqa: SIM905


def _best(scene: Scene, words: str, least: float = 0.5, types: tuple[str, ...] = TYPES) -> MemoryItem | None:
    """Return the item that the words name best over all types; the earlier type of equals."""
    found = [
        (overlap(item, words), -place, item)
        for place, name in enumerate(types)
        if (item := find(scene.known, name, words, least))
    ]
    return max(found, key=lambda each: each[:2])[2] if found else None


def _newest(scene: Scene, types: tuple[str, ...] = TYPES) -> MemoryItem | None:
    items = [item for name in types for item in scene.known.active(name)[:1]]
    return max(items, key=lambda item: item.updated_at.ToMicroseconds(), default=None)


def _deny(item: MemoryItem, words: str, scene: Scene) -> Iterator[Found]:
    span = (0, len(scene.clause.text))
    if item.type != "profile":
        yield Found(denial(item), type=item.type, denies=True, span=span)
        return
    fact = _fact(item, words)
    if fact is not None:
        yield Found({"subject": "user", "facts": [fact]}, type="profile", denies=True, span=span)


def _fact(item: MemoryItem, words: str) -> dict[str, Any] | None:
    """Return the fact of a profile that the words name best."""
    facts = value_of(item).get("facts", [])
    wanted = {word.rstrip("s") for word in re.findall(r"\w+", words.lower())}
    shares = [
        (len(wanted & {w.rstrip("s") for w in re.findall(r"\w+", f"{fact['k']} {fact['v']}".lower())}), n)
        for n, fact in enumerate(facts)
    ]
    best = max(shares, default=(0, 0))
    return facts[best[1]] if best[0] else None


_FILLING = re.compile(
    r"\b(?:any ?more|any longer|no longer|these days|now|longer|don't|don’t|do not|doesn't|doesn’t|isn't|"
    r"isn’t|aren't|not|won't|never|no|i'm|i’m|we're|we’re|i|we|my|our|the|it|it's|am|is|are|do|does|doing|"
    r"work|works|working|use|uses|using|"
    r"live|living|like|prefer|have|has|having|eat|eating|drink|drinking|want|wanting|need|needing|plan|"
    r"planning|going|go|to|a|an|at|for|of|in|on|actually|valid|true|current|up to date|with)\b",
    re.IGNORECASE,
)


def _no_longer(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    words = next((match[name] for name in match.re.groupindex if match[name]), scene.clause.text)
    item = _best(scene, words, 0.6)
    content = _FILLING.sub(" ", words).strip()
    if item is None and content:
        item = _best(scene, content, 0.5)
    if item is not None:
        yield from _deny(item, content or words, scene)


def _forget(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    words, _, rest = (match["what"] or "").partition(", ")
    pointing = not words or words.split()[0].lower() in _REFUSALS
    item = None if pointing else _best(scene, words)
    if item is None and (
        pointing or match["scratch"].lower().startswith(("scratch", "strike", "disregard that", "i take"))
    ):
        after = scene.clause.sentence[scene.clause.sentence.find(match[0]) + len(match[0]) :]
        item = (_best(scene, after, 0.34) if after.strip() else None) or _newest(scene)
    if item is None:
        return
    yield from _deny(item, words or str(_fact(item, item.text) or ""), scene)
    if item.type == "preferences" and re.match(
        r"(?:please )?(?:use|go with|make it|write|answer|keep)\b", rest, re.IGNORECASE
    ):
        yield Found({**value_of(item), "value": clean(rest)}, type="preferences", span=(0, len(scene.clause.text)))


def _swap(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Put the new value where the old one stands: same type, same key. What is known holds the old one literally."""
    old, new = clean(match["old"]), clean(match["new"])
    item = next((each for name in TYPES for each in scene.known.active(name) if _holds(each, old)), None)
    if item is not None and old.lower() != new.lower():
        yield from _replaced(item, old, new, scene)


def _holds(item: MemoryItem, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words.lower())}(?!\w)", item.text.lower()) is not None


_UP_TO_VALUE = re.compile(
    r"^.*\b(?:is|are|was|to|at|in|on|called|named|use|using|prefer|want|meant|it's|it’s|that's|that’s|"
    r":) ",
    re.IGNORECASE,
)


def _replaced(item: MemoryItem, old: str, new: str, scene: Scene) -> Iterator[Found]:
    span = (0, len(scene.clause.whole))
    value = value_of(item)
    bare = _UP_TO_VALUE.sub("", new) or new
    if item.type == "profile":
        fact = next((each for each in value.get("facts", ()) if old.lower() in str(each["v"]).lower()), None)
        if fact is not None:
            now = _put(str(fact["v"]), old, bare)
            yield Found({"subject": "user", "facts": [{"k": fact["k"], "v": now}]}, type="profile", span=span)
        return
    field = _FIELDS.get(item.type, "")
    if item.type == "entities":
        yield Found(denial(item), type="entities", denies=True, span=span)
        yield Found(
            {**{name: value[name] for name in ("kind", "attrs") if name in value}, "canonical": bare, "aliases": [old]},
            type="entities",
            span=span,
        )
        return
    if not value.get(field):
        return
    fields = {name: part for name, part in value.items() if isinstance(part, str) and name not in {"version"}}
    fields[field] = new if len(new.split()) > _WORDS_OF_A_VALUE else _put(value[field], old, bare)
    if item.type in {"tasks", "events"}:
        day = first_day(new, scene.said)
        if day is not None and day.exact:
            fields["due" if item.type == "tasks" else "date"] = day.day.isoformat()
            if item.type == "events":
                yield Found(denial(item), type="events", denies=True, span=span)
    yield Found(fields, type=item.type, span=span)


_LONGEST_FACT = 8
_WORDS_OF_A_VALUE = 4
"""Words above which what replaces a value is a statement of its own."""


def _put(text: str, old: str, new: str) -> str:
    """Return a text with `new` where `old` stands; where it does not stand as a whole, `new` alone."""
    place = text.lower().find(old.lower())
    return new if place < 0 else text[:place] + new + text[place + len(old) :]


def _moved_event(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    day = first_day(text[match.start("to") :], scene.said)
    if day is None or not day.exact:
        return
    what = match["what"]
    item = _best(scene, what, 0.5, ("events", "tasks"))
    if item is None and re.match(r"(?:it|that|they|this|the (?:date|appointment|meeting|call))\b", what, re.IGNORECASE):
        item = _newest(scene, ("events", "tasks"))
    if item is None:
        return
    value = value_of(item)
    fields = {name: part for name, part in value.items() if isinstance(part, str)}
    if item.type == "tasks":
        yield Found({**fields, "due": day.day.isoformat()}, type="tasks", span=(0, len(text)))
        return
    yield Found(denial(item), type="events", denies=True, span=(0, len(text)))
    title = _undated(str(value["title"]), scene)
    yield Found(
        {"date": day.day.isoformat(), "title": title, "slug": value.get("slug") or topic(title)},
        type="events",
        span=(0, len(text)),
    )


def _undated(title: str, scene: Scene) -> str:
    day = first_day(title, scene.said)
    return (
        title
        if day is None
        else clean(
            re.sub(r"(?:\s+(?:on|at|for|is|are|to|by|will be|scheduled))+\s*$", "", title[: day.start])
            + title[day.stop :]
        )
    )


def _cancelled(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    item = _best(scene, match["what"], 0.6, ("events", "tasks", "goals", "decisions", "preferences", "knowledge"))
    if item is not None:
        yield from _deny(item, match["what"], scene)


def _corrects(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read a statement after "actually" or "correction": it takes the place of what it shares most words with."""
    clause = scene.clause
    before = scene.message[max(clause.start - 80, 0) : clause.start].rsplit("\n", 1)[-1]
    if not (
        _HERE.match(clause.sentence) or _HERE.search(before) or _WAS_WRONG.search(before) or _NOW.search(clause.text)
    ):
        return
    text = clean(_HERE.sub("", clause.text).strip(" ,:;—–-")) or clause.text
    item = _best(scene, text, 0.3, ("knowledge", "preferences", "profile", "events", "decisions", "tasks", "goals"))
    if item is not None:
        yield from _rewritten(item, text, scene)
        return
    bare = _BARE.match(text) or len(text.split()) <= _WORDS_OF_A_VALUE
    item = (
        _newest(scene, ("knowledge", "preferences", "profile", "events", "tasks", "goals", "decisions"))
        if bare
        else None
    )
    if item is not None and (first_day(text, scene.said) is None or item.type in {"events", "tasks"}):
        yield from _revalued(item, clean(_TAKEN_FOR.sub("", text)), scene)


def _revalued(item: MemoryItem, new: str, scene: Scene) -> Iterator[Found]:
    """Yield the newest item with a bare new value where the one like it stood: a number or a name."""
    new = clean(re.sub(r"\bnow$", "", new))
    old = ""
    if item.type in {"tasks", "events"}:
        yield from _rewritten(item, new, scene)
        return
    body = (
        str(_fact(item, item.text) or "") if item.type == "profile" else str(value_of(item).get(_FIELDS[item.type], ""))
    )
    like = _NUMBER if _NUMBER.match(new) else _A_NAME if _A_NAME.match(new) else None
    found = like.findall(body) if like is not None else []
    if item.type == "profile":
        facts = [fact for fact in value_of(item).get("facts", ()) if like is not None and like.search(str(fact["v"]))]
        if len(facts) == 1:
            found = like.findall(str(facts[0]["v"])) if like is not None else []
        else:
            return
    if len(found) == 1:
        old = found[0]
        new = next(iter(like.findall(new)), new) if like is not None else new
        yield from _replaced(item, old, new, scene)


_NUMBER = re.compile(r"\d[\d.,:]*")
_A_NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w-]+|^[A-Z][\w-]+$")


_WAS_WRONG = re.compile(
    r"\b(?:was|is|were) (?:wrong|incorrect|a mistake|outdated|a typo)\b|\b(?:typo|mistake|misspoke|the "
    r"wrong \w+|told you wrong|miscounted|mistyped)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"^(?:it's|it’s|we're|we’re|i'm|i’m|they're|he's|she's|the [\w ]{2,40} is|my [\w ]{2,40} is|our [\w "
    r"]{2,40} is|it is|i) .{2,100}\bnow$|^(?:it|that|this|the [\w ]{2,40}|my [\w ]{2,40}|our [\w ]{2,40})"
    r"(?:'s|’s| is|'re| are) now ",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:it|it's|it’s|that's|that’s|they|they're|we're|we’re|i'm|make it|use|should be|not)\b", re.IGNORECASE
)
_TAKEN_FOR = re.compile(
    r"^(?:it's|it’s|it is|that's|that’s|make it|should be|it should be|they're|we're|i'm|use)(?: actually|"
    r" now| really| at| on)? ",
    re.IGNORECASE,
)


def _rewritten(item: MemoryItem, text: str, scene: Scene) -> Iterator[Found]:
    """Yield what the statement makes of the item."""
    span = (0, len(scene.clause.whole))
    value = value_of(item)
    if item.type == "profile":
        new = clean(re.sub(r"\bnow$", "", _TAKEN_FOR.sub("", text)))
        facts = value.get("facts", [])
        fact = next((each for each in facts if ("@" in str(each["v"])) == ("@" in new) and "@" in new), None) or _fact(
            item, text
        )
        if fact is not None and len(new.split()) <= _LONGEST_FACT:
            new = next((part.strip(".,") for part in new.split() if "@" in part), new) if "@" in new else new
            yield Found({"subject": "user", "facts": [{"k": fact["k"], "v": new}]}, type="profile", span=span)
        return
    fields = {name: part for name, part in value.items() if isinstance(part, str)}
    field = _FIELDS[item.type]
    if item.type in {"tasks", "events"}:
        day = first_day(text, scene.said)
        if day is None or not day.exact:
            return
        fields["due" if item.type == "tasks" else "date"] = day.day.isoformat()
        if item.type == "events":
            yield Found(denial(item), type="events", denies=True, span=span)
            fields[field] = text if len(text.split()) > 3 else _undated(value[field], scene)
    elif item.type == "preferences" or field not in fields:
        fields[field] = text
    else:
        fields[field] = clean(scene.clause.whole) if len(scene.clause.whole) > len(text) else text
    yield Found(fields, type=item.type, span=span)


def _not_but(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield from _swap(match, scene)


def _quit(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    item = _best(scene, match["what"], 0.6)
    if item is not None:
        if item.type != "tasks":
            yield from _deny(item, match["what"], scene)
        return
    if re.match(r"(?:smok|drink|eat|us|sugar|coffee|alcohol|meat|tak)", match["what"], re.IGNORECASE):
        yield Found(preference(scene.clause.text), type="preferences")


def _not_allergic(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    what = re.sub(r"\s+(?:after all|at all|any ?more|actually)\b.*$", "", match["what"])
    item = _best(scene, what, 0.5, ("preferences", "knowledge", "profile"))
    if item is not None:
        yield from _deny(item, match["what"], scene)


_GONE = r"(?:no longer|not (?=.{2,60}\b(?:any ?more|any longer)\b)|never again)"
RULES = (
    Rule("scratch_that", "",
        "scratch forget never strike delete disregard ignore remove cancel drop mind erase undo back",
         _pattern(
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
         _pattern(
             r"^(?:.{0,40}?\b)?(?:i|we|i'm|i’m|we're|we’re|i've|we've|he|she|they|it's|it’s|it|my [\w "
             r"]{2,30}|our [\w ]{2,40}|the [\w ]{2,60})(?:'m|’m|'re| am| are| is| do| does|'s|’s)"
             rf"? ?{_GONE} ?(?P<what>.{{0,160}})$|"
                  r"^(?:.{0,40}?\b)?(?P<whole>(?:i|we|my|our|the|that|it) ?.{0,60}?(?:don't|don’t|do not|"
                  r"doesn't|doesn’t|isn't|isn’t|is not|aren't|aren’t|am not|'m not|’m not|'re not|not|"
                  r"won't|no) .{2,120}?(?:any ?more|any longer|these days))\b.{0,80}$"), _no_longer),
    Rule("the_thing_about", "", "longer true valid anymore", _pattern(
        r"^(?:the thing about|what i (?:said|told you) about|that (?:bit|part|thing) about) (?P<what>.{2,80}?)"
        r" (?:is|isn't|is not|was) (?:no longer|not|wrong|outdated|obsolete|true any ?more).{0,80}$"), _no_longer),
    Rule("not_true", "", "wrong outdated true", _pattern(
        r"^(?:the |my |our )?(?P<what>[\w' -]{3,60}?) (?:is|was) (?:no longer true|outdated|not true(?: "
        r"any ?more)?|obsolete|wrong)\b.{0,60}$"), _no_longer),
    Rule("not_allergic", "", "not", _pattern(
        r"^(?:(?:got tested|tested|the test|turns out|it turns out|good news)\b.{0,40}?[:,] ?|turns out "
        r")?(?:turns out )?(?:i'm|i’m|i am) not (?P<what>(?:actually )?(?:allergic|intolerant|diabetic|"
        r"vegetarian|vegan|coeliac|celiac|lactose).{0,60})$"), _not_allergic, shares=True),
    Rule("stopped", "", "stopped quit gave given cancelled canceled dropped sold left ended", _pattern(
        r"^(?:i|we)(?:'ve|’ve| have)?(?: just| finally| also| actually)* (?:stopped|left|quit|gave up(?: "
        r"on)?|given up(?: on)?|cancell?ed|dropped|got rid of|sold|ended|abandoned) (?P<what>.{2,120})"
        r"$"), _quit),
    Rule("cancelled", "", "cancelled canceled off scrapped dropped happening dead",
         _pattern(
             r"^(?P<what>(?:(?:the |my |our |that )|(?-i:[A-Z])\w+['’]s )[\w' -]{2,60}?)(?:'s|’s| is| "
             r"was| has been| got| got itself| are| were)(?: now| been| all)? (?:cancell?ed|called off|"
             r"off(?= the table|$|,)|scrapped|dropped|not happening|dead|abandoned)\b.{0,80}$"), _cancelled),
    Rule("moved_event", "", "moved rescheduled pushed postponed shifted changed brought instead now put delayed",
         _pattern(
             r"^(?:(?:actually|wait|no|correction|update|sorry)[,:]? )*(?:they(?:'ve| have)? |we(?:'ve|"
             r" have)? |i(?:'ve| have)? (?:had to )?)?(?:(?:moved|rescheduled|pushed|postponed|shifted|"
             r"changed|put off) )?(?P<what>(?:the |my |our |that |it|this )[\w' -]{0,60}?)(?:'s|’s| is|"
             r" was| has| have| had| got| been| now| just)* ?(?P<to>(?:been )?(?:now )?(?:(?:moved|rescheduled|"
             r"pushed(?: back| out)?|postponed|shifted|changed|brought forward|delayed|put back|slipped|"
             r"slid) )?(?:(?:to|until|till|on|for|by|from .{2,30} to)\b).{2,80})$"), _moved_event),
    Rule("x_not_y", "", "not instead rather", _pattern(
        r"^(?:[^:]{0,40}: )?(?P<new>.{1,100}?)(?:,? (?:instead of|rather than)|, (?:and )?not) (?P<old>(?!just|"
        r"only|sure|that|yet)[^,;]{1,60})$"), _swap),
    Rule("not_x_but_y", "", "not but", _pattern(
        r"^.{0,40}?\b(?:not|isn't|wasn't) (?P<old>[^,;]{2,80}?),? but (?P<new>.{2,80})$"), _not_but),
    Rule("switched", "", "switched moved migrated changed replaced swapped switching moving",
         _pattern(
             r"^(?:i|we|i'm|we're|our team|they)(?:'ve|’ve| have| just| finally| recently| all| now| are)"
             r"* (?:switched|moved|migrated|changed|switching|moving|gone)(?: over| everything| [\w ]{2,30})"
             r"? from (?P<old>[^,;]{2,60}?) to (?P<new>[^,;]{2,80})$"), _swap),
    Rule("renamed", "", "renamed", _pattern(
        r"^(?:i|we|they)(?:'ve|’ve| have|'re)? ?(?:just |now )?renamed (?:it |the [\w ]{2,30} )?(?:from "
        r")?(?P<old>[^,;]{2,60}?) to (?P<new>[^,;]{2,60})$"), _swap),
    Rule("replaced", "", "replaced instead swapped", _pattern(
        r"^(?:i|we)(?:'ve|’ve| have| just| finally)* (?:replaced|swapped) (?P<old>.{2,60}?) (?:with|for|"
        r"by) (?P<new>.{2,80})$"), _swap),
    Rule("corrects", "",
        "actually correction wait sorry meant mean moved was wrong mistake update misspoke changed change "
        "scratch turns oops back thought miscounted it's its now typo we're i'm", _pattern(r"^"), _corrects),
)  # fmt: skip
