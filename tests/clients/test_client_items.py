"""Items through both clients and the command line: listed, as they were, history, differences, rollback, explain."""

import datetime as dt
import json
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from smartbrain import AlreadyExists, Client, FailedPrecondition, InvalidArgument, NotFound
from smartbrain.cli.text import one_line
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse
from smartbrain.v1.event_pb2 import Decision, Preference, Retraction, TurnEvents
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_RETRACTED, ITEM_STATUS_SUPERSEDED

from tests.clients.command import Brain

if TYPE_CHECKING:
    from tests.serving import Server

DB, TONE = "decision:default:database", "pref:writing:语气"
ACTIVE, SUPERSEDED, RETRACTED = ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED, ITEM_STATUS_RETRACTED


def decide(client: Client, decision: str) -> CommitTurnResponse:
    return client.commit("s", TurnEvents(decisions=[Decision(topic="database", decision=decision)]))


def prefer(client: Client, value: str) -> CommitTurnResponse:
    preference = Preference(scope="writing", name="语气", value=value, confirmed=True)
    return client.commit("s", TurnEvents(preferences=[preference]))


def deny(client: Client) -> CommitTurnResponse:
    return client.commit("s", TurnEvents(retractions=[Retraction(type="decisions", key=DB)]))


def columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


# The clients


def test_items_are_listed_page_by_page(client: Client) -> None:
    decide(client, "SQLite")
    prefer(client, "平实")
    for number in range(5):
        client.commit("other", TurnEvents(preferences=[Preference(name=f"p{number}", value="x", confirmed=True)]))
    listed = [(item.type, item.key) for item in client.list_items(page_size=2)]
    assert listed == [
        ("decisions", DB),
        *(("preferences", f"pref:other:p{number}") for number in range(5)),
        ("preferences", TONE),
    ]
    assert [item.key for item in client.list_items(types=["decisions"])] == [DB]
    assert [item.key for item in client.list_items(key_prefix="pref:writing:")] == [TONE]
    assert [item.key for item in client.list_items(session_id="s")] == [DB, TONE]
    deny(client)
    assert [item.key for item in client.list_items(statuses=[RETRACTED])] == [DB]


def test_an_item_as_it_is_was_and_became(client: Client) -> None:
    first = decide(client, "SQLite").revision
    decide(client, "Postgres")
    assert client.get_item("decisions", DB).item.value["decision"] == "Postgres"
    assert client.get_item("decisions", DB, version=1).item.value["decision"] == "SQLite"
    assert client.get_item("decisions", DB, as_of=first).item.value["decision"] == "SQLite"
    found = client.retrieve("which database was decided on", as_of=first).pack.evidences
    assert "SQLite" in " ".join(one.snippet for one in found)
    assert "Postgres" not in " ".join(one.snippet for one in found)
    composed = str(client.compose("new", "which database was decided on", as_of=first).context)
    assert "SQLite" in composed
    assert "Postgres" not in composed
    [then] = client.list_items(as_of=first)
    assert then.value["decision"] == "SQLite"
    now = dt.datetime.now(dt.UTC)
    assert client.get_item("decisions", DB, as_of=now + dt.timedelta(days=1)).item.version == 2
    with pytest.raises(NotFound):
        client.get_item("decisions", DB, as_of=now - dt.timedelta(days=1))
    statuses = [(version.version, version.status) for version in client.item_history("decisions", DB, page_size=1)]
    assert statuses == [(1, SUPERSEDED), (2, ACTIVE)]


def test_a_difference_and_going_back(client: Client) -> None:
    decide(client, "SQLite")
    decide(client, "Postgres")
    changes = {change.field: change for change in client.diff_item("decisions", DB).changes}
    assert changes["value.decision"].old_value.string_value == "SQLite"
    assert changes["value.decision"].new_value.string_value == "Postgres"
    back = client.diff_item("decisions", DB, from_version=2, to_version=1)
    assert (back.from_version, back.to_version) == (2, 1)
    done = client.rollback_item("decisions", DB, 1)
    assert (done.item.version, done.item.value["decision"]) == (3, "SQLite")
    snippets = [each.snippet for each in client.compose("s", "Which database?").context.evidence]
    assert any("SQLite" in snippet for snippet in snippets)
    assert not any("Postgres" in snippet for snippet in snippets)


def test_a_repeated_rollback_is_one(client: Client) -> None:
    decide(client, "SQLite")
    decide(client, "Postgres")
    first = client.rollback_item("decisions", DB, 1, request_id="r")
    assert client.rollback_item("decisions", DB, 1, request_id="r").item == first.item
    with pytest.raises(AlreadyExists):
        client.rollback_item("decisions", DB, 2, request_id="r")
    client.rollback_item("decisions", DB, 2)
    assert len(list(client.item_history("decisions", DB))) == 4


def test_a_commit_is_given_as_answered(client: Client) -> None:
    answer = decide(client, "SQLite")
    found = client.get_commit(answer.commit_id)
    assert found.response == answer
    assert found.session_id == "s"


def test_what_the_server_refuses_has_its_type(client: Client) -> None:
    decide(client, "SQLite")
    with pytest.raises(NotFound):
        client.get_commit("c99")
    with pytest.raises(NotFound):
        client.rollback_item("decisions", DB, 9)
    with pytest.raises(FailedPrecondition):
        client.get_item("decisions", DB, as_of=99)
    with pytest.raises(InvalidArgument) as caught:
        list(client.list_items(types=["wish"]))
    assert caught.value.field == "types[0]"


@pytest.mark.parametrize(
    "fields", [{"as_of": dt.datetime(2024, 1, 1)}, {"as_of": 2**70}, {"types": "decisions"}, {"page_size": 2**40}]
)
def test_what_no_request_can_hold_is_refused(client: Client, fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        list(client.list_items(**fields))


# The command line


class Told:
    """The command line on a memory in which two items have changed."""

    def __init__(self, brain: Brain, memory_id: str, last: CommitTurnResponse) -> None:
        self._brain, self._memory_id, self.last = brain, memory_id, last

    def __call__(self, *arguments: str) -> str:
        return self._brain("--memory", self._memory_id, *arguments)

    def fails(self, *arguments: str) -> tuple[int, str]:
        """Return exit code and last line of standard error of a command that must fail."""
        ended = self._brain.run("--memory", self._memory_id, *arguments)
        assert ended.returncode != 0
        return ended.returncode, ended.stderr.strip().splitlines()[-1]


@pytest.fixture
def told(server: "Server", brain: Brain, memory_id: str) -> Told:
    with Client(server.target, memory_id=memory_id, timeout=30.0) as client:
        decide(client, "SQLite")
        prefer(client, "平实")
        prefer(client, "活泼，多用比喻")
        last = decide(client, "Postgres")
    return Told(brain, memory_id, last)


def test_items_is_an_aligned_table(told: Told) -> None:
    heading, decision, preference = told("items").splitlines()
    assert heading.split() == ["TYPE", "KEY", "V", "STATUS", "CONF", "UPDATED", "TEXT"]
    assert decision.split()[:5] == ["decisions", DB, "2", "active", "0.80"]
    assert preference.split()[:5] == ["preferences", TONE, "2", "active", "0.80"]
    assert "Postgres" in decision
    assert "活泼，多用比喻" in preference
    at = columns(heading[: heading.index("STATUS")])
    for row in (decision, preference):
        assert columns(row[: row.index("active")]) == at


def test_items_are_narrowed(told: Told) -> None:
    def keys(*options: str) -> list[str]:
        return [row.split()[1] for row in told("items", *options).splitlines()[1:]]

    assert keys("--type", "decisions") == [DB]
    assert keys("--type", "decisions", "--type", "preferences") == [DB, TONE]
    assert keys("--prefix", "pref:") == [TONE]
    assert keys("--status", "retracted") == []
    assert keys("--status", "all") == [DB, TONE]
    assert told("items", "--session", "none") == "no items\n"


def test_items_as_they_were(told: Told) -> None:
    then = told("items", "--as-of", "2")
    assert "SQLite" in then
    assert "平实" in then
    assert "Postgres" not in then
    assert told("items", "--as-of", "2020-01-01") == "no items\n"
    for found in (
        told("compose", "new", "which database was decided on", "--as-of", "2"),
        told("retrieve", "which database was decided on", "--as-of", "2"),
    ):
        assert "SQLite" in found
        assert "Postgres" not in found
    assert "Postgres" in told("items", "--as-of", "2999-01-01T00:00+08:00")


def test_history_takes_the_type_from_the_key(told: Told) -> None:
    heading, first, second = told("history", DB).splitlines()
    assert heading.split()[:3] == ["REV", "V", "STATUS"]
    assert first.split()[:3] == ["1", "1", "superseded"]
    assert second.split()[:3] == ["4", "2", "active"]
    assert told("history", "decisions", DB) == told("history", DB)
    assert "平实" in told("history", TONE)


def test_diff_says_what_changed(told: Told) -> None:
    assert "  value.decision: SQLite → Postgres" in told("diff", DB).splitlines()
    assert "  value.value: 活泼，多用比喻 → 平实" in told("diff", TONE, "2", "1").splitlines()
    assert "no difference" in told("diff", "decisions", DB, "1", "1")
    assert told("diff", "decisions", DB) == told("diff", DB)


def test_rollback_goes_back(told: Told) -> None:
    said = told("rollback", DB, "1", "--request-id", "r")
    assert "version 3" in said
    assert "SQLite" in said
    assert told("rollback", "decisions", DB, "1", "--request-id", "r") == said
    assert "SQLite" in told("compose", "s", "Which database?")
    assert len(told("history", DB).splitlines()) == 4


def test_explain_says_what_a_commit_decided(told: Told) -> None:
    said = told("explain", told.last.commit_id)
    assert f"commit {told.last.commit_id}" in said
    for word in ("active decisions", DB, "versioned", "Verdicts:", "written"):
        assert word in said
    assert "(commit c5)" in told("commit", "s", "--message", "Good night.")
    assert "commit c5" in told("explain", "c5")


def test_everything_comes_as_json_too(told: Told) -> None:
    def read(*arguments: str) -> Any:  # noqa: ANN401
        return json.loads(told(*arguments, "--format", "json"))

    assert [item["key"] for item in read("items")["items"]] == [DB, TONE]
    assert [version["version"] for version in read("history", TONE)["versions"]] == [1, 2]
    assert {"field": "value.value", "old_value": "平实", "new_value": "活泼，多用比喻"} in read("diff", TONE)["changes"]
    assert read("rollback", TONE, "1")["item"]["value"]["value"] == "平实"
    assert read("explain", told.last.commit_id)["response"]["commit_id"] == told.last.commit_id


def test_stored_items_cannot_steer_the_terminal(told: Told, server: "Server", memory_id: str) -> None:
    with Client(server.target, memory_id=memory_id, timeout=30.0) as client:
        answer = decide(client, "red \x1b[2J tram")
    for arguments in (["items"], ["history", DB], ["diff", DB], ["explain", answer.commit_id]):
        assert "\x1b" not in told(*arguments)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["history"], 2, "KEY"),
        (["history", "a", "b", "c"], 2, "TYPE and KEY"),
        (["diff", DB, "1", "two"], 2, "'two' is no version"),
        (["diff", DB, "0", "1"], 2, "'0' is no version"),
        (["diff", DB, "1"], 2, "give FROM and TO, or neither"),
        (["rollback", DB], 2, "KEY"),
        (["rollback", DB, "-3"], 2, "-3"),
        (["items", "--as-of", "yesterday"], 2, "yesterday"),
        (["items", "--status", "odd"], 2, "odd"),
        (["items", "--type", "wish"], 1, "types[0]"),
        (["items", "--as-of", "99"], 1, "revision 4"),
        (["history", "decision:default:nothing"], 1, "no item has this key"),
        (["history", "wish", DB], 1, "unknown type"),
        (["rollback", DB, "2"], 1, "is what holds now"),
        (["rollback", DB, "9"], 1, "no version 9"),
        (["explain", "c99"], 1, "c99"),
    ],
)
def test_mistakes_are_one_line_with_an_exit_code(told: Told, arguments: list[str], code: int, said: str) -> None:
    ended, line = told.fails(*arguments)
    assert ended == code
    assert line.startswith("Error: ")
    assert said in line


def test_long_texts_are_cut_to_the_columns_of_a_terminal() -> None:
    for text in ("word " * 50, "记忆" * 100, "é" * 100, "short"):
        line = one_line(text, 40)
        assert columns(unicodedata.normalize("NFC", line)) <= 40
        assert line.endswith("…") == (len(text) > 40)
