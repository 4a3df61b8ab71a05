"""Nested values become sections: what fits is one, what does not is cut where its own values end."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from brain_core.readers.document import Section
from brain_core.readers.faults import unreadable
from brain_core.readers.gather import Gather, one_line

_DEEPEST = 200
_SHORT = 80
_PLACE = re.compile(r"^\[\d+\]\.?")
_DOT = re.compile(r"^\.")

Entry = tuple[str, str]
"""A value and the names that lead to it from the container that holds the entry: (".user.tags[0]", "red")."""


@dataclass(slots=True)
class _Container:
    """An object or array being read. step: its name within the one around it, ".name" or "[0]".

    scalars: of an object that has been opened, held until it ends. nested: what is complete in it, in order.
    """

    is_array: bool
    step: str
    path: tuple[str, ...]
    title: str
    opened: bool = False
    key: str = ""
    count: int = 0
    size: int = 0
    scalars: list[Entry] = field(default_factory=list)
    nested: list[list[Entry]] = field(default_factory=list)


class Outline:
    """Takes the events of a JSON parser. Holds at most one section's worth of text for each level.

    An object that is too long for a section has one for each object or array in it, and one for its plain values; an
    array that is too long has its elements together, as many as fit. The outermost object counts as too long.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._gather = Gather(longest)
        self._within: list[_Container] = []
        self._heading: tuple[tuple[str, ...], str] = ((), "")
        self._done: list[Section] = []

    def take(self, event: str, value: Any) -> None:  # noqa: ANN401  as JSON has it
        """Take one event. Raises UnreadableDocument for what is nested too deep."""
        if event == "map_key":
            self._within[-1].key = value
        elif event in {"start_map", "start_array"}:
            self._start(is_array=event == "start_array")
        elif event in {"end_map", "end_array"}:
            self._end(self._within.pop())
        else:
            self._scalar(_words(value))

    def done(self) -> list[Section]:
        """Return the sections that are done since it was asked last."""
        done, self._done = self._done, []
        return done

    def end(self) -> list[Section]:
        """Return what is left."""
        return [*self.done(), *self._gather.end()]

    def _start(self, *, is_array: bool) -> None:
        if len(self._within) == _DEEPEST:
            raise unreadable(
                "is nested too deep", f"more than {_DEEPEST} levels", limit=_DEEPEST, hint="flatten the values"
            )
        if not self._within:
            self._within.append(_Container(is_array, "", (), "", opened=True))
            return
        around = self._within[-1]
        step = self._step(around)
        path = (*around.path, around.title) if around.title else around.path
        self._within.append(_Container(is_array, step, path, one_line(step.removeprefix("."))))

    def _scalar(self, words: str) -> None:
        if not self._within:
            self._done.extend(self._gather.add(words))
            return
        around = self._within[-1]
        entry = (self._step(around), words)
        if around.opened and not around.is_array:
            around.scalars.append(entry)
            around.size += len(entry[0]) + len(words) + 3
            if around.size > self._longest:
                self._give_scalars(around)
        else:
            self._hold(around, [entry])

    def _end(self, ended: _Container) -> None:
        if ended.opened:
            self._give_scalars(ended)
            return
        around = self._within[-1]
        blocks = _joined(ended)
        if around.opened and not around.is_array:
            self._put(ended, blocks)
        else:
            self._hold(around, [(ended.step + below, words) for entries in blocks for below, words in entries])

    def _hold(self, container: _Container, entries: list[Entry]) -> None:
        """Add what is complete to the container that it stands in."""
        if container.opened:
            self._put(container, [entries])
            return
        container.nested.append(entries)
        container.size += sum(len(below) + len(words) + 3 for below, words in entries)
        if container.size > self._longest:
            self._open(container)

    def _open(self, container: _Container) -> None:
        """Begin sections for a container, and for those around it: they are too long to be one."""
        for place, around in enumerate(self._within):
            if not around.opened:
                around.opened = True
                nested, around.nested, around.size = around.nested, [], 0
                self._put(around, nested)
            if around is container or place + 1 == len(self._within):
                return

    def _give_scalars(self, container: _Container) -> None:
        self._put(container, [container.scalars])
        container.scalars, container.size = [], 0

    def _put(self, container: _Container, blocks: list[list[Entry]]) -> None:
        """Write entries under the heading of their container, elements of an array without their place in it."""
        for entries in filter(None, blocks):
            heading = (container.path, container.title)
            if self._heading != heading:
                self._heading = heading
                self._done.extend(self._gather.open(container.title, container.path))
            place = _PLACE if container.is_array else _DOT
            named = ((place.sub("", below, count=1), words) for below, words in entries)
            lines = "".join(f"{below}: {words}\n" if below else f"{words}\n" for below, words in named)
            self._done.extend(self._gather.add(f"{lines}\n" if len(entries) > 1 else lines))
            self._gather.mark()

    @staticmethod
    def _step(around: _Container) -> str:
        around.count += 1
        return f"[{around.count - 1}]" if around.is_array else f".{one_line(around.key)}"


def _joined(container: _Container) -> list[list[Entry]]:
    """Return what a container holds; an empty one is {} or [], and short plain values of an array are one line."""
    entries = [entry for entries in container.nested for entry in entries]
    if not entries:
        return [[("", "[]" if container.is_array else "{}")]]
    plain = container.is_array and len(entries) == container.count
    if plain and all(below.startswith("[") and "." not in below and len(words) <= _SHORT for below, words in entries):
        return [[("", ", ".join(words for _, words in entries))]]
    return container.nested


def _words(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)
