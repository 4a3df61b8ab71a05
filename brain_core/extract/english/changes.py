"""Corrections and denials: what is said of something that the memory holds already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.dates import first_day
from brain_core.extract.english.denials import deny
from brain_core.extract.english.mentioned import TYPES, best, content, fact_of, mentioned, newest
from brain_core.extract.english.replacing import TAKEN_FOR, WORDS_OF_A_VALUE, replaced, revalued, rewritten, undated
from brain_core.extract.english.values import clean, preference, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import denial, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_HERE = Expression(
    r"^(?:(?:no|oh|wait|sorry|oops|hmm?|ah|ok|and|so|well|but|hang on|hold on|my mistake|my bad)[,!. ]+)"
    r"*(?:actually|correction|i (?:mis(?:spoke|counted|remembered|read)|was wrong|meant|mean|mixed up)"
    r"|i've changed my mind|changed my mind|"
    r"scratch that|strike that|no,|wait|sorry|my mistake|oops|update|small change|change of plans?|i take "
    r"that back|on second thought|let me correct|i got that wrong|that (?:was|is) wrong|not true any ?more|"
    r"turns out|it turns out|they moved)",
    re.IGNORECASE,
)
_REFUSALS = frozenset("that it this what thing last everything there here".split())  # noqa: SIM905


_FILLING = Expression(
    r"\b(?:any ?more|any longer|no longer|these days|now|longer|don't|don’t|do not|doesn't|doesn’t|isn't|"
    r"isn’t|aren't|not|won't|never|no|i'm|i’m|we're|we’re|i|we|my|our|the|it|it's|am|is|are|do|does|doing|"
    r"work|works|working|use|uses|using|"
    r"live|living|like|prefer|have|has|having|eat|eating|drink|drinking|want|wanting|need|needing|plan|"
    r"planning|going|go|to|a|an|at|for|of|in|on|actually|valid|true|current|up to date|with)\b",
    re.IGNORECASE,
)


def _no_longer(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    words = next((match[name] for name in match.re.groupindex if match[name]), scene.clause.text)
    item = best(scene, words, 0.6)
    content = _FILLING.sub(" ", words).strip()
    if item is None and content:
        item = best(scene, content, 0.5)
    if item is not None:
        yield from deny(item, content or words, scene)


def _forget(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    words, _, rest = (match["what"] or "").partition(", ")
    pointing = not words or words.split()[0].lower() in _REFUSALS
    item = None if pointing else best(scene, words)
    if item is None and (
        pointing or match["scratch"].lower().startswith(("scratch", "strike", "disregard that", "i take"))
    ):
        after = scene.clause.sentence[scene.clause.sentence.find(match[0]) + len(match[0]) :]
        item = (best(scene, after, 0.34) if after.strip() else None) or newest(scene)
    if item is None:
        return
    yield from deny(item, words or str(fact_of(item, item.text) or ""), scene)
    if item.type == "preferences" and re.match(
        r"(?:please )?(?:use|go with|make it|write|answer|keep)\b", rest, re.IGNORECASE
    ):
        yield Found({**value_of(item), "value": clean(rest)}, type="preferences", span=(0, len(scene.clause.text)))


def _swap(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Put the new value where the old one stands: same type, same key. What is known holds the old one literally."""
    old, new = clean(match["old"]), clean(match["new"])
    if not content(old):
        return
    item = next((each for name in TYPES for each in scene.known.active(name) if _holds(each, old)), None)
    if item is not None and old.lower() != new.lower():
        yield from replaced(item, old, new, scene)


def _holds(item: MemoryItem, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words.lower())}(?!\w)", item.text.lower()) is not None


def _changed_to(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what something known by that name has been changed to; of what is not known, nothing."""
    item = best(scene, match["what"], 1.0, ("knowledge", "preferences", "decisions"))
    if item is not None and re.search(r"\d|[A-Z]", match["new"]):
        yield from rewritten(item, clean(scene.clause.text), scene)


def _moved_event(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    day = first_day(text[match.start("to") :], scene.said)
    if day is None or not day.exact:
        return
    what = match["what"]
    item = best(scene, what, 0.5, ("events", "tasks"))
    if item is None and re.match(r"(?:it|that|they|this|the (?:date|appointment|meeting|call))\b", what, re.IGNORECASE):
        item = newest(scene, ("events", "tasks"))
    if item is None:
        return
    yield from _put_on(item, day.day.isoformat(), scene)


def _put_on(item: MemoryItem, day: str, scene: Scene) -> Iterator[Found]:
    """Yield a known event or task on another day; the event of the old day is denied."""
    text = scene.clause.text
    value = value_of(item)
    fields = {name: part for name, part in value.items() if isinstance(part, str)}
    if item.type == "tasks":
        yield Found({**fields, "due": day}, type="tasks", span=(0, len(text)))
        return
    yield Found(denial(item), type="events", denies=True, span=(0, len(text)))
    title = undated(str(value["title"]), scene)
    yield Found(
        {"date": day, "title": title, "slug": value.get("slug") or topic(title)},
        type="events",
        span=(0, len(text)),
    )


def _moved_otherwise(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read another day for a known event that the sentence names, where it says that something changed."""
    day = first_day(scene.clause.text, scene.said)
    item = mentioned(scene, scene.clause.text, 0.5, ("events",)) if day is not None and day.exact else None
    if day is not None and item is not None and value_of(item).get("date") != day.day.isoformat():
        yield from _put_on(item, day.day.isoformat(), scene)


def _cancelled(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    item = best(scene, match["what"], 0.6, ("events", "tasks", "goals", "decisions", "preferences", "knowledge"))
    if item is not None:
        yield from deny(item, match["what"], scene)


def _corrects(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read a statement after "actually" or "correction": it takes the place of what it shares most words with."""
    clause = scene.clause
    before = scene.message[max(clause.start - 80, 0) : clause.start].rsplit("\n", 1)[-1]
    puts_right = _HERE.match(clause.sentence) or _HERE.search(before) or _WAS_WRONG.search(before)
    is_now = (
        _NOW.search(clause.text)
        and not _AT_WORK.match(clause.text)
        and (_A_VALUE.search(clause.text) or _AIMED.match(clause.text))
    )
    if not (puts_right or (is_now and not _SOMEWHERE.search(clause.text))):
        return
    text = clean(_HERE.sub("", clause.text).strip(" ,:;—–-")) or clause.text
    types = ("knowledge", "preferences", "profile", "events", "decisions", "tasks", "goals")
    if _INTERJECTION.fullmatch(text):
        return
    # "now" is said of everything that changes, and a number is the value: neither names what it is of.
    about = text if puts_right else _NOWADAYS.sub(" ", text)
    answers = _ANSWERS.match(clause.sentence) is not None
    item = (None if answers else best(scene, about, 0.3, types)) or mentioned(scene, about, 0.5, types)
    if item is not None:
        yield from rewritten(item, text, scene)
        return
    bare = puts_right and not answers and (_BARE.match(text) or len(text.split()) <= WORDS_OF_A_VALUE)
    item = (
        newest(scene, ("knowledge", "preferences", "profile", "events", "tasks", "goals", "decisions"))
        if bare
        else None
    )
    if item is not None and (first_day(text, scene.said) is None or item.type in {"events", "tasks"}):
        yield from revalued(item, clean(TAKEN_FOR.sub("", text)), scene)


_ANSWERS = Expression(r"(?:(?:oh|so|well|yeah|ah|hmm),? )*no,? (?!actually|wait|sorry)", re.IGNORECASE)
"""How a question of the assistant's is answered: that says nothing of what was told last."""
_INTERJECTION = Expression(
    r"(?:(?:wait|sorry|no|oh|oops|hmm?|actually|scratch that|hang on|hold on|correction|i misspoke|"
    r"my (?:mistake|bad)|"
    r"changed my mind|i was wrong|never mind|stop|nope|a (?:sec|second|minute)|i meant)[ ,.!]*)+",
    re.IGNORECASE,
)
_WAS_WRONG = Expression(
    r"\b(?:was|is|were) (?:wrong|incorrect|a mistake|outdated|a typo)\b|\b(?:typo|mistake|misspoke|the "
    r"wrong \w+|told you wrong|miscounted|mistyped)\b",
    re.IGNORECASE,
)
_NOW = Expression(
    r"^(?:it's|it’s|we're|we’re|i'm|i’m|they're|he's|she's|the [\w ]{2,40} is|my [\w ]{2,40} is|our [\w "
    r"]{2,40} is|it is|i) .{2,100}\bnow$|^(?:it|that|this|the [\w ]{2,40}|my [\w ]{2,40}|our [\w ]{2,40})"
    r"(?:'s|’s| is|'re| are) now ",
    re.IGNORECASE,
)
_AT_WORK = Expression(
    r"(?:i|we)(?:['’]ll| will)\b|(?:i|we)['’]?(?:m| am|re| are) (?:just )?(?!driving|earning|eating|learning|"
    r"living|managing|paying|studying|taking|"
    r"teaching|training|using|wearing|working)\w+ing\b",
    re.IGNORECASE,
)
"""What one does at this moment ("I'm checking the list now") makes nothing untrue."""
_NOWADAYS = Expression(
    r"(?<!\w)[$€£]?\d\S*|\b(?:now|today|currently|these days|already|instead|any ?more|again|still)\b", re.IGNORECASE
)
_A_VALUE = Expression(r"\d|(?<=[a-z,:'’] )[A-Z][\w-]|@|https?:")
"""What takes another value's place: "we're on Python 3.12 now" does, "my dog is asleep now" says how things are."""
_SOMEWHERE = Expression(
    r"(?:['’](?:m|s|re)| is| am| are)(?: now)? (?:in|at|with|near|over|back|off|out|from|here|there)\b", re.IGNORECASE
)
"""Where somebody is now says nothing of what is known of him."""
_AIMED = Expression(r"(?:my|our) (?:[\w-]+ )?(?:goal|aim|plan|target|budget|deadline|limit) is ", re.IGNORECASE)
_BARE = Expression(r"(?:it|it's|it’s|that's|that’s|they|they're|make it|use|should be|not)\b", re.IGNORECASE)


def _not_but(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield from _swap(match, scene)


def _quit(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    item = best(scene, match["what"], 0.6)
    if item is not None:
        if item.type != "tasks":
            yield from deny(item, match["what"], scene)
        return
    if re.match(r"(?:smok|drink|eat|us|sugar|coffee|alcohol|meat|tak)", match["what"], re.IGNORECASE):
        yield Found(preference(scene.clause.text), type="preferences")


def _not_allergic(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    what = re.sub(r"\s+(?:after all|at all|any ?more|actually)\b.*$", "", match["what"])
    item = best(scene, what, 0.5, ("preferences", "knowledge", "profile"))
    if item is not None:
        yield from deny(item, match["what"], scene)


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
        r" (?:is|isn't|is not|was) (?:no longer|not|wrong|outdated|obsolete|true any ?more).{0,80}$"), _no_longer),
    Rule("not_true", "", "wrong outdated true", pattern(
        r"^(?:the |my |our )?(?P<what>[\w' -]{3,60}?) (?:is|was) (?:no longer true|outdated|not true(?: "
        r"any ?more)?|obsolete|wrong)\b.{0,60}$"), _no_longer),
    Rule("not_allergic", "", "not", pattern(
        r"^(?:(?:got tested|tested|the test|turns out|it turns out|good news)\b.{0,40}?[:,] ?|turns out "
        r")?(?:turns out )?(?:i'm|i’m|i am) not (?P<what>(?:actually )?(?:allergic|intolerant|diabetic|"
        r"vegetarian|vegan|coeliac|celiac|lactose).{0,60})$"), _not_allergic, shares=True),
    Rule("stopped", "", "stopped quit gave given cancelled canceled dropped sold left ended", pattern(
        r"^(?:i|we)(?:'ve|’ve| have)?(?: just| finally| also| actually)* (?:stopped|left|quit|gave up(?: "
        r"on)?|given up(?: on)?|cancell?ed|dropped|got rid of|sold|ended|abandoned) (?P<what>.{2,120})"
        r"$"), _quit),
    Rule("cancelled", "", "cancelled canceled off scrapped dropped happening dead",
         pattern(
             r"^(?P<what>(?:(?:the |my |our |that )|(?-i:[A-Z])\w+['’]s )[\w' -]{2,60}?)(?:'s|’s| is| "
             r"was| has been| got| got itself| are| were)(?: now| been| all)? (?:cancell?ed|called off|"
             r"off(?= the table|$|,)|scrapped|dropped|not happening|dead|abandoned)\b.{0,80}$"), _cancelled),
    Rule("moved_event", "", "moved rescheduled pushed postponed shifted changed brought instead now put delayed",
         pattern(
             r"^(?:(?:actually|wait|no|correction|update|sorry)[,:]? )*(?:they(?:'ve| have)? |we(?:'ve|"
             r" have)? |i(?:'ve| have)? (?:had to )?)?(?:(?:moved|rescheduled|pushed|postponed|shifted|"
             r"changed|put off) )?(?P<what>(?:the |my |our |that |it|this )[\w' -]{0,60}?)(?:'s|’s| is|"
             r" was| has| have| had| got| been| now| just)* ?(?P<to>(?:been )?(?:now )?(?:(?:moved|rescheduled|"
             r"pushed(?: back| out)?|postponed|shifted|changed|brought forward|delayed|put back|slipped|"
             r"slid) )?(?:(?:to|until|till|on|for|by|from .{2,30} to)\b).{2,80})$"), _moved_event),
    Rule("moved_otherwise", "",
        "moved pushed now actually not instead new change changed changes postponed rather correction wrong sorry "
        "brought earlier "
        "later slipped delayed shifted rebooked rescheduled bumped back forward update",
        pattern(r"^"), _moved_otherwise),
    Rule("x_not_y", "", "not instead rather", pattern(
        r"^(?:[^:]{0,40}: )?(?P<new>.{1,100}?)(?:,? (?:instead of|rather than)|, (?:and )?not) (?P<old>(?!just|"
        r"only|sure|that|yet)[^,;]{1,60})$"), _swap),
    Rule("not_x_but_y", "", "not but", pattern(
        r"^.{0,40}?\b(?:not|isn't|wasn't) (?P<old>[^,;]{2,80}?),? but (?P<new>.{2,80})$"), _not_but),
    Rule("switched", "", "switched moved migrated changed replaced swapped switching moving",
         pattern(
             r"^(?:i|we|i'm|we're|our team|they)(?:'ve|’ve| have| just| finally| recently| all| now| are)"
             r"* (?:switched|moved|migrated|changed|switching|moving|gone)(?: over| everything| [\w ]{2,30})"
             r"? from (?P<old>[^,;]{2,60}?) to (?P<new>[^,;]{2,80})$"), _swap),
    Rule("renamed", "", "renamed", pattern(
        r"^(?:i|we|they)(?:'ve|’ve| have|'re)? ?(?:just |now )?renamed (?:it |the [\w ]{2,30} )?(?:from "
        r")?(?P<old>[^,;]{2,60}?) to (?P<new>[^,;]{2,60})$"), _swap),
    Rule("replaced", "", "replaced instead swapped", pattern(
        r"^(?:i|we)(?:'ve|’ve| have| just| finally)* (?:replaced|swapped) (?P<old>.{2,60}?) (?:with|for|"
        r"by) (?P<new>.{2,80})$"), _swap),
    Rule("changed_to", "",
        "changed cut raised increased reduced lowered set migrated switched upgraded renamed bumped", pattern(
        r"^(?:i|we|they)(?:'ve|’ve| have| just| finally| now)* (?:changed|cut|raised|increased|reduced|lowered|set|"
        r"migrated|switched|upgraded|renamed|bumped) (?:the |our |my )?(?P<what>[\w' -]{2,40}?) (?:up |down |"
        r"over )?to "
        r"(?P<new>[^,;]{1,60})$"), _changed_to),
    Rule("corrects", "",
        "actually correction wait sorry meant mean moved was wrong mistake update misspoke changed change "
        "scratch turns oops back thought miscounted it's its now typo we're i'm", pattern(r"^"), _corrects),
)  # fmt: skip
