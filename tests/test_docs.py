"""The documents tell the truth: examples run, links resolve, commands exist, settings load."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from smartbrain import Client
from smartbrain.cli import brain
from smartbrain.conversations import parse_conversation

from brain_core.policy import load_policy
from tests.serving import Server, start_server

ROOT = Path(__file__).parent.parent
_WHERE = (
    "*.md",
    "docs/*.md",
    "clients/*/README.md",
    "benchmarks/README.md",
    "benchmarks/notes/*.md",
    "brain_core/models/*/README.md",
)
PAGES = sorted(path for pattern in _WHERE for path in ROOT.glob(pattern))
ENGLISH, CHINESE = ROOT / "README.md", ROOT / "README.zh-CN.md"
PAIRS = [(ENGLISH, CHINESE)]
PAIRS += [(page.with_suffix("").with_suffix(".md"), page) for page in sorted(ROOT.glob("docs/*.zh-CN.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[Path, str]]:
    return [(page, code) for page in (ENGLISH, ROOT / "clients/python/README.md") for code in blocks(page, "python")]


def model(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Answer as a model that calls a tool does, of which it knows the result then."""
    if messages[-1]["role"] == "tool":
        return {"role": "assistant", "content": f"No {messages[-1]['content']}"}
    called = {"name": "allergies", "arguments": '{"name": "Mei"}'}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function", "function": called}]}


@pytest.mark.parametrize(("page", "code"), examples(), ids=lambda value: value.name if isinstance(value, Path) else "")
def test_python_examples_run(page: Path, code: str, server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    running = code.replace('"127.0.0.1:7700"', repr(server.target))
    running = running.replace('"./brain-backups"', repr(str(server.data.parent / "brain-backups")))
    scope: dict[str, object] = {"call_your_model": lambda _: "You moved to Lisbon.", "ask_your_model": model}
    exec(compile(running, str(page), "exec"), scope)
    if page == ENGLISH and "print(" in code:
        assert "花生" in capsys.readouterr().out


def test_the_agent_loop_leaves_what_was_said_and_done(server: Server) -> None:
    (code,) = [code for code in blocks(ENGLISH, "python") if "ask_your_model" in code]
    running = code.replace('"127.0.0.1:7700"', repr(server.target)).replace('"cook"', '"cook of this test"')
    exec(compile(running, str(ENGLISH), "exec"), {"ask_your_model": model})
    with Client(server.target, memory_id="cook of this test") as client:
        (turn,) = client.turns("monday")
        context = client.compose("monday", "And what else?").context
    question, answer = turn.events.messages
    assert (question.role, question.content) == ("user", "What must Mei not eat? 小梅不能吃什么？")
    assert (answer.role, answer.content) == ("assistant", "No Mei: peanuts. 花生。")
    (call,) = turn.events.tool_calls
    assert (call.name, call.args["name"], call.result, call.status) == (
        "allergies",
        "Mei",
        "Mei: peanuts. 花生。",
        "ok",
    )
    assert any(turn.role == "tool" and call.result in turn.content for turn in context.recent_turns)


def anchors(page: Path) -> set[str]:
    """Return what the headings of a page are called in links, as GitHub makes it."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", page.read_text("utf-8"))
    missing = []
    for target, anchor in (link for link in links if "://" not in link[0]):
        to = page.parent / target if target else page
        if not to.exists() or (anchor and anchor not in anchors(to)):
            missing.append(f"{target}#{anchor}")
    assert not missing


def test_each_page_of_notes_is_listed_and_says_first_what_holds_today() -> None:
    listing = (ROOT / "benchmarks/README.md").read_text("utf-8")
    notes = sorted(ROOT.glob("benchmarks/notes/*.md"))
    assert [page.name for page in notes if f"](notes/{page.name})" not in listing] == []
    first = {page.name: re.findall("^## (.*)", page.read_text("utf-8"), re.MULTILINE)[0] for page in notes}
    assert [name for name, heading in first.items() if not heading.startswith("What holds today")] == ["methods.md"]


def test_architecture_has_a_section_for_each_folder() -> None:
    headings = re.findall("^## (.*)", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), re.MULTILINE)
    rooms = [room for room in (ROOT / "brain_core").iterdir() if room.name != "policy" and any(room.glob("*.py"))]
    wanted = ["brain_core", "brain_server", "protos", "clients/python", *(f"brain_core/{room.name}" for room in rooms)]
    assert [name for name in wanted if not any(heading.startswith(f"{name}/: ") for heading in headings)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_of_ours_that_are_named_exist(page: Path) -> None:
    """A file may be named by the end of its path alone, as `planner/read.py` is."""
    named = re.findall(r"`([\w/.-]+\.(?:pyi?|pyx|pxd|h|proto|safetensors))`", page.read_text("utf-8"))
    folders = [ROOT / name for name in ("benchmarks", "brain_core", "brain_server", "clients", "protos", "tests")]
    missing = {name for name in named if not (ROOT / name).exists()}
    assert {name for name in missing if not any(any(folder.rglob(name)) for folder in folders)} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_brain_commands_exist(page: Path) -> None:
    lines = [line.strip() for code in blocks(page, "sh") for line in re.split(r"[\n;|]", code)]
    words = [shlex.split(line.split(" #")[0]) for line in lines if line.startswith("brain ")]
    unknown = [word[1] for word in words if CliRunner().invoke(brain, [word[1], "--help"]).exit_code != 0]
    assert not unknown


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_http_examples_run(folder: Path) -> None:
    (code,) = [code for code in blocks(ENGLISH, "sh") if "--http" in code]
    start, _, asking = code.partition("\n")
    running = start_server(folder, *shlex.split(start.removesuffix("&"))[3:-1], "127.0.0.1:0")
    address = str(running.listening()["http"]).removeprefix("http://")
    script = 'set -e; curl() { command curl --silent --show-error --fail-with-body "$@"; }\n' + asking
    ran = subprocess.run(
        ["sh", "-c", script.replace("127.0.0.1:7780", address)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert running.terminate() == 0
    assert ran.returncode == 0, ran.stdout + ran.stderr
    _, composed, _, items = ran.stdout.splitlines()
    assert "她对花生过敏" in composed
    assert "must not eat peanuts" in items


@pytest.mark.parametrize("page", [ENGLISH, CHINESE], ids=lambda page: page.name)
def test_settings_load(page: Path) -> None:
    found = blocks(page, "yaml")
    assert found
    for text in found:
        load_policy(yaml.safe_load(text))


@pytest.mark.parametrize("page", [ENGLISH, CHINESE], ids=lambda page: page.name)
def test_lines_to_import_are_conversations(page: Path) -> None:
    [line] = [block for block in blocks(page, "json") if '"sessions"' in block]
    read = parse_conversation(line)
    assert (read.id, read.sessions[0].turns[0].text, read.unread) == ("ann", "We ship on Friday.", ())


def test_the_help_of_import_shows_a_line_that_it_reads() -> None:
    shown = CliRunner().invoke(brain, ["import", "--help"]).output
    read = parse_conversation(shown[shown.index("{") : shown.rindex("}]}]}") + 5])
    assert read.sessions[0].turns[0].text == "Hello."
    assert not read.unread


def test_both_readmes_show_the_same_commands() -> None:
    for language in ("sh", "yaml"):
        english, chinese = (
            [[line.split("#")[0].strip() for line in code.splitlines()] for code in blocks(page, language)]
            for page in (ENGLISH, CHINESE)
        )
        assert english == chinese
    assert blocks(ENGLISH, "python") == blocks(CHINESE, "python")


def test_each_page_of_docs_is_there_in_both_languages() -> None:
    assert {page for pair in PAIRS[1:] for page in pair} == set(ROOT.glob("docs/*.md"))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0].name)
def test_both_languages_name_the_same_things_line_by_line(pair: tuple[Path, Path]) -> None:
    """What was told of other servers in one language still was that they are asked without encryption and tokens."""
    english, chinese = (page.read_text("utf-8").splitlines() for page in pair)
    for number, lines in enumerate(zip(english, chinese, strict=True), start=1):
        named = [set(re.findall(r"`[^`]+`", line)) for line in lines]
        assert named[0] == named[1], f"line {number}"
