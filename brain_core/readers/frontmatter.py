"""The YAML between two lines of --- at the top of a text. The only reader that knows YAML."""

from __future__ import annotations

from dataclasses import dataclass

import yaml

from brain_core.readers.gather import one_line
from brain_core.readers.source import Notes

LONGEST = 1 << 14
"""Characters of front matter; what does not end within them is text."""

_MOST_TAGS = 64
_DEEPEST = 16
_TAGS = ("tags", "keywords", "categories")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands at the top of a text. length: with its marks. said: as it is written, "" for title and tags alone."""

    length: int = 0
    said: str = ""
    start: int = 0


NONE = FrontMatter()


def front_matter(text: str, notes: Notes) -> FrontMatter:
    """Note title and tags of the front matter at the start of a text.

    Aliases are refused, values stay strings. What is broken, or no mapping, is text, with a warning.
    """
    if not text.startswith("---") or text[: text.find("\n") + 1].strip() != "---":
        return NONE
    first = stop = text.find("\n") + 1
    for line in text[first:LONGEST].splitlines(keepends=True):
        stop += len(line)
        if line.strip() in {"---", "..."}:
            matter = text[first : stop - len(line)]
            fields = _fields(matter, notes)
            if fields is None:
                return NONE
            others = _noted(fields, notes)
            return FrontMatter(stop, matter if others else "", first)
    return NONE


def _fields(matter: str, notes: Notes) -> dict[str, object] | None:
    """Return the fields of a mapping, by names in small letters; None for anything else, with a warning."""
    try:
        _check(matter)
        found = yaml.load(matter, yaml.BaseLoader)  # makes strings, lists and dicts alone
    except (yaml.YAMLError, RecursionError) as error:
        notes.warnings.append(f"front matter is not read: {one_line(str(error))}")
        return None
    if found is None:
        return {}
    if not isinstance(found, dict):
        notes.warnings.append("front matter is not read: it is no mapping")
        return None
    return {str(name).lower(): value for name, value in found.items()}


def _noted(fields: dict[str, object], notes: Notes) -> bool:
    """Note title and tags; return whether anything else is said."""
    title = fields.pop("title", "")
    notes.title = one_line(title) if isinstance(title, str) else ""
    notes.tags.extend(tag for name in _TAGS for tag in tags(fields.pop(name, ())))
    if len(notes.tags) > _MOST_TAGS:
        notes.warnings.append(f"front matter has {len(notes.tags)} tags: the first {_MOST_TAGS} are kept")
        del notes.tags[_MOST_TAGS:]
    return any(fields.values())


def tags(given: object) -> list[str]:
    """Return tags that are given as a list, or as words between commas."""
    words = given if isinstance(given, list) else str(given or "").replace("，", ",").split(",")
    lines = (one_line(word) for word in words if isinstance(word, str))
    return list(dict.fromkeys(line for line in lines if line))


def _check(matter: str) -> None:
    """Raise YAMLError for aliases and for what is nested too deep."""
    depth = 0
    for event in yaml.parse(matter, yaml.BaseLoader):
        if isinstance(event, yaml.AliasEvent):
            raise yaml.YAMLError("it has aliases")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise yaml.YAMLError(f"it is nested deeper than {_DEEPEST}")
