"""Reading conversations from JSON lines: times in odd forms, turns without text, lines that are none."""

import datetime as dt
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from smartbrain.conversations import ConversationError, load_conversations, parse_conversation, parse_time


def line(*turns: Mapping[str, object], **session: object) -> str:
    return json.dumps({"id": "c", "lang": "en", "sessions": [{"session_id": "s", **session, "turns": turns}]})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1:56 pm on 8 May, 2023", dt.datetime(2023, 5, 8, 13, 56, tzinfo=dt.UTC)),
        ("12:05 am on 1 January, 2024", dt.datetime(2024, 1, 1, 0, 5, tzinfo=dt.UTC)),
        ("2025-12-15 (Monday)", dt.datetime(2025, 12, 15, tzinfo=dt.UTC)),
        ("March-15-2024", dt.datetime(2024, 3, 15, tzinfo=dt.UTC)),
        ("2023-12-25", dt.datetime(2023, 12, 25, tzinfo=dt.UTC)),
        ("2023-12-25T10:00:00Z", dt.datetime(2023, 12, 25, 10, tzinfo=dt.UTC)),
        ("2023-12-25T10:00:00+08:00", dt.datetime(2023, 12, 25, 2, tzinfo=dt.UTC)),
        ("2023/05/20 (Sat) 02:21", dt.datetime(2023, 5, 20, 2, 21, tzinfo=dt.UTC)),
        ("2023年5月8日", dt.datetime(2023, 5, 8, tzinfo=dt.UTC)),
        ("8 May, 2023", dt.datetime(2023, 5, 8, tzinfo=dt.UTC)),
        ("May 8, 2023", dt.datetime(2023, 5, 8, tzinfo=dt.UTC)),
        ("yesterday", None),
        ("2023-13-45", None),
        ("", None),
        (None, None),
        (1700000000, None),
    ],
)
def test_times(text: object, expected: dt.datetime | None) -> None:
    assert parse_time(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023-12-25", dt.datetime(2023, 12, 24, 16, tzinfo=dt.UTC)),
        ("1:56 pm on 8 May, 2023", dt.datetime(2023, 5, 8, 5, 56, tzinfo=dt.UTC)),
        ("2023-12-25T10:00:00-07:00", dt.datetime(2023, 12, 25, 17, tzinfo=dt.UTC)),
        ("0001-01-01", None),  # before the first day of UTC
    ],
)
def test_a_time_without_a_zone_is_one_of_the_zone_given(text: str, expected: dt.datetime | None) -> None:
    assert parse_time(text, ZoneInfo("Asia/Shanghai")) == expected


def test_turns_without_a_time_follow_their_session_by_seconds() -> None:
    own = {"turn_id": "b", "role": "user", "text": "two", "datetime": "2024-01-02"}
    read = parse_conversation(line({"turn_id": "a", "role": "user", "text": "one"}, own, datetime="2024-01-01"))
    assert [turn.datetime for turn in read.sessions[0].turns] == [
        dt.datetime(2024, 1, 1, tzinfo=dt.UTC),
        dt.datetime(2024, 1, 2, tzinfo=dt.UTC),
    ]
    third = parse_conversation(line(*({"turn_id": str(n), "text": "x"} for n in range(3)), datetime="2024-01-01"))
    assert third.sessions[0].turns[2].datetime == dt.datetime(2024, 1, 1, 0, 0, 2, tzinfo=dt.UTC)


def test_a_session_at_the_end_of_time_keeps_its_turns() -> None:
    read = parse_conversation(line(*({"text": text} for text in "ab"), datetime="9999-12-31T23:59:59"))
    assert [turn.datetime for turn in read.sessions[0].turns] == [read.sessions[0].datetime, None]


def test_an_unreadable_time_is_left_out_and_counted() -> None:
    read = parse_conversation(line({"turn_id": "a", "text": "x", "datetime": "teatime"}, datetime="someday"))
    assert read.unreadable_times == 2
    assert read.unread == ("sessions[0].datetime: 'someday'", "sessions[0].turns[0].datetime: 'teatime'")
    assert read.sessions[0].turns[0].datetime is None


def test_no_time_is_not_an_unreadable_one() -> None:
    assert parse_conversation(line({"turn_id": "a", "text": "x"}, datetime=None)).unreadable_times == 0


def test_a_picture_speaks_through_its_caption() -> None:
    read = parse_conversation(
        line(
            {"turn_id": "a", "text": "look", "image_caption": "a red tram"},
            {"turn_id": "b", "text": "", "image_caption": "a blue tram"},
            {"turn_id": "c", "text": "  "},
        )
    )
    assert [turn.text for turn in read.sessions[0].turns] == ["look\n[image: a red tram]", "[image: a blue tram]"]
    assert read.turns_without_text == 1


def test_a_role_no_message_can_have_becomes_user_and_keeps_its_speaker() -> None:
    turns = (
        parse_conversation(
            line(
                {"turn_id": "a", "role": "document", "speaker": "manual", "text": "x"},
                {"turn_id": "b", "role": "memory", "text": "x"},
                {"turn_id": "c", "role": "tool", "speaker": "search", "text": "x"},
            )
        )
        .sessions[0]
        .turns
    )
    assert [(turn.role, turn.speaker) for turn in turns] == [("user", "manual"), ("user", "memory"), ("tool", "search")]


def test_a_role_is_known_however_it_is_written() -> None:
    """What an Assistant had said became the user's own words."""
    read = parse_conversation(line({"role": "Assistant", "text": "x"}, {"role": "USER", "text": "y"}))
    assert [(turn.role, turn.speaker) for turn in read.sessions[0].turns] == [("assistant", ""), ("user", "")]


def test_missing_ids_are_made_from_places() -> None:
    raw = {"id": 7, "sessions": [{"turns": [{"text": "x"}, {"text": "y", "turn_id": 0}]}]}
    read = parse_conversation(json.dumps(raw))
    assert read.id == "7"
    assert read.sessions[0].session_id == "session-0"
    assert [turn.turn_id for turn in read.sessions[0].turns] == ["session-0:0", "0"]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        (f'{{"id": {"9" * 5000}, "sessions": []}}', "not JSON: .*4300 digits"),
        ("3", "the line must be an object"),
        ("{}", "id must be given"),
        ('{"id": "c"}', "sessions must be a list"),
        ('{"id": "c", "sessions": [3]}', r"sessions\[0\] must be an object"),
        ('{"id": "c", "sessions": [{"turns": {}}]}', r"sessions\[0\].turns must be a list"),
        ('{"id": "c", "sessions": [{"turns": ["x"]}]}', r"sessions\[0\].turns\[0\] must be an object"),
        ('{"id": ["c"], "sessions": []}', "id must be text or a whole number, not list"),
        ('{"id": true, "sessions": []}', "id must be text or a whole number, not bool"),
        (
            '{"id": "c", "sessions": [{"session_id": {}, "turns": []}]}',
            r"sessions\[0\].session_id must be text or a whole number, not dict",
        ),
        ('{"id": 1.5, "sessions": []}', "id must be text or a whole number, not float"),
        ('{"id": "c", "sessions": [{"turns": [{"text": 5}]}]}', r"turns\[0\].text must be text, not int"),
        ('{"id": "c", "sessions": [{"turns": [{"text": NaN}]}]}', r"turns\[0\].text must be text, not float"),
        ('{"id": "c", "sessions": [], "sessions": []}', "^sessions stands twice in an object$"),
        ('{"id": "c", "sessions": [{"turns": [{"text": "x", "text": "y"}]}]}', "^text stands twice in an object$"),
        ('{"id": "c", "sessions": [{"turns": [{}, {"text": ["x"]}]}]}', r"turns\[1\].text must be text, not list"),
        (
            '{"id": "c", "sessions": [{"turns": [{"text": "x", "role": {}}]}]}',
            r"turns\[0\].role must be text, not dict",
        ),
    ],
)
def test_a_bad_line_says_what_is_wrong_with_it(bad: str, said: str) -> None:
    with pytest.raises(ConversationError, match=said):
        parse_conversation(bad)


@pytest.mark.parametrize("zipped", [False, True])
def test_files_are_read_plain_and_gzipped(tmp_path: Path, zipped: bool) -> None:
    text = f"\ufeff{line({'turn_id': '一', 'text': '你好'})}\n\n{line({'turn_id': 'b', 'text': 'x'})}\n".encode()
    path = tmp_path / "conversations.jsonl"
    path.write_bytes(gzip.compress(text) if zipped else text)
    read = list(load_conversations(path))
    assert [each.sessions[0].turns[0].text for each in read] == ["你好", "x"]


def test_a_bad_line_in_a_file_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "conversations.jsonl"
    path.write_text(f"{line()}\n\nnonsense\n")
    with pytest.raises(ConversationError, match=r"conversations\.jsonl:3: not JSON"):
        list(load_conversations(path))


def test_a_cut_off_gzip_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "conversations.jsonl.gz"
    path.write_bytes(gzip.compress(line().encode())[:-9])
    with pytest.raises(ConversationError, match="damaged gzip"):
        list(load_conversations(path))
