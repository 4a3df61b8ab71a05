"""Both clients given what no call can carry: they say which argument, what it was and what it may be."""

import datetime as dt
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from smartbrain import Client, DeadlineExceeded, InvalidArgument, SmartBrainError
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest

if TYPE_CHECKING:
    from tests.serving import Server

USER = {"role": "user", "content": "My favourite tea is Longjing. 我最爱喝龙井。"}
BAD_TEXT = "tea \ud800"
TEXT = "text that UTF-8 can hold"
PATH = "a Path where it names a file; a text needs a document_id or a source_uri"
INT32 = "a whole number, -2147483648 to 2147483647"
INT64 = "a whole number, -9223372036854775808 to 9223372036854775807"
BEFORE_ALL_TIME = dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=8)))

Call = Callable[[Any], object]


def everything(answers: Any) -> list[object]:  # noqa: ANN401  a stream of the one client, a list of the other
    return list(answers)


@pytest.mark.parametrize(
    ("call", "field", "value", "limit"),
    [
        # of another type
        (lambda c: c.commit(5, [USER]), "session_id", "5", TEXT),
        (lambda c: c.commit("s", [USER], memory_id=5), "memory_id", "5", TEXT),
        (lambda c: c.commit("s", [USER], request_id=5), "request_id", "5", TEXT),
        (lambda c: c.commit("s", [USER], validate_only="yes"), "validate_only", "'yes'", "True or False"),
        (lambda c: c.commit("s", [USER], timezone=5), "timezone", "5", TEXT),
        (lambda c: c.compose("s", "tea", timezone=8), "timezone", "8", TEXT),
        (lambda c: c.compose("s", 5), "user_message", "5", TEXT),
        (lambda c: c.compose("s", "tea", token_limit="many"), "token_limit", "'many'", INT32),
        (lambda c: c.compose("s", "tea", plan="tea"), "plan", "'tea'", "of type RetrievalPlan"),
        (lambda c: c.compose("s", "tea", agent_state=5), "agent_state", "5", "of type AgentState"),
        (lambda c: c.compose("s", "tea", now="today"), "now", "'today'", "an aware datetime"),
        (lambda c: c.compose("s", "tea", as_of="today"), "as_of", "'today'", "a revision .* or an aware datetime"),
        (lambda c: c.retrieve(5), "plan", "5", "of type RetrievalPlan"),
        (lambda c: c.get_context(5), "context_id", "5", TEXT),
        (lambda c: everything(c.contexts(page_size="ten")), "page_size", "'ten'", INT32),
        (lambda c: c.replay(5), "context_id", "5", TEXT),
        (lambda c: c.get_session(5), "session_id", "5", TEXT),
        (lambda c: everything(c.sessions(page_size=1.5)), "page_size", "1.5", INT32),
        (lambda c: everything(c.turns(5)), "session_id", "5", TEXT),
        (lambda c: everything(c.list_items(types=["tasks", 5])), "types[1]", "5", TEXT),
        (lambda c: everything(c.list_items(types="tasks")), "types", "'tasks'", f"a list, and each value {TEXT}"),
        (lambda c: everything(c.list_items(types=iter([5]))), "types[0]", "5", TEXT),
        (lambda c: everything(c.list_items(as_of=True)), "as_of", "True", "a revision .* or an aware datetime"),
        (lambda c: c.get_item(5, "k"), "item_type", "5", TEXT),
        (lambda c: c.get_item("tasks", "k", version=True), "version", "True", INT32),
        (lambda c: everything(c.item_history("tasks", 5)), "key", "5", TEXT),
        (lambda c: c.diff_item("tasks", "k", from_version="1"), "from_version", "'1'", INT32),
        (lambda c: c.rollback_item("tasks", "k", "1"), "version", "'1'", INT32),
        (lambda c: c.get_commit(5), "commit_id", "5", TEXT),
        (lambda c: everything(c.verify(5)), "memory_id", "5", TEXT),
        (lambda c: everything(c.rebuild_index(5)), "memory_id", "5", TEXT),
        (lambda c: everything(c.backup(5)), "folder", "5", TEXT),
        (lambda c: c.commit_many(5), "turns", "5", "a list, and each value of type CommitTurnRequest"),
        (lambda c: c.commit_many([CommitTurnRequest(), "x"]), "turns[1]", "'x'", "of type CommitTurnRequest"),
        (lambda c: c.commit_many([], memory_id=5), "memory_id", "5", TEXT),
        (lambda c: c.ingest("/etc/hosts"), "source", "'/etc/hosts'", PATH),
        (lambda c: c.ingest(b"x", document_id=5), "document_id", "5", TEXT),
        (lambda c: c.ingest(b"x", document_id="d", tags=[5]), "tags[0]", "5", TEXT),
        (lambda c: c.ingest(b"x", document_id="d", topics="t"), "topics", "'t'", f"a list, and each value {TEXT}"),
        (lambda c: c.ingest(b"x", document_id="d", changed_at="now"), "changed_at", "'now'", "an aware datetime"),
        (lambda c: c.ingest(5, document_id="d"), "source", "5", "a path, bytes, text, or an iterable of bytes"),
        (lambda c: c.ingest([5], document_id="d"), "source", "5", "bytes in each of its parts"),
        (lambda c: c.get_document(5), "document_id", "5", TEXT),
        (lambda c: everything(c.document_sections("d", page_size="1")), "page_size", "'1'", INT32),
        (lambda c: everything(c.list_documents(tags=5)), "tags", "5", f"a list, and each value {TEXT}"),
        (lambda c: c.delete_document("d", purge="no"), "purge", "'no'", "True or False"),
        (lambda c: c.status(timeout="soon"), "timeout", "'soon'", "a number of seconds, at most 1000000000, or None"),
        (lambda c: c.commit_many([], timeout="soon"), "timeout", "'soon'", "a number of seconds, .*"),
        (lambda c: c.ingest(b"x", document_id="d", timeout="soon"), "timeout", "'soon'", "a number of seconds, .*"),
        (lambda c: everything(c.verify(timeout=[1])), "timeout", "[1]", "a number of seconds, .*"),
        # out of range
        (lambda c: c.compose("s", "tea", token_limit=1 << 31), "token_limit", "2147483648", INT32),
        (lambda c: c.compose("s", "tea", min_revision=-1 << 70), "min_revision", str(-1 << 70), INT64),
        (lambda c: c.compose("s", "tea", as_of=1 << 63), "as_of", str(1 << 63), "a revision .*"),
        (lambda c: c.compose("s", "tea", as_of=BEFORE_ALL_TIME), "as_of", "datetime.*", "a time of the years .*"),
        (lambda c: c.get_item("tasks", "k", version=1 << 31), "version", "2147483648", INT32),
        (lambda c: c.status(timeout=float("nan")), "timeout", "nan", "a number of seconds, .*"),
        (lambda c: c.status(timeout=1e12), "timeout", "1000000000000.0", "a number of seconds, .*"),
        # names of nothing
        (lambda c: c.commit("s", [USER], wait_level="SOON"), "wait_level", "'SOON'", "one of .*WAIT_LEVEL_DURABLE.*"),
        (lambda c: everything(c.list_items(statuses=["GONE"])), "statuses[0]", "'GONE'", "one of .*_RETRACTED.*"),
        # None, and text that is none
        (lambda c: c.commit(None, [USER]), "session_id", "None", TEXT),
        (lambda c: c.compose("s", None), "user_message", "None", TEXT),
        (lambda c: c.get_item("tasks", None), "key", "None", TEXT),
        (lambda c: everything(c.list_items(types=[None])), "types[0]", "None", TEXT),
        (lambda c: everything(c.verify(None)), "memory_id", "None", TEXT),
        (lambda c: c.compose("s", BAD_TEXT), "user_message", r"'tea \ud800'", TEXT),
        (lambda c: c.retrieve(BAD_TEXT), "plan", r"'tea \ud800'", f"{TEXT}, or of type RetrievalPlan"),
        (lambda c: c.ingest(BAD_TEXT, document_id="d"), "source", r"'tea \ud800'", TEXT),
        # parts of a message
        (lambda c: c.commit("s", [{"role": 5}]), "messages[0].role", "5", TEXT),
        (lambda c: c.commit("s", [{"hue": 5}]), "messages[0].hue", "5", "under a name of .*, one of .*, content, .*"),
        (lambda c: c.commit("s", [USER, {"createdAt": "now"}]), "messages[1].createdAt", "'now'", "an aware .*"),
    ],
)  # fmt: skip
def test_an_argument_that_does_not_fit_is_named_with_its_value_and_limit(
    client: Client, call: Call, field: str, value: str, limit: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        call(client)
    error = caught.value
    assert error.field == field
    assert error.value == value or re.fullmatch(value, error.value)
    assert error.limit == limit or re.fullmatch(limit, error.limit)
    assert str(error) == f"{error.field} is {error.value}; it must be {error.limit}"
    assert (error.reason, error.index) == ("FIELD_INVALID", None)
    assert str(error).isprintable()


def test_a_value_that_is_long_is_shown_in_short(client: Client) -> None:
    with pytest.raises(InvalidArgument) as caught:
        client.compose("s", f"{'tea ' * 100_000}\ud800")
    assert len(str(caught.value)) < 300


def test_nothing_of_a_stream_with_a_bad_turn_is_sent(client: Client) -> None:
    client.commit("s", [USER])
    fine = CommitTurnRequest(session_id="s")
    fine.turn.messages.add(role="user", content="Another tea.")
    with pytest.raises(InvalidArgument):
        client.commit_many([fine, None])  # type: ignore[list-item]
    assert len(list(client.turns("s"))) == 1


@pytest.mark.parametrize(
    "call", [lambda c: c.commit("s", [USER], wait_level=99), lambda c: list(c.list_items(statuses=[99]))]
)
def test_a_number_of_no_name_is_left_to_the_server(client: Client, call: Call) -> None:
    client.commit("s", [USER])
    with pytest.raises(InvalidArgument) as caught:
        call(client)
    assert caught.value.reason != "FIELD_INVALID"


@pytest.mark.parametrize("timeout", [0, -1, -0.5])
def test_a_timeout_that_is_used_up_is_a_deadline_that_has_passed(client: Client, timeout: float) -> None:
    with pytest.raises(DeadlineExceeded):
        client.commit_many(iter([CommitTurnRequest(session_id="s")] * 100), timeout=timeout)


def test_a_whole_number_of_seconds_and_a_day_will_do(client: Client) -> None:
    assert client.status(timeout=30).version
    assert client.status(timeout=86_400).version


@pytest.mark.parametrize("target", [5, None, "", "127.0.0.1:1\n", "\ud800"])
def test_a_target_that_is_no_address_is_refused(open_client: type[Client], target: Any) -> None:  # noqa: ANN401
    with pytest.raises(SmartBrainError) as caught:
        open_client(target)
    assert (caught.value.field, caught.value.limit) == ("target", "host:port or unix:/path")


@pytest.mark.parametrize("target", ["127.0.0.1:65536", "localhost:99999", "[::1]:123456789"])
def test_a_port_that_there_is_not_is_refused(open_client: type[Client], target: str) -> None:
    """Of 99999 gRPC would make 34463."""
    with pytest.raises(SmartBrainError) as caught:
        open_client(target)
    assert (caught.value.field, caught.value.limit) == ("target", "host:port with a port of at most 65535")


@pytest.mark.parametrize("retries", ["2", None, 1.5])
def test_retries_are_a_whole_number(open_client: type[Client], retries: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match=re.escape(f"retries is {retries!r}; it must be 0 to 4")):
        open_client("127.0.0.1:1", retries=retries)


def test_a_memory_given_once_is_checked_where_it_is_used(server: "Server", open_client: type[Client]) -> None:
    memory: Any = 5
    with open_client(server.target, memory_id=memory) as client, pytest.raises(InvalidArgument) as caught:
        client.commit("s", [USER])
    assert (caught.value.field, caught.value.value) == ("memory_id", "5")
