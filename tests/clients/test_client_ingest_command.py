"""`brain ingest`, `documents`, `document` and `forget` as processes of their own, against a real server."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.clients.command import Brain

SUMMARY = "created {}, replaced {}, unchanged {}, skipped {}"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Give a folder of documents, and of what is none."""
    folder = tmp_path / "文档"
    for name, text in {
        "harbour.md": "# Harbour\n\nThe harbour crane is called Zebedee.\n",
        "茶/龙井 1.md": "龙井茶要用八十度的水冲泡。\n",
        "茶/notes.txt": "Longjing is from Hangzhou.\n",
        ".hidden.md": "Hidden.\n",
        ".git/config": "Hidden.\n",
        "node_modules/a.md": "Not ours.\n",
        "logo.PNG": "Not text.\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def addresses(brain: Brain, memory_id: str, *options: str) -> list[str]:
    listed = json.loads(brain("--memory", memory_id, "documents", "--format", "json", *options))
    return sorted(document["source_uri"] for document in listed.get("documents", []))


def test_a_folder_goes_in_and_is_found(brain: Brain, memory_id: str, docs: Path) -> None:
    told = brain("--memory", memory_id, "ingest", str(docs), "--tag", "工作", "--topic", "port")
    assert told == f"{SUMMARY.format(3, 0, 0, 0)}; 4 left out (hidden, binary, links or not asked for)\n"
    files = sorted((docs / name).as_uri() for name in ("harbour.md", "茶/notes.txt", "茶/龙井 1.md"))
    assert addresses(brain, memory_id) == files
    assert addresses(brain, memory_id, "--prefix", (docs / "茶").as_uri(), "--tag", "工作") == files[:2]
    assert "Zebedee" in brain("--memory", memory_id, "retrieve", "crane called")
    assert "八十度" in brain("--memory", memory_id, "compose", "s", "文档里说龙井茶用多热的水？")
    assert SUMMARY.format(0, 0, 3, 0) in brain(
        "--memory", memory_id, "ingest", str(docs), "--tag", "工作", "--topic", "port"
    )
    (docs / "harbour.md").write_text("The harbour crane is called Ermintrude.\n", "utf-8")
    again = brain("--memory", memory_id, "ingest", str(docs), "--tag", "工作", "--topic", "port")
    assert SUMMARY.format(0, 1, 2, 0) in again


def test_which_files_of_a_folder_are_taken(brain: Brain, memory_id: str, docs: Path) -> None:
    (docs / "link.md").symlink_to(docs / "harbour.md")
    (docs / "茶/up").symlink_to(docs)

    def taken(*options: str) -> list[str]:
        lines = brain("--memory", memory_id, "ingest", str(docs), "--json", *options).splitlines()
        return sorted(Path(json.loads(line)["path"]).name for line in lines[:-1])

    assert taken("--include", "*.md") == [".hidden.md", "harbour.md", "龙井 1.md"]
    assert taken("--include", "茶/*", "--exclude", "*.txt") == ["龙井 1.md"]
    assert taken("--exclude", "茶") == ["harbour.md"]
    assert taken("--follow-symlinks", "--exclude", "*.txt") == ["harbour.md", "link.md", "龙井 1.md"]
    named = json.loads(brain("--memory", memory_id, "ingest", str(docs / "logo.PNG"), "--json").splitlines()[0])
    assert named["outcome"] == "created"


def test_an_address_of_ones_own_and_files_that_are_gone(brain: Brain, memory_id: str, docs: Path) -> None:
    prefix = "https://example.org/文"
    brain("--memory", memory_id, "ingest", str(docs), "--uri-prefix", f"{prefix}/")
    assert f"{prefix}/harbour.md" in addresses(brain, memory_id)
    brain("--memory", memory_id, "ingest", "-", "--uri", "https://example.org/other", said=b"Other.")
    (docs / "harbour.md").unlink()
    (docs / "茶/龙井 1.md").rename(docs / "茶/狮峰.md")
    kept = brain("--memory", memory_id, "ingest", str(docs), "--uri-prefix", prefix)
    assert kept.startswith(SUMMARY.format(1, 0, 1, 0))
    assert len(addresses(brain, memory_id)) == 5
    options = ("--uri-prefix", prefix, "--delete-missing", "--exclude", "*.txt")
    told = brain("--memory", memory_id, "ingest", str(docs), *options)
    assert told.startswith(f"{SUMMARY.format(0, 0, 1, 0)}, deleted 2;")
    left = addresses(brain, memory_id)
    assert len(left) == 3  # what is left out is not gone
    assert "https://example.org/other" in left
    assert not any("harbour" in address for address in left)


def test_an_earlier_version_that_stands_is_named(brain: Brain, memory_id: str, docs: Path) -> None:
    brain("--memory", memory_id, "ingest", str(docs))
    (docs / "茶/龙井 1.md").write_text("", "utf-8")
    (docs / "new.md").write_text("", "utf-8")
    ended = brain.run("--memory", memory_id, "ingest", str(docs))
    named = {Path(line.partition(": ")[0]).name: line for line in ended.stderr.splitlines() if ": content" in line}
    assert "its earlier version of 20" in named["龙井 1.md"]
    assert named["龙井 1.md"].endswith("Z still stands")
    assert "still stands" not in named["new.md"]
    assert ended.returncode == 1


def test_a_file_that_has_become_a_link_is_gone_unless_links_are_followed(
    brain: Brain, memory_id: str, docs: Path, tmp_path: Path
) -> None:
    brain("--memory", memory_id, "ingest", str(docs))
    (docs / "harbour.md").rename(tmp_path / "elsewhere.md")
    (docs / "harbour.md").symlink_to(tmp_path / "elsewhere.md")
    (docs / "茶").rename(tmp_path / "茶")
    (docs / "茶").symlink_to(tmp_path / "茶")
    kept = brain("--memory", memory_id, "ingest", str(docs), "--delete-missing", "--follow-symlinks")
    assert "deleted" not in kept
    assert len(addresses(brain, memory_id)) == 3
    assert "deleted 3" in brain("--memory", memory_id, "ingest", str(docs), "--delete-missing")
    assert addresses(brain, memory_id) == []


def test_what_is_refused_is_named_and_the_rest_goes_on(brain: Brain, memory_id: str, docs: Path) -> None:
    (docs / "a-empty.md").write_text("", "utf-8")
    (docs / "b-无权.md").write_text("Secret.\n", "utf-8")
    (docs / "b-无权.md").chmod(0)
    ended = brain.run("--memory", memory_id, "ingest", str(docs), "--json")
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    skipped = [Path(line["path"]).name for line in lines if line.get("outcome") == "skipped"]
    assert skipped in (["a-empty.md"], ["a-empty.md", "b-无权.md"])  # root reads what it likes
    assert all(line["reason"] for line in lines if line.get("outcome") == "skipped")
    assert lines[-1]["skipped"] == len(skipped)
    assert lines[-1]["created"] == len(lines) - 1 - len(skipped) >= 3
    assert ended.returncode == 1
    plain = brain.run("--memory", memory_id, "ingest", str(docs))
    assert "a-empty.md: " in plain.stderr
    assert f"skipped {len(skipped)}" in plain.stdout


def test_standard_input_and_one_file(brain: Brain, memory_id: str, docs: Path) -> None:
    brain("--memory", memory_id, "ingest", "-", "--id", "笔记", "--title", "我的笔记", said="龙井茶。\n".encode())
    shown = brain("--memory", memory_id, "document", "笔记", "--text")
    assert shown.startswith("笔记: 我的笔记\n")
    assert "龙井茶。" in shown
    file = str(docs / "茶/notes.txt")
    brain(
        "--memory",
        memory_id,
        "ingest",
        file,
        "--uri",
        "https://example.org/h",
        "--id",
        "h",
        "--media-type",
        "text/markdown",
    )
    found = json.loads(brain("--memory", memory_id, "document", "https://example.org/h", "--format", "json"))[
        "document"
    ]
    assert (found["document_id"], found["media_type"]) == ("h", "text/markdown")


def test_a_charset_may_be_named(brain: Brain, memory_id: str, docs: Path) -> None:
    (docs / "short.txt").write_bytes("饕餮盛宴".encode("gbk"))
    guessed = brain.run("--memory", memory_id, "ingest", str(docs / "short.txt"))
    assert "warning: read as gb18030 (guessed)" in guessed.stderr
    named = brain.run("--memory", memory_id, "ingest", str(docs / "short.txt"), "--charset", "gbk")
    assert (named.returncode, named.stderr) == (0, "")
    address = (docs / "short.txt").as_uri()
    assert "饕餮盛宴" in brain("--memory", memory_id, "document", address, "--text")
    refused = brain.run("--memory", memory_id, "ingest", str(docs / "short.txt"), "--charset", "klingon")
    assert "unknown charset" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["-"], "needs --uri or --id"),
        (["-", "{docs}", "--id", "a"], "goes with one document"),
        (["{docs}", "--title", "A"], "goes with one document"),
        (["{docs}", "{docs}", "--uri-prefix", "a:b"], "--uri-prefix goes with one PATH"),
        (["{docs}/harbour.md", "--delete-missing"], "--delete-missing goes with a folder"),
        (["{docs}/none.md"], "does not exist"),
        ([], "Missing argument"),
    ],
)
def test_a_wrong_command_line(brain: Brain, docs: Path, arguments: list[str], says: str) -> None:
    ended = brain.run("ingest", *(argument.format(docs=docs) for argument in arguments))
    assert ended.returncode == 2
    assert says in ended.stderr


def test_nobody_answers(docs: Path, folder: Path) -> None:
    ended = Brain(f"unix:{folder}/nobody").run("ingest", str(docs))
    assert ended.returncode == 1
    assert "no server answers" in ended.stderr


def test_forgetting_asks_or_is_told(brain: Brain, memory_id: str, docs: Path) -> None:
    brain("--memory", memory_id, "ingest", str(docs))
    uri = (docs / "harbour.md").as_uri()
    refused = brain.run("--memory", memory_id, "forget", uri)
    assert (refused.returncode, "--yes" in refused.stderr) == (2, True)
    for answer, left in (("n", 3), ("y", 2)):
        at_terminal(brain, answer, "--memory", memory_id, "forget", uri)
        assert len(addresses(brain, memory_id)) == left
    told = brain("--memory", memory_id, "forget", (docs / "茶/notes.txt").as_uri(), "--purge", "--yes")
    assert told.startswith("took out d")
    gone = brain.run("--memory", memory_id, "forget", uri, "--yes")
    assert (gone.returncode, "has no document" in gone.stderr) == (1, True)
    by_path = brain.run("--memory", memory_id, "document", str(docs / "harbour.md"))
    assert "that of a file begins with file:///" in by_path.stderr
    assert brain("--memory", memory_id, "documents", "--tag", "none") == "no documents\n"


def at_terminal(brain: Brain, answer: str, *arguments: str) -> None:
    """Run a command with a terminal as its standard input, and type an answer."""
    near, far = pty.openpty()
    command = [sys.executable, "-m", "smartbrain.cli", *arguments]
    process = subprocess.Popen(
        command, stdin=far, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=brain.environment
    )
    os.write(near, f"{answer}\n".encode())
    process.communicate(timeout=60)
    os.close(near)
    os.close(far)


def test_an_interrupted_ingest_keeps_what_was_done(brain: Brain, memory_id: str, docs: Path) -> None:
    """The pipe that stands in for the second file never ends."""
    os.mkfifo(docs / "pipe")
    command: list[Any] = [sys.executable, "-m", "smartbrain.cli", "--memory", memory_id, "ingest", "--json"]
    process = subprocess.Popen(
        [*command, docs / "harbour.md", docs / "pipe"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**brain.environment, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["outcome"] == "created"
    with (docs / "pipe").open("wb") as pipe:
        pipe.write(b"The harbour crane ")
        pipe.flush()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert json.loads(out)["created"] == 1
    assert b"Traceback" not in err
    assert addresses(brain, memory_id) == [(docs / "harbour.md").as_uri()]
