"""Who speaks in a turn: the owner, whose memory it is, or another, each with what is known of them.

What another tells of themself is kept about them, under keys of their own, and what they say changes nothing that is
kept of anybody else; nor does the owner's word change anything of theirs. Tasks, decisions and goals that somebody has
told for all who talk ("we decided …"), or of a project, are everybody's: they are kept as the owner's are. So are work
on a thing that all share ("fix the login bug") and what is known of such a thing ("The server runs on 8080").

Until somebody else has spoken (`SpaceRecord.several`) nothing of this runs: all that is known is the owner's. From then
on each message comes with its `Teller`, and rules see only what is theirs to speak of; they know nothing of it, and
since they find no item of anybody else, they change none. Whether something was told for all is read again from the
event log ("we" before "I"), so it holds for items of any age. A "we" that means somebody's family lands there too; the
message says who said it. The other way round, a team could never close each other's tasks. Items that callers give keep
the subject they name; a tool's report is of what is the owner's and everybody's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from smartbrain.v1.event_pb2 import Message, Turn
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.commit.held import newest_first
from brain_core.commit.known import Readable, StoreAndLedger
from brain_core.commit.ledger import HOLDS
from brain_core.commit.situation import between_people
from brain_core.extract.claims import Claims
from brain_core.extract.known import value_of
from brain_core.extract.teller import (
    Before,
    Owner,
    SaidBefore,
    Teller,
    before_in,
    by_the_assistant,
    by_the_same,
    is_of_a_thing,
    is_shared_work,
    is_told_together,
)
from brain_core.kinds.draft import Draft
from brain_core.kinds.kind import NO_PROJECT, OWNER
from brain_core.kinds.registry import KINDS
from brain_core.kinds.subject import subject_named, unasked, without_subject
from brain_core.store import events, items, keys, log
from brain_core.store.kv import ReadView
from brain_core.store.v1.records_pb2 import SpaceRecord

SHARED = frozenset({"tasks", "decisions", "goals", "knowledge"})
"""Types of which some items are everybody's."""

_MOST_REVISIONS = 1000
"""Oldest revisions among which the first user is looked for, in memories that do not say who it was."""


def speaker_of(message: Message) -> str:
    """Return the subject that a message names as its speaker, that of the owner where it names none."""
    return subject_named(message.speaker) or OWNER


class _Seen:
    """What is known of one subject, the owner or another, in a memory of several."""

    def __init__(self, known: StoreAndLedger, subject: str) -> None:
        self._known = known
        self._subject = subject

    @property
    def claims(self) -> Claims:
        return self._known.claims_of(self._subject)

    def read(self, item_type: str, key: str) -> MemoryItem | None:
        return self._known.read(item_type, key)

    def active(self, item_type: str) -> Sequence[MemoryItem]:
        kind = KINDS[item_type]
        return self._known.active(item_type, kind.keys_of(self._subject), self._subject if kind.of_somebody else None)


def _said_before(view: ReadView, memory_id: str, turn: Turn, message: Message) -> Before | None:
    """Return what stands before a message in its turn, else the last of its session."""
    within = before_in(turn, message)
    if within is not None:
        return within
    earlier = events.newest_turns_before(view, memory_id, turn.session_id, turn.sequence, 1)
    return next((Before(one, each.turn_id) for each in earlier for one in each.events.messages[::-1]), None)


class _Several:
    """What several people have told in a memory, as a turn finds it. said_before, with_people: of `Owner`."""

    def __init__(
        self, view: ReadView, known: StoreAndLedger, turn: Turn, said_before: SaidBefore, *, with_people: bool
    ) -> None:
        self.known = known
        self.with_people = with_people
        self.turn = turn
        self.said_before = said_before
        self._view = view

    def is_everybody_s(self, item: MemoryItem) -> bool:
        """Return whether an item that is kept as the owner's is everybody's."""
        if item.type not in SHARED:
            return False
        if item.revision == self.turn.revision:  # not stored yet, and perhaps never
            return self._is_for_all(item)
        name = item.id, item.version
        if name not in self.known.everybodys:
            self.known.everybodys[name] = self._is_for_all(item)
        return self.known.everybodys[name]

    def _is_for_all(self, item: MemoryItem) -> bool:
        """Return whether an item is of a project, or was told for all, now or when it was told first."""
        value = value_of(item)
        if item.type == "knowledge" or _is_of_a_thing(item.type, value):
            return _is_of_a_thing(item.type, value)
        if value.get("project", NO_PROJECT) != NO_PROJECT or self._is_told_for_all(item):
            return True
        first = items.read_version(self._view, item.memory_id, item.type, item.key, 1) if item.version > 1 else None
        return first is not None and self._is_told_for_all(first)

    def _is_told_for_all(self, version: MemoryItem) -> bool:
        named = version.source_message_id
        said = next((one for one in self.turn.events.messages if one.message_id == named), None)
        if said is None:
            said = events.read_message(self._view, version.memory_id, version.session_id, named)
        if said is None or not version.HasField("source_span"):
            return False
        return is_told_together(said.content, version.source_span.start)

    def newest_in_session(self) -> Iterator[MemoryItem]:
        """Yield the newest item of each type that somebody has told in the turn's session."""
        for kind in KINDS.values():
            told = self.known.active(kind.type) if kind.of_somebody else ()
            yield from [item for item in told if item.session_id == self.turn.session_id][:1]


class _WithEverybodys:
    """What somebody other than the owner may speak of: what is theirs and what is everybody's."""

    def __init__(self, several: _Several, own: _Seen) -> None:
        self._several = several
        self._own = own
        self._made: dict[str, tuple[Sequence[MemoryItem], Sequence[MemoryItem], list[MemoryItem]]] = {}

    @property
    def claims(self) -> Claims:
        return self._own.claims

    def read(self, item_type: str, key: str) -> MemoryItem | None:
        return self._own.read(item_type, key)

    def active(self, item_type: str) -> Sequence[MemoryItem]:
        own = self._own.active(item_type)
        if item_type not in SHARED:
            return own
        owner_s = self._several.known.active(item_type, subject="")
        made = self._made.get(item_type)
        if made is None or made[0] is not own or made[1] is not owner_s:
            both = sorted([*own, *filter(self._several.is_everybody_s, owner_s)], key=newest_first)
            made = self._made[item_type] = own, owner_s, both
        return made[2]


class _OneOfSeveral:
    """Somebody who speaks where others do. subject: empty for the owner."""

    def __init__(self, several: _Several, subject: str) -> None:
        self.own = _Seen(several.known, subject)
        self.known: Readable = _WithEverybodys(several, self.own) if subject else self.own
        self.subject = subject
        self.several = several


class _Telling:
    """One of several saying a message."""

    def __init__(self, one: _OneOfSeveral, message: Message) -> None:
        self.own, self.known = one.own, one.known
        self.with_people = one.several.with_people
        self._subject = one.subject
        self._several = one.several
        self._message = message

    @property
    def points_in(self) -> str:
        """The turn's session, unless what was told last in it is another's."""
        told = list(self._several.newest_in_session())
        newest = max((item.updated_at.ToMicroseconds() for item in told), default=0)
        last = (item for item in told if item.updated_at.ToMicroseconds() == newest)
        return self._several.turn.session_id if all(map(self._may_speak_of, last)) else ""

    def _may_speak_of(self, item: MemoryItem) -> bool:
        subject = KINDS[item.type].subject_of(item.key)
        return subject == self._subject or (not subject and self._several.is_everybody_s(item))

    def just_before(self, message: Message) -> Message | None:
        return by_the_same(self._several.said_before(message), message)

    def answered(self, message: Message) -> Before | None:
        return by_the_assistant(self._several.said_before(message))

    def told(self, draft: Draft) -> Draft:
        """Return a draft as one of the speaker; what is told for all, or is everybody's already, stays as it is."""
        kind = draft.kind
        if not self._subject or not kind.of_somebody:
            return draft
        given = {**draft.given, "subject": self._subject, "subject_name": self._name()}
        priority = None if draft.priority is None else unasked(given, draft.priority)
        theirs = replace(draft, given=given, priority=priority)
        if kind.type not in SHARED or _holds(self.known.read(kind.type, theirs.key)):
            return theirs
        everybody_s = replace(draft, given=without_subject(draft.given))
        current = self.known.read(kind.type, everybody_s.key)
        if current is not None and _holds(current):
            return everybody_s if self._several.is_everybody_s(current) else theirs
        start = draft.span[0] if draft.span is not None else 0
        together = kind.type != "knowledge" and is_told_together(self._message.content, start)
        return everybody_s if together or _is_of_a_thing(kind.type, draft.given) else theirs

    def _name(self) -> str:
        """Return what the speaker is called: as their profile spells it, else as the message does."""
        profile = self.known.read("profile", f"profile:{self._subject}")
        known_as = value_of(profile).get("subject_name") if profile is not None else None
        return str(known_as or " ".join(self._message.speaker.split()))


def _is_of_a_thing(item_type: str, value: Mapping[str, Any]) -> bool:
    """Return whether an item is of a thing that all who talk share: work on it, or what is known of it."""
    if item_type == "tasks":
        return is_shared_work(str(value.get("title", "")))
    return item_type == "knowledge" and is_of_a_thing(str(value.get("content", "")))


def _holds(item: MemoryItem | None) -> bool:
    return item is not None and item.status in HOLDS


class Tellers:
    """Who says each message of a turn. space: of the memory, which learns who its owner is and whether others speak.

    names: under which the owner speaks; none leaves that to who spoke first.
    """

    def __init__(
        self, view: ReadView, known: StoreAndLedger, space: SpaceRecord, turn: Turn, names: Collection[str]
    ) -> None:
        self._known = known
        self._names = frozenset(map(subject_named, names))
        said = [message for message in turn.events.messages if message.role == "user"]
        if said and not space.owner:
            space.owner = _first_user(view, space, turn)
        self._owner = space.owner
        space.several = space.several or not all(self._is_owner(speaker_of(message)) for message in said)
        said_before = partial(_said_before, view, space.memory_id, turn)
        people = between_people(space)
        self._alone = None if space.several else Owner(known, turn.session_id, said_before, with_people=people)
        self._several = _Several(view, known, turn, said_before, with_people=people)
        self._of: dict[str, _OneOfSeveral] = {}

    def of(self, message: Message) -> Teller:
        """Return who says a message."""
        return self._alone or _Telling(self._one(message), message)

    def known_to(self, message: Message | None) -> Readable:
        """Return what of the memory who says a message may speak of; None is said by nobody, and of the owner's."""
        return self._known if self._alone else self._one(message).known

    def _one(self, message: Message | None) -> _OneOfSeveral:
        subject = OWNER if message is None else speaker_of(message)
        subject = "" if self._is_owner(subject) else subject
        if subject not in self._of:
            self._of[subject] = _OneOfSeveral(self._several, subject)
        return self._of[subject]

    def _is_owner(self, subject: str) -> bool:
        if subject == OWNER:
            return True
        if self._names:
            return subject in self._names
        return subject == self._owner or (self._owner == OWNER and subject in self._own_names())

    def _own_names(self) -> Iterator[str]:
        """Yield what the owner, who speaks without a name, has said to be called."""
        for item in self._known.active("profile", subject=""):
            facts = value_of(item).get("facts", ())
            yield from (subject_named(str(fact["v"])) for fact in facts if fact["k"] == "name")


def _first_user(view: ReadView, space: SpaceRecord, turn: Turn) -> str:
    """Return the speaker of the first user message of a memory, up to a turn that has one."""
    last = min(view.revision(keys.memory(space.memory_id)), _MOST_REVISIONS) if space.turns else 0
    changes = (log.read_change(view, space.memory_id, revision) for revision in range(1, last + 1))
    earlier = (events.turn_of(view, space.memory_id, change) for change in changes if change is not None)
    turns = chain((each for each in earlier if each is not None), [turn])
    said = (message for each in turns for message in each.events.messages if message.role == "user")
    return speaker_of(next(said))
