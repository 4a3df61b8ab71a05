"""What the user has just told is put right, or taken back, in the session in which it was told.

"correction: 45k", "second floor, sorry", "I said blue but meant green", "ignore what I said of June", 「打错，姓黎」.
Each language reads what is said to hold instead (`Slip`); that of which it is so is found here, in what the user's last
messages have told: the part that the new words take the place of, or what they name.

A few words alone are read so only right after what they change, and where they cannot answer what the assistant asked.
"Delete that" is of the message before only where the answer between was a mere acknowledgement. Where two values fit,
none is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from brain_core.extract.aligned import echoed, has_grammar, is_marked, parts_of, place_of, value_place
from brain_core.extract.bare_day import DayOf
from brain_core.extract.brief import Held, in_place, sayings
from brain_core.extract.known import DATED, TOLD, value_of, words_of
from brain_core.extract.language import Found, Scene
from brain_core.extract.replaced import denied, moved, with_day, with_value
from brain_core.extract.righting import Righting, Slip
from brain_core.extract.values import Value, value_is, values
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

_LONGEST_TOLD = 160
"""Characters of a message that may be about nothing but another value of what was told."""
_LOOKED_BACK = 3
"""Messages of the user, besides the one that is read, in which what is put right may have been told."""
_VALUE_WORDS = 3
"""Words of a value at the end of a statement; Chinese characters."""
_LONGEST = 60  # characters of a part of a key
_MOSTLY = 0.7
"""Share of the words of what is known that a message must have to have told it."""


def put_right(how: Righting, scene: Scene, answered: Callable[[], str]) -> list[Found]:
    """Return what a sentence, the scene's clause, makes of what was told last.

    answered: gives what the assistant has said since, if anything.
    """
    slip = how.read(scene.clause.sentence)
    if slip is None or not (scene.clause.start or scene.earlier()):
        return []
    if (
        slip.bare
        and not scene.clause.start
        and how.erred.search(scene.message, scene.message.find(slip.new) + len(slip.new))
    ):
        slip = replace(slip, surely=True)
    answer = answered()
    if (scene.clause.start and (slip.bare or slip.excuses)) or _may_answer(slip, answer):
        return []
    if not slip.new:
        ended = list(_taken_back(slip, scene, acknowledged=_says_little(answer)))
        return [*ended, *([_stated(slip.states, scene)] if ended and slip.states else [])]
    for told in _lately(scene, 1 if slip.bare else _LOOKED_BACK):
        found = [each for one in told if (each := _righted(slip, one, scene, answer, how.day_of))[1]]
        if found:
            olds = {old.casefold() for old, _ in found}
            return [each for _, of_one in found for each in of_one] if len(olds) == 1 else []
    return []


def _may_answer(slip: Slip, answer: str) -> bool:
    """Return whether a few words may answer what the assistant has asked, or react to what it has told.

    Those that name a thing again answer no question: "year 6!".
    """
    if slip.surely or slip.old or not slip.new:
        return False
    if answer.rstrip().endswith(("?", "？")):
        return not slip.bare or len(parts_of(slip.new)) == 1 or value_is(slip.new) is not None
    return slip.bare and not is_marked(slip.new) and not (answer and _says_little(answer))


def revalued(how: Righting, scene: Scene) -> tuple[list[Found], int]:
    """Return what a message makes of the value told just before by naming another one, and where it stands in it.

    It says besides that something was wrong, or has been looked up: "再量一次是 71", "the letter says 1,105". Nothing
    where it names several values, or several of what was told may be meant.
    """
    text = scene.clause.sentence
    if len(text) > _LONGEST_TOLD or how.erred.search(text) is None or _ASKED.search(text):
        return [], 0
    named = values(text)
    if not named:
        return [], 0
    places = [
        (new, replace(each, value=old))
        for told in _lately(scene, 1)
        for each in told
        for new in named
        if (old := _of_one_sort(each, new, text)) is not None
    ]
    if len(places) != 1:
        return [], 0
    new, held = places[0]
    return list(in_place(held, new, scene, how.day_of)), new.stop


def _of_one_sort(told: Held, new: Value, text: str) -> Value | None:
    """Return the value told that one of a text takes the place of, if nothing behind tells them apart: 3 类, 2 公分.

    None where the text's was told, too.
    """
    old = value_place(told.said, new)
    if old is None or any(new.is_same(value) for value in values(told.said)):
        return None
    counted = [_COUNTED.match(behind) for behind in (told.said[old.stop :], text[new.stop :])]
    sorts = {match["what"].casefold() for match in counted if match is not None}
    return old if len(sorts) < len(counted) else None


_COUNTED = Expression(r" ?(?P<what>[\u3400-\u9fff]|[A-Za-z]+)")


def _lately(scene: Scene, most: int = _LOOKED_BACK) -> Iterator[list[Held]]:
    """Yield what each of the last messages of the session has told that is still known, the newest first.

    most: messages before the one that is read, whose own words before the clause come first.
    """
    known = [each for each in _known(scene) if each.item.session_id == scene.session]
    for text in [scene.message[: scene.clause.start], *reversed(scene.earlier())][: most + 1]:
        words = words_of(text)
        told = [each for each in known if _is_told_in(words, each.said)]
        known = [each for each in known if each not in told]
        if told:
            yield told


def _known(scene: Scene) -> Iterator[Held]:
    """Yield what is known, a profile fact by fact."""
    for name in TOLD:
        for item in scene.known.active(name):
            yield from (Held(item, fact, said, _NO_VALUE) for fact, said in sayings(item))


_NO_VALUE = Value("", "", 0, 0)


def _is_told_in(words: frozenset[str], said: str) -> bool:
    its = words_of(said)
    return bool(its) and len(its & words) >= _MOSTLY * len(its)


def _righted(slip: Slip, told: Held, scene: Scene, answer: str, day_of: DayOf) -> tuple[str, list[Found]]:
    """Return the old words, and something told with the new ones in their place; empty where they have none in it."""
    if slip.about and not words_of(slip.about) & words_of(told.named):
        return "", []
    new = _value_told(slip, told)
    if new is not None:
        return _with_value(slip, new, told, scene, day_of)
    old, instead = _old_words(slip, told, answer)
    return old, list(_in_words(told, old, instead, scene, day_of)) if old else []


def _with_value(slip: Slip, new: Value, told: Held, scene: Scene, day_of: DayOf) -> tuple[str, list[Found]]:
    """Return `_righted` with a value in the place of the one that is named, or of the only one that it can be."""
    old = _old_value(slip, told) if slip.old else value_place(told.said, new)
    if old is not None:
        return old.text, list(in_place(replace(told, value=old), new, scene, day_of))
    return "", [] if slip.old else list(_on_its_day(told, new.text, scene, day_of))


def _old_words(slip: Slip, told: Held, answer: str) -> tuple[str, str]:
    """Return which words of something told no longer hold, empty if none, and which do instead."""
    if slip.old:
        return _as_told(told.said, slip.old), slip.new
    if told.item.type == "tasks":
        return "", ""  # `meant` reads of which part of a title it is
    place = None if slip.whole else echoed(told.said, slip.new, answer)
    tries = _endings(slip.new) if slip.whole else [slip.new]
    if slip.bare and not is_marked(slip.new) and not slip.surely:
        tries = []
    for instead in tries if place is None else ():
        by_meaning = slip.surely and not (slip.whole and has_grammar(instead))
        place = place_of(told.said, instead, by_meaning=by_meaning)
        if place is not None:
            return told.said[slice(*place)], instead
    return ("", "") if place is None else (told.said[slice(*place)], slip.new)


def _value_told(slip: Slip, told: Held) -> Value | None:
    """Return the value that holds instead: of a statement its only one, where it is of what was told."""
    if not slip.whole:
        return value_is(slip.new) or value_is(slip.new.partition(" ")[2])
    found = values(slip.new)
    return found[0] if len(found) == 1 and words_of(slip.new) & words_of(told.said) else None


def _old_value(slip: Slip, told: Held) -> Value | None:
    start = told.said.casefold().find(slip.old.casefold())
    return next((each for each in values(told.said) if slip.old and each.start <= start < each.stop), None)


def _as_told(said: str, old: str) -> str:
    start = said.casefold().find(old.casefold())
    return "" if start < 0 else said[start : start + len(old)]


def _endings(statement: str) -> Iterator[str]:
    """Yield what may be the value of a statement: its last words, most of them first."""
    parts = parts_of(statement)
    yield from (statement[start:] for start, _ in parts[max(1, len(parts) - _VALUE_WORDS) :])


def _in_words(told: Held, old: str, new: str, scene: Scene, day_of: DayOf) -> Iterator[Found]:
    """Yield something told with new words in the place of old ones; on the day that they name, if they name one."""
    day = day_of(new, scene.said) if told.item.type in DATED else None
    yield from with_day(with_value(told.item, told.fact, old, new, slug, _span(scene)), told.item, day)


def _on_its_day(told: Held, new: str, scene: Scene, day_of: DayOf) -> Iterator[Found]:
    """Yield an event or task, whose words name no day, on another one."""
    day = day_of(new, scene.said) if value_of(told.item).get(DATED.get(told.item.type, "")) else None
    if day is not None and day.exact:
        fields = {name: part for name, part in value_of(told.item).items() if isinstance(part, str)}
        yield from moved(told.item, fields, day, _span(scene))


def _taken_back(slip: Slip, scene: Scene, *, acknowledged: bool) -> Iterator[Found]:
    """Yield the denial of what a sentence takes back: of what it names, else of all that the last message has told."""
    if slip.about:
        known = (each for of_message in _lately(scene) for each in of_message) if slip.states else _known(scene)
        yield from (denied(each.item, each.fact, _span(scene)) for each in known if _names(slip, each))
    elif acknowledged and not _ASKED.search(scene.message[: scene.clause.start]):
        told = next(_lately(scene, 0), None)
        if told is None:  # `taken_back` reads what takes back a sentence of the message itself
            yield from (denied(each.item, each.fact, _span(scene)) for each in next(_lately(scene, 1), ()))


def _names(slip: Slip, told: Held) -> bool:
    """Return whether something told has all words of what is named; a word of it, where the rest is said again."""
    named = words_of(slip.about)
    return bool(named & words_of(told.said)) if slip.states else named <= words_of(told.named)


def _stated(text: str, scene: Scene) -> Found:
    value = {"kind": "fact", "slug": slug(text, _LONGEST), "content": text}
    return Found(value, type="knowledge", span=_span(scene))


def _span(scene: Scene) -> tuple[int, int]:
    return 0, len(scene.clause.text)


_ASKED = Expression(r"[?？]")


def _says_little(answer: str) -> bool:
    """Return whether an answer is a mere acknowledgement, if anything: nothing of its own, no question."""
    return len(answer.strip()) <= _ACKNOWLEDGES and not set(answer) & set("?？\n")


_ACKNOWLEDGES = 60
"""Characters of an answer that may say no more than that something was heard."""
