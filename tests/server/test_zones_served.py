"""A server set to one zone, and clients in it and in others, over gRPC."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf import json_format
from smartbrain import Client, InvalidArgument
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest
from smartbrain.v1.event_pb2 import Message, TurnEvents

from tests.serving import Server, run_server, start_server

MORNING = dt.datetime.fromisoformat("2026-05-12T07:30:00+08:00")
SUNDAY_NIGHT = dt.datetime.fromisoformat("2026-05-31T23:30:00-07:00")
LOS_ANGELES = "America/Los_Angeles"


@pytest.fixture
def shanghai(folder: Path) -> Iterator[Server]:
    """Give a server whose users are in China unless they say otherwise."""
    running = start_server(folder, config="timezone: Asia/Shanghai\n")
    yield running
    assert running.terminate() == 0, running.log.read_text(errors="replace")


def say(client: Client, text: str, at: dt.datetime, timezone: str | None = None) -> None:
    message = {"role": "user", "speaker": "Li", "content": text, "created_at": at}
    client.commit(f"at {at}", [message], timezone=timezone)


def dates(client: Client) -> list[str]:
    return [json_format.MessageToDict(item.value)["date"] for item in client.list_items(types=["events"])]


def test_the_servers_zone_holds_for_whoever_names_none(shanghai: Server) -> None:
    with Client(shanghai.target, memory_id="li") as client:
        say(client, "明天下午三点我要去面试", MORNING)
        assert dates(client) == ["2026-05-13"]
        tomorrow = MORNING + dt.timedelta(days=1)
        package = client.compose("new", "我昨天说了什么？", now=tomorrow).context
        assert "Li, 2026-05-12 07:30" in {evidence.title for evidence in package.evidence}
        assert "\nToday: 2026-05-13 (Wed)\n" in render(package)
        period = package.debug.planner.queries[0].filters.time_range
        assert getattr(period, "from").ToJsonString() == "2026-05-11T16:00:00Z"
        assert period.to.ToJsonString() == "2026-05-12T16:00:00Z"
        assert client.replay(package.context_id).identical


def test_a_client_of_another_zone_is_understood_in_its_own(shanghai: Server) -> None:
    with Client(shanghai.target, memory_id="ann", timezone=LOS_ANGELES) as client:
        say(client, "I have an interview tomorrow at 3 pm.", SUNDAY_NIGHT)
        assert dates(client) == ["2026-06-01"]
        package = client.compose("new", "When is the interview?", now=SUNDAY_NIGHT).context
        assert {evidence.title for evidence in package.evidence} >= {"Li, 2026-05-31 23:30"}
        assert package.today == "2026-05-31 (Sun)"
        assert client.replay(package.context_id).identical
        [turn] = client.turns(f"at {SUNDAY_NIGHT}")
        assert turn.timezone == LOS_ANGELES
        assert turn.events.messages[0].created_at.ToDatetime(dt.UTC) == SUNDAY_NIGHT, "what is stored is the instant"


def test_a_call_names_another_zone_than_its_client(shanghai: Server) -> None:
    with Client(shanghai.target, memory_id="away", timezone="Europe/Berlin") as client:
        say(client, "I have an interview tomorrow at 3 pm.", SUNDAY_NIGHT, timezone=LOS_ANGELES)
        assert dates(client) == ["2026-06-01"]
        assert (
            client.compose("new", "When?", now=SUNDAY_NIGHT, timezone=LOS_ANGELES).context.today == "2026-05-31 (Sun)"
        )


def test_turns_of_a_stream_have_the_zone_of_their_client_or_their_own(shanghai: Server) -> None:
    def request(session: str, zone: str) -> CommitTurnRequest:
        events = TurnEvents(messages=[Message(role="user", content="Meeting.")])
        return CommitTurnRequest(session_id=session, turn=events, timezone=zone)

    with Client(shanghai.target, memory_id="stream", timezone="Europe/Berlin") as client:
        client.commit_many([request("a", ""), request("b", LOS_ANGELES)])
        assert [turn.timezone for each in "ab" for turn in client.turns(each)] == ["Europe/Berlin", LOS_ANGELES]


@pytest.mark.parametrize("name", ["Mars/Base", "+08:00", "America"])
def test_an_unknown_zone_is_refused_by_field_and_value(shanghai: Server, name: str) -> None:
    with Client(shanghai.target, memory_id="m", timezone=name) as client:
        for call in (lambda: say(client, "Hello.", MORNING), lambda: client.compose("s", "Hello?")):
            with pytest.raises(InvalidArgument) as refused:
                call()
            assert refused.value.metadata["field"] == "timezone"
            assert refused.value.metadata["value"] == name
            assert "IANA" in str(refused.value)


def test_a_server_set_to_no_zone_does_not_start(folder: Path) -> None:
    (folder / "brain.yml").write_text("timezone: Shanghai\n", "utf-8")
    ended = run_server(
        "--data", str(folder / "data"), "--listen", f"unix:{folder}/sock", "--config", str(folder / "brain.yml")
    )
    assert ended.returncode == 1
    assert "timezone" in ended.stderr
    assert "IANA" in ended.stderr
