"""Whether a sentence tells that something known is no longer so, and what: for those that no rule of corrections reads.

"got a Pixel 9, that's my phone now" names nothing of "I use an iPhone 12" but what it is about. A linear judge of
pairs, fitted on written ones (`benchmarks/quality/train_revision.py`), weighs the words of the sentence and what both
have in common (`alike.py`).

From `worth.doubt` on the likeliest claim is doubted: its text says since when it perhaps no longer holds, it is no
surer than a guess and no longer pinned, and what the sentence says stands beside it. The doubt is over when the user
says the claim again. From `worth.revise` on the claim ends: its key gets the new value where the key is a name
("editor"); else the claim is denied and the new value stands under a key of its own. The old version stays in the
history, and the verdict names the rule `revision`. What is vital is only ever doubted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from math import exp
from pathlib import Path

from brain_core.extract.alike import Sentence, leaves_all, vector
from brain_core.extract.claims import Claim, ClaimTable, Rows
from brain_core.extract.known import Known, denial, value_of, words_of
from brain_core.extract.language import Found
from brain_core.extract.stays import stays, told_beside
from brain_core.extract.worth import Passage
from brain_core.kinds.draft import Draft
from brain_core.text.expression import Expression
from brain_core.text.linear import Linear, read_linear

LABELS = ("revises", "ends")
"""revises: the claim is no longer so. ends: of one that is not, whether nothing takes its place."""

WEIGHTS = Path(__file__).parent / "revision-linear" / "model.safetensors"

_LOOKED_AT = 8
"""Claims most like a sentence that are weighed against it."""

_SURER = 0.9
"""Likelihood below which what is told of anybody or anything is not ended: sentences are alike there for little."""

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
    beside = told_beside({item_type for item_type, _ in told}, text)
    near = [each for each in near if each[0].item.type not in beside and not stays(each[0], sentence, said)]
    if not near:
        return None
    judge = judge_of_pairs()
    of_text = judge.scores([(text, ())], vector(text)[None])[0]
    scores = of_text + judge.named_each([_names(passage, sentence, *each) for each in near])
    best = int(scores[:, 0].argmax())
    revises, ends = scores[best].tolist()
    likely = 1 / (1 + exp(-revises))
    return Revision(near[best][0], ends > 0, likely) if likely >= least else None


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
        yield _as_of(claim, new)


def doubting(revision: Revision, instead: Found | None) -> Iterator[Found]:
    """Yield the doubt that a revision casts on its claim, and what the sentence says, as of the claim's type."""
    yield replace(_denied(revision.claim), doubts=True, weak=True)
    if instead is not None and not revision.ends:
        yield replace(_as_of(revision.claim, instead), weak=True)


def _as_of(claim: Claim, said: Found) -> Found:
    """Return what a sentence says, of the claim's type unless it is of one of its own: an event without a day."""
    return said if said.type else replace(said, type=claim.item.type)


def _denied(claim: Claim) -> Found:
    if claim.fact is None:
        return Found(denial(claim.item), type=claim.item.type, denies=True)
    return Found({"subject": "user", "facts": [{"k": claim.fact["k"]}]}, type="profile", denies=True)


def _under_its_key(claim: Claim, new: Found) -> Found | None:
    """Return what is said under the claim's key, None where that is made of the old value, or it is of another type."""
    if new.type and new.type != claim.item.type:
        return None
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
def judge_of_pairs() -> Linear:
    """Return the fitted judge of pairs, loaded once."""
    return read_linear(WEIGHTS)
