"""The YAML between two lines of --- at the top of a text. The only reader that knows YAML."""

from __future__ import annotations

import yaml

from brain_core.readers.gather import one_line
from brain_core.readers.source import Notes

LONGEST = 1 << 14
"""Characters of front matter; what does not end within them is text."""

_MOST_TAGS = 64
_DEEPEST = 16
_TAGS = ("tags", "keywords", "categories")


def front_matter(text: str, notes: Notes) -> int:
    """Note title and tags of the front matter at the start of a text; return its length, 0 where there is none.

    Aliases are refused, values stay strings. What is broken or not used is a warning.
    """
    if not text.startswith("---") or text[: text.find("\n") + 1].strip() != "---":
        return 0
    first = stop = text.find("\n") + 1
    for line in text[first:LONGEST].splitlines(keepends=True):
        stop += len(line)
        if line.strip() in {"---", "..."}:
            _note(text[first : stop - len(line)], notes)
            return stop
    return 0


def _note(matter: str, notes: Notes) -> None:
    try:
        _check(matter)
        found = yaml.load(matter, yaml.BaseLoader)  # makes strings, lists and dicts alone
    except (yaml.YAMLError, RecursionError) as error:
        notes.warnings.append(f"front matter is not read: {one_line(str(error))}")
        return
    if not isinstance(found, dict):
        if found:
            notes.warnings.append("front matter is not read: it is no mapping")
        return
    fields = {str(name).lower(): value for name, value in found.items()}
    title = fields.pop("title", "")
    notes.title = one_line(title) if isinstance(title, str) else ""
    notes.tags.extend(tag for name in _TAGS for tag in tags(fields.pop(name, ())))
    if len(notes.tags) > _MOST_TAGS:
        notes.warnings.append(f"front matter has {len(notes.tags)} tags: the first {_MOST_TAGS} are kept")
        del notes.tags[_MOST_TAGS:]
    if fields:
        notes.warnings.append(f"front matter is not used beyond title and tags: {one_line(', '.join(fields))}")


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
