"""The `brain` command line as a process of its own, against a real server."""

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from smartbrain import Client

from tests.clients.command import Brain
from tests.server.scraped import parsed
from tests.serving import start_server

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.serving import Server

LINE = {
    "id": "conv-1",
    "lang": "zh",
    "sessions": [
        {
            "session_id": "s1",
            "datetime": "1:56 pm on 8 May, 2023",
            "turns": [
                {"turn_id": "t1", "role": "user", "speaker": "林悦", "text": "我养了一只叫豆包的猫。"},
                {"turn_id": "t2", "role": "assistant", "speaker": "AI", "text": "豆包真可爱！"},
                {"turn_id": "t3", "role": "user", "text": "", "image_caption": "a cat on a sofa"},
                {"turn_id": "t4", "role": "user", "text": "", "datetime": "whenever"},
            ],
        }
    ],
}


def written(path: Path, *lines: object) -> str:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_commit_and_compose(brain: Brain, memory_id: str) -> None:
    told = brain("--memory", memory_id, "commit", "chat", "--speaker", "林悦", "--message", "我对荞麦过敏，很严重。")
    assert told.startswith("committed turn ")
    composed = brain("--memory", memory_id, "compose", "new", "我对什么过敏？", "--why")
    assert "> 我对荞麦过敏，很严重。" in composed
    for word in ("# User message", "Kept:", "Dropped:", "Tokens:"):
        assert word in composed
    assert "Kept:" not in brain("--memory", memory_id, "compose", "new", "我对什么过敏？")


def test_commit_compose_and_import_in_a_zone_of_ones_own(brain: Brain, memory_id: str, tmp_path: Path) -> None:
    here = ("--timezone", "Asia/Shanghai", "--memory", memory_id)
    brain(*here, "commit", "chat", "--message", "我明天要去面试。")
    brain(*here, "import", written(tmp_path / "a.jsonl", LINE))
    composed = brain(*here, "compose", "new", "豆包是谁的猫？")
    assert "[E1] 林悦, 2023-05-08 13:56" in composed
    wrong = brain.run("--timezone", "Shanghai", "commit", "chat", "--message", "Hello.")
    assert wrong.returncode == 2
    assert "'Shanghai' is no time zone" in wrong.stderr


def test_an_empty_name_is_no_memory(brain: Brain) -> None:
    """Regression: with --memory "$UNSET" the words went into the memory called default."""
    refused = brain.run("--memory", "", "commit", "chat", "--message", "Hello.")
    assert refused.returncode == 2
    assert "--memory" in refused.stderr
    assert "is empty" in refused.stderr


def test_the_forms_of_a_context(brain: Brain, memory_id: str) -> None:
    brain("--memory", memory_id, "commit", "chat", "-", said=b"I moved to Lisbon.\n")
    context = json.loads(brain("--memory", memory_id, "compose", "chat", "Where do I live?", "--format", "json"))
    assert context["user_message"]["content"] == "Where do I live?"
    messages = json.loads(brain("--memory", memory_id, "compose", "chat", "Is Lisbon far?", "--format", "messages"))
    assert messages[-1] == {"role": "user", "content": "Is Lisbon far?"}
    assert "Lisbon" in json.dumps(messages)
    shown = brain("--memory", memory_id, "show", "--context", context["context_id"])
    assert "Where do I live?" in shown
    assert "Tokens:" in shown


def test_commit_events_from_json(brain: Brain, memory_id: str, tmp_path: Path) -> None:
    events = {
        "messages": [{"role": "user", "content": "We take SQLite."}],
        "decisions": [{"topic": "database", "decision": "SQLite"}],
    }
    assert "decision" in brain("--memory", memory_id, "commit", "chat", "--json", written(tmp_path / "a.json", events))
    listed = written(tmp_path / "b.json", [{"role": "assistant", "content": "Fine."}])
    brain("--memory", memory_id, "commit", "chat", "--json", listed)
    shown = brain("--memory", memory_id, "show", "chat")
    assert "We take SQLite." in shown
    assert "assistant: Fine." in shown
    assert "database" in shown


def test_sessions_retrieve_and_status(brain: Brain, memory_id: str) -> None:
    brain("--memory", memory_id, "commit", "会话一", "--message", "The red tram goes to Alfama.")
    heading, row = brain("--memory", memory_id, "sessions").splitlines()
    assert heading.split()[:3] == ["SESSION", "TURNS", "MESSAGES"]
    assert row.split()[:3] == ["会话一", "1", "1"]
    found = brain("--memory", memory_id, "retrieve", "red tram", "--mode", "exact", "--top-k", "1")
    assert "The red tram goes to Alfama" in found
    assert "mode=exact" in found
    assert "durability" in brain("status")


def test_what_is_read_back_comes_as_json_too(brain: Brain, memory_id: str) -> None:
    of = ("--memory", memory_id)
    brain(*of, "commit", "chat", "--message", "The red tram goes to Alfama. 红色电车。")
    brain(*of, "compose", "chat", "Where does the red tram go?")

    def of_json(*words: str) -> dict[str, Any]:
        parsed: dict[str, Any] = json.loads(brain(*of, *words, "--format", "json"))
        return parsed

    assert [each["session_id"] for each in of_json("sessions")["sessions"]] == ["chat"]
    [turn] = of_json("show", "chat")["turns"]
    assert turn["events"]["messages"][0]["content"].endswith("红色电车。")
    [context] = of_json("contexts")["contexts"]
    assert of_json("show", "--context", context["context_id"])["context"]["user_message"]["role"] == "user"
    assert "tram" in of_json("retrieve", "red tram")["pack"]["evidences"][0]["snippet"]
    assert of_json("status")["memories"] >= "1"
    printed = brain("metrics")
    assert parsed(printed)("compose_packages_total") >= 0
    assert printed.endswith("# EOF\n")


def test_stored_text_cannot_steer_the_terminal(brain: Brain, memory_id: str) -> None:
    brain("--memory", memory_id, "commit", "chat", "--message", "red \x1b[2J tram")
    for arguments in (["show", "chat"], ["retrieve", "red tram"], ["compose", "chat", "red tram", "--why"]):
        assert "\x1b" not in brain("--memory", memory_id, *arguments)


def test_an_import_makes_one_memory_per_conversation_and_repeats_add_nothing(
    brain: Brain, memory_id: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "c.jsonl", {**LINE, "id": memory_id})
    first = brain("import", path)
    assert "imported 3 turns of 1 conversations" in first
    assert "1 turns without text" in first
    shown = brain("--memory", memory_id, "show", "s1")
    assert "2023-05-08 13:56:00Z 林悦 (user): 我养了一只叫豆包的猫。" in shown
    assert "[image: a cat on a sofa]" in shown
    again = brain("import", path)
    assert "imported 0 turns of 1 conversations" in again
    assert "3 turns were known already" in again
    assert brain("--memory", memory_id, "show", "s1") == shown
    assert "known already" not in first


def test_an_import_takes_gzip_standard_input_and_a_named_memory(brain: Brain, memory_id: str, tmp_path: Path) -> None:
    lines = [{**LINE, "id": f"c{n}", "sessions": [{**LINE["sessions"][0], "session_id": f"s{n}"}]} for n in range(2)]  # type: ignore[dict-item]
    path = tmp_path / "c.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(lines[0]).encode()))
    brain("--memory", memory_id, "import", str(path))
    brain("--memory", memory_id, "import", "-", said=json.dumps(lines[1]).encode())
    listed = brain("--memory", memory_id, "sessions").splitlines()
    assert [line.split()[0] for line in listed] == ["SESSION", "c0/s0", "c1/s1"]


def test_sessions_of_one_name_stay_apart_in_a_named_memory(brain: Brain, memory_id: str, tmp_path: Path) -> None:
    """The first sessions of two conversations became one, in which each went on with the other's talk."""
    for conversation in ("ann", "林悦"):
        turns = [{"turn_id": f"t{n}", "role": "user", "text": f"{conversation} said {n}."} for n in range(2)]
        path = written(tmp_path / f"{conversation}.jsonl", {"id": conversation, "sessions": [{"turns": turns}]})
        brain("--memory", memory_id, "import", path)
    assert "ann said" not in brain("--memory", memory_id, "show", "林悦/session-0")
    turns.append({"turn_id": "t2", "role": "user", "text": "More."})
    grown = written(tmp_path / "grown.jsonl", {"id": "林悦", "sessions": [{"turns": turns}]})
    told = brain("--memory", memory_id, "import", grown)
    assert "imported 1 turns" in told
    assert "2 turns were known already" in told
    listed = brain("--memory", memory_id, "sessions").splitlines()
    assert ["林悦/session-0", "3"] in [line.split()[:2] for line in listed]


def test_a_bad_line_and_a_refused_turn_are_named_and_the_rest_goes_on(
    brain: Brain, memory_id: str, tmp_path: Path
) -> None:
    turns = [{"turn_id": f"t{n}", "role": "user", "text": f"Remark {n}."} for n in range(4)]
    turns[1]["speaker"] = "x" * 1000
    path = tmp_path / "c.jsonl"
    lines = [
        "{oops\n",
        json.dumps({"id": memory_id, "sessions": [{"session_id": "s", "turns": turns}]}),
        json.dumps({"id": memory_id, "sessions": [{"turns": [{"text": ["no", "text"]}]}]}),
        json.dumps({"id": memory_id, "sessions": [{"datetime": "someday", "turns": []}]}),
    ]
    path.write_text("\n".join(lines))
    ended = brain.run("import", str(path))
    assert ended.returncode == 1
    assert f"{path}:1: not JSON" in ended.stderr
    assert f"{path}:4: sessions[0].turns[0].text must be text, not list" in ended.stderr
    assert f"{path}:5: sessions[0].datetime: 'someday' is a time in no known form, left out" in ended.stderr
    assert f"{path}:3: session s, turn t1: " in ended.stderr
    assert "imported 3 turns" in ended.stdout
    shown = brain("--memory", memory_id, "show", "s")
    assert [f"Remark {n}." in shown for n in range(4)] == [True, False, True, True]


@pytest.mark.parametrize("large", [{2}, {0, 5}, {6}, set(range(7))])
def test_a_turn_too_large_for_the_wire_is_named_and_the_rest_goes_on(
    folder: Path, tmp_path: Path, large: set[int]
) -> None:
    server = start_server(folder, config="limits: {request_bytes: 20000}")
    over = "x" * 100_000  # gRPC takes four times request_bytes
    texts = [f"Remark {number}.{over if number in large else ''}" for number in range(7)]
    turns = [{"turn_id": f"t{number}", "role": "user", "text": text} for number, text in enumerate(texts)]
    path = written(tmp_path / "c.jsonl", {"id": "m", "sessions": [{"session_id": "s", "turns": turns}]})
    brain = Brain(server.target)
    ended = brain.run("import", path)
    assert ended.returncode == 1
    refused = [line for line in ended.stderr.splitlines() if line.startswith(path)]
    assert [line.split(": ")[:2] for line in refused] == [[f"{path}:1", f"session s, turn t{n}"] for n in sorted(large)]
    assert all("larger than max" in line for line in refused)
    assert f"imported {7 - len(large)} turns" in ended.stdout
    assert f"{len(large)} lines or turns could not be imported" in ended.stderr
    with Client(server.target, memory_id="m") as client:
        kept = [turn.events.messages[0].content for turn in client.turns("s")] if len(large) < 7 else []
    assert kept == [text for number, text in enumerate(texts) if number not in large]
    assert server.terminate() == 0


def test_what_is_not_utf8_is_named_and_never_kept_in_other_characters(
    brain: Brain, memory_id: str, tmp_path: Path
) -> None:
    """Chinese in GBK was committed as replacement characters."""
    path = tmp_path / "c.jsonl"
    spoken = ["早上好", "小梅对花生过敏", "晚上好"]
    made = [
        json.dumps(
            {"id": memory_id, "sessions": [{"session_id": f"s{n}", "turns": [{"text": text}]}]}, ensure_ascii=False
        )
        for n, text in enumerate(spoken)
    ]
    path.write_bytes(b"\n".join([made[0].encode("utf-8-sig"), made[1].encode("gbk"), made[2].encode()]))
    ended = brain.run("import", str(path))
    assert ended.returncode == 1
    assert f"{path}:2: byte " in ended.stderr
    assert "is not UTF-8" in ended.stderr
    assert "imported 2 turns of 2 conversations" in ended.stdout
    assert [line.split()[0] for line in brain("--memory", memory_id, "sessions").splitlines()[1:]] == ["s0", "s2"]


def test_ids_that_cannot_be_are_named_on_one_line(brain: Brain, memory_id: str, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    turns = [{"turn_id": "a\x1b[2J\nb", "text": "x"}, {"turn_id": "\ud800", "text": "y"}, {"text": "z"}]
    path.write_text(json.dumps({"id": memory_id, "sessions": [{"session_id": "s", "turns": turns}]}))
    ended = brain.run("import", str(path))
    assert "imported 1 turns" in ended.stdout
    *told, _ = ended.stderr.splitlines()
    assert len(told) == 2
    assert all(line.startswith(f"{path}:1: session s, turn ") for line in told)
    assert "\x1b" not in ended.stderr
    assert any("must be text that UTF-8 can hold" in line for line in told)


def test_a_changed_turn_is_refused_not_doubled(brain: Brain, memory_id: str, tmp_path: Path) -> None:
    conversation = {"id": memory_id, "sessions": [{"session_id": "s", "turns": [{"turn_id": "t", "text": "one"}]}]}
    path = written(tmp_path / "c.jsonl", conversation)
    brain("import", path)
    (tmp_path / "c.jsonl").write_text(json.dumps(conversation).replace("one", "two"))
    ended = brain.run("import", path)
    assert ended.returncode == 1
    assert "turn t: " in ended.stderr
    assert "two" not in brain("--memory", memory_id, "show", "s")


def test_doctor_finds_a_sound_memory_sound(brain: Brain, memory_id: str) -> None:
    brain("--memory", memory_id, "commit", "chat", "--message", "All is well.")
    assert "1 memories checked: 1 turns" in brain("--memory", memory_id, "doctor")
    assert "0 with problems" in brain("doctor")


def test_doctor_finds_and_mends_a_damaged_index(start: "Callable[[], Server]") -> None:
    first = start()
    brain = Brain(first.target)
    brain("--memory", "sound", "commit", "chat", "--message", "All is well here.")
    brain("--memory", "sick", "commit", "chat", "--message", "The red tram goes to Alfama.")
    brain("--memory", "sick", "retrieve", "tram")
    first.terminate()
    for snapshot in (first.data / "index").iterdir():
        snapshot.write_bytes(snapshot.read_bytes()[:-1] + b"?")
    start()
    found = brain.run("--memory", "sick", "doctor")
    assert found.returncode == 1
    assert "sick: " in found.stdout
    assert "--rebuild" in found.stderr
    assert "sick: " in brain("--memory", "sick", "doctor", "--rebuild")
    assert "sick: " not in brain("--memory", "sick", "doctor")
    assert "The red tram" in brain("--memory", "sick", "retrieve", "tram")


def test_doctor_tells_an_index_of_another_time_zone_in_a_note(start: "Callable[..., Server]") -> None:
    """It was told as damage, and doctor ended with 1, after a line of the config was changed."""
    first = start()
    Brain(first.target)("--memory", "m", "commit", "chat", "--message", "All is well here. 一切都好。")
    assert first.terminate() == 0
    second = start(config="timezone: Asia/Shanghai")
    brain = Brain(second.target)
    told = brain("doctor")
    assert "m: note: " in told and "titles in Asia/Shanghai" in told and "0 with problems" in told
    assert second.terminate() == 0
    start(config="timezone: Asia/Shanghai")
    assert "note" not in brain("doctor")


def test_the_demo_runs_and_leaves_nothing_running(brain: Brain, tmp_path: Path) -> None:
    told = brain("demo", "--keep", str(tmp_path / "kept"))
    assert "Committed 14 turns of 3 sessions" in told
    for word in ("SQLite", "荞麦", "Kept:", "Dropped:", "Tokens:"):
        assert word in told
    assert any((tmp_path / "kept").iterdir())
    assert "Committed 14 turns" in brain("demo", "--keep", str(tmp_path / "kept"))


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["commit", "chat"], 2, "--message"),
        (["commit", "chat", "-", "--message", "x"], 2, "--message"),
        (["show"], 2, "SESSION"),
        (["nonsense"], 2, "No such command"),
        (["retrieve", "x", "--mode", "magic"], 2, "magic"),
        (["import", "/no/such/file"], 2, "does not exist"),
        (["show", "no-such-session"], 1, "no-such-session"),
        (["show", "--context", "no-such-context"], 1, "no-such-context"),
        (["commit", "chat", "--message", " "], 1, "content"),
    ],
)
def test_errors_are_one_line_with_an_exit_code(
    brain: Brain, memory_id: str, arguments: list[str], code: int, said: str
) -> None:
    brain("--memory", memory_id, "commit", "other", "--message", "The memory exists.")
    ended = brain.run("--memory", memory_id, *arguments)
    assert ended.returncode == code
    assert said in ended.stderr
    assert ended.stderr.strip().splitlines()[-1].startswith("Error: ")
    if code == 1:
        assert len(ended.stderr.splitlines()) == 1


def test_a_server_that_is_not_there(folder: Path) -> None:
    ended = Brain(f"unix:{folder}/nobody").run("status")
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1
    assert "brain-server --data" in ended.stderr


@pytest.mark.parametrize(
    "content",
    [
        "null",
        '{"messages": [], "messages": []}',
        "3",
        "{",
        '{"colour": 1}',
        '[{"role": "user", "content": 3}]',
        '["x"]',
    ],
)
def test_a_json_file_that_holds_no_turn(brain: Brain, memory_id: str, tmp_path: Path, content: str) -> None:
    path = tmp_path / "turn.json"
    path.write_text(content)
    ended = brain.run("--memory", memory_id, "commit", "chat", "--json", str(path))
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1


def test_a_json_file_as_other_programs_write_it(brain: Brain, memory_id: str, tmp_path: Path) -> None:
    """A byte order mark was refused, and the last digit of a long number became another."""
    path = tmp_path / "turn.json"
    events = {"tool_calls": [{"name": "refund", "args": {"order": (1 << 53) + 1}, "result": "done"}]}
    path.write_text(json.dumps(events), "utf-8-sig")
    brain("--memory", memory_id, "commit", "chat", "--json", str(path))
    assert str((1 << 53) + 1) in brain("--memory", memory_id, "compose", "chat", "Thanks")


def test_a_byte_order_mark_is_not_said(brain: Brain, memory_id: str) -> None:
    brain("--memory", memory_id, "commit", "chat", "-", said="\ufeffI live in Oslo. 我住在奥斯陆。\n".encode())
    assert "user: I live in Oslo. 我住在奥斯陆。\n" in brain("--memory", memory_id, "show", "chat")


def test_every_command_is_in_the_readme(brain: Brain) -> None:
    readme = (Path(__file__).parents[2] / "clients/python/README.md").read_text(encoding="utf-8")
    commands = [line.split()[0] for line in brain("--help").partition("Commands:\n")[2].splitlines() if line[2] != " "]
    assert commands
    assert not [command for command in commands if f"brain {command}" not in readme]
