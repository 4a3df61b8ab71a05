"""What a package carries as evidence, grown by the kernel and grown by its twin."""

from __future__ import annotations

import pytest
from google.protobuf.json_format import MessageToDict
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core import Brain
from brain_core.kernels import passages as kernel
from brain_core.kernels import reference
from tests.building import compose, plan, say

_LIMITS = [64, 128, 256, 400, 600, 1024, 2048, 8192]


@pytest.fixture
def herd(brain: Brain) -> Brain:
    """Give a memory of sessions in which a zebra comes up now and then, lines short and long."""
    for session in range(4):
        for number in range(12):
            asked = f"Question {number} of day {session}: where is zebra {number % 5}? " * (1 + number % 3)
            told = "It sleeps. " * (1 + 40 * (number % 4 == 3))
            brain.commit_turn(say("m", f"day{session}", asked, told, f"So be it, {number}.", "As you say."))
    brain.commit_turn(say("m", "day3", "All that zebra 2 did, which recent_turns has no room for. " * 300, "Noted."))
    return brain


def grown(package: ContextPackage) -> dict[str, object]:
    """Return what a package says of its evidence, without what names the call."""
    known = MessageToDict(package)
    for piece in known.get("evidence", []):
        del piece["provenance"]
    return {
        "evidence": known.get("evidence"),
        "dropped": known["debug"].get("dropped"),
        "why": known["debug"].get("whySelected"),
        "constraints": known["constraints"],
    }


def plans() -> list[RetrievalPlan | None]:
    cut, titles, few = (plan("where is zebra 3?") for _ in range(3))
    cut.output.max_snippet_chars = 100
    titles.output.snippet_policy = "l0"
    few.budget.top_k = 3
    return [None, cut, titles, few]


def test_evidence_is_the_same_as_by_the_twin(herd: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    def packages() -> list[ContextPackage]:
        return [
            compose(herd, "m", session, "where does zebra 2 sleep?", token_limit=limit, plan=asked)
            for session in ("day3", "elsewhere")
            for limit in _LIMITS
            for asked in plans()
        ]

    by_kernel = packages()
    monkeypatch.setattr(kernel, "Passages", reference.passages.Passages)
    by_twin = packages()
    assert [grown(one) for one in by_kernel] == [grown(one) for one in by_twin]
    pieces = [piece for package in by_kernel for piece in package.evidence]
    assert {piece.group for piece in pieces} == {"top", "long_tail"}
    assert {min(len(piece.merged), 4) for piece in pieces} == {0, 2, 3, 4}
    said = " ".join(one.detail for package in by_kernel for one in package.debug.dropped)
    assert "tokens do not fit" in said
    assert "pieces of evidence" in said


def test_a_cut_text_costs_what_is_shown_of_it_whatever_length_was_asked_for_before(brain: Brain) -> None:
    brain.commit_turn(say("m", "manual", "The zebra house: " + "feed at dawn, sweep the yard, count the herd. " * 16))

    def cost(longest: int) -> int:
        asked = plan("the zebra house")
        asked.output.max_snippet_chars = longest
        package = compose(brain, "m", "new", "the zebra house", plan=asked)
        [shown] = [piece.snippet for piece in package.evidence]
        assert len(shown) == 752 if longest > 752 else len(shown) <= longest
        assert shown.endswith("…") == (longest < 752)
        return package.constraints.token_budget.slots["evidence"]

    in_turn = [cost(longest) for longest in (60, 400, 2000, 400, 60)]
    assert in_turn[0] < in_turn[1] < in_turn[2]
    assert in_turn[3:] == [in_turn[1], in_turn[0]]
