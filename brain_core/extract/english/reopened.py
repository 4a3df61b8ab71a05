"""What becomes of known tasks that are named by id, on a checklist or in an order; and which are not done after all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.english.mentioned import points_at
from brain_core.extract.english.progress import NOT_YET, Tasks, becomes, named
from brain_core.extract.english.tasks import due_day, same
from brain_core.extract.english.titles import known_task
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import Remembered, denial, last_told, value_of, words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.task_ids import SEVERAL, with_id
from brain_core.text.expression import Expression

_REMEMBERED_LISTS = 4  # of tasks, each the same until one of them changes
_ID = re.compile(r"#?\w+(?:-\w+)*")
_YET = Expression(r"\byet\b", re.IGNORECASE)
_DEPENDS = Expression(
    r"\b(?:by|for|until|till|before|after|(?:depend(?:s|ing|ent)?|blocked|waiting|waits|stuck|held up|relies) on) "
    r"(?:the )?(?:task |ticket |issue )?$",
    re.IGNORECASE,
)
"""Stands before what something else waits for."""

_PAST = (
    r"(?:done|fixed|finished|completed?|sent|submitted|paid|shipped|merged|closed|resolved|solved|working|booked|"
    r"bought|renewed|filed|delivered|signed|published|deployed|released|ready|installed|uploaded|updated|upgraded|"
    r"migrated|repaired|sorted|over)"
)
_NOT_DONE = pattern(
    rf"\b(?:(?:is|was|are|were|has|have|had|does|did|do)(?:n't|n’t| not)|it's not|still not|never)\b"
    rf"(?: (?:actually|really|quite|yet|been|get|got|even|properly|fully|completely|all|in fact)\b)* {_PAST}\b|"
    r"\b(?:came|comes|come|is|are|it's) back\b(?! (?:on track|from|in|at|home|to (?:work|school)))|"
    r"\bregress(?:ed|es|ion)\b|"
    r"\b(?:resurfaced|reappeared|recurred|re-?opened)\b|\b(?:broke|broken|failing|fails|happening|crashing) again\b|"
    r"\bneeds? (?:to be )?(?:redone|re-?doing|re-?opening|re-?opened|(?:fixed|fixing|done|doing) again)\b|"
    r"^(?:please |pls |can you |could you |let's |i (?:have|had|need) to |we (?:have|had|need) to )*(?:re-?open|redo)\b"
)


def _with_values(held: Sequence[MemoryItem]) -> Tasks:
    return Tasks([(item, value_of(item)) for item in held])


_tasks_of = Remembered(_with_values, _REMEMBERED_LISTS)


def _tasks(scene: Scene) -> Tasks:
    return _tasks_of(scene.known.active("tasks"))


def _with_ids(scene: Scene, text: str) -> list[dict[str, Any]]:
    """Return the known tasks that a text names by their ids and that something is said of."""
    words = [word for word in _ID.finditer(text) if any(each.isdigit() or each in "-_" for each in word[0])]
    named_ids = (with_id(scene.known, word[0]) for word in words if not _DEPENDS.search(text[: word.start()]))
    return [value_of(items[0]) for items in named_ids if len(items) == 1]


def _several(match: re.Match[str], scene: Scene) -> Iterator[Found]:  # noqa: ARG001
    """Read that something becomes of a task by an id which several have: of none, and that is told."""
    text = scene.clause.text
    becomes_something = (
        _CLOSES.match(text)
        or _ORDERS.match(text)
        or _NOT_DONE.search(text)
        or any(status for _, status in becomes(text))
    )
    if becomes_something and any(len(with_id(scene.known, word[0])) > 1 for word in _ID.finditer(text)):
        yield Found({}, unmet=SEVERAL, span=(0, len(text)))


def _not_done(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read that a known task is not done: one that was is open again, one that was not stays what it is."""
    text = scene.clause.text
    value = next(iter(_with_ids(scene, text)), None) or named(text, _tasks(scene))
    if value is None or (value.get("status") != "done" and _YET.search(text)):
        return
    status = "todo" if value.get("status") == "done" else value.get("status", "")
    yield Found(same(value, status, due_day(scene, scene.clause.whole)), span=(0, len(text)))


def _by_id(match: re.Match[str], scene: Scene) -> Iterator[Found]:  # noqa: ARG001
    """Read what becomes of the known tasks that are named by their ids."""
    text = scene.clause.text
    for passage, status in becomes(text):
        if status != "blocked" and NOT_YET.search(passage):
            continue
        for value in _with_ids(scene, passage)[: 1 if status == "blocked" else None]:
            yield Found(same(value, status), span=(0, len(text)))


def _ticked(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read a line of a checklist that ticks a known task."""
    value = known_task(scene.known, match["title"]) or next(iter(_with_ids(scene, match["title"])), None)
    if value is not None:
        yield Found(same(value, "done"))


def _ordered(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read an order to close a known task or to give it up."""
    what = match["what"]
    by_id = next(iter(_with_ids(scene, what)), None)
    value = by_id or (named(what, _tasks(scene)) if _NOUN.search(what) else None)
    if value is None:
        return
    if by_id is None and _fits_another(scene, what, value):
        yield Found({}, unmet=SEVERAL)
        return
    if match["ends"]:
        yield Found(same(value, "done"))
        return
    item = next(item for item, task in _tasks(scene).each if task["task_id"] == value["task_id"] and task == value)
    yield Found(denial(item), denies=True)


def _fits_another(scene: Scene, what: str, value: dict[str, Any]) -> bool:
    """Return whether as many of some words name another task than the one that they name."""
    said = words_of(what)
    others = [each for each in _tasks(scene).each if each[1]["task_id"] != value["task_id"]]
    other = named(what, Tasks(others))
    return other is not None and len(said & words_of(str(other["title"]))) >= len(said & words_of(str(value["title"])))


def _again(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read that what was told last is to be opened again: a task that is done."""
    done = [item for item, task in _tasks(scene).each if task.get("status") == "done"]
    last = last_told(scene.known, done, scene.session)
    if last is not None and points_at(scene, str(value_of(last).get("title", ""))):
        yield Found(same(value_of(last), "todo"))


def _set(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read an order to begin a known task, which is named by its id, to hold it up or to go on with it."""
    status = next(name for name in ("blocked", "doing", "todo") if match[name])
    value = next(iter(_with_ids(scene, match["id"])), None)
    if value is not None and value.get("status") != status:
        yield Found(same(value, status))


_POLITE = r"^(?:please |pls |can you |could you |just |also |and |let's |you can )*"
_ORDERS = pattern(
    rf"{_POLITE}(?:(?P<blocked>block|pause|hold)|(?P<doing>start|begin|resume)|(?P<todo>unblock)) "
    r"(?:task |ticket |issue |story )?(?P<id>#?\w+(?:-\w+)*)(?: (?:until|till|for now|because|for) ?.{0,60})?$"
)
_CLOSES = pattern(
    rf"{_POLITE}(?:(?P<ends>close|complete|resolve|finish|tick off|check off|cross off)|drop|cancel|remove|delete|"
    r"scrap|discard|abandon) (?P<what>.{2,160})$"
)
_CLOSING = "close complete resolve finish tick check cross drop cancel remove delete scrap discard abandon"
_SETTING = "block pause hold start begin resume unblock"
"""Cues of the orders."""
_NOUN = Expression(
    r"\b(?:tasks?|to-?dos?|tickets?|issues?|bugs?|items?|story|stories|cards?|reminders?)\b", re.IGNORECASE
)

RULES = (
    Rule("task_of_several", "tasks",
         f"{_CLOSING} {_SETTING} reopen closed done finished completed fixed resolved merged",
         pattern(r"\w[-_]\w|[a-z]\d|#\d"), _several, vital=True),
    Rule("task_ticked", "tasks", "", pattern(r"^\W{0,3}\[[x✓✔]\] ?(?P<title>.{3,200})$"), _ticked),
    Rule("task_not_done", "tasks",
         "not isn't wasn't aren't weren't hasn't haven't hadn't doesn't didn't don't never back regressed regresses "
         "regression resurfaced reappeared recurred reopened opened open reopen again redo redone redoing needs need",
         _NOT_DONE, _not_done, vital=True),
    Rule("task_by_id", "tasks", "", pattern(r"\w[-_]\w|[a-z]\d|#\d"), _by_id),
    Rule("task_ordered", "tasks", _CLOSING, _CLOSES, _ordered, vital=True),
    Rule("task_again", "tasks", "reopen open", pattern(
        rf"{_POLITE}(?:re-?open (?:it|that|this|that one)|open (?:it|that) again)(?: again| please)?$"), _again,
        vital=True),
    Rule("task_set", "tasks", _SETTING, _ORDERS, _set, vital=True),
)  # fmt: skip
