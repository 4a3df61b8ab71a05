"""What becomes of tasks that are known: begun, blocked, done, due on another day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.english.mentioned import points_at
from brain_core.extract.english.tasks import due_day, same
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import Remembered, find, last_told, names_another, value_of, words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.words import terms

_REMEMBERED = 1024  # titles of tasks, which are met by sentence after sentence
_REMEMBERED_LISTS = 16  # of tasks, each the same until one of them changes


def _changed(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read what becomes of known tasks, each in the part of the clause that names it; of those not known, nothing."""
    text = scene.clause.text
    told = list(becomes(text))
    if len(told) > 1:
        for passage, status in told:
            value = _spoken_of(scene, passage)
            if value is not None and _names_most(passage, value) and _has_become(value, status, passage):
                yield Found(same(value, status), span=(0, len(text)))
    if len({status for _, status in told}) < 2:
        is_joined = _JOINTS.search(text) is not None
        yield from _became(scene, _status_of(text) if is_joined else next((status for _, status in told), None))


def _names_most(passage: str, task: dict[str, Any]) -> bool:
    """Return whether a passage, which may be of few words, has half of those that name a task."""
    title = _matter(str(task.get("title", "")))
    return 2 * len(title & set(terms(passage))) >= len(title)


def becomes(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text that are joined by and, but or a semicolon, with what each says has become of a task.

    A part that says nothing of it shares what the next one says: "the talk and the slides are done".
    """
    waiting: list[str] = []
    for part in _JOINTS.split(text):
        waiting.append(part)
        status = _status_of(part)
        if status is not None:
            yield from ((each, status) for each in waiting)
            waiting = []


_JOINTS = Expression(r"(?:\s*+[,;])?+\s++(?:and|but|while|whereas|though|although|yet)\s+|;\s+", re.IGNORECASE)


def _status_of(text: str) -> str | None:
    """Return what a text says that something has become, None where it says nothing of it."""
    return next((name for name, each in _CHANGES if each.search(text)), None)


def _became(scene: Scene, status: str | None) -> Iterable[Found]:
    """Read what becomes of the one known task that a clause, or its sentence, speaks of. status: of the clause."""
    text = scene.clause.text
    if status is None and not _ends_some(_open(scene), text):
        return
    value = _spoken_of(scene, text) or (_spoken_of(scene, scene.clause.whole) if status else None)
    if value is None:
        return
    title = str(value.get("title", ""))
    if status is None and (_is_participle(title, text) or _has_come(title, text)):
        status = "done"
    if status is not None and _has_become(value, status, text):
        yield Found(same(value, status), span=(0, len(text)))


def _has_become(value: dict[str, Any], status: str, text: str) -> bool:
    """Return whether a text says that a task has a status now, which it had not."""
    title = str(value.get("title", ""))
    if status == "done" and (_is_for_another(text, title) or _only_runs(text, title)):
        return False
    return value.get("status") != status and (status == "blocked" or not NOT_YET.search(text))


def _only_runs(text: str, title: str) -> bool:
    """Return whether a text says of a thing that it runs, which a task was not to make run."""
    return _RUNNING.search(text) is not None and _verb(title) not in _MADE_TO_RUN


def _is_for_another(text: str, title: str) -> bool:
    """Return whether something was done on somebody's behalf whom a title does not name: a call for mum is hers."""
    found = _ON_BEHALF.search(text)
    return found is not None and found["whom"].lower() not in title.lower()


_ON_BEHALF = pattern(
    r"\b(?:called|phoned|rang|booked|paid|renewed|signed|registered|scheduled|filed|e-?mailed|submitted|arranged|cancell?ed|done|"
    r"finished|sorted)\b[^,;.]{0,40}? for (?:my |our )?(?P<whom>mum|mom|mother|dad|father|parents|wife|husband|"
    r"partner|girlfriend|"
    r"boyfriend|sister|brother|son|daughter|kids?|grand(?:ma|pa|mother|father)|gran|nan|neighbou?r|colleague|boss|friend|him|her|them)"
    r"\b(?! (?:and|&) (?:me|i|us|myself)\b|['’]s)"
)


def status_in(text: str) -> str:
    """Return the status that a text gives to what it tells of, empty where it gives none or not yet."""
    status = _status_of(text) or ""
    return "" if status != "blocked" and NOT_YET.search(text) else status


def is_not_yet(scene: Scene, text: str) -> bool:
    """Return whether a text says that a known task is not what its words else say: "the form isn't sent yet"."""
    return bool(NOT_YET.search(text) and _STATUS.search(text)) and named(text, _open(scene)) is not None


def _is_participle(title: str, text: str) -> bool:
    """Return whether a text has the task's own verb in the past: "descale …" and "… descaled".

    A title that has the very word says nothing of when: a list is no past of to list.
    """
    verb = _verb(title)
    if not verb:
        return False
    named = set(_WORDS.findall(title.lower()))
    return any(terms(word)[:1] == [verb] and word.lower() not in named for word in _PAST_FORM.findall(text))


def _ends_some(tasks: Tasks, text: str) -> bool:
    """Return whether a text has the own verb of some task in what may be a past form, or says that a thing is here."""
    past = {verb for word in _PAST_FORM.findall(text) for verb in terms(word)[:1]}
    return not past.isdisjoint(tasks.verbs) or (
        _CAME.search(text) is not None and not _SENT_FOR.isdisjoint(tasks.verbs)
    )


def _has_come(title: str, text: str) -> bool:
    """Return whether a text says that what a title is to get is here: "renew …" and "the passport came"."""
    come = _CAME.search(text) if _verb(title) in _SENT_FOR else None
    return come is not None and _ANOTHERS.search(text, 0, come.start()) is None


def _is_got(title: str, text: str) -> bool:
    """Return whether a text says by whatever verb that what a title is to get was got: "buy …" and "got the …"."""
    return _verb(title) in _SENT_FOR and _GOT.search(text) is not None


_SENT_FOR = frozenset(terms("buy get order renew apply request claim find purchase collect fetch replace"))
"""Verbs of tasks that are done where a thing is there."""
_CAME = pattern(r"\b(?:came|has come|have come|arrived|turned up|(?:is|are|['’]s) (?:finally )?here)\b")
_ANOTHERS = pattern(r"\b(?:his|her|their|your)\b|\w['’]s \w")
_GOT = pattern(r"\b(?:got|bought|ordered|found|picked up|collected|fetched|came|arrived)\b")


@lru_cache(maxsize=_REMEMBERED)
def _verb(title: str) -> str:
    """Return the term that a title begins with, empty if it has none."""
    return next(iter(terms(title)), "")


_PAST_FORM = Expression(r"[a-z]{2,}(?:ed|en|t)\b", re.IGNORECASE)


class Tasks:
    """Known tasks and their values, newest first, found by the terms of their titles."""

    def __init__(self, each: Sequence[tuple[MemoryItem, dict[str, Any]]]) -> None:
        self.each = each
        self.verbs = {_verb(_title(task)) for _, task in self.each}
        self._having: dict[str, list[int]] = {}
        for number, (_, task) in enumerate(self.each):
            for term in _matter(_title(task)):
                self._having.setdefault(term, []).append(number)

    def sharing(self, words: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield (place, task) of those whose matter has one of some terms, in their order."""
        for number in sorted({number for word in words for number in self._having.get(word, ())}):
            yield number, self.each[number][1]


def _not_done(held: Sequence[MemoryItem]) -> Tasks:
    return Tasks([(item, task) for item in held if (task := value_of(item)).get("status") != "done"])


_open_of = Remembered(_not_done, _REMEMBERED_LISTS)


def _title(task: dict[str, Any]) -> str:
    return str(task.get("title", ""))


def _open(scene: Scene) -> Tasks:
    """Return the known tasks that are not done."""
    return _open_of(scene.known.active("tasks"))


def _spoken_of(scene: Scene, text: str) -> dict[str, Any] | None:
    """Return the open task that a text names, or the newest one where it says nothing but what became of "it"."""
    value = named(text, _open(scene))
    if value is not None:
        return None if _does_something_else(text) else value
    return _newest(scene) if _says_only_what_became(text) and _POINTS.search(text) else None


def named(text: str, tasks: Tasks) -> dict[str, Any] | None:
    """Return the task that most of a text's words, or of its own, name; the newest of equals."""
    words, said = set(terms(_STATUS.sub(" ", text))) - _FILLERS, set(terms(text))
    matters = [set(terms(each)) for each in _WORKED_ON.findall(text)]
    shares = []
    for number, task in tasks.sharing(words):
        title = _title(task)
        own = _matter(title)
        both = words & own
        if not names_another(text, title):
            worked_on = any(matter & own for matter in matters)
            if len(both) == 1 and len(own) > _FEW and not (worked_on or _verb(title) in said or _is_got(title, text)):
                continue
            shares.append((1.0 if worked_on else max(len(both) / len(own), len(both) / len(words)), -number, task))
    best_share, _, best = max(shares, key=lambda each: each[:2], default=(0.0, 0, None))
    return best if best_share >= _NAMED else None


def _newest(scene: Scene) -> dict[str, Any] | None:
    """Return the open task that "it" may be."""
    last = last_told(scene.known, (item for item, _ in _open(scene).each), scene.session)
    task = None if last is None else value_of(last)
    return task if task is not None and points_at(scene, str(task.get("title", ""))) else None


def _does_something_else(text: str) -> bool:
    """Return whether another than the user acts on another matter: "Kim finished her exams", not "the form is sent"."""
    acted = _ACTED.search(text)
    return (
        acted is not None and not _USERS_OWN.match(text[: acted.start()]) and not _NOTHING_MORE.match(text, acted.end())
    )


@lru_cache(maxsize=_REMEMBERED)
def _matter(title: str) -> frozenset[str]:
    """Return the terms of a title that name its matter: not the verb that it begins with, if there are others."""
    named = words_of(title) - _FILLERS
    return named - frozenset(terms(title)[:1]) or named


def _says_only_what_became(text: str) -> bool:
    """Return whether a text names nothing: "hi, it's finally done"."""
    return all(word in _NAMING_NOTHING for word in _WORDS.findall(_STATUS.sub(" ", text).lower().replace("’", "'")))


_FEW = 2
"""Words of a title up to which one of them names it."""
_NAMED = 0.5
"""Share of the words, of the title's or of the sentence's, from which on a sentence speaks of a task."""
_FILLERS = frozenset(
    terms(
        "need have get done finish start send write make call new first before after today tomorrow tonight this next "
        "week weekend month morning afternoon evening"
    )
)
_USERS_OWN = pattern(
    r"(?:\W|\b(?:and|so|but|then|ok|okay|well|finally|just|also|already|now|i|we|i've|we've)\b)*$|"
    r"\W*(?:\w+\W+)?(?:i|we)\b"
)
"""What stands before a status where it is the user who has acted."""
_NOTHING_MORE = pattern(
    r"\W*$|\W*[,.:;!-]|\W*(?:it|that|and|but|so|for|by|on|in|at|to|with|as|since|until|from|off|up|out|over|now|"
    r"already|"
    r"today|yesterday|this|last|again|too|btw|finally|thanks|thankfully)\b"
)
"""What may follow where something has been acted on."""
_WORKED_ON = pattern(
    r"\b(?:began|begun|start(?:ed|ing)|finished|completed|done with|wrapped up|sorted(?: out)?|working on|drafting|"
    r"tackling|stuck (?:on|with)|busy with|half ?way through|in the middle of)"
    r"(?: (?:with|the|my|our|that|this|an?|on|up))* ([\w'’-]+)"
)
_POINTS = Expression(r"\b(?:it|it's|that|that's)\b|^\W*(?:all )?(?:done|finished)\b", re.IGNORECASE)
_WORDS = Expression(r"[a-z][a-z']*|\d+")
_NAMING_NOTHING = frozenset(
    (  # noqa: SIM905
        "a i i'm i've i'd we we're we've am is was are has have had been be got get it it's that that's one thing task "
        "just all now already finally at last again still with on off up as well too then also so and but oh yes yep "
        "yeah yay phew ok okay right great good fine perfect hi hello hey thanks thank you news update today yesterday "
        "tonight earlier this morning afternoon evening minute minutes hour hours ago completely totally fully"
    ).split()
)
"""Words beside which a sentence names no matter of its own."""
NOT_YET = Expression(
    r"\b(?:not|isn't|hasn't|haven't|didn't|never|almost|nearly|once|until|till|as soon as|when (?:i|it)|if|will|gonna|"
    r"let(?:'|’)?s|to get|getting|forever|can|could|ensure|make sure|"
    r"going to|to be|should|"
    r"needs?|have to|has to|must|want|would)\b(?! (?:go on|continue|proceed|start|finish|move|until|without|"
    r"before|access))",
    re.IGNORECASE,
)
_RUNS = (
    r"\b(?:(?:is|are|['’]s|['’]re) (?:now |finally |already )?(?:in place|up and running|running now|working now|"
    r"in use|gone)|(?:runs?|works?) (?:fine |well )?now|(?:now|finally) (?:runs?|works?))\b"
)
_RUNNING = pattern(_RUNS)
_MADE_TO_RUN = frozenset(
    terms(
        "set install get fix repair configure enable deploy automate implement build add make create launch "
        "introduce put migrate activate connect wire remove delete drop"
    )
)
"""Verbs of tasks that are done where their matter runs, or is gone."""
_CHANGES = (
    ("blocked", pattern(
        r"\b(?:blocked|stuck(?! into)|stalled|on hold|held up|paused|on ice|at a standstill|waiting (?:for|on)|"
        r"no progress|depends on)\b|"
        r"\b(?:can't|can’t|cannot|unable to|won't be able to) (?:go on|continue|proceed|start|finish|move|"
        r"do|work|carry on|"
        r"make progress|get (?:any )?further|get (?:it )?done|submit|send|complete|ship|merge|deploy|begin)\b")),
    ("doing", pattern(
        r"\b(?:started|starting|began|begun|half ?way|half done|under ?way|in progress|in hand|on the go|coming "
        r"along|first draft|drafting|tackling|"
        r"kicked off|making progress|"
        r"in the middle of|working on|busy with|on it|\d+ ?% (?:done|through|there))\b")),
    ("done", pattern(
        r"\b(?:done|finished|completed?|sent|submitted|paid|shipped|merged|closed|fixed|booked|bought|"
        r"called|renewed|filed|delivered|"
        r"handed in|turned in|resolved|signed|uploaded|published|picked|mailed|posted|returned|cleaned|"
        r"ordered|written|wrote|over with|"
        r"out of the way|behind me|sorted|went out|in the (?:mail|post)|off my|ticked|crossed|cross|tick|"
        r"wrapped|approved|installed|"
        r"deployed|took care|taken care|watered|e-?mailed|registered|scheduled|packed|painted|repaired|"
        r"replaced|updated|migrated|"
        r"released|reviewed|prepared|printed|invited|spoke|talked|replied|transferred|collected|dropped|"
        r"mowed|(?:is|are|went|gone|now|finally|already|['’]s|['’]re) live|out|did|got (?!pushed|moved|postponed)|"
        r"checked|cleared|backed|set up|all set|descaled|sorted out|nailed|dealt with|knocked out|over and done|"
        r"upgraded|arranged|organi[sz]ed)\b|" + _RUNS)),
)  # fmt: skip


def _rescheduled(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    due = due_day(scene, scene.clause.whole)
    known = find(scene.known, "tasks", match["what"], 0.5) if "what" in match.re.groupindex and match["what"] else None
    value = None if known is None else value_of(known)
    if known is None and re.match(
        r"(?:it|that|the deadline|deadline|the due date)\b", match["what"] or "it", re.IGNORECASE
    ):
        value = _newest(scene)
    if due and value is not None:
        yield Found(same(value, value.get("status", ""), due))


def _put_off(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read an order to do a known task on another day."""
    due = due_day(scene, scene.clause.whole)
    value = named(match["what"], _open(scene))
    if due and value is not None:
        yield Found(same(value, value.get("status", ""), due))


def _extended(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read a new day for a known task that the sentence speaks of."""
    text = scene.clause.whole
    due = due_day(scene, text)
    value = _spoken_of(scene, text)
    if due and value is not None:
        yield Found(same(value, value.get("status", ""), due), span=(0, len(text)))


_STATUS = pattern("|".join(each.pattern for _, each in _CHANGES))
_ACTED = pattern("|".join(each.pattern for name, each in _CHANGES if name != "blocked"))


RULES = (
    Rule("task_moved", "tasks", "due deadline moved pushed extended postponed rescheduled extension later delayed",
         pattern(
             r"^(?P<what>.{2,120}?)(?:'s|’s| is| are| was| has been| have been| got)? (?:now |been )*(?:due|"
             r"moved|pushed(?: back)?|extended|postponed|rescheduled|delayed|shifted|put off|brought forward)"
             r"\b(?: to| until| till| on| by)? .{2,100}$"), _rescheduled),
    Rule("task_put_off", "tasks", "move push postpone reschedule shift bump delay put bring", pattern(
        r"^(?:please |pls |can you |could you |just |also |and |let's )*(?:move|push|postpone|reschedule|shift|bump|"
        r"delay|put off|bring forward) (?P<what>.{2,120}?) (?:back |forward |out |off )?(?:to|until|till|by|for) "
        r".{2,60}$"), _put_off),
    Rule("task_changed", "tasks", "", pattern(r"^"), _changed),
    Rule("task_extended", "tasks", "extension extended deadline due new later moved pushed", pattern(
        r"\b(?:extension|extended|new (?:deadline|due date)|(?:deadline|due date) (?:is|has|was|'s|moved)|now due|"
        r"not due|"
        r"(?:moved|pushed|bumped|brought) (?:back|forward|out|to|up))\b"), _extended),
)  # fmt: skip
