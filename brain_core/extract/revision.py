"""Whether a sentence tells that something known is no longer so, and what: for those that no rule of corrections reads.

"got a Pixel 9, that's my phone now" names nothing of "I use an iPhone 12" but what it is about. A linear judge of
pairs, fitted on written ones (`benchmarks/quality/train_revision.py`), weighs the words of the sentence and what both
have in common (`alike.py`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from math import exp
from pathlib import Path

from brain_core.extract.alike import Sentence, leaves_all, marks, says_change
from brain_core.extract.applies import applied_to, subject_in
from brain_core.extract.claims import Claim, ClaimTable, Rows
from brain_core.extract.known import Known, denial, names_another, value_of, words_of
from brain_core.extract.language import Found
from brain_core.extract.scopes import scope_in
from brain_core.extract.worth import TYPES, Passage
from brain_core.kinds.draft import Draft
from brain_core.models.static import built_in
from brain_core.text.expression import Expression
from brain_core.text.linear import Linear, read_linear

LABELS = ("revises", "ends")
"""revises: the claim is no longer so. ends: of one that is not, whether nothing takes its place."""

WEIGHTS = Path(__file__).parent / "revision-linear" / "model.safetensors"

_LOOKED_AT = 8
"""Claims most like a sentence that are weighed against it."""

_SURER = 0.9
"""Likelihood below which what is told of anybody or anything is not ended: sentences are alike there for little."""

_NOT_YET = Expression(
    r"\b(?:not|nothing)\b[^.!?]*\byet\b|\b(?:have|has|had|did)n['’]t\b|"
    r"\bstill (?:not|have|has|need|needs|got|to|on|working|waiting|open|due)\b|"
    r"没(?:有)?(?!了|必要|意义|用)|未(?!来)|还[剩差欠在得要]",
    re.IGNORECASE,
)
"""What says of a task or a goal that it is still to be done."""

_PARTED = Expression(
    r"\b(?:died|dead|dies|death|passed|gone|lost|put down|put to sleep|rehom\w+|g[ai]v\w+|divorc\w+|br(?:oke|eak\w*)|"
    r"split|separat\w+|ex|ended|left|dumped|sold|adopted|renam\w+|changed? (?:his|her|its|their) name|married)\b|"
    r"走了|去世|过世|没了|死|丢|送|离婚|分[手开]|散了|前[妻夫任]|改名|安乐|领养",
    re.IGNORECASE,
)
"""What becomes of somebody that makes his name no longer worth knowing, or another."""

_NO_MORE = Expression(
    r"^(?:[^,，我咱]*[,，])?[^,，我咱]*不[^,，。!！?？]{1,8}了[。!！~\s]*$|"
    r"^(?:我们?|咱们?)(?=[爸妈哥姐弟妹家老女儿同室])[^,，]*不[^,，。!！?？]{1,8}了|"
    r"(?:今[天晚早]|明[天晚早]|这[周次回])[^,，]*不[^,，。!！?？]{1,8}了|"
    r"不(?:换|改|搬|动|卖|走|离职|辞职|跳槽|折腾)[^,，。!！?？]{0,8}了[。!！~\s]*$|"
    r"^[^我咱,，]*(?:出|发布|上市|开售|预售|[降涨]价|打折|停产|下架)了[。!！~\s]*$"
)
"""Denies in Chinese what something or somebody else does, what one does today, or a change; or is news of a product.

Rules end what a denial names.
"""

_HAPPENED = Expression(r"[一-鿿]了(?!$|[。,，!！])|感到|觉得")
"""Tells in Chinese of something that happened, which stays so whatever happens next."""

_FOR_NOW = Expression(
    r"(?:(?:please|pls|just|can you|could you|let['’]?s|ok|so|and|then)[, ]+)*(?:use|take|try|replace|swap|substitute|"
    r"make|cook|bake|add|put|get|buy|order|give|leave out|skip|go with|suggest|recommend|find|mix|serve)\b|"
    r"(?:请|帮我|麻烦|那|就|咱们|我们)*(?:用|把|换|改用|放|加|做|买|点|别放|不要放|别加)",
    re.IGNORECASE,
)
"""An order for what is cooked, bought or written now."""

_WORD_OF_CHANGE = Expression(
    r"\b(?:instead|rather than|not \w+ (?:but|any ?more)|no longer|any ?more|never ?mind|scrap|cancel\w*|call(?:ed)? off|"
    r"(?:no|without any) need|(?:don['’]?t|do not|needn['’]?t|not) (?:need|have)|forget (?:about )?(?!to\b)|wrong|mistake|"
    r"correction|actually|turns out|replaces|supersedes|on hold)\b|"
    r"[改换](?:成|为|到|期|在|了|做)|而不是|不是|不(?:用|必|需要?|要|想|打算|再)[^,，。!！?？]{0,12}了|取消|作废|算了|"
    r"代替|替代|先放|搁置|[错误]了|更正|纠正|其实",
    re.IGNORECASE,
)
"""Says in words that something else is no longer to be done, or was not as it was told."""

_NAMED = {"preferences": "name", "decisions": "topic"}
"""Types whose key has a part that may be a name of its own, such as "editor"."""


@dataclass(frozen=True, slots=True)
class Revision:
    """What a sentence makes of a claim. ends: whether nothing takes its place. likely: 0..1."""

    claim: Claim
    ends: bool
    likely: float


def names_of(draft: Draft) -> Iterator[tuple[str, str]]:
    """Yield the names of the claims that a draft makes."""
    if draft.kind.type == "profile":
        yield from (("profile", str(fact["k"])) for fact in draft.given.get("facts", ()))
    else:
        yield draft.kind.type, draft.key


def weighed(passage: Passage, held: ClaimTable, rows: Rows) -> Iterator[tuple[Claim, list[str]]]:
    """Yield those claims that are most like a sentence, with the names of all that the judge sees beside its words."""
    if leaves_all(passage.text):
        return
    sentence = Sentence(passage.text)
    for claim, cosine, own in held.nearest(passage.text, rows, _LOOKED_AT):
        yield claim, _names(passage, sentence, claim, cosine, own)


def _names(passage: Passage, sentence: Sentence, claim: Claim, cosine: float, own: int) -> list[str]:
    return [*passage.named, f"of {claim.item.type}", *sentence.beside(claim.text, cosine, own)]


def revised(
    passage: Passage, known: Known, least: float, told: Collection[tuple[str, str]] = (), said: date = date.min
) -> Revision | None:
    """Return what a sentence most likely revises of what the memory holds, None if that is less likely than `least`.

    told: names of claims that the sentence itself has made. said: the day on which it was.
    """
    text = passage.text
    if leaves_all(text) or _NO_MORE.search(text):
        return None
    held, rows = known.claims.of(known)
    sentence = Sentence(text)
    near = held.nearest(text, held.not_named(rows, told), _LOOKED_AT)
    beside = _beside({item_type for item_type, _ in told}, text)
    near = [each for each in near if each[0].item.type not in beside and not _stays(each[0], sentence, said)]
    if not near:
        return None
    judge = _judge()
    of_text = judge.scores([(text, ())], built_in().embed([text]))[0]
    scores = of_text + judge.named_each([_names(passage, sentence, *each) for each in near])
    best = int(scores[:, 0].argmax())
    revises, ends = scores[best].tolist()
    likely = 1 / (1 + exp(-revises))
    return Revision(near[best][0], ends > 0, likely) if likely >= least else None


def _beside(told: Collection[str], text: str) -> frozenset[str]:
    """Return the types of which a sentence that tells something of some types leaves all as it is.

    A task that is told is only to be done: it changes nothing yet, and stands beside all others, as does what happened.
    Unless the sentence says in words that something else is not.
    """
    instead = says_instead(text)
    if told and set(told) <= {"tasks"}:
        return _BESIDE_TASKS if instead else _ALL
    changes = instead or says_change(text)
    return frozenset(each for each in told if each in _MANY and not (instead if each == "tasks" else changes))


_ALL = frozenset(TYPES)
_BESIDE_TASKS = _ALL - {"tasks"}
_MANY = frozenset({"tasks", "events"})
"""Types of which each sentence may tell another."""


def says_instead(text: str) -> bool:
    """Return whether a sentence says in words that something else is no longer so, or no longer to be done."""
    return _WORD_OF_CHANGE.search(text) is not None


def _stays(claim: Claim, sentence: Sentence, said: date) -> bool:
    """Return whether a sentence leaves a claim as it is, however like one that ends it the judge finds it.

    A task that is not done yet stays, that is about somebody else, or of another number; so does what happened, and the
    home or job that is named without a word of change ("Berlin is so grey"). What is vital stays unless the sentence
    names it beside a word of change, and is no order for now: "use almonds instead of peanuts".
    """
    text, item_type = sentence.text, claim.item.type
    if item_type == "events" and _is_past(claim, said) and not sentence.changes and not says_instead(text):
        return True
    if _is_of_another_thing(claim, text):
        return True
    if _said_again(claim, sentence) or (item_type == "knowledge" and _HAPPENED.search(claim.text)):
        return True
    if item_type in {"goals", "tasks"} and _NOT_YET.search(text):
        return True
    if item_type == "tasks":
        return sentence.is_of_others_than(claim.text) or names_another(text, claim.text)
    if item_type == "preferences" and _applies_elsewhere(sentence, claim.text):
        return True
    if marks(claim.text).side == "name" and marks(text).side != "name":
        return _PARTED.search(text) is None
    return claim.is_vital and _leaves_what_is_vital(sentence, claim)


def _is_past(claim: Claim, said: date) -> bool:
    day = str(value_of(claim.item).get("date", ""))
    return bool(day) and day < said.isoformat()


def _is_of_another_thing(claim: Claim, text: str) -> bool:
    """Return whether both are of a thing, or for a service, of a name, and neither speaks of the other's."""
    value = value_of(claim.item)
    told = claim.text.removeprefix(str(value.get("name") or value.get("topic") or "")).lstrip()
    for of in (subject_in, scope_in):
        now, then = of(text), of(told)
        if now and then and now not in told.lower() and then not in text.lower():
            return True
    return False


def _applies_elsewhere(sentence: Sentence, claim: str) -> bool:
    """Return whether a sentence is of a sort of things of which a rule is not: comments, and it is for mails, or all."""
    now, then = applied_to(sentence.text), applied_to(claim)
    return bool(now) and now != then and (bool(then) or not sentence.changes)


def _leaves_what_is_vital(sentence: Sentence, claim: Claim) -> bool:
    if _FOR_NOW.match(sentence.text) or not sentence.changes:
        return True
    return all(len(word) == 1 for word in sentence.words & words_of(claim.text))


_PLACES = frozenset({"home", "employer", "role"})
"""Facts of where the user lives or works, or as what."""


def _said_again(claim: Claim, sentence: Sentence) -> bool:
    """Return whether a sentence has all that is held of where the user lives or works, or as what, and no change."""
    fact = claim.fact
    if fact is None or fact["k"] not in _PLACES or sentence.changes or _PARTED.search(sentence.text):
        return False
    return words_of(str(fact["v"])) <= sentence.words


def is_sure(revision: Revision, least: float) -> bool:
    """Return whether a revision may end its claim: what is vital is only doubted."""
    enough = max(least, _SURER) if revision.claim.item.type == "knowledge" else least
    return revision.likely >= enough and not revision.claim.is_vital


def is_another_side(revision: Revision, instead: Found) -> bool:
    """Return whether a rule has another side of a thing than what a sentence says: the length of commit messages."""
    value = value_of(revision.claim.item)
    if revision.claim.item.type != "preferences" or value.get("scope") not in _OF_WORK:
        return False
    said, held = f"{instead.given['name']}_", f"{value['name']}_"
    return said != held and (said.startswith(held) or held.startswith(said))


_OF_WORK = ("coding", "writing")


def revising(revision: Revision, instead: Found | None) -> Iterator[Found]:
    """Yield what a revision makes of its claim. instead: what the sentence says, as of the claim's type.

    What it says takes the key of the claim where that is a name, and a key of its own where the claim's is made of the
    old value's words.
    """
    claim, new = revision.claim, None if revision.ends else instead
    kept = new and _under_its_key(claim, new)
    if kept:
        yield kept
        return
    yield _denied(claim)
    if new is not None:
        yield replace(new, type=claim.item.type)


def doubting(revision: Revision, instead: Found | None) -> Iterator[Found]:
    """Yield the doubt that a revision casts on its claim, and what the sentence says, as of the claim's type."""
    yield replace(_denied(revision.claim), doubts=True, weak=True)
    if instead is not None and not revision.ends:
        yield replace(instead, type=revision.claim.item.type, weak=True)


def _denied(claim: Claim) -> Found:
    if claim.fact is None:
        return Found(denial(claim.item), type=claim.item.type, denies=True)
    return Found({"subject": "user", "facts": [{"k": claim.fact["k"]}]}, type="profile", denies=True)


def _under_its_key(claim: Claim, new: Found) -> Found | None:
    """Return what is said under the claim's key, None where that is made of the old value's words."""
    if claim.fact is not None:
        if _made_of(str(claim.fact["k"]), str(claim.fact["v"])):
            return None
        fact = {**new.given["facts"][0], "k": claim.fact["k"]}
        return replace(new, given={**new.given, "facts": [fact]}, type="profile")
    part = _NAMED.get(claim.item.type)
    name = str(value_of(claim.item).get(part, "")) if part else ""
    if part is None or _made_of(name, claim.text.removeprefix(name)):
        return None
    return replace(new, given={**new.given, part: name}, type=claim.item.type)


def _made_of(key: str, text: str) -> bool:
    return not words_of(key.replace("_", " ")).isdisjoint(words_of(text))


@lru_cache(maxsize=1)
def _judge() -> Linear:
    return read_linear(WEIGHTS)
