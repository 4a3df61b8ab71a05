"""What is put right: "actually …", "I meant …", "… is … now" of something that the memory holds otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from brain_core.extract.dates import first_day
from brain_core.extract.english.meant import meant
from brain_core.extract.english.mentioned import newest
from brain_core.extract.english.replacing import ADDRESS, ORDINAL, TAKEN_FOR, replaced, revalued, rewritten
from brain_core.extract.english.slots import FILLERS
from brain_core.extract.english.target import Target, about_holder, supposed, targets, targets_in
from brain_core.extract.english.tenses import is_given_up
from brain_core.extract.english.values import clean, scope_of, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import FIELDS, value_of, words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.values import values
from brain_core.text.expression import Expression
from brain_core.text.words import terms

_REMEMBERED = 4096  # what is known, which is met by sentence after sentence
_REWRITTEN = ("knowledge", "preferences", "profile", "events", "decisions", "tasks", "goals")
"""Types of which a statement may take the place as a whole."""


def _corrects(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read a statement after "actually", or of "now", that says the same of the same but for the value.

    Another statement is left to its own rules, and a denial to those of denials.
    """
    clause = scene.clause
    before = scene.message[max(clause.start - 80, 0) : clause.start].rsplit("\n", 1)[-1]
    puts_right = (
        _HERE.match(clause.sentence) or _MEANT.match(clause.text) or _HERE.search(before) or _WAS_WRONG.search(before)
    )
    if not (puts_right or _NOW.search(clause.text)) or is_given_up(clause.text, clause.sentence, scene.said):
        return
    text = clean(_MEANT.sub("", _HERE.sub("", clause.text).strip(" ,:;—–-")).strip(" ,")) or clause.text
    if _INTERJECTION.fullmatch(text) or _NEGATED.match(text) or supposed(scene):
        return
    target = _restated(text, scene)
    if target is not None and _OF_IT.match(text) is not None:
        yield from _in_its_place(target, text, scene)
    elif target is not None:
        yield from rewritten(target, text, scene)
    elif puts_right and not _ANSWERS.match(clause.sentence):
        yield from _bare(text, scene)


def _in_its_place(target: Target, text: str, scene: Scene) -> Iterator[Found]:
    """Yield a statement with the one value that "it's … now" names in the place of its own, which names its matter."""
    old, new = values(_body(target)), values(text)
    if len(old) == 1 and len(new) == 1 and target.item.type == "knowledge":
        yield from replaced(target, old[0].text, new[0].text, scene)
    else:
        yield from rewritten(target, text, scene)


def _bare(text: str, scene: Scene) -> Iterator[Found]:
    """Yield what was told last with a bare value in the place of the one like it."""
    if ADDRESS.search(text) is not None:
        addresses = [told for told in targets(scene, ("profile",)) if ADDRESS.search(told.said) is not None]
        if len(addresses) == 1:
            yield from revalued(addresses, text, scene)
        return
    pointing = _BARE.match(text) is not None
    if not pointing and len(_AFTERTHOUGHT.sub("", text).split()) > _WORDS_OF_A_VALUE:
        return
    bare = clean(TAKEN_FOR.sub("", _AFTERTHOUGHT.sub("", text)))
    item = newest(scene, _REWRITTEN)
    if (item is None or item.type == "tasks") and first_day(bare, scene.said) is None:
        yield from meant(bare, scene)
        return
    if item is not None and item.type == "knowledge" and pointing and len(text.split()) > _WORDS_OF_A_VALUE:
        held = str(value_of(item)["content"])
        if _numbered(text) and _numbered(held) and not (set(terms(text)) - FILLERS).isdisjoint(terms(held)):
            yield from rewritten(next(targets_in(item)), text, scene)
        return
    of_a_day = item is not None and (item.type in {"events", "tasks"} or ORDINAL.fullmatch(bare) is not None)
    if item is not None and (of_a_day or first_day(text, scene.said) is None):
        yield from revalued(list(targets_in(item)), bare, scene)


_AFTERTHOUGHT = Expression(r"[ ,]+(?:lol|haha\w*|of course|obviously|sorry|please|instead)$", re.IGNORECASE)
_WORDS_OF_A_VALUE = 4
"""Words above which what is put right is a statement of its own."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """Of whom or what something is said, by which verb, and what. who: no terms mean the user."""

    who: frozenset[str]
    verb: frozenset[str]
    rest: str


def _restated(text: str, scene: Scene) -> Target | None:
    """Return what a statement says with another value: the newest of those that it is closest to."""
    said = _statement(text)
    if _BESIDES.search(text):
        return None
    found = []
    for target in targets(scene, _REWRITTEN):
        body = _body(target)
        held = _statement(body) or _of_the_same(body, said)
        if _says_otherwise(text, body, said, held) and about_holder(text, target):
            both = len(set(terms(text)) & target.words)
            found.append((both, target.item.updated_at.ToMicroseconds(), target))
    return max(found, key=lambda each: each[:2])[2] if found else _preferred(text, scene)


def _says_otherwise(text: str, body: str, said: _Statement | None, held: _Statement | None) -> bool:
    if said is None:
        return _fragment(text, body)
    return _most_of(body, said) if held is None else _same(said, held)


def _of_the_same(body: str, said: _Statement | None) -> _Statement | None:
    """Return a statement with a verb that is not looked for, where it begins with what is spoken of."""
    words = body.split()
    if said is None or not said.who or not said.who <= words_of(body):
        return None
    if set(terms(body)[: len(said.who)]) != said.who:
        return None
    size = next(size for size in range(1, len(words) + 1) if said.who <= set(terms(" ".join(words[:size]))))
    return _Statement(said.who, frozenset(), " ".join(words[size + 1 :]))


def _fragment(text: str, body: str) -> bool:
    """Return whether words without a verb give another number of what a statement tells."""
    named = set(terms(_VALUES.sub("", text))) - FILLERS
    return _numbered(text) and _numbered(body) and bool(named) and named <= set(terms(body))


def _most_of(body: str, said: _Statement) -> bool:
    """Return whether what the user says has two words or more, and most, of a note without a verb."""
    held, told = words_of(body), words_of(said.rest)
    both = len(held & told)
    return not said.who and both > 1 and 3 * both >= 2 * len(held) and not told <= held


def _preferred(text: str, scene: Scene) -> Target | None:
    """Return the one bare value that was preferred where "I prefer X now" says another one of its scope."""
    scope = scope_of(text)
    if _PREFERS.fullmatch(text) is None or scope == "other":
        return None
    alike = [
        target
        for target in targets(scene, ("preferences",))
        if (value := value_of(target.item)).get("scope") == scope and value.get("name") == topic(str(value["value"]))
    ]
    return alike[0] if len(alike) == 1 else None


def _body(target: Target) -> str:
    """Return the statement that another one may take the place of; of a profile what no rule has parted into facts."""
    if target.fact is not None:
        return target.said if target.slot.name == "doing" else ""
    return str(value_of(target.item).get(FIELDS[target.item.type], ""))


def _same(said: _Statement, held: _Statement) -> bool:
    """Return whether two statements say the same of the same, whatever the value."""
    if not said.who and not held.who and said.verb == held.verb and said.verb & _OF_ONE:
        return True
    known, told = words_of(held.rest), words_of(said.rest) - FILLERS
    if told <= known or not _of_the_same_matter(said, held, told & known):
        return False
    apart = _place(said.rest) != _place(held.rest) and (held.who or not said.who)
    return not apart and _numbered(said.rest) == _numbered(held.rest)


def _of_the_same_matter(said: _Statement, held: _Statement, common: frozenset[str]) -> bool:
    """Return whether one statement is of what another one is of. common: what both have in what they say of it."""
    if said.who == _POINTED or not (said.who or said.verb):
        return bool(common) and words_of(_VALUES.sub("", said.rest)) - FILLERS <= words_of(held.rest)
    if said.verb == _MADE:
        return said.who <= held.who | words_of(held.rest)
    return _of_one_thing(said, held, common) if said.who else not held.who and said.verb == held.verb and bool(common)


def _of_one_thing(said: _Statement, held: _Statement, common: frozenset[str]) -> bool:
    """Return whether two statements say by one verb, or say to be so, what has a number or a word in common."""
    if said.who == held.who:
        is_so = (not said.verb or not held.verb) and (bool(common) or _numbered(said.rest))
        return said.verb == held.verb or is_so
    if said.who < held.who:
        return bool(common)
    return len(said.who) > 1 and not held.who and said.who <= words_of(held.rest) and _place(said.rest)


def _numbered(rest: str) -> bool:
    return _NUMBER.search(rest) is not None


def _place(rest: str) -> bool:
    return _PLACE.match(rest) is not None


@lru_cache(maxsize=_REMEMBERED)
def _statement(text: str) -> _Statement | None:
    pointed, made = _OF_IT.match(text), _MAKES.match(text)
    if pointed is not None:
        return _Statement(_POINTED, frozenset(), pointed["rest"].strip())
    if made is not None:
        return _Statement(frozenset(terms(made["who"])) - FILLERS, _MADE, made["rest"].strip())
    found = _OF_THE_USER.match(text) or _OF_A_THING.match(text)
    if found is None:
        return None
    who = found.groupdict().get("who") or ""
    verb = frozenset(terms(found["verb"] or "")) - FILLERS
    return _Statement(frozenset(terms(who)) - FILLERS, verb, found["rest"].strip())


_HERE = Expression(
    r"^(?:(?:no|oh|wait|sorry|oops|hmm?|ah|ok|and|so|well|but|hang on|hold on|my mistake|my bad)[,!. ]+)"
    r"*(?:actually|correction|i (?:mis(?:spoke|counted|remembered|read)|was wrong|meant|mean|mixed up)"
    r"|i've changed my mind|changed my mind|"
    r"scratch that|strike that|no,|wait|sorry|my mistake|oops|update|small change|change of plans?|i take "
    r"that back|on second thought|let me correct|i got that wrong|that (?:was|is) wrong|not true any ?more|"
    r"turns out|it turns out|they moved)",
    re.IGNORECASE,
)
_MEANT = pattern(r"(?:(?:no|wait|sorry|actually|or)[, ]+)*i (?:mean|meant)\b[ ,:]*")
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
_BARE = Expression(r"(?:it|it's|it’s|that's|that’s|they|they're|make it|use|should be|not)\b", re.IGNORECASE)


_NEGATED = pattern(
    r"(?:(?:i|we|he|she|they|it|that|there|this|my .{2,30}?|our .{2,30}?|the .{2,40}?|[A-Z]\w+)(?:['’](?:m|s|re|"
    r"ve|ll))?"
    r"(?: am| is| are| was| were| do| does| did| have| has| had| will| can| could| would)?(?:n['’]t| not| never|"
    r" no longer)|"
    r"not|no|never|don['’]t)\b"
)
"""A denial, never a value."""
_PREFERS = pattern(r"i (?:now )?prefer [\w.+#-]+(?: [\w.+#-]+)?(?: now| these days)?")
_BESIDES = pattern(r"\b(?:too|also|as well|another|either|both|other)\b")
_COUNTED = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|half|hundred|first|"
    r"second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
)
_NUMBER = pattern(rf"\d|\b(?:{_COUNTED})\b")
_OF_ONE = frozenset(terms("drive driving weigh earn commute"))
"""Verbs of what one does with one thing at a time."""
_PLACE = pattern(r"(?:in|at|on|under|near|with|by|for|from|behind|above|next to)\b")
_OF_THE_USER = pattern(
    r"(?:i|we)(?:['’](?:m|re|ve|d))?(?: (?:am|are|have|now|currently|mostly|usually|always|still|only|actually|do))* "
    rf"(?P<verb>(?!(?:in|at|on|under|near|with|by|for|from|to|a|an|the|my|our|{_COUNTED})\b|\d)[\w-]+|)(?P<rest>\b.*)"
)
_POINTED = frozenset({"it"})
_MADE = frozenset({"make"})
_VALUES = Expression(rf"\b(?:\S*\d\S*|[A-Z][\w-]*|(?i:{_COUNTED})\b)")
_OF_IT = pattern(r"(?:it|he|she|they)(?:['’](?:s|re)| (?:is|are)) (?:now )?(?P<rest>.+)")
_MAKES = pattern(
    r"(?:(?:let['’]?s|please|can we|we should) )*make (?:my|our|the) (?P<who>[a-z' -]{2,40}?) (?P<rest>(?:an? |"
    r"to |at )?"
    r"(?:\S*\d|(?-i:[A-Z])).*)"
)
_OF_A_THING = pattern(
    r"(?P<who>(?!i\b|we\b|you\b|it\b|that\b|this\b|there\b|they\b|he\b|she\b|let)[\w'’ .-]{2,60}?)(?:['’](?:s|"
    r"re)| (?P<verb>is|are|was|were|has|have|"
    r"runs?|starts?|ends?|opens?|closes?|begins?|costs?|takes?|needs?|lives?|works?|goes?|happens?|leaves?|expires?|"
    r"owns?|uses?|meets?|lasts?|arrives?|departs?|weighs?|handles?|leads?|eats?|plays?|stands?)) (?:now )?(?P<rest>.+)"
)

RULES = (Rule("corrects", "", "", pattern(r"^"), _corrects),)
