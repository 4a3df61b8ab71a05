"""Whether an entity is important enough to be remembered (policies §1.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from smartbrain.v1.event_pb2 import Turn, TurnEvents

from brain_core.commit.learn import DECLARED
from brain_core.kinds.draft import Draft
from brain_core.policy import EntityGate
from brain_core.text.naming import occurrences

_STRUCTURAL = frozenset({"url", "repo", "file"})
_IN_PASSING = frozenset({"", "model"})  # rules of what may only be named in passing
_REFERENCE = re.compile(
    r"\b(?:this|that|the same|our|last)\s+"
    r"(?:project|repo|repository|link|url|file|document|doc|team|company|topic|issue)\b"
    r"|(?:这个|那个|上次那?个?|刚才那?个?|同一个|该)(?:项目|仓库|链接|网址|文件|文档|团队|公司|话题|问题)",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"\b(?:remember|keep in mind|don't forget|note that|from now on)\b|记住|记一下|别忘了|以后都", re.IGNORECASE
)


class Importance:
    """The signals of one turn. earlier: gives the session's turns before it, newest last; asked at most once."""

    def __init__(
        self,
        turn: Turn,
        earlier: Callable[[int], Sequence[Turn]],
        is_known: Callable[[Draft], bool],
        policy: EntityGate,
    ) -> None:
        self._turn = turn
        self._earlier = earlier
        self._is_known = is_known
        self._policy = policy
        self._said: list[str] | None = None

    def of(self, draft: Draft) -> str:
        """Return in words why an entity is important; empty if it is not."""
        names = [str(draft.given["canonical"]), *map(str, draft.given.get("aliases", ()))]
        folded = [name.casefold() for name in names if name.strip()]
        said = _said(self._turn.events)
        signals: tuple[tuple[Callable[[], bool], str], ...] = (
            (lambda: draft.given.get("kind") in _STRUCTURAL, "a URL, repository or file"),
            (lambda: draft.path.startswith("messages") and draft.rule not in _IN_PASSING, "the user says what it is"),
            (lambda: draft.rule == DECLARED or _to_remember(folded, said), "the user asked to remember it"),
            (lambda: self._is_known(draft), "known already"),
            (lambda: _any_in(folded, _structure(self._turn.events)), "named by a task, decision, ref or tool call"),
            (lambda: _REFERENCE.search(said) is not None, "the user refers to it"),
            (lambda: self._is_frequent(folded), f"named often in the last {self._policy.window_turns} turns"),
        )
        return next((why for holds, why in signals if holds()), "")

    def _is_frequent(self, names: list[str]) -> bool:
        turns = 1 + sum(_any_in(names, text) for text in self._window())
        return turns >= self._policy.freq_threshold

    def _window(self) -> list[str]:
        if self._said is None:
            turns = self._earlier(self._policy.window_turns - 1)
            self._said = [_named(turn.events).casefold() for turn in turns]
        return self._said


def _to_remember(names: list[str], said: str) -> bool:
    return _REMEMBER.search(said) is not None and _any_in(names, said.casefold())


def _said(events: TurnEvents) -> str:
    return "\n".join(message.content for message in events.messages if message.role == "user")


def _named(events: TurnEvents) -> str:
    """Return what a turn names: what the user says, and the entities that the caller gives."""
    given = (name for entity in events.entities for name in (entity.canonical, *entity.aliases))
    return "\n".join([_said(events), *given])


def _structure(events: TurnEvents) -> str:
    """Return the structured parts of a turn that may name an entity, folded."""
    parts = [ref.uri for ref in events.refs]
    parts += [text for task in events.tasks for text in (task.project, task.title)]
    parts += [text for made in events.decisions for text in (made.project, made.topic, made.decision)]
    parts += [text for goal in events.goals for text in (goal.project, goal.name)]
    parts += [str(value) for call in events.tool_calls for value in call.args.values()]
    return "\n".join(parts).casefold()


def _any_in(names: Iterable[str], text: str) -> bool:
    return any(True for name in names for _ in occurrences(name, text))
