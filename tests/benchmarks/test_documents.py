"""The benchmark of documents on made-up data, through real servers."""

import json
import mmap
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchmarks.documents import __main__ as documents
from benchmarks.documents.asked import document_uri, message_id, questions
from benchmarks.documents.footprint import forget_peak, peak, rss
from benchmarks.documents.large import write_text
from benchmarks.documents.mixed import Answer
from benchmarks.documents.tree import tree_of
from benchmarks.quality.datasets import load_data

_PASSAGES = {
    "wing": "The slipstream of a propeller raises the lift of a wing, most at small angles.",
    "flutter": "Flutter of heated panels begins at lower speeds than that of cold ones.",
    "长城": "明朝修建的长城东起鸭绿江，西到嘉峪关。",
    "茶": "龙井茶产于杭州西湖一带，以色绿香郁著称。",
}
_QUESTIONS = [
    ("p1", "How does a propeller change the lift of a wing?", ["wing"]),
    ("p2", "When does flutter of heated panels begin?", ["flutter"]),
    ("p3", "明朝的长城从哪里到哪里？", ["长城"]),
    ("p4", "How long is a piece of string?", []),
]


@pytest.fixture
def data(data_folder: Path) -> Path:
    """Write a folder of passages beside that of conversations; the folder of both."""
    folder = data_folder.parent / "passages"
    folder.mkdir()
    turns = [
        {"turn_id": name, "speaker": "document", "role": "document", "text": text} for name, text in _PASSAGES.items()
    ]
    sessions = [{"session_id": str(turn["turn_id"]), "datetime": None, "turns": [turn]} for turn in turns]
    asked = [
        {"id": name, "conversation_id": "p", "question": text, "category": "document", "gold_turn_ids": gold}
        for name, text, gold in _QUESTIONS
    ]
    _write_lines(folder / "conversations.jsonl", [{"id": "p", "lang": "", "sessions": sessions}])
    _write_lines(folder / "questions.jsonl", asked)
    return data_folder.parent


def test_of_each_data_set_an_equal_share_is_drawn_always_the_same(data: Path) -> None:
    chats, passages = [load_data(data / "made_up")], [load_data(data / "passages")]
    every = questions(chats, passages, 5)
    assert every == questions(chats, passages, 5)
    assert [one.id for one in every] == ["q1", "q2", "q3", "q5", "q6", "p1", "p2", "p3"]  # with gold, not adversarial
    assert [sum(one.drawn for one in every if one.source == source) for source in ("memory", "documents")] == [3, 2]
    assert every[2].gold == {message_id("en", "s2:0"), message_id("en", "s1:1")}
    assert every[-1].gold == {document_uri("p", "长城")}


def test_memory_and_documents(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["mixed", "--data", str(data), "--chats", "made_up", "--documents", "passages", "--questions", "4"]
    assert documents.main([*arguments, "--out", str(out)]) == 0
    answers = {one["question_id"]: one for one in _read_lines(out / "answers.jsonl")}
    assert answers["q1"]["both"][0] == answers["q1"]["alone"][0] == message_id("en", "s0:0")
    assert answers["p3"]["both"][0] == answers["p3"]["alone"][0] == document_uri("p", "长城")
    for name, answer in answers.items():
        alone = {one.startswith("passage:") for one in answer["alone"]}
        assert alone == {name.startswith("p")}
        assert {one.startswith("passage:") for one in answer["both"]} == {True, False}, "so small a memory has room"
        assert answer["packages"]["on"]["resource"] > 0
        assert len(answer["packages"]["on"]["ids"]) >= answer["packages"]["on"]["resource"]
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert [(row["data"], row["source"], row["questions"]) for row in results["drawn"]] == [
        ("made_up", "memory", 2),
        ("passages", "documents", 2),
        ("all", "memory", 2),
        ("all", "documents", 2),
        ("all", "both", 4),
    ]
    passages = results["every"][1]
    assert (passages["questions"], passages["both"], passages["alone"]) == (3, 1.0, 1.0)
    assert passages["packages"]["on"] | {"memory_pieces": 0, "resource_pieces": 0} == {
        "gold": 1.0,
        "memory_pieces": 0,
        "resource_pieces": 0,
        "with_documents": 1.0,
    }
    assert "| passages | documents | 3 | 1.000 | 1.000 | +0.0 | 0 / 0 |" in (out / "table.md").read_text("utf-8")


def test_a_tree_goes_in_three_times_and_a_large_file_once(tmp_path: Path) -> None:
    tree, out = tmp_path / "tree", tmp_path / "out"
    for name, text in _PASSAGES.items():
        (tree / name).mkdir(parents=True)
        (tree / name / "about.md").write_text(f"# {name}\n\n{text}\n\n# Notes\n\nNone on {name}.\n", "utf-8")
    (tree / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff\xfe")
    asked = [
        {"question": text, "language": "zh" if gold[0] == "长城" else "en", "documents": [f"{gold[0]}/about.md"]}
        for _, text, gold in _QUESTIONS
        if gold
    ]
    (tmp_path / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    arguments = ["ingest", "--tree", str(tree), "--questions", str(tmp_path / "asked.json"), "--large", "1"]
    assert documents.main([*arguments, "--out", str(out)]) == 0
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    new, again, changed = results["rounds"]
    assert [one["outcomes"] for one in (new, again)] == [{"created": 4}, {"unchanged": 4}]
    assert changed["outcomes"] == {"unchanged": 3, "replaced": 1}
    assert new["sections"] == new["sections_added"] == again["sections_kept"] == 8
    assert (changed["sections_kept"], changed["sections_added"], changed["sections_removed"]) == (7, 1, 1)
    for one in (new, again, changed):
        assert [skipped["name"] for skipped in one["skipped"]] == ["broken.png"]
        assert sum(one["reasons"].values()) == 1
        assert min(one["rss_before"], one["rss_after"], one["index_after"]) > 0
    found = {(row["system"], row["language"]): row for row in results["found"]}
    assert found["smartbrain", "all"]["recall"] == found["bm25", "all"]["recall"] == 1.0
    assert found["smartbrain", "zh"]["questions"] == 1
    large = results["large"]
    assert large["bytes"] >= 1_000_000
    assert large["peak"] >= large["rss_after"] > 0
    assert large["index_after"] > large["index_before"]
    assert large["chunks"] > 1000
    assert "| broken.png |" in (out / "table.md").read_text(encoding="utf-8")


def test_a_tree_is_its_files_without_hidden_ones_and_links(tmp_path: Path) -> None:
    for name in ("b.txt", "a/c.txt", ".git/config", "a/.hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    (tmp_path / "link.txt").symlink_to(tmp_path / "b.txt")
    tree = tree_of(tmp_path)
    assert tree.names == ("a/c.txt", "b.txt")
    changed = tree.with_changes(0.01)
    assert changed == tree.with_changes(0.01)
    [name] = changed.changed
    assert b"".join(changed.parts(name)).startswith(b"".join(tree.parts(name)))
    assert b"".join(changed.parts(name)) != b"".join(tree.parts(name))


def test_large_text_is_the_same_every_time_in_two_languages(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write_text(one, 50_000)
    write_text(two, 50_000)
    text = one.read_text(encoding="utf-8")
    assert one.read_bytes() == two.read_bytes()
    assert 50_000 <= one.stat().st_size < 60_000
    assert any("a" <= char <= "z" for char in text)
    assert any("\u4e00" <= char <= "\u9fff" for char in text)


def test_a_peak_is_forgotten_and_seen_again() -> None:
    own, size = os.getpid(), 64 * 2**20
    forget_peak(own)
    before = peak(own)
    with mmap.mmap(-1, size) as block:  # pages of its own: the heap may have as much to reuse
        for page in range(0, size, mmap.PAGESIZE):
            block[page] = 1
    assert peak(own) - before > size // 2
    forget_peak(own)
    assert peak(own) < rss(own) + size // 2


def test_the_questions_to_the_tree_are_thirty_of_which_eight_are_chinese() -> None:
    asked = json.loads((Path(documents.__file__).parent / "questions.json").read_text(encoding="utf-8"))
    assert [sum(one["language"] == language for one in asked) for language in ("en", "zh")] == [22, 8]
    assert all(one["question"] and one["documents"] for one in asked)
    assert len({one["question"] for one in asked}) == 30


@pytest.mark.parametrize("trial", ["mixed", "ingest"])
def test_what_is_not_there_is_a_message(trial: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = {"mixed": ["--data", str(tmp_path)], "ingest": ["--tree", str(tmp_path / "none")]}[trial]
    assert documents.main([trial, *place, "--out", str(tmp_path / "out")]) == 1
    assert str(tmp_path) in capsys.readouterr().err


def test_a_question_to_another_tree_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.txt").write_text("text", encoding="utf-8")
    arguments = ["ingest", "--tree", str(tmp_path / "tree"), "--out", str(tmp_path / "out")]
    assert documents.main(arguments) == 1
    assert "oam/create-sink.rst" in capsys.readouterr().err


def _write_lines(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def _read_lines(path: Path) -> list[Answer]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
