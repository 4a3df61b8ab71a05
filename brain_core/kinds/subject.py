"""Whose an item is: the owner's, whose memory it is, or that of another who speaks in it under a name.

An item of another says whose it is in its value, and in its key after the prefix: pref:tom:other:meat. The owner's say
nothing of it, but for the profile, whose subject is then `user`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from brain_core.kinds.kind import NO_PROJECT, key_part
from brain_core.kinds.shape import TEXT, Field

Value = Mapping[str, Any]

FIELDS: Mapping[str, Field] = {"subject": TEXT, "subject_name": TEXT}
"""subject: as it stands in the key. subject_name: as they write it; whoever speaks has one."""

SPELLING = ("subject_name",)
"""What may change without a new version."""

_LEAST_PRIORITY = 3
"""The best priority that no context carries unasked: what is told of others has to be found."""


def subject_named(name: str) -> str:
    """Return the subject that a name stands for: one for all spellings that differ in case, width and white space."""
    return key_part(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())).strip("_")


def subject_fields(value: Value) -> dict[str, Any]:
    """Return the fields of a value that say whose it is."""
    return {name: value[name] for name in FIELDS if value.get(name)}


def without_subject(value: Value) -> dict[str, Any]:
    """Return a value without them."""
    return {name: each for name, each in value.items() if name not in FIELDS}


def name_of(value: Value) -> str:
    """Return what another is called whose a value is, empty for the owner."""
    return str(value.get("subject_name") or value.get("subject", ""))


def in_path(value: Value) -> tuple[str, ...]:
    """Return the first parts of the address of a value, none for the owner's."""
    return (str(value["subject"]),) if value.get("subject") else ()


def within(value: Value) -> str:
    """Return " of …": whose a value is and of which project; empty for the owner's where none is named."""
    name, project = name_of(value), str(value["project"])
    known = [part for part in (name, "" if project == NO_PROJECT else project) if part]
    return f" of {' in '.join(known)}" if known else ""


def unasked(value: Value, priority: int) -> int:
    """Return the priority of a value: what others have told of themselves is in no context unasked."""
    return max(priority, _LEAST_PRIORITY) if value.get("subject_name") else priority
