"""A turn is read: drafts of items from its messages, tool calls and refs, and what was passed over, with the reason.

Only the user's own words tell facts. Assistants, tools and the system tell none; of tool calls and refs the files, URLs
and repositories are taken, and the state of a task that a tool reports.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, tzinfo
from functools import cache, partial
from typing import Any

from smartbrain.v1.event_pb2 import Message, Turn
from smartbrain.v1.item_pb2 import ITEM_SOURCE_INFERENCE, ITEM_SOURCE_USER

from brain_core.extract.accepted import accepted, accepts
from brain_core.extract.alike import says_change
from brain_core.extract.attained import attained, is_attained
from brain_core.extract.dangling import is_dangling, points_away
from brain_core.extract.entities import structural
from brain_core.extract.frames import EARLIER, Earlier, outside
from brain_core.extract.headed import is_entry
from brain_core.extract.hits import Hit, applies, hits, language_of
from brain_core.extract.known import Known, known_facts
from brain_core.extract.language import Clause, Found, Language, Rule, Scene, SkipRule
from brain_core.extract.left_over import left_over, name_roles, teaches_alone
from brain_core.extract.masks import Mask, masked, masks, restored
from brain_core.extract.pasted import paragraphs, pasted
from brain_core.extract.put_right import put_right, revalued
from brain_core.extract.revision import Revision, doubting, is_another_side, is_sure, names_of, revised, revising
from brain_core.extract.sentences import sentences
from brain_core.extract.spelling import as_written, spelled
from brain_core.extract.standing_rule import is_standing_rule
from brain_core.extract.teller import Owner, Teller, TellerOf, before_in
from brain_core.extract.tools import read_refs, read_tools
from brain_core.extract.unkept import REASON, is_unkept
from brain_core.extract.vital import is_vital
from brain_core.extract.weigh import Weighing, weighing
from brain_core.extract.whose import OF_THE_USER
from brain_core.extract.worth import TYPES
from brain_core.kinds.draft import Draft, Reference, Skip
from brain_core.kinds.registry import KINDS
from brain_core.policy import Confidence, WorthPolicy
from brain_core.text.expression import Expression
from brain_core.zones import day_at, midnight_us

_MARKS = " \t\n`\"'“”‘’«»「」『』>#*|-"
"""What stands around quoted and pasted words."""

_REQUEST = Expression(
    r"\bremember|\bmemori[sz]e|\bremind (?:me|us)\b|n['’]?t (?:let me )?forget|\bto-?dos?\b|"
    r"\bnote (?:that|to|down|this|it)\b|\b(?:jot|write|put|take) (?:this |that |it )?down\b|"
    r"\bkeep (?:this |that |it )?in mind\b|\bfor the record\b|"
    r"\b(?:add|create|open|log|new|another|one more)(?: an?| another| new| one more)* (?:task|ticket|action item)s?\b|"
    r"[记記](?:住|得|下|着|一|好|个|個|到|进|進)|别忘|別忘|提醒[我我们們]|待办|待辦|备忘|備忘|"
    r"(?:加|添加|新增|新建|创建|記|记)(?:一?[个個条條])?(?:任务|任務|工单)",
    re.IGNORECASE,
)
"""What may ask to remember: such a sentence is always read, and what is read in it is not for the judge."""

_FOREIGN = "pasted text, not the user's statement"
_ALWAYS = 2
"""Priority of what every context carries: what somebody must, or must not, be given."""
_ON_DEMAND = 3
"""The best priority that no context carries unasked."""
_OF_ANSWERS = ("units", "currency", "address")
"""What preferences are called that shape every answer, whatever it is about."""

PARTS = ("messages", "tool_calls", "refs")
"""Of a turn, what rules can read."""


def read_turn(  # noqa: PLR0913  what a message may mean depends on all of it
    turn: Turn,
    known: Known,
    confidence: Confidence,
    worth: WorthPolicy,
    parts: Collection[str] = PARTS,
    zone: tzinfo = UTC,
    teller_of: TellerOf | None = None,
    earlier: Earlier = tuple,
) -> Iterator[Draft | Skip]:
    """Yield what the parts of a turn say, in this order: messages, then tool_calls, then refs.

    Expects the turn as it will be stored, with ids and times filled in. At most one Skip per message besides those of
    drafts that are not worth keeping and of requests that nothing comes of, which carry the name of their rule. known:
    what tools may report of. zone: in which "tomorrow" was said. teller_of: who says each message; without it the one
    whose memory it is says them all. earlier: what the user said in the session before the turn.
    """
    owner = Owner(known, turn.session_id, partial(before_in, turn))
    said: list[str] = []
    heard = cache(earlier)
    for number, message in enumerate(turn.events.messages if "messages" in parts else ()):
        if message.role == "user":
            path = f"messages[{number}]"
            teller = owner if teller_of is None else teller_of(message)
            before = partial(_before, tuple(said[-EARLIER:]), heard)
            found = _safely(path, _Reading(message, path, teller, confidence, worth, zone, before))
            yield from outside(found, message.content, path, before)
            said.append(message.content)
    if "tool_calls" in parts:
        yield from read_tools(turn, known, confidence)
    if "refs" in parts:
        yield from read_refs(turn, confidence)


def _before(said: Sequence[str], earlier: Earlier) -> Sequence[str]:
    return (*earlier(), *said)


def _safely(path: str, reading: _Reading) -> Iterator[Draft | Skip]:
    """Yield what a message says. A rule that breaks ends the reading and is named; the turn must not be lost for it."""
    try:
        yield from map(reading.placed, reading.results())
    except Exception as error:  # noqa: BLE001  whatever it is
        yield Skip(path, None, "rule_broke", f"a rule broke on this message: {type(error).__name__}: {error}")


def _skips(spoken: Language, scene: Scene, judge: Weighing | None, number: int) -> Iterator[SkipRule]:
    """Yield the skip rules that apply to a passage of sentence `number`, without those that the judge overrules."""
    overruled = judge is not None and judge.overrules(number)
    return (each for each in spoken.skips if not (overruled and each.soft) and applies(each, scene))


def _is_of_no_use(spoken: Language, scene: Scene) -> bool:
    """Return whether nothing of a whole message is to be learned from."""
    return any(each.scope == "message" and applies(each, scene) for each in spoken.skips)


_JUDGED = {name: Rule(f"judged_{name}", name, "", Expression(""), lambda _match, _scene: ()) for name in TYPES}
"""What is named as the rule of what the judge proposes."""

_ONE_OF_ALL = frozenset({"profile"})
"""Types of which one item holds all: where the user has told of one, an inference is learned as knowledge."""

_TOLD = frozenset({"events", "knowledge"})
"""Types that tell of anybody, who must be named."""

_OPEN = frozenset({"tasks", "goals"})
"""Types of what is still to come."""

_REVISES = Rule("revision", "", "", Expression(""), lambda _match, _scene: ())
"""What is named as the rule of what the judge of revisions finds."""

_ACCEPTED = Rule("accepted", "decisions", "", Expression(""), lambda _match, _scene: ())
"""What is named as the rule of what the assistant proposed and the user accepts."""

_PUT_RIGHT = Rule("put_right", "", "", Expression(""), lambda _match, _scene: ())
"""What is named as the rule of what the user puts right that they have just told."""

_OPENING = 2
"""Sentences of a message that may accept together: "Sounds right. Let's do that."."""

_BESIDE_A_RULE = 0.8
"""How likely a sentence without a word of change must make something untrue besides what a rule has read in it."""


class _Reading:
    """One message of the user under reading."""

    def __init__(
        self,
        message: Message,
        path: str,
        teller: Teller,
        confidence: Confidence,
        worth: WorthPolicy,
        zone: tzinfo,
        earlier: Earlier,
    ) -> None:
        self._message = message
        self._path = path
        self._teller = teller
        self._session = teller.points_in
        self._known = teller.known
        self._confidence = confidence
        self._worth = worth
        self._text, self._places = spelled(message.content)
        self._zone = zone
        self._earlier = earlier
        self._said = day_at(message.created_at.ToMicroseconds(), zone)
        self._skip: Skip | None = None
        self._read_to = self._righted_to = 0
        self._before = ""

    def placed(self, found: Draft | Skip) -> Draft | Skip:
        """Return what was found with its span in the message as it was written."""
        if found.span is None or not self._places:
            return found
        return replace(found, span=as_written(found.span, self._places))

    def results(self) -> Iterator[Draft | Skip]:
        elsewhere = pasted(self._text)
        if elsewhere:
            yield Skip(self._path, None, "pasted_message", elsewhere)
            return
        if is_unkept(self._text):
            yield Skip(self._path, None, "not_to_be_kept", REASON)
            return
        covered = masks(self._text)
        words = masked(self._text, covered)
        spans = list(sentences(words))
        opening = self._assented(words, spans)
        yield from opening
        read_first = max((each.span[1] for each in opening if each.span), default=0)
        spans = [each for each in spans if each[0] >= read_first]
        foreign = paragraphs(self._text)
        judge = weighing(self._worth, words, spans, between_people=self._teller.with_people)
        for number, (start, stop) in enumerate(spans):
            if any(first <= start < last for first, last in foreign):
                self._skip = self._skip or Skip(self._path, (start, stop), "pasted", _FOREIGN)
            elif start >= self._righted_to:
                yield from self._sentence(words, spans, number, judge)
        for start, stop, value in structural(words):
            yield self._entity(start, stop, value)
        skip = self._skip or self._skipped_mask(covered)
        if skip is not None:
            yield skip

    def _sentence(
        self, words: str, spans: Sequence[tuple[int, int]], number: int, judge: Weighing | None
    ) -> Iterator[Draft | Skip]:
        """Yield what sentence `number` says."""
        start, stop = spans[number]
        sentence = words[start:stop]
        judged = None if _REQUEST.search(sentence) or is_entry(words, start) else judge
        spoken = language_of(sentence)
        self._righted_to, righted = self._righted(spoken, words, spans[number : number + 2])
        idle = judged is not None and judged.passes_over(number)
        if righted or (idle and not spoken.may_be_vital(sentence)):
            self._before = sentence
            yield from righted
            return
        drafts: list[Draft] = []
        meets = undecided = False
        kept = start < self._read_to
        for clause in spoken.clauses(sentence, start):
            scene = self._scene(clause, words, self._before)
            if clause.start < self._read_to:
                changes = list(self._changed(spoken, scene, judged, number))
                meets = meets or bool(changes)
                yield from changes
                continue
            for found in self._found(spoken, scene, judged, number, vital=idle):
                self._read_to = max(self._read_to, found.span[1] if found.span else 0)
                if isinstance(found, Draft):
                    meets = meets or found.denies or self._meets(found)  # before it is written
                    drafts.append(found)
                else:
                    meets, undecided = meets or found.owns, undecided or found.undecided
                yield found
            self._before = clause.text
        if judge is not None:
            scene = self._scene(Clause(sentence, start, sentence), words)
            said = None if meets else drafts
            yield from self._beside_rules(spoken, scene, judge, number, said, kept=kept, undecided=undecided)

    def _assented(self, words: str, spans: Sequence[tuple[int, int]]) -> list[Draft | Skip]:
        """Return what becomes of a proposal of the assistant's that the message begins with accepting, if it does."""
        if not spans or words[: spans[0][0]].strip():
            return []
        start = spans[0][0]
        spoken = language_of(words[start : spans[0][1]])
        tries = ((stop, accepts(words, start, stop, spoken.assent)) for _, stop in spans[:_OPENING])
        stop, how = next(((stop, how) for stop, how in tries if how is not None), (start, None))
        before = None if how is None else self._teller.answered(self._message)
        if how is None or before is None:
            return []
        scene = self._scene(Clause(words[start:stop], start, words[start:stop]), words)
        said = before.message.content
        found = accepted(how, spoken.assent, said, language_of(said).assent, scene)
        if found is None or _is_of_no_use(spoken, scene):
            return []
        if found.unmet:
            return [Skip(self._path, (start, stop), _ACCEPTED.name, found.unmet, owns=True)]
        draft = self._draft(Hit(_ACCEPTED, scene.clause, start, stop, Found(found.given)), words)
        refers_to = Reference(before.turn_id, before.message.message_id, found.span)
        return [replace(draft, reason="proposed by the assistant, accepted by the user", refers_to=refers_to)]

    def _righted(
        self, spoken: Language, words: str, spans: Sequence[tuple[int, int]]
    ) -> tuple[int, list[Draft | Skip]]:
        """Return up to where something told before is put right, and what becomes of it; nothing where none is.

        spans: of a sentence and of the one after it, which may say what holds instead: "Wrong week. 33."
        """
        start = spans[0][0]
        answered = partial(self._answered_to, words[:start])
        for _, stop in spans:
            sentence = words[start:stop]
            scene = self._scene(Clause(sentence, start, sentence), words)
            found = put_right(spoken.righting, scene, answered)
            if found:
                return stop, self._as_put_right(spoken, found, scene, stop)
        if start:
            return 0, []
        scene = self._scene(Clause(words, start, words), words)
        found, place = revalued(spoken.righting, scene)
        stop = next((past for _, past in sentences(words) if past >= place), 0)
        return (stop, self._as_put_right(spoken, found, scene, stop)) if found else (0, [])

    def _answered_to(self, before: str) -> str:
        """Return what the assistant said before the message; nothing behind words of its own. before: the words."""
        last = None if before.strip() else self._teller.answered(self._message)
        return "" if last is None else last.message.content

    def _as_put_right(self, spoken: Language, found: list[Found], scene: Scene, stop: int) -> list[Draft | Skip]:
        """Return what is put right, nothing where the message is of no use to learn from; a joke may be taken back."""
        tells = not all(each.denies for each in found)
        if tells and _is_of_no_use(spoken, scene):
            return []
        hits_of = [Hit(_PUT_RIGHT, scene.clause, scene.clause.start, stop, each) for each in found]
        return [self._draft(hit, scene.message) for hit in hits_of]

    def _scene(self, clause: Clause, words: str, before: str = "") -> Scene:
        return Scene(
            clause,
            self._said,
            self._known,
            words,
            before,
            self._session,
            self._message.message_id,
            self._teller.own,
            partial(self._teller.just_before, self._message),
            self._earlier,
        )

    def _found(
        self, spoken: Language, scene: Scene, judged: Weighing | None, number: int, *, vital: bool
    ) -> Iterator[Draft | Skip]:
        """Yield what rules read in a clause of sentence `number`; if it is judged, what is worth keeping of it.

        vital: whether only vital rules are to read it, since it hardly teaches anything.
        """
        found = list(hits(spoken, scene, vital=vital))
        if not found:
            return
        skips = list(_skips(spoken, scene, judged, number))
        amends = {hit.rule.name for hit in found if hit.found.denies}
        kept = False
        for hit in found:
            if hit.rule.general and kept:
                return
            if hit.found.unmet:
                span, shared = (hit.start, hit.stop), hit.rule.shares
                yield Skip(self._path, span, hit.rule.name, hit.found.unmet, owns=not shared, undecided=shared)
                continue
            skip = next((each for each in skips if not each.types or hit.type in each.types.split()), None)
            asked = hit.rule.insists or hit.clause.asked
            if skip is None or asked:
                draft = self._draft(hit, scene.message)
                sure = asked or hit.rule.vital or hit.rule.name in amends
                against = "" if judged is None or sure else judged.against(number, draft)
                if not asked and hit.type == "events" and is_dangling(str(hit.found.given.get("title", ""))):
                    against = "it names nobody whom it tells of"
                if not (asked or draft.denies) and points_away(hit.type, hit.found.given):
                    against = "it points at what it does not name"
                if against and not self._is_known(draft):
                    yield Skip(self._path, draft.span, draft.rule, f"{hit.type}: {against}")
                else:
                    kept = kept or draft.kind.type in TYPES
                    yield draft
            elif self._skip is None:
                self._skip = Skip(self._path, (hit.start, hit.stop), skip.name, skip.reason)

    def _changed(self, spoken: Language, scene: Scene, judged: Weighing | None, number: int) -> Iterator[Draft]:
        """Yield what a clause changes of what is known, which was read already as a part of what stands before it."""
        for found in self._found(spoken, scene, judged, number, vital=True):
            if isinstance(found, Draft) and (found.denies or self._meets(found)):
                yield found

    def _is_known(self, draft: Draft) -> bool:
        """Return whether a draft is about an item that is there: what becomes of it is not for the judge."""
        of_many = draft.kind.type != "profile"  # there is one of the user, whatever is told
        return of_many and any(item.key == draft.key for item in self._known.active(draft.kind.type))

    def _proposed(self, spoken: Language, scene: Scene, judge: Weighing, number: int) -> Iterator[Draft]:
        """Yield a draft of the first type that makes a value of a sentence from which no rule has kept anything."""
        for likeliest, why in judge.proposed(number, partial(self._of_whom, spoken, scene)):
            item_type = self._type_beside(spoken, scene, likeliest)
            if not spoken.stands_alone(scene, item_type):
                continue
            found = spoken.proposals[item_type](scene)
            text = scene.clause.text
            if found is None or (_stands_open(item_type, found) and is_attained(text)):
                continue
            if (item_type in _TOLD and is_dangling(text)) or points_away(found.type or item_type, found.given):
                return
            if next(_skips(spoken, scene, judge, number), None) is None:
                clause = scene.clause
                hit = Hit(
                    _JUDGED[item_type], clause, clause.start, clause.start + len(clause.text), replace(found, weak=True)
                )
                yield replace(self._draft(hit, scene.message), reason=why)
            return  # a passage is skipped whatever its type
        if judge.tells_surely(number):
            yield from self._told_plainly(spoken, scene, judge, number)

    def _type_beside(self, spoken: Language, scene: Scene, item_type: str) -> str:
        """Return what a sentence is learned as that reads like one of a type, beside what the user told of himself."""
        told = item_type in _ONE_OF_ALL and self._has_told(item_type)
        return "knowledge" if told else self._of_whom(spoken, scene, item_type)

    def _of_whom(self, spoken: Language, scene: Scene, item_type: str) -> str:
        """Return a type, knowledge for what is of the user alone where a sentence is about another."""
        of_another = item_type in OF_THE_USER and spoken.tells_of_another(scene)
        return "knowledge" if of_another else item_type

    def _has_told(self, item_type: str) -> bool:
        return any(item.source == ITEM_SOURCE_USER for item in self._known.active(item_type))

    def _beside_rules(
        self,
        spoken: Language,
        scene: Scene,
        judge: Weighing,
        number: int,
        drafts: list[Draft] | None,
        *,
        kept: bool,
        undecided: bool,
    ) -> Iterator[Draft]:
        """Yield what sentence `number` makes untrue of what was known before it, else what it may teach.

        drafts: what rules have read in it; None if that speaks of something known. kept: whether a rule has read it as
        a part of what stands before it. undecided: whether it is not to be guessed what it makes untrue.
        """
        weighed = drafts is not None and not undecided
        revision = self._revision(spoken, scene, judge, number, drafts or ()) if weighed else None
        if revision is not None:
            yield from self._revised(spoken, scene, revision, stated=bool(drafts))
        elif drafts == [] and not kept:
            yield from self._proposed(spoken, scene, judge, number)
        elif drafts and not kept and (judge.tells_surely(number) or (judge.teaches(number) and name_roles(drafts))):
            yield from self._told_besides(spoken, scene, judge, number, drafts)

    def _told_besides(
        self, spoken: Language, scene: Scene, judge: Weighing, number: int, drafts: Sequence[Draft]
    ) -> Iterator[Draft]:
        """Yield what a sentence plainly tells besides what rules have kept of it; the whole, if that is but names."""
        left = list(left_over(spoken.clauses(scene.clause.text, scene.clause.start), drafts))
        if name_roles(drafts) or (left and all(draft.kind.type == "entities" for draft in drafts)):
            yield from self._told_plainly(spoken, scene, judge, number)
            return
        for clause in left:
            if teaches_alone(clause):
                yield from self._told_plainly(spoken, replace(scene, clause=clause), judge, number)

    def _told_plainly(self, spoken: Language, scene: Scene, judge: Weighing, number: int) -> Iterator[Draft]:
        """Yield what a passage tells plainly of sentence `number`, which surely teaches something."""
        found = spoken.told_plainly(scene)
        item_type = "knowledge" if found is None else found.type or "knowledge"
        skip = next(_skips(spoken, scene, judge, number), None)
        if found is not None and skip is None and judge.may_guess(item_type):
            clause, rule = scene.clause, _JUDGED[item_type]
            hit = Hit(rule, clause, clause.start, clause.start + len(clause.text), replace(found, weak=True))
            yield replace(self._draft(hit, scene.message), reason="tells something plainly")

    def _revision(
        self, spoken: Language, scene: Scene, judge: Weighing, number: int, drafts: Sequence[Draft]
    ) -> Revision | None:
        if min(self._worth.doubt, self._worth.revise) >= 1 or not judge.teaches(number):
            return None
        told = {name for draft in drafts for name in names_of(draft)}
        passage = judge.passage(number)
        surely = bool(told) and not says_change(passage.text)
        least = max(self._worth.revise, _BESIDE_A_RULE) if surely else min(self._worth.doubt, self._worth.revise)
        revision = revised(passage, self._teller.own, least, told, scene.said)
        if revision is None or next(_skips(spoken, scene, judge, number), None) is not None:
            return None
        if revision.claim.item.type == "profile" and drafts and all(map(_is_of_how_to_work, drafts)):
            return None
        instead = spoken.proposals[revision.claim.item.type](scene)
        return None if instead is not None and is_another_side(revision, instead) else revision

    def _revised(self, spoken: Language, scene: Scene, revision: Revision, *, stated: bool) -> Iterator[Draft]:
        """Yield what a revision makes of what is known. stated: whether a rule has read what holds instead."""
        item_type = revision.claim.item.type
        if item_type in _OPEN and is_attained(scene.clause.text):
            yield from self._attained(revision, scene)
            return
        surely = is_sure(revision, self._worth.revise)
        instead = None if stated else spoken.proposals[item_type](scene)
        why = f"{'no longer so, it seems' if surely else 'perhaps no longer so'} (p {revision.likely:.2f})"
        clause = scene.clause
        for found in revising(revision, instead) if surely else doubting(revision, instead):
            hit = Hit(_REVISES, clause, clause.start, clause.start + len(clause.text), found)
            yield replace(self._draft(hit, scene.message), reason=why)

    def _attained(self, revision: Revision, scene: Scene) -> Iterator[Draft]:
        """Yield the end of the task or goal that a sentence says to be done, or the doubt that it still stands."""
        ended = attained(revision.claim, scene.clause.text)
        why = f"{'done by now' if ended else 'perhaps no longer so'} (p {revision.likely:.2f})"
        clause = scene.clause
        for found in [ended] if ended else doubting(revision, None):
            hit = Hit(_REVISES, clause, clause.start, clause.start + len(clause.text), found)
            yield replace(self._draft(hit, scene.message), reason=why)

    def _meets(self, draft: Draft) -> bool:
        """Return whether a draft has the key of an item that is there, or of a fact of the profile."""
        if draft.kind.type != "profile":
            name = draft.key.rpartition(":")[2]  # whatever the project, which no sentence names
            return any(item.key.rpartition(":")[2] == name for item in self._known.active(draft.kind.type))
        keys = {name for _, name in names_of(draft)}
        return not keys.isdisjoint(k for k, _ in known_facts(self._known))

    def _draft(self, hit: Hit, words: str) -> Draft:
        weak = hit.found.weak
        draft = Draft(
            path=self._path,
            kind=KINDS[hit.type],
            given=restored(hit.found.given, words, self._text, hit.clause.start),
            confidence=self._confidence.inferred if weak else self._confidence.user_asserted,
            source=ITEM_SOURCE_INFERENCE if weak else ITEM_SOURCE_USER,
            reason="may be meant" if weak else "said by the user",
            rule=hit.rule.name,
            message_id=self._message.message_id,
            span=(hit.start, hit.stop),
            denies=hit.found.denies,
            doubts=hit.found.doubts,
            valid_from_us=self._beginning_us(hit.found.valid_from),
            valid_to_us=self._beginning_us(hit.found.valid_to),
            priority=_ALWAYS
            if hit.rule.vital and hit.rule.type and hit.type == "knowledge"
            else _priority(hit.type, hit.found.given),
        )
        return self._teller.told(draft)

    def _beginning_us(self, day: date | None) -> int | None:
        return None if day is None else midnight_us(day, self._zone)

    def _entity(self, start: int, stop: int, value: dict[str, Any]) -> Draft:
        return Draft(
            path=self._path,
            kind=KINDS["entities"],
            given=value,
            confidence=self._confidence.user_asserted,
            source=ITEM_SOURCE_USER,
            reason="named by the user",
            rule="entity_structural",
            message_id=self._message.message_id,
            span=(start, stop),
        )

    def _skipped_mask(self, covered: list[Mask]) -> Skip | None:
        for mask in covered:
            passage = self._text[mask.start : mask.stop]
            if any(self._says_something(passage[start:stop]) for start, stop in sentences(passage)):
                return Skip(self._path, (mask.start, mask.stop), mask.name, mask.reason)
        return None

    def _says_something(self, sentence: str) -> bool:
        sentence = sentence.strip(_MARKS)
        spoken = language_of(sentence)
        scenes = (Scene(clause, self._said, self._known, sentence) for clause in spoken.clauses(sentence, 0))
        return any(True for scene in scenes for _ in hits(spoken, scene))


def _is_of_how_to_work(draft: Draft) -> bool:
    """Return whether a draft tells how to code or with what: that makes nothing untrue of who the user is."""
    return draft.kind.type == "preferences" and draft.given.get("scope") in {"coding", "tools"}


def _stands_open(item_type: str, found: Found) -> bool:
    return item_type in _OPEN and found.given.get("status", "todo") == "todo"


def _priority(item_type: str, given: dict[str, Any]) -> int | None:
    """Return another priority than the type's: what one likes in general is recalled when asked, not put in always.

    How to write, code, use tools and show things is always needed, and what one must not be given.
    """
    if item_type != "preferences" or given.get("scope", "other") != "other":
        return None
    name, value = str(given.get("name", "")), str(given.get("value", ""))
    always = name.startswith(_OF_ANSWERS) or is_standing_rule(value) or is_vital(name, value)
    return None if always else _ON_DEMAND
