"""Both clients against a real server: the verbs, and what they raise."""

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from smartbrain import (
    AlreadyExists,
    Client,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    render_messages,
)
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest
from smartbrain.v1.event_pb2 import Message, Preference, TurnEvents
from smartbrain.v1.plan_pb2 import PlanBudget, PlanQuery, RetrievalPlan

from brain_core import Brain as CoreBrain
from tests.clients.command import Brain

if TYPE_CHECKING:
    from tests.serving import Server

USER = {"role": "user", "content": "My favourite tea is Longjing, from Hangzhou."}


def request(number: int, content: str = "") -> CommitTurnRequest:
    message = Message(role="user", content=content or f"This is remark number {number}.")
    return CommitTurnRequest(session_id="many", turn=TurnEvents(messages=[message]))


def test_a_committed_turn_is_found_by_the_next_call(client: Client) -> None:
    committed = client.commit("chat", [USER])
    assert committed.turn_id
    composed = client.compose("other", "Which tea is my favourite?", min_revision=committed.revision)
    assert composed.revision >= committed.revision
    assert "Longjing" in "".join(evidence.snippet for evidence in composed.context.evidence)
    assert render_messages(composed.context)[-1] == {"role": "user", "content": "Which tea is my favourite?"}


def test_chinese_is_found(client: Client) -> None:
    client.commit("聊天", [{"role": "user", "speaker": "林悦", "content": "我对荞麦过敏，不能吃荞麦面。"}])
    found = client.retrieve("荞麦过敏").pack.evidences
    assert "荞麦面" in found[0].snippet


def test_messages_come_as_mappings_messages_or_events(client: Client) -> None:
    said_at = dt.datetime(2024, 5, 8, 13, 56, tzinfo=dt.timezone(dt.timedelta(hours=8)))
    client.commit("forms", [{**USER, "message_id": "m-1", "speaker": "Lin", "created_at": said_at}])
    client.commit(
        "forms", [Message(role="assistant", content="Noted."), {**USER, "created_at": "2024-05-09T00:00:00Z"}]
    )
    preference = Preference(scope="writing", name="length", value="brief", confirmed=True)
    client.commit("forms", TurnEvents(preferences=[preference]))
    first, second, third = client.turns("forms")
    assert first.events.messages[0].message_id == "m-1"
    assert first.events.messages[0].speaker == "Lin"
    assert first.events.messages[0].created_at.ToDatetime(dt.UTC) == said_at
    assert [message.role for message in second.events.messages] == ["assistant", "user"]
    assert third.events.preferences[0].value == "brief"


def test_a_repeated_request_id_commits_once(client: Client) -> None:
    first = client.commit("once", [USER], request_id="r-1")
    assert client.commit("once", [USER], request_id="r-1").turn_id == first.turn_id
    assert len(list(client.turns("once"))) == 1
    with pytest.raises(AlreadyExists):
        client.commit("once", [{"role": "user", "content": "Something else."}], request_id="r-1")


def test_commits_without_a_request_id_are_turns_of_their_own(client: Client) -> None:
    assert client.commit("two", [USER]).turn_id != client.commit("two", [USER]).turn_id


def test_validate_only_writes_nothing(client: Client) -> None:
    client.commit("dry", [USER])
    assert not client.commit("dry", [USER], validate_only=True).turn_id
    assert len(list(client.turns("dry"))) == 1


def test_many_commits_in_one_stream(client: Client) -> None:
    done = client.commit_many(request(number) for number in range(25))
    assert done.committed == 25
    assert [turn.turn_id for turn in client.turns("many")] == list(done.turn_ids)


def test_a_stream_stops_at_the_first_error_and_names_it(client: Client) -> None:
    with pytest.raises(InvalidArgument) as caught:
        client.commit_many([request(0), request(1), request(2, content=" "), request(3)])
    assert caught.value.index == 2
    assert len(list(client.turns("many"))) == 2


def test_a_stream_leaves_the_requests_given_as_they_are(client: Client) -> None:
    given = request(0)
    client.commit_many([given])
    assert not given.memory_id
    assert not given.request_id


def test_every_page_is_fetched(client: Client) -> None:
    client.commit_many(request(number) for number in range(7))
    assert [turn.sequence for turn in client.turns("many", page_size=3)] == list(range(7))
    for number in range(5):
        client.commit(f"session-{number}", [USER])
    listed = [session.session_id for session in client.sessions(page_size=2)]
    assert listed == ["many", *(f"session-{number}" for number in range(5))]


def test_a_session_and_a_context_are_read_back(client: Client) -> None:
    client.commit("chat", [USER, {"role": "assistant", "content": "A fine tea."}])
    session = client.get_session("chat").session
    assert (session.turn_count, session.message_count) == (1, 2)
    context = client.compose("chat", "Which tea?").context
    stored = client.get_context(context.context_id)
    assert stored.context.user_message.content == "Which tea?"
    assert [each.id for each in stored.context.evidence] == [each.id for each in context.evidence]


def test_contexts_are_listed_and_replayed(client: Client) -> None:
    client.commit("chat", [USER])
    made = [client.compose("chat", f"第{number} tea?").context for number in range(5)]
    assert [each.context_id for each in client.contexts(page_size=2)] == [each.context_id for each in made][::-1]
    found = client.replay(made[0].context_id)
    assert found.identical
    client.commit("chat", [{"role": "user", "content": "And another tea. 还有一种茶。"}])
    found = client.replay(made[0].context_id)
    assert (found.identical, found.revision_then, found.revision) == (False, 1, 2)
    assert ("recent_turns", "new") in {(change.slot, change.kind) for change in found.changes}
    with pytest.raises(NotFound) as failed:
        client.replay("no-such-context")
    assert failed.value.field == "context_id"


def test_a_plan_is_carried_out_as_given(client: Client) -> None:
    client.commit_many(request(number, content=f"Tea number {number} was green.") for number in range(5))
    plan = RetrievalPlan(queries=[PlanQuery(text="green tea", mode="exact")], budget=PlanBudget(top_k=2))
    pack = client.retrieve(plan).pack
    assert len(pack.evidences) == 2
    assert {evidence.provenance.mode for evidence in pack.evidences} == {"exact"}


def test_the_token_limit_is_kept(client: Client) -> None:
    client.commit_many(request(number, content=f"Tea number {number} was green. " * 20) for number in range(9))
    budget = client.compose("many", "Which tea was green?", token_limit=300).context.constraints.token_budget
    assert budget.limit == 300
    assert 0 < budget.used <= 300


def test_memories_do_not_see_each_other(client: Client, memory_id: str) -> None:
    client.commit("chat", [USER], memory_id=f"{memory_id}-other")
    client.commit("chat", [{"role": "user", "content": "Nothing about drinks."}])
    assert not [each for each in client.retrieve("favourite tea Longjing").pack.evidences if "Longjing" in each.snippet]


def test_the_operator_verbs(client: Client, memory_id: str) -> None:
    client.commit("chat", [USER])
    assert client.status().memories >= 1
    assert "\nsmartbrain_memories " in client.metrics()
    (sound,) = client.verify(memory_id)
    assert sound.memory_id == memory_id
    assert (sound.turns, list(sound.problems)) == (1, [])
    (made,) = client.rebuild_index(memory_id)
    assert made.chunks == sound.chunks
    assert "Longjing" in client.retrieve("favourite tea").pack.evidences[0].snippet


def test_a_backup_and_its_restoring_from_the_command_line(
    client: Client, brain: Brain, folder: Path, server: "Server", memory_id: str
) -> None:
    client.commit("chat", [USER])
    backups = server.data.parent / "brain-backups" / memory_id
    *_, last = client.backup(backups / "by verb")
    assert last.manifest.memories
    assert "backed up to" in brain("backup", str(backups / "by command"))
    assert brain.run("backup", str(backups / "by command")).returncode == 1
    elsewhere = brain.run("backup", str(folder / "elsewhere"))
    assert (elsewhere.returncode, "store.backup_folders" in elsewhere.stderr) == (1, True)
    assert "memories" in brain("restore", str(backups / "by command"), "--data", str(folder / "data"))
    again = brain.run("restore", str(backups / "by command"), "--data", str(folder / "data"))
    assert (again.returncode, "not empty" in again.stderr) == (1, True)
    for left in (backups / "x.unfinished-abcdefgh", folder / "x.unfinished-abcdefgh"):
        (left / "store").mkdir(parents=True)
    assert "removed" in brain.run("backup", str(backups / "again")).stderr
    assert "removed" in brain.run("restore", str(backups / "again"), "--data", str(folder / "data 2")).stderr
    (folder / "file").write_text("x", "utf-8")
    failed = brain.run("restore", str(backups / "again"), "--data", str(folder / "file/below/data"))
    assert (failed.returncode, "Not a directory: nothing was restored" in failed.stderr) == (1, True)
    with CoreBrain.open(folder / "data") as restored:
        assert all(not one.problems for one in restored.verify())


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"role": "user", "content": "x", "colour": "red"}, "colour"),
        ({"role": "user", "content": 3}, "content"),
        ({"role": "user", "content": "\ud800"}, "content"),
        ({"role": "user", "content": "x", "created_at": dt.datetime(2024, 1, 1)}, "time zone"),
        ({"role": "user", "content": "x", "created_at": "yesterday"}, "created_at"),
        ("just text", "mapping"),
    ],
)
def test_what_no_message_can_hold_is_refused_by_place(client: Client, message: object, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said) as caught:
        client.commit("chat", [USER, message])  # type: ignore[list-item]
    assert caught.value.field.startswith("messages[1]")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("messages", ["hello", USER, None, 3])
def test_what_is_no_list_of_messages_is_refused(client: Client, messages: object) -> None:
    with pytest.raises(InvalidArgument, match="list of messages"):
        client.commit("chat", messages)  # type: ignore[arg-type]


def test_the_servers_refusal_says_field_and_reason(client: Client) -> None:
    with pytest.raises(InvalidArgument) as caught:
        client.commit("", [USER])
    assert caught.value.field == "session_id"
    assert caught.value.reason
    assert caught.value.message
    assert caught.value.index is None


def test_errors_have_their_types(client: Client) -> None:
    revision = client.commit("chat", [USER]).revision
    with pytest.raises(NotFound):
        client.get_context("no-such-context")
    with pytest.raises(NotFound):
        client.get_session("no-such-session")
    with pytest.raises(FailedPrecondition):
        client.compose("chat", "Which tea?", min_revision=revision + 1000)
    with pytest.raises(InvalidArgument):
        client.compose("chat", "word " * 500, token_limit=20)


def test_without_a_memory_the_server_asks_for_one(server: "Server", open_client: type[Client]) -> None:
    with open_client(server.target) as client, pytest.raises(InvalidArgument) as caught:
        client.commit("chat", [USER])
    assert caught.value.field == "memory_id"


@pytest.mark.parametrize("retries", [-1, 5])
def test_retries_have_limits(retries: int) -> None:
    with pytest.raises(ValueError, match="retries"):
        Client(retries=retries)
