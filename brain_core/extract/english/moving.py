"""Where one lives now and works no more, told briefly: "Living in Otley since Saturday", "handed my notice in"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from brain_core.extract.dates import first_day
from brain_core.extract.english.denials import deny
from brain_core.extract.english.facts import NAME, PLACE, event_of
from brain_core.extract.english.jobs import EMPLOYED, long_ago
from brain_core.extract.english.target import Target, supposed, targets
from brain_core.extract.english.values import clean, profile
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import known_facts, words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression


def _lives_now(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read where one lives, said without "I": a place with a name, or of one who writes no capitals any one word."""
    place = _place(match, scene)
    if place and not supposed(scene) and not _A_NOTICE.search(scene.message) and not _A_STAY.search(scene.clause.text):
        yield Found(profile(("home", place)))
        yield from event_of(scene)


def _after_moving(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "I'm in Otley now" where the message has told before that one has moved."""
    told = scene.message[: scene.clause.start]
    if _HAS_MOVED.search(told) and not _OF_OTHERS.search(told):
        yield from _lives_now(match, scene)


def _found_good(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "York is lovely, glad we made the move" of who has told a home elsewhere."""
    home = next((v for k, v in known_facts(scene.known) if k == "home"), "")
    if home and match["place"] not in home and _MADE_THE_MOVE.search(scene.message) and not supposed(scene):
        yield Found(profile(("home", match["place"])))


_MADE_THE_MOVE = pattern(
    r"\b(?:we|i)(?:['’]ve)? (?:made the move|moved here)\b|\b(?:glad|happy) (?:we|i)(?:['’]ve)? moved\b"
)


def _keys_and_in(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read "we got the keys, so we're in Otley now": what follows belongs to the keys."""
    found = _SO_IN.search(scene.clause.whole)
    if found is not None and not supposed(scene):
        yield Found(profile(("home", found["place"])), span=(0, len(scene.clause.whole)))


_SO_IN = pattern(rf"[, ]+(?:and|so) (?:i['’]m|we['’]re|i am|we are) (?:now )?in (?P<place>(?-i:{PLACE}))(?: now)?$")


def _new_place(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read where the new home is of one who has moved in."""
    if not supposed(scene) and (match["into"] or _MOVED_IN.search(scene.message[: scene.clause.start])):
        yield Found(profile(("home", match["place"] or match["place2"])))


_MOVED_IN = pattern(r"(?:^|\b(?:i|we)(?:['’]ve| have)? )(?:finally |just )*(?:all )?moved in\b|\bgot the keys\b")


def _place(match: re.Match[str], scene: Scene) -> str:
    """Return the place that is named, empty where it is none."""
    groups = match.groupdict()
    if groups.get("place"):
        return groups["place"]
    lower = groups.get("lower") or ""
    return "" if not lower or _CAPITAL.search(scene.message) or _NO_PLACE.match(lower) else lower


_A_NOTICE = pattern(
    r"\b(?:dear \w+|customers|clients|patients|our (?:shop|store|office|clinic|practice|showroom|surgery|branch|team)|"
    r"opening hours|visit us|parking (?:at|is|in)|regards|sincerely)\b"
)
"""What a firm or a practice writes, whose home it is not."""
_HAS_MOVED = pattern(
    r"\b(?:(?:i|we)(?:['’]ve| have)?(?: just| finally| all)* (?:moved(?! (?:on|to)\b)|packed up)|(?:got|have|collected|"
    r"picked up) the keys"
    r"(?! (?:to|for|of) (?!(?:the |our |my )?(?:new )?(?:flat|house|place|home|apartment)\b))|"
    r"(?:^|, )(?:all )?packed up|^(?:all )?moved(?: in)?(?=\W)|moving day|(?:all )?unpacked|boxes everywhere)\b"
)
_OF_OTHERS = pattern(r"\b(?:he|she|they|my \w+)(?:['’]s| has| have)?(?: just)? (?:moved|packed|got the keys)")
_A_STAY = pattern(
    r"\b(?:for|until|till|this (?:week|weekend|month)|today|tonight|visiting|on holiday|temporarily|at the moment)\b"
)
_NO_PLACE = pattern(
    r"(?:a|an|the|my|our|bed|here|there|town|hospital|love|pain|trouble|work|charge|it|debt|tears|shock|limbo|"
    r"meetings?|class|school|prison|jail|office|therapy|between|recovery|remission|quarantine|person|touch|heaven|"
    r"position|control|sync|business|luck|session|transit|motion|line|fear|peace|denial|hiding|bits|two|spring|"
    r"summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|"
    r"december|\w+ing)\b"
)
_CAPITAL = Expression(r"(?<![A-Za-z])(?!I\b)[A-Z]")
_LOWER = r"(?-i:[a-z]{3,20})"


def _leaves(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that one leaves the employer that is known: doubted only, since one works on for a while."""
    if supposed(scene) or long_ago(scene):
        return
    groups = match.groupdict()
    org = next((text for name, text in groups.items() if name.startswith("org") and text), "")
    for told in _jobs(scene):
        named = bool(org) and words_of(org) <= words_of(told.said)
        if named or (groups.get("notice") and not org):
            yield from _doubted(told, scene)


def _elsewhere(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "third day at the parks department": one works there, and no longer where one did."""
    if not supposed(scene) and not long_ago(scene) and not _A_STAY.search(scene.clause.text) and _has_job(scene):
        yield Found(profile(("employer", clean(match["org"]))))


def _starts_at(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "I start at Bosch on Monday" of who has a job and gives notice, or says that it is one: from that day on."""
    if supposed(scene) or not _has_job(scene) or not _A_NEW_JOB.search(scene.message):
        return
    day = first_day(match["when"] or "", scene.said)
    yield Found(profile(("employer", clean(match["org"])), since="" if day is None else day.day.isoformat()))


_A_NEW_JOB = pattern(r"\b(?:notice|resign\w*|new job|quit|left|leaving|last day|offer|contract|hired|job)\b")


def _new_job(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "the council job!" of one who has got it or starts on a day: where one works will be no longer so."""
    if supposed(scene) or not _STARTS.search(scene.message):
        return
    for told in _jobs(scene):
        if words_of(match["org"]).isdisjoint(words_of(told.said)):
            yield from _doubted(told, scene)


def _doubted(told: Target, scene: Scene) -> Iterator[Found]:
    return (replace(found, doubts=True, weak=True) for found in deny(told, scene))


def _jobs(scene: Scene) -> Iterator[Target]:
    return (told for told in targets(scene, ("profile",)) if told.fact is not None and told.fact["k"] in EMPLOYED)


def _has_job(scene: Scene) -> bool:
    return next(_jobs(scene), None) is not None


_STARTS = pattern(
    r"\b(?:got (?:it|the job|in)|it['’]?s mine|start(?:ing|s)? (?:on|in|next|monday)|(?:said|say) yes|accepted|"
    r"handed (?:in )?my notice)\b"
)
_WHEN = (
    r"(?: (?:this (?:morning|afternoon|week)|last (?:week|night|\w+day)|on \w+day|\w+day|at last|"
    r"finally|just now))*"
)
RULES = (
    Rule("living_now", "profile", "living", pattern(
        rf"^(?:now |i['’]?m now |currently )?living in (?:(?P<place>(?-i:{PLACE}))|(?P<lower>{_LOWER}))"
        r"(?: (?:since|as of) .{3,30}| now| these days)$"), _lives_now, vital=True),
    Rule("is_home_now", "profile", "home", pattern(
        rf"^(?P<place>(?-i:{PLACE}))(?:['’]s| is) (?:now )?(?:home(?: (?:as of|since) .{{3,30}}| now)|my home now)$"),
        _lives_now, vital=True),
    Rule("found_good", "profile", "is", pattern(
        rf"^(?P<place>(?-i:{PLACE}))(?:['’]s| is)(?: (?:so|really|very|just|pretty|actually))* "
        r"(?:lovely|great|nice|good|fine|beautiful|amazing|wonderful|brilliant|gorgeous|quiet|cold|pretty|fun|"
        r"treating us well)(?: though| so far)?(?:,.{0,60})?$"),
        _found_good, vital=True),
    Rule("in_now", "profile", "in", pattern(
        rf"^(?:(?:i|we)(?:['’]?m|['’]re| am| are)|(?:(?:packed up|moved) and (?:i['’]?m|we['’]re))) "
        rf"(?:now )?in (?:(?P<place>(?-i:{PLACE}))|(?P<lower>{_LOWER})) now"
        r"(?: (?:as of|since) .{3,30})?$"), _after_moving, vital=True),
    Rule("keys_and_in", "profile", "keys", pattern(
        r"^(?:i|we)(?:['’]ve| have)?(?: just| finally)* (?:got|collected|picked up) the keys"
        r"(?: (?:to|for) (?:the |our |my )?(?:new )?(?:flat|house|place|home|apartment))?$"),
        _keys_and_in, vital=True),
    Rule("new_place_in", "profile", "new", pattern(
        r"^(?:our |my |the )?new (?:place|flat|house|apartment|home)(?:['’]s| is)? in "
        rf"(?P<place>(?-i:{PLACE}))(?: is .{{2,40}})?$|"
        r"^(?:(?:i|we)(?:['’]ve| have)? )?(?:finally |just )?(?P<into>(?:settled|moved) into) (?:the|my|our|a) new "
        rf"(?:place|flat|house|apartment|home) in (?P<place2>(?-i:{PLACE}))$"), _new_place, vital=True),
    Rule("moved_to_number", "profile", "moved", pattern(
        r"^(?:i|we)(?:['’]ve| have)?(?: just| finally| recently)* moved (?:in)?to (?P<place>\d{1,4}[a-z]?,? "
        r"(?-i:(?:[A-Z][\w'’]+ ?){2,5}))"), _lives_now, vital=True),
    Rule("notice_given", "profile", "notice", pattern(
        r"^(?P<notice>(?:i(?:['’]ve| have)? )?(?:just |finally |also )?(?:(?:handed|put|gave|given|turned|sent) "
        r"(?:in )?my (?:(?:two|three|four|six) weeks['’]? |month['’]?s )?notice(?: in)?|"
        r"(?:handed|put|turned) in my (?:notice|resignation)))"
        rf"(?: (?:at|to|with) (?:the )?(?P<org>(?-i:{NAME}?)))?{_WHEN}$"), _leaves, shares=True, vital=True),
    Rule("left_briefly", "profile", "left quit finished last", pattern(
        rf"^(?:i )?finished (?:at|with) (?:the )?(?P<orgf>(?-i:{NAME}?)){_WHEN}$|"
        rf"^my last day (?:at|with) (?:the )?(?P<orgd>(?-i:{NAME}?)) (?:was|is){_WHEN}$|"
        rf"^(?:just |finally )?(?:left|quit) (?:the )?(?P<org>(?-i:{NAME}?)){_WHEN}(?: for good)?$"),
        _leaves, shares=True, vital=True),
    Rule("nth_day_at", "profile", "day week", pattern(
        r"^(?:(?:it['’]?s |that was )?my )?(?:first|second|third|fourth|fifth|1st|2nd|3rd|\dth) (?:day|week)"
        r"(?: of work)? (?:at|with|in) (?P<org>(?<!in )(?-i:(?!(?:January|February|March|April|May|June|July|"
        r"August|September|"
        r"October|November|December|Spring|Summer|Kindergarten|School|College)\b)"
        rf"{NAME})(?= today| yesterday|$)|"
        r"(?:the |my )?(?!my new)(?:new )?(?:[\w&-]+ ){0,3}(?:department|council|ministry|agency|"
        r"firm|company|bureau|ltd|inc|gmbh))"
        r"(?: today| yesterday)?$"), _elsewhere, vital=True),
    Rule("starts_at", "profile", "start starting", pattern(
        r"^i(?:['’]ll|['’]m| am| will)? start(?:ing)?(?: (?:work|my new job|a new job))? (?:at|with) "
        rf"(?P<org>(?-i:{NAME}))(?P<when> (?:on|next|this|in|from) [\w ]{{2,20}}?| today| tomorrow)?(?:,.{{0,80}})?$"),
        _starts_at, vital=True),
    Rule("job_landed", "profile", "job", pattern(
        r"^(?:i(?:['’]ve| have)? (?:got|landed) )?the (?P<org>(?!same|whole|day|right|best|only|next|last|first|"
        r"perfect)[\w&'’-]+(?: [\w&'’-]+)?) job$"), _new_job, shares=True, vital=True),
)  # fmt: skip
