"""What is to be done: new tasks, due days, and what becomes of tasks that are known."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.dates import first_day
from brain_core.extract.english.joined import joined
from brain_core.extract.english.standing import is_order_of_it
from brain_core.extract.english.tenses import is_how_long
from brain_core.extract.english.titles import free_id, known_task
from brain_core.extract.english.values import clean, task
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

NO_TASK = Expression(
    r"^(?:pay (?:more|close|attention)|communicate|try\b|keep\b|continue|focus|balance|maintain|accept|"
    r"face|consider|remember|improve|stay\b|spend more|manage|deal with|put (?:more|in)|adjust|take (?:care "
    r"of myself|it|some time|time)|know|say|admit|ask|vent|go\b(?! to (?:the|my) \w)|be\b|see|think|understand|"
    r"tell you|talk|sleep|relax|eat|pee|stop|start over|run$|leave$|"
    r"enjoy|celebrate|find (?:joy|time)|listen|love|laugh|cry|breathe|rest|wait|feel|figure out (?:if|"
    r"why)|help|hear|mention|confess|agree|disagree|get out|get up|calm|"
    r"take a break|find out|work on myself|hurry|try (?:it|that|this)|do (?:it|this|that)$|do something|"
    r"make sure you|believe|hand it to|"
    r"use (?:a|the|this)|have (?:a|some) (?:look|think)|improve|learn\b|lose weight|look(?: at)? (?:it|"
    r"this|that)|choose|decide|pick one|convert|parse|"
    r"compute|calculate|loop|split|count|print|draw a|explain)\b",
    re.IGNORECASE,
)
_CHOICE = Expression(r"(?:choose|decide|pick one)\b", re.IGNORECASE)
"""What is a task only where there is a day for it."""
_TIME_TAIL = Expression(
    r"[,(]?\s*(?:\b(?:by|before|due(?: on| by)?|until|no later than|till|on|at|for|(?:the )?deadline(?: is)?:?)\s*"
    r"(?:the\s*)?)?$",
    re.IGNORECASE,
)
ERRAND = Expression(
    r"(?:call|ring|phone|e-?mail|pay|book|renew|buy|pick up|finish|submit|file|return|schedule|cancel|"
    r"order|clean|prepare|update|sign|register|apply for|review|deploy|migrate|test the|hand in|"
    r"ship|back up|replace|repair|finali[sz]e|upload|mail|post|invite|contact|visit|arrange|organi[sz]e|"
    r"pack|drop off|collect|set up|upgrade|report|publish|get (?:the|my|our|a|some) .*\b(?:fixed|done|"
    r"repaired|serviced|"
    r"checked|signed|approved|replaced|cut|renewed)|send (?:the|my|our|out)|write (?:the|my|our|up)|fix "
    r"the|plan the|prep(?:are)? |file |water |sort out|clear out|empty |mow|paint|reply to|respond to|"
    r"get back to|follow up|reach out|talk to|speak to|"
    r"draft (?:the|my|our)|transfer|declare|print (?:the|my)|ask (?!you\b|for help|a question)|measure|"
    r"install|merge|refactor the|document the|release|close the|reschedule|confirm|settle)\b",
    re.IGNORECASE,
)
_ONE_OFF = Expression(
    r"\b(?:function|script|regex|query|code|loop|output|json|csv|sentence|paragraph|reply|answer)\b", re.IGNORECASE
)


def due_day(scene: Scene, text: str) -> str:
    """Return the exact day that a text names, YYYY-MM-DD, empty where it names none."""
    day = first_day(text, scene.said)
    return day.day.isoformat() if day is not None and day.exact and not is_how_long(text, day) else ""


def _title(text: str, scene: Scene) -> str:
    """Return a task's title: without the day it is due, where that stands at its end."""
    day = first_day(text, scene.said)
    if day is not None and day.exact and len(text) - day.stop <= 2 and day.start > 4:
        shorter = _TIME_TAIL.sub("", text[: day.start])
        return shorter if len(shorter.split()) >= 2 else text
    return text


def _new(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    title = match["title"]
    if NO_TASK.match(title) or len(title) < 4:
        return
    yield from put(match, scene, title, "")


def _needed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read a need as a task: one with a day, one that is still to be done, an errand."""
    title, due = match["title"], due_day(scene, scene.clause.whole)
    if _ONE_OFF.search(title) or (NO_TASK.match(title) and not (due and _CHOICE.match(title))):
        return
    if match["still"] or due or ERRAND.match(title):
        yield from put(match, scene, title, "")


def put(match: re.Match[str], scene: Scene, title: str, status: str) -> Iterable[Found]:
    """Yield a task, or each of those that a title joins: the known one of this title, else a new one.

    A day within a part that is not the last is the day of that part, any other that of all.
    """
    parts = joined(title)
    own = [due_day(scene, part) for part in parts]
    of_all = "" if any(own[:-1]) else due_day(scene, scene.clause.whole)
    for part, day in zip(parts, own, strict=True):
        yield from _put_one(match, scene, part, status, day or of_all)


def _put_one(match: re.Match[str], scene: Scene, title: str, status: str, due: str) -> Iterable[Found]:
    held = _HELD_UP.search(title)
    if held is not None:
        title, status = title[: held.start()], "blocked"
    title = clean(_title(title, scene))
    known = known_task(scene.known, title)
    if known is not None and known.get("status") != "done":
        yield Found(same(known, status or known.get("status", ""), due), span=_span(match, scene))
        return
    if is_order_of_it(title):
        return
    new = {**task(title, status, due), "task_id": free_id(scene.known, title)}
    yield Found(new, span=_span(match, scene))


_HELD_UP = Expression(
    r"(?:, (?:but |and )?| but )(?:(?:i |we )?(?:can't|can’t|cannot|am blocked|i'm blocked|am stuck|i'm "
    r"stuck|i'm waiting|waiting|blocked|stuck)\b|(?:it's|it’s|it is) (?:blocked|stuck|on hold))",
    re.IGNORECASE,
)


def _span(match: re.Match[str], scene: Scene) -> tuple[int, int]:
    return match.start(), max(match.end(), len(scene.clause.whole))


def same(value: dict[str, str], status: str, due: str = "") -> dict[str, str]:
    """Return the fields that keep a known task what it is, with a new status or day where they are given."""
    fields: dict[str, str] = {name: value[name] for name in ("project", "task_id", "title") if name in value}
    if status:
        fields["status"] = status
    if due or value.get("due"):
        fields["due"] = due or value["due"]
    return fields


def _needed_yet(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what has not been done yet: an errand, or what is due."""
    text = match[0]
    if (
        not _REPEATED.search(text)
        and (" yet" in text or "forgetting" in text or due_day(scene, scene.clause.whole))
        and not _FEELS.search(text)
    ):
        yield from put(match, scene, match["title"], "")


_FEELS = Expression(
    r"(?:haven't|haven’t|have not|havent) (?:\w+ )?(?:decided|slept|eaten|seen|heard|tried|thought|read|been|had|"
    r"met|felt|figured|understood|"
    r"made up|watched|finished reading|told you|noticed)\b",
    re.IGNORECASE,
)


def _obliged(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what has to happen to a thing by a day as a task."""
    if due_day(scene, scene.clause.whole) and not _REPEATED.search(scene.clause.whole):
        yield from put(match, scene, scene.clause.text, "")


_REPEATED = Expression(r"\b(?:every|each|always|never|weekly|monthly|daily|yearly|annually)\b", re.IGNORECASE)


def _due_thing(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    due = due_day(scene, scene.clause.whole)
    if due:
        yield from put(match, scene, match["title"], "")


_ADVICE = pattern(
    r"\b(?:yourself|take (?:care\b(?! of (?:the|my|our))|it easy|some (?:nice )?(?:photos|pictures|time))|"
    r"have (?:some |a lot of |lots of )?fun|enjoy|get (?:enough|some|plenty of) (?:sleep|rest)|relax|breathe|smile|"
    r"be (?:kind|gentle|patient)|prepare (?:emotionally|mentally))\b"
)
"""Is told to a friend: "don't forget to take care of yourself"."""


_OF_WHO_IS_TOLD = pattern(r"\byour (?!notes?\b|memory\b)(?:[\w-]+ )?\w+")
"""Is theirs who is told not to forget: "don't forget to call your mum"."""


def _reminded(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    title = next((text for text in match.groups() if text), "").strip("\"'‘’“”` ?")
    if (
        title
        and not NO_TASK.match(title)
        and not _ADVICE.search(title)
        and not (match.groupdict().get("c") and _OF_WHO_IS_TOLD.search(title))
        and not re.match(r"(?:it|this|that|why|how|what|me|who|when|where|if)\b", title, re.IGNORECASE)
    ):
        yield from put(match, scene, clean(title), "")


RULES = (
    Rule("remind_me", "tasks", "remind reminder forget todo do list backlog remember sure",
         pattern(
             r"^(?:please |pls |can you |could you |also |and |would you )*(?:remind me(?: again)?(?: "
             r"(?:on|at|by|next|tomorrow|in|this)\b[\w ,:]{0,24}?)? (?:to|that i (?:need|have) to|about)"
             r" (?P<title>.{3,200})|set (?:me )?(?:a|up a) reminder (?:to|for|about) (?P<b>.{3,200})|"
                  r"(?:don't|don’t|do not) let me forget (?:about |to )?(?P<c0>.{3,200})|(?:don't|don’t|"
                  r"do not) forget to (?P<c>.{3,200})|(?:add|put) (?P<d>.{3,160}?) (?:to|on|in|onto) (?:my|"
                  r"our|the) (?:\w+[- ])?(?:to-?do|task|list|backlog|board|calendar|agenda|plate)s?\b(?P<d2>.{0,"
                  r"80})|"
                  r"remember to (?P<e>.{3,200})|(?:i|we) must(?:n't| not) forget (?:to )?(?P<f>.{3,200})"
                  r"|make sure (?:i|we) (?P<g>(?!have|understand|get this).{3,160}))$"),
         _reminded),
    Rule("owes", "tasks", "owe need still", pattern(
        r"^(?:i|we) (?:owe (?P<title>[\w ]{2,30} (?:an? |the |my |some )[\w -]{3,60}\b.{0,80})|still need "
        r"(?P<b>(?:an? |the |some |my |new )(?!minute|moment|break|hand|second).{3,120}))$"), _reminded),
    Rule("put_that", "tasks", "put add list todo", pattern(
        r"^(?P<title>.{6,160}?)[,;:–—-]+ ?(?:please |can you |and )*(?:put|add|stick|note) (?:that|it|"
        r"this|one)(?: down)? (?:on|to|in|onto|under) (?:my|our|the) .{3,40}$"), lambda m, s: put(m, s, m["title"],
            "")),
    Rule("nudge_me", "tasks", "tell nudge ping poke alert wake track", pattern(
        r"^(?:please |pls |can you |could you )*(?:(?:tell|nudge|ping|poke|alert|prod) me (?:again )?(?:tomorrow"
        r"|tonight|on|at|by|before|in|next|this|when|later|every)\b.{0,30}? (?:to|about|that i (?:need|"
        r"have) to) (?P<title>.{3,160})|(?:please )?track (?:this|that|it)\b[^:]{0,30}: ?(?P<b>.{4,200})"
        r")$"), _reminded),
    Rule("promised", "tasks", "promised promise owe told", pattern(
        r"^(?:i|we)(?:'ve|’ve| have)? (?:promised|told) [\w ]{2,30}? (?:that )?(?:i'd|i’d|i would|we'd|"
        r"i'll|to) (?P<title>.{4,200})$"), _new),
    Rule("next_thing", "tasks", "next thing first last remaining left", pattern(
        r"^(?:the |my )?(?:next|first|last|only|one) thing (?:i|we) (?:have|need|still have|still need)"
        r" to do(?: \w+)? is (?:to )?(?P<title>.{4,200})$"), _new),
    Rule("on_my_plate", "tasks", "list plate mine agenda step todo do someone next hook promised owe",
         pattern(
             r"^(?:(?:still )?on my (?:list|plate|agenda|to-?do(?: list)?)(?: for [\w ]{3,20})?(?: is|"
             r":|,)|(?:my |our |the )?next (?:step|task|action|job|thing to do|to-?do)(?: for (?:me|us)"
             r")?(?: is|:)(?: to)?|someone has to|i'm on the hook (?:for|to)|it's on me to|i promised "
             r"(?:to|\w+ (?:to|i'd|i would))|i owe \w+) (?P<title>.{3,200})$"), _new),
    Rule("ticket_is_mine", "tasks", "mine",
         pattern(
             r"^(?P<title>(?:the |that )?(?:ticket|task|bug|issue|story|job|card|report|review)\b.{2,100}?)"
             r" is (?:mine|on me|assigned to me|my job)\b.{0,120}$"), lambda m, s: put(m, s, m["title"], "")),
    Rule("need_to", "tasks", "need have gotta got must should to want supposed ought",
         pattern(
             r"^(?:(?:by|before|on|this|next|until|tomorrow|today)\b[^,]{0,30},? )?(?:i|we|i've|we've|"
             r"i’ve|i'm|we're)?(?P<still> ?still| also still)?(?: also| really| just| now| urgently| absolutely|"
             r" definitely| finally| probably|'ve)* ?(?:need to|(?<='ve) to|should (?:finally|really)|must (?:finally|"
             r"really)|have to|gotta|got to|must|should|ought to|(?:am |are )?supposed to|still need to|"
             r"still have to|want to (?=get|finish|submit|send|ship|hand in|clear|sort)) (?P<title>.{4,240})"
             r"$"), _needed),
    Rule("to_be_done", "tasks", "due deadline done closed finished submitted must has needs in renewed",
         pattern(
             r"^(?P<title>(?:the |my |our |this |that )[\w /'’.-]{2,80}?)(?:(?:'s|’s| is| are)"
             r"(?! (?:closed|over|back|out)\b(?! (?:by|before|no later)\b))| has to be|"
             r" have to be| must be| needs to be| need to be) (?:due|done|closed|finished|submitted|ready|"
             r"in|back|over|out|paid|filed|renewed|delivered|sent|handed in)\b(?: (?:on|by|before|until|"
             r"no later than|at))?.{2,80}$"), _due_thing),
    Rule("deadline_is", "tasks", "deadline due",
         pattern(
             r"^(?:the |my |our )?(?:deadline|due date) (?:for|of|on) (?P<title>.{3,100}?) (?:is|falls "
             r"on)\b.{2,80}$"), _due_thing),
    Rule("have_due", "tasks", "due deadline",
         pattern(
             r"^(?:i|we)(?: have|'ve got|’ve got)(?: to)? (?:an? |the |my |our |another )?(?P<title>.{3,120}?)"
             r",? (?:that's |that is |which is )?due\b.{2,60}$"), _due_thing),
    Rule("will_by", "tasks", "i'll will i'm going we'll",
         pattern(
             r"^(?:i'll|i’ll|i will|we'll|we will|i'm going to|i am going to) (?P<title>(?!be\b|have\b|"
             r"see\b|let\b|try\b|think\b|never\b|always\b|take it|go with|use\b|keep\b|just\b|probably|"
             r"leave it|go to bed|ask\b|check\b|wait).{4,200}? (?:by|before|until|no later than) .{3,60})"
             r"$"), _due_thing),
    Rule("not_yet", "tasks", "yet still haven't havent forgetting around", pattern(
        r"^(?:i|we) (?:(?:still )?(?:haven't|haven’t|havent|have not|still have not|have yet to|never got around "
        r"to|keep forgetting to|keep putting off) "
        r"(?:yet )?(?P<title>.{4,200}?)(?:,? yet)?)$"), _needed_yet),
    Rule("waits", "tasks", "waiting blocked stuck before until hold", pattern(
        r"^(?:(?:i'm|i’m|i am|we're|we’re|we are) )?(?:still )?(?:waiting (?:on|for)|blocked (?:on|by)|stuck "
        r"(?:on|until)) .{2,80}? (?:before|so) (?:i|we) "
        r"can (?P<title>.{4,160})$"), lambda m, s: put(m, s, m["title"], "blocked")),
    Rule("obliged", "tasks",
        "must need needs has have got gotta to due wants expects before by until supposed asked promised still "
        "remains",
        pattern(
            r"^(?P<title>(?:the|my|our|this|that|all|these|those|both) [\w /'’.&-]{2,80}?) (?:(?:still |also "
            r")*(?:has|have|"
            r"need|needs|must|ought|is supposed|are supposed|'s got|got)(?: still)? (?:to )?(?:be|go|get|reach|"
            r"arrive)|"
            r"(?:needs?|wants?|requires?) (?:\w+ing|\w+ed|my|our|a|an|the)\b|(?:is|are|'s|’s) (?:still )?(?:due|"
            r"owed|expected)|"
            r"(?:still )?(?:isn't|aren't|hasn't been|haven't been) (?:done|sent|paid|filed|booked|signed|"
            r"finished))\b.{0,120}"),
        _obliged),
)  # fmt: skip
