"""From messages to items: what a commit makes of what extraction reads, and what it answers about the rest."""

from __future__ import annotations

from collections import Counter

from smartbrain.v1.brain_service_pb2 import CommitTurnResponse, RetentionVerdict
from smartbrain.v1.event_pb2 import Entity, Message, Preference, ToolCall, Turn
from smartbrain.v1.item_pb2 import ITEM_SOURCE_USER, ITEM_STATUS_ACTIVE, ITEM_STATUS_RETRACTED, ItemSource

from brain_core import Brain, load_policy
from brain_core.commit.held import HeldItems
from brain_core.commit.known import StoreAndLedger
from brain_core.commit.ledger import Ledger, Origin
from brain_core.commit.resolve import Resolving, resolve
from brain_core.kinds.draft import Draft
from brain_core.kinds.registry import KINDS
from brain_core.store import items
from tests.building import compose, say, second, turn
from tests.commit.drafting import decisions, item_at, value_at


def tell(brain: Brain, *texts: str, day: float = 0) -> CommitTurnResponse:
    return brain.commit_turn(say("m", "s", *texts, at=day * 86_400))


def test_an_item_says_where_it_was_read(brain: Brain) -> None:
    text = "By the way, I live in Lisbon."
    answer = tell(brain, "Good morning!", "Hello.", text, day=-3)
    item = item_at(brain, "profile", "profile:user")
    assert (item.source_turn_id, item.source_message_id) == (answer.turn_id, answer.message_ids[2])
    assert (item.source, item.confidence, item.said_at) == (ITEM_SOURCE_USER, 0.8, second(-3 * 86_400))
    read = text[item.source_span.start : item.source_span.end]
    assert "live in Lisbon" in read
    [verdict] = [one for one in answer.explain.retention if one.verdict == "written"]
    assert (verdict.path, verdict.type, verdict.key) == ("messages[2]", "profile", "profile:user")
    assert verdict.rule
    assert (verdict.span.start, verdict.span.end) == (item.source_span.start, item.source_span.end)


def test_there_is_one_verdict_for_a_message_that_says_nothing(brain: Brain) -> None:
    answer = tell(
        brain,
        "Hello there! Would you rather live in Rome? What if I moved to Oslo? Do you like tea?",
        "I think you prefer coffee, and you live in Rome.",
        "哈哈，今天好累啊。你喜欢喝茶吗？",
    )
    assert Counter(one.path for one in answer.explain.retention) == {f"messages[{n}]": 1 for n in range(3)}
    assert {one.verdict for one in answer.explain.retention} == {"event_only"}
    assert all(one.rule and one.reason for one in answer.explain.retention)
    assert list(items.scan_items(brain._kv, "m")) == []


def test_a_passage_that_is_passed_over_says_why_and_where(brain: Brain) -> None:
    text = "If I lived in Lisbon I would surf."
    answer = tell(brain, text)
    [verdict] = answer.explain.retention
    assert verdict.verdict == "event_only"
    if verdict.HasField("span"):
        assert verdict.rule not in {"", "never"}
        assert "live" in text[verdict.span.start : verdict.span.end]


def test_the_callers_entries_come_before_what_is_read_and_stand(brain: Brain) -> None:
    answer = brain.commit_turn(
        turn(
            "m",
            "s",
            messages=[Message(role="user", content="Please always answer in German.")],
            preferences=[Preference(scope="writing", name="language", value="French", confirmed=True)],
        )
    )
    assert [one.path for one in answer.explain.retention] == ["preferences[0]", "messages[0]"]
    assert value_at(brain, "preferences", "pref:writing:language")["value"] == "French"


def test_a_denied_fact_is_gone_and_a_new_one_takes_its_place(brain: Brain) -> None:
    tell(brain, "I work at Globex.")
    tell(brain, "My name is Ann.", day=1)
    answer = tell(brain, "I no longer work at Globex.", day=2)
    assert decisions(answer) == [("retraction", "retracted")]
    value = value_at(brain, "profile", "profile:user")
    assert [fact["k"] for fact in value["facts"]] == ["name"]
    assert item_at(brain, "profile", "profile:user").status == ITEM_STATUS_ACTIVE
    blocks = "\n".join(block.text for block in compose(brain, "m", "new", "Who am I?").system_blocks)
    assert "Globex" not in blocks
    assert "Ann" in blocks
    tell(brain, "I now work at Acme.", day=3)
    assert "Acme" in item_at(brain, "profile", "profile:user").text
    assert item_at(brain, "profile", "profile:user").version == 4


def test_the_last_fact_that_is_denied_takes_the_profile_along(brain: Brain) -> None:
    tell(brain, "I work at Globex.")
    tell(brain, "I no longer work at Globex.", day=1)
    assert item_at(brain, "profile", "profile:user").status == ITEM_STATUS_RETRACTED
    assert value_at(brain, "profile", "profile:user")["denied"]


def said(value: str, name: str, *, denies: bool = False, source: ItemSource.ValueType = ITEM_SOURCE_USER) -> Draft:
    """Return a draft as extraction makes them, of the first message."""
    given = {"scope": "other", "name": name, "value": value}
    return Draft("messages[0]", KINDS["preferences"], given, 0.8, source, "said by the user", "r", "x", (0, 5), denies)


def test_what_is_said_instead_supersedes_what_was_denied(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[Preference(name="coffee", value="black", confirmed=True)]))
    request = say("m", "s", "No more coffee. I take my tea green.", at=60)
    stored = Turn(turn_id="t2", session_id="s", revision=2, committed_at=second(60), events=request.turn)
    ledger, policy = Ledger(), load_policy().policies.retention
    known = StoreAndLedger(brain._kv, "m", ledger, HeldItems("m"))
    at = Resolving(ledger, known, Origin("m", stored, lambda: "new"), policy)
    resolve(at, said("white", "coffee", denies=True), RetentionVerdict(path="messages[0]"))
    assert [one.decision for one in ledger.conflicts] == ["not_found"], "that is not what was believed"
    [verdict] = ledger.verdicts
    assert (verdict.verdict, verdict.reason) == ("event_only", "another value holds under this key")
    resolve(at, said("black", "coffee", denies=True), RetentionVerdict(path="messages[0]"))
    resolve(at, said("green", "tea"), RetentionVerdict(path="messages[0]"))
    coffee, tea = ledger.written.values()
    assert (coffee.status, tea.status) == (ITEM_STATUS_RETRACTED, ITEM_STATUS_ACTIVE)
    assert [(link.relation, link.item_id) for link in tea.links] == [("supersedes", coffee.id)]


def test_what_is_said_last_in_a_turn_stands(brain: Brain) -> None:
    """What was read in one message is no word of the caller's, beside which nothing else may be read."""
    said_ = ["Please always answer in German.", "Sorry, please always answer in French."]
    answer = brain.commit_turn(turn("m", "s", messages=[Message(role="user", content=text) for text in said_]))
    assert "French" in value_at(brain, "preferences", "pref:writing:language")["value"]
    assert [one.verdict for one in answer.explain.retention] == ["written", "written"]


def test_the_same_said_again_and_echoed_is_not_learned_again(brain: Brain) -> None:
    tell(brain, "I live in Lisbon.")
    tell(brain, "So, as you know, you live in Lisbon.", "You live in Lisbon!", day=1)
    tell(brain, "I live in lisbon!", day=2)
    assert item_at(brain, "profile", "profile:user").version == 1
    assert item_at(brain, "profile", "profile:user").said_at == second(2 * 86_400)


def test_turns_committed_out_of_order_end_with_what_was_said_last(brain: Brain) -> None:
    tell(brain, "Please always answer in German.", day=5)
    answer = tell(brain, "Please always answer in French.", day=2)
    assert decisions(answer) == [("validity", "kept")]
    assert "German" in value_at(brain, "preferences", "pref:writing:language")["value"]


def test_entities_of_other_sorts_do_not_hide_each_other(brain: Brain) -> None:
    ann = Entity(kind="person", canonical="Ann Lee", aliases=["Annie"], remember=True)
    files = [Entity(kind="file", canonical=f"/srv/{number:04d}.txt") for number in range(900)]
    brain.commit_turn(turn("m", "s", entities=[ann, *files]))
    answer = brain.commit_turn(turn("m", "s", entities=[Entity(kind="person", canonical="Annie", remember=True)]))
    assert [one.key for one in answer.items] == ["entity:person:Ann_Lee"]


def test_tool_calls_that_name_files_are_entities_of_tools(brain: Brain) -> None:
    call = ToolCall(name="edit", result="ok")
    call.args.update({"path": "src/brain/main.py"})
    answer = brain.commit_turn(turn("m", "s", tool_calls=[call]))
    [item] = items.scan_items(brain._kv, "m")
    assert (item.type, value_at(brain, item.type, item.key)["canonical"]) == ("entities", "src/brain/main.py")
    assert item.confidence >= 0.9
    assert [one.verdict for one in answer.explain.retention] == ["written"]
