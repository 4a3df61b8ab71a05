"""The judge: what it keeps of what rules read, what it proposes where none reads, and that it says why."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest
from smartbrain.v1.event_pb2 import Decision, Message, TurnEvents
from smartbrain.v1.item_pb2 import ITEM_SOURCE_INFERENCE, MemoryItem

from benchmarks.quality.worth.labels import CHATS, LABELS
from brain_core import Brain, load_policy
from brain_core.extract.chinese import CHINESE
from brain_core.extract.english import ENGLISH
from brain_core.extract.language import Clause, Scene
from brain_core.extract.worth import LABELS as JUDGED_LABELS
from brain_core.extract.worth import TYPES, WEIGHTS, judge, likely, passages
from brain_core.extract.worth import judged as scored
from brain_core.kinds.draft import Draft, Skip
from brain_core.models.static import built_in
from brain_core.policy import WorthPolicy
from tests.extraction.reading import CONFIDENCE, JUDGED, RULES_ALONE, SAID, Held, drafts, item, read, skips

NOT_WORTH = "Let's go with the first draft of this sentence."
PROPOSED = [
    ("Deliveries for us go to the side door on Mill Lane.", "knowledge"),
    ("Ward round starts at eight sharp on our floor.", "knowledge"),
    ("仓库钥匙在收银台后面挂着。", "knowledge"),
    ("房子我们不买了，改租。", "decisions"),
]
IDLE = [
    "Good morning!",
    "Could you make that a bit shorter?",
    "What a day.",
    "早上好呀！",
    "能再短点吗？",
    "堵得要命。",
]


def rules_and(**thresholds: float) -> WorthPolicy:
    """Return a policy by which the judge does no more than is named."""
    return RULES_ALONE.model_copy(update=thresholds)


def judged(text: str, worth: WorthPolicy = JUDGED) -> list[Draft | Skip]:
    return read(text, worth=worth)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I called Hartmann, he comes on Thursday at nine.", "2026-03-19"),
        ("On Thursday, Hartmann came and fixed the boiler.", "2026-03-12"),
    ],
)
def test_a_day_to_come_is_not_taken_for_one_that_is_over(text: str, day: str) -> None:
    found = ENGLISH.proposals["events"](Scene(Clause(text, 0, text), SAID.date(), Held(), text))
    assert found is not None
    assert found.given["date"] == day


def test_what_is_not_worth_keeping_is_named_with_its_rule_and_likelihood() -> None:
    [rule] = [draft.rule for draft in drafts(NOT_WORTH)]
    [skip] = judged(NOT_WORTH)
    assert isinstance(skip, Skip)
    assert skip.rule == rule
    assert re.fullmatch(r"decisions: not worth keeping \(p \.\d\d\)", skip.reason)


@pytest.mark.parametrize(("text", "item_type"), PROPOSED)
def test_what_no_rule_reads_is_proposed_as_an_inference(text: str, item_type: str) -> None:
    assert drafts(text) == []
    [draft] = judged(text)
    assert isinstance(draft, Draft)
    assert (draft.kind.type, draft.rule) == (item_type, f"judged_{item_type}")
    assert (draft.source, draft.confidence) == (ITEM_SOURCE_INFERENCE, CONFIDENCE.inferred)
    assert draft.span == (0, len(text))
    assert re.fullmatch(r"reads like something to keep \(p \.\d\d\)", draft.reason)
    draft.kind.check("value", draft.given, 128)


@pytest.mark.parametrize(("text", "item_type"), PROPOSED)
def test_what_is_less_likely_of_its_type_than_the_policy_asks_is_not_proposed(text: str, item_type: str) -> None:
    guess = JUDGED.guess.model_copy(update=dict.fromkeys(TYPES, 1.0))
    assert judged(text, JUDGED.model_copy(update={"guess": guess})) == []
    of_others = guess.model_copy(update={item_type: getattr(JUDGED.guess, item_type)})
    assert len(judged(text, JUDGED.model_copy(update={"guess": of_others}))) == 1


@pytest.mark.parametrize("text", IDLE)
def test_small_talk_teaches_nothing(text: str) -> None:
    assert [each for each in judged(text) if isinstance(each, Draft)] == []


@pytest.mark.parametrize(("text", "known"), [
    ("Remember that let's use the second heading for now.", ()),
    ("记住：这次选短的那个。", ()),
    ("I no longer use Vim", (item("preferences", scope="tools", name="editor", value="Vim"),)),
    ("The report is done.", (item("tasks", task_id="write_report", title="write the report"),)),
])  # fmt: skip
def test_requests_denials_and_what_is_known_are_not_judged(text: str, known: tuple[MemoryItem, ...]) -> None:
    alone = [each.rule for each in read(text, *known) if isinstance(each, Draft)]
    strictest = rules_and(look=1.0, keep=1.0) if text.startswith(("Remember", "记住")) else None
    kept = read(text, *known, worth=strictest or rules_and(keep=1.0))
    assert alone
    assert [each.rule for each in kept if isinstance(each, Draft)] == alone


@pytest.mark.parametrize("text", [
    "I'm allergic to penicillin.",
    "Does this contain dairy? I am vegan, so tell me.",
    "I have asthma.",
    "I'm allergic to peanuts, is satay safe for me?",
    "Is satay safe, since I'm allergic to peanuts?",
    "Because I'm allergic to bees, should I carry an EpiPen?",
    "I'm allergic to shellfish so can you suggest a dinner?",
    "Since I'm pregnant, which cheeses should I avoid?",
    "As a type 1 diabetic, what should I snack on?",
    "Being a vegetarian, I need recipes without meat.",
    "我对花生过敏。",
    "我对花生过敏，沙爹能吃吗？",
    "因为我对海鲜过敏，能换一道菜吗？",
    "我有糖尿病。",
])  # fmt: skip
def test_an_allergy_a_diet_or_a_condition_is_never_passed_over(text: str) -> None:
    kept = [each.rule for each in read(text, worth=rules_and(look=1.0, keep=1.0)) if type(each) is Draft]
    assert len(kept) == 1
    assert kept[0] in {rule.name for spoken in (ENGLISH, CHINESE) for rule in spoken.rules if rule.vital}


@pytest.mark.parametrize("text", [
    "Am I allergic to peanuts?",
    "If I'm allergic to peanuts, is satay safe?",
    "Is he asking because I'm late?",
    "我是不是对花生过敏？",
])  # fmt: skip
def test_a_question_about_it_is_none(text: str) -> None:
    assert drafts(text) == []


@pytest.mark.parametrize("text", [
    "I take warfarin.", "I take warfarin, is grapefruit juice fine?", "I'm on 20 mg of citalopram.",
    "My doctor put me on statins last week.", "I've been taking insulin since school.", "no nuts please, I'm allergic",
    "Please leave out the shellfish, because I'm allergic.",
    "我在吃华法林。", "我吃华法林，能吃菠菜吗？", "医生给我开了他汀。", "我每天打胰岛素", "别放花生，我过敏",
    "不要加虾，我会过敏的。",
])  # fmt: skip
def test_a_medicine_and_what_must_be_left_out_are_never_passed_over(text: str) -> None:
    """Neither "I take warfarin" nor "no nuts please, I'm allergic" was learned."""
    for worth in (RULES_ALONE, JUDGED, rules_and(look=1.0, keep=1.0)):
        [first, *_] = [each for each in read(text, worth=worth) if isinstance(each, Draft)]
        assert first.rule in {"medicine", "allergic_so_without"}
        assert first.confidence >= load_policy().policies.composition.pinned_min_confidence


@pytest.mark.parametrize("text", [
    "Should I take ibuprofen?", "If I were on insulin, could I fly?", "I stopped taking warfarin.",
    "My mum takes statins.", "He is on antidepressants.", "I'm allergic", "No problem, thanks!",
    "我能吃布洛芬吗？", "我妈在吃华法林", "我没吃头孢", "他过敏",
])  # fmt: skip
def test_no_medicine_of_the_user_is_read_where_none_is(text: str) -> None:
    assert [each for each in drafts(text) if each.rule in {"medicine", "allergic_so_without"}] == []


@pytest.mark.parametrize(("text", "name"), [
    ("I stopped taking warfarin.", "warfarin"), ("I'm off the warfarin now.", "warfarin"),
    ("They took me off warfarin in May.", "warfarin"), ("I no longer take warfarin.", "warfarin"),
    ("华法林我停了。", "华法林"), ("医生让我停了华法林", "华法林"), ("我不吃华法林了。", "华法林"),
])  # fmt: skip
def test_a_medicine_that_is_stopped_is_denied(text: str, name: str) -> None:
    known = item("profile", subject="user", facts=[{"k": f"medicine_{name}", "v": text}, {"k": "home", "v": "Oslo"}])
    [first, *_] = [each for each in read(text, known, worth=JUDGED) if isinstance(each, Draft)]
    assert first.denies
    assert [fact["k"] for fact in first.given["facts"]] == [f"medicine_{name}"]


@pytest.mark.parametrize(
    "text", ["Should I come off warfarin?", "My GP wants me off warfarin.", "华法林能停吗？", "别停了华法林"]
)
def test_a_medicine_that_is_not_stopped_is_not_denied(text: str) -> None:
    known = item(
        "profile", subject="user", facts=[{"k": "medicine_warfarin", "v": "x"}, {"k": "medicine_华法林", "v": "x"}]
    )
    assert [each for each in read(text, known, worth=JUDGED) if isinstance(each, Draft) and each.denies] == []


def test_a_judge_that_is_sure_overrules_what_only_sounds_like_hearsay() -> None:
    text = "The vet says Milo needs tablets every morning."
    assert skips(text) == ["reported"]
    assert [each.kind.type for each in judged(text) if isinstance(each, Draft)] == ["knowledge"]
    assert judged(text, rules_and(propose=0.1)) == read(text), "none is overruled unless the policy lets it be"


@pytest.mark.parametrize(("text", "rule", "types"), [
    ("I have to be at the notary on Monday with the forms.", "event_dated", ["tasks"]),
    ("年底前我想把英语练到能开会。", "event_dated", ["goals"]),
])  # fmt: skip
def test_what_a_rule_files_where_it_hardly_fits_is_filed_by_the_judge(text: str, rule: str, types: list[str]) -> None:
    assert rule in [draft.rule for draft in drafts(text)]
    found = judged(text)
    assert [each.kind.type for each in found if isinstance(each, Draft)] == types
    [skip] = [each for each in found if isinstance(each, Skip)]
    assert re.fullmatch(rf"events: reads like {types[0]} \(p 1?\.\d\d\)", skip.reason)


@pytest.mark.parametrize("text", ["It's clear as day now.", "I can see it now.", "I'm sending it to my team now."])
def test_now_alone_puts_nothing_right_that_it_does_not_name(text: str) -> None:
    """Such a sentence took the place of whatever was learned last."""
    last = item("knowledge", kind="fact", slug="stock_room_key", content="The stock room key hangs by the till")
    assert [
        each for each in read(text, last) if isinstance(each, Draft) and (each.denies or each.key == last.key)
    ] == []


def test_the_policy_sets_how_much_is_looked_at_kept_and_proposed() -> None:
    text = PROPOSED[0][0]
    assert judged(text, rules_and(look=0.02, keep=0.6)) == []
    assert judged("I live in Oslo.", rules_and(look=1.0)) == []
    [skip] = judged("I live in Oslo.", rules_and(keep=1.0))
    assert isinstance(skip, Skip)
    assert judged("I live in Oslo.", RULES_ALONE) == read("I live in Oslo.")


def test_what_is_misfiled_in_a_long_message_is_kept_as_it_is() -> None:
    """Nothing is proposed from one: a fact under the wrong heading is better than none."""
    text = "I have to be at the notary on Monday with the forms."
    assert [each.kind.type for each in judged(text) if isinstance(each, Draft)] == ["tasks"]
    kept = judged(f"{text} {'What a day. ' * 7}", rules_and(propose=JUDGED.propose))
    assert [each.kind.type for each in kept if isinstance(each, Draft)] == ["events"]


def test_nothing_is_proposed_from_a_long_message() -> None:
    text = PROPOSED[1][0]
    assert [each.rule for each in judged(f"{text} {'What a day. ' * 6}") if isinstance(each, Draft)]
    assert judged(f"{text} {'What a day. ' * 7}") == []


def test_quoted_words_are_not_proposed() -> None:
    assert drafts("“We have moved the deliveries to the side door on Mill Lane and my brother has the key.”") == []
    found = judged("“We have moved the deliveries to the side door on Mill Lane and my brother has the key.”")
    assert [each for each in found if isinstance(each, Draft)] == []


@settings(deadline=None)  # the first call loads the judge
@given(st.text(max_size=200) | st.lists(st.sampled_from([text for text, _ in PROPOSED] + IDLE)).map(" ".join))
def test_of_what_rules_read_the_judge_only_takes_away(text: str) -> None:
    alone = [(each.rule, each.span) for each in read(text, worth=RULES_ALONE) if isinstance(each, Draft)]
    kept = [(each.rule, each.span) for each in judged(text, rules_and(keep=0.6)) if isinstance(each, Draft)]
    assert [each for each in alone if each in kept] == kept


def test_the_judge_says_the_same_in_another_process() -> None:
    texts = [text for text, _ in PROPOSED] + IDLE
    code = (
        "from brain_core.extract.worth import judged as scored, likely, passages\n"
        f"print([likely(scored(passages(one, [(0, len(one))]))) for one in {texts!r}])"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = [likely(scored(passages(one, [(0, len(one))]))) for one in texts]
    assert other.stdout.strip() == repr(here)


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 2.5e6


@pytest.mark.parametrize("text", [
    "I'm allergic to peanuts.", "I am allergic to penicillin", "I have a nut allergy", "I'm a vegetarian", "I'm vegan.",
    "I have diabetes.", "我对花生过敏。", "我花生过敏", "我乳糖不耐受", "我有糖尿病",
])  # fmt: skip
def test_what_does_harm_where_it_is_forgotten_is_always_kept_and_sure(text: str) -> None:
    """The judge dropped "I am allergic to penicillin", as a type that it did not expect."""
    for worth in (JUDGED, rules_and(keep=1.0)):
        [first, *_] = [each for each in read(text, worth=worth) if isinstance(each, Draft)]
        assert first.confidence >= load_policy().policies.composition.pinned_min_confidence


@pytest.mark.parametrize("text", [
    "I live in Oslo.", "My name is Anna.", "I'm a nurse.", "I have two kids.", "I love jazz.", "I hate mushrooms.",
    "I prefer tea over coffee.", "We decided to use Postgres.", "I want to learn Spanish this year.",
    "I need to renew my passport by Friday.", "Our flight is on 12 March.", "I take metformin.",
    "我住在上海。", "我叫小明。", "我是护士。", "我有两个孩子。", "我爱听爵士乐。", "我讨厌香菜。",
    "比起咖啡我更喜欢喝茶。", "我们决定用 Postgres。", "我今年想学西班牙语。", "我周五前要去换护照。",
    "我们的航班是3月12号。", "我在吃二甲双胍。",
])  # fmt: skip
def test_what_is_said_plainly_is_learned(text: str) -> None:
    assert [each.kind.type for each in judged(text) if isinstance(each, Draft)]


def test_the_weights_fit_labels_and_table() -> None:
    assert judge().labels == JUDGED_LABELS
    assert judge().meaning.shape == (built_in().dimension, len(JUDGED_LABELS))


def test_explain_names_what_was_dropped_and_structured_entries_are_not_judged(tmp_path: Path) -> None:
    events = TurnEvents(
        messages=[Message(role="user", content=f"{NOT_WORTH} {PROPOSED[1][0]}")],
        decisions=[Decision(topic="heading", decision="use the second heading for now")],
    )
    with Brain.open(tmp_path, load_policy()) as brain:
        answer = brain.commit_turn(CommitTurnRequest(memory_id="m", session_id="s", turn=events))
    told = {(each.path, each.rule): each for each in answer.explain.retention}
    assert "not worth keeping" in told["messages[0]", "lets_go_with"].reason
    assert told["messages[0]", "lets_go_with"].verdict == "event_only"
    assert told["messages[0]", "judged_knowledge"].verdict == "written"
    assert sorted(each.type for each in answer.items) == ["decisions", "knowledge"]


@pytest.mark.parametrize("name", CHATS)
def test_labels_of_chats_hold_ids_numbers_and_labels_alone(name: str) -> None:
    label = rf"\d+:(?:(?:{'|'.join(TYPES)}|entities)\??,?)+"
    line = re.compile(rf"[\w .-]+/[\w.-]+/[\w.:-]+\t(?:\d{{4}}-\d\d-\d\d)?\t(?:{label}(?: {label})*)?")
    wrong = [each for each in (LABELS / f"{name}.tsv").read_text("utf-8").splitlines() if not line.fullmatch(each)]
    assert wrong == []
