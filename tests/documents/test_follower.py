"""Files that turns refer to are taken in behind the commit: once, from allowed folders only, across restarts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.admin_service_pb2 import GetStatusResponse
from smartbrain.v1.brain_service_pb2 import DeleteMemoryRequest, DeleteTurnRequest
from smartbrain.v1.event_pb2 import Ref
from smartbrain.v1.resource_service_pb2 import DocumentHeader, GetDocumentRequest, ListDocumentsRequest

from brain_core import Brain, load_policy
from brain_core.errors import NotFound, PolicyError
from brain_core.readers.read import read_document
from tests.building import found, open_brain, say, turn
from tests.purge.files import erased, files_with
from tests.purge.passed import opened

_SECONDS = 30


def following(folder: Path, *roots: Path, **limits: int) -> Brain:
    documents: dict[str, Any] = {"ingest_refs": {"roots": [str(root) for root in roots]}}
    return open_brain(folder / "data", documents=documents, limits=limits)


def ref(uri: str, *, ref_type: str = "file", title: str = "") -> Ref:
    made = Ref(ref_type=ref_type, uri=uri)
    if title:
        made.meta["title"] = title
    return made


def until(
    brain: Brain, done: Callable[[GetStatusResponse], bool] = lambda status: not status.turns_to_follow
) -> GetStatusResponse:
    deadline = time.monotonic() + _SECONDS
    while not done(status := brain.status()):
        assert time.monotonic() < deadline, status
        time.sleep(0.005)
    return status


def documents(brain: Brain, memory: str = "m") -> dict[str, str]:
    listed = brain.list_documents(ListDocumentsRequest(memory_id=memory)).documents
    return {one.source_uri: one.title for one in listed}


@pytest.fixture
def root(folder: Path) -> Path:
    made = folder / "root"
    made.mkdir()
    (made / "harbour.md").write_text("The harbour crane is called Zebedee.\n", "utf-8")
    (made / "茶.md").write_text("龙井茶要用八十度的水冲泡。\n", "utf-8")
    return made


def test_a_file_that_a_turn_refers_to_is_found_by_later_searches(folder: Path, root: Path) -> None:
    harbour, tea = root / "harbour.md", root / "茶.md"
    refs = [ref(harbour.as_uri(), title="港口 Harbour"), ref(str(tea), ref_type="artifact")]
    with following(folder, root) as brain:
        brain.commit_turn(turn("m", "s", refs=refs))
        assert until(brain).follow_problem == ""
        assert documents(brain) == {harbour.as_uri(): "港口 Harbour", tea.as_uri(): documents(brain)[tea.as_uri()]}
        assert any("Zebedee" in text for text in found(brain, "m", "What is the crane called?"))
        assert any("八十度" in text for text in found(brain, "m", "龙井茶用多热的水？"))
        known = brain.get_document(GetDocumentRequest(memory_id="m", document_id=harbour.as_uri())).document
        assert known.changed_at.ToNanoseconds() == harbour.stat().st_mtime_ns
        assert not known.tag_ids


def test_nothing_is_followed_unless_a_folder_is_allowed(folder: Path, root: Path) -> None:
    with open_brain(folder / "data") as brain:
        brain.commit_turn(turn("m", "s", refs=[ref(str(root / "harbour.md"))]))
        assert brain.status().turns_to_follow == 0
    with following(folder, root) as brain:  # from then on, what was said before too
        until(brain)
        assert list(documents(brain)) == [(root / "harbour.md").as_uri()]


def test_only_the_types_asked_for_are_followed(folder: Path, root: Path) -> None:
    policy = {"ingest_refs": {"roots": [str(root)], "include": ["artifact"]}}
    with open_brain(folder / "data", documents=policy) as brain:
        brain.commit_turn(
            turn("m", "s", refs=[ref(str(root / "harbour.md")), ref(str(root / "茶.md"), ref_type="url")])
        )
        until(brain)
        assert documents(brain) == {}


def test_urls_and_files_elsewhere_are_left_alone(folder: Path, root: Path) -> None:
    outside = folder / "outside.md"
    outside.write_text("Nobody may read this.", "utf-8")
    refs = [ref("https://127.0.0.1:9/a.md", ref_type="url"), ref("https://127.0.0.1:9/a.md"), ref(str(outside))]
    with following(folder, root) as brain:
        brain.commit_turn(turn("m", "s", refs=refs))
        status = until(brain)
        assert documents(brain) == {}
        assert (status.refs_skipped, status.follow_problem) == (0, "")


def test_what_cannot_be_taken_in_is_named_and_the_next_file_follows(folder: Path, root: Path) -> None:
    (root / "large.md").write_text("x" * 5000, "utf-8")
    (root / "empty.md").write_text("", "utf-8")
    (root / "link.md").symlink_to(folder / "data")
    bad = ("gone.md", "link.md", "large.md", "empty.md")
    with following(folder, root, document_bytes=4000) as brain:
        for number, name in enumerate(bad, start=1):
            brain.commit_turn(turn("m", "s", refs=[ref(f"{root}/{name}")]))
            status = until(brain)
            assert status.refs_skipped == number
            assert name in status.follow_problem
        brain.commit_turn(turn("m", "s", refs=[ref(f"{root}/gone.md"), ref("harbour.md")]))
        until(brain)
        assert list(documents(brain)) == [(root / "harbour.md").as_uri()]
    with following(folder, root) as brain:  # a restart forgets none of it
        assert brain.status().refs_skipped == len(bad) + 1
        assert "gone.md" in brain.status().follow_problem


def test_a_reader_that_breaks_on_a_file_holds_up_no_other(
    folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise RecursionError("too deep")

    with following(folder, root) as brain:
        with monkeypatch.context() as broken:
            broken.setattr("brain_core.library.read_document", breaks)
            brain.commit_turn(turn("m", "s", refs=[ref("harbour.md")]))
            assert "too deep" in until(brain).follow_problem
        brain.commit_turn(turn("m", "s", refs=[ref("茶.md")]))
        until(brain)
        assert list(documents(brain)) == [(root / "茶.md").as_uri()]


def test_a_folder_that_is_not_there_is_named(folder: Path) -> None:
    with following(folder, folder / "nowhere") as brain:
        assert "nowhere is no folder" in brain.status().follow_problem
    with pytest.raises(PolicyError, match="absolute"):
        load_policy({"documents": {"ingest_refs": {"roots": ["docs"]}}})


def test_each_turn_is_followed_once_in_every_memory_and_a_changed_file_again(folder: Path, root: Path) -> None:
    file = root / "harbour.md"
    with following(folder, root) as brain:
        for memory in ("m", "别的"):
            for number in range(3):
                brain.commit_turn(say(memory, "s", f"Remark {number}."))
                brain.commit_turn(turn(memory, "s", refs=[ref(str(file))]))
        until(brain)
        revisions = {memory: _revision(brain, memory) for memory in ("m", "别的")}
    with following(folder, root) as brain:
        until(brain)
        assert {memory: _revision(brain, memory) for memory in revisions} == revisions
        file.write_text("The harbour crane is called Ermintrude.\n", "utf-8")
        brain.commit_turn(turn("m", "s", refs=[ref(str(file))]))
        until(brain)
        texts = found(brain, "m", "What is the harbour crane called?")
        assert any("Ermintrude" in text for text in texts)
        assert not any("Zebedee" in text for text in texts)


def _revision(brain: Brain, memory: str) -> int:
    return brain.list_documents(ListDocumentsRequest(memory_id=memory)).revision


def test_a_commit_does_not_wait_for_it(folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def held_up(*arguments: Any) -> Any:  # noqa: ANN401
        reading.set()
        assert go_on.wait(_SECONDS)
        return read_document(*arguments)

    monkeypatch.setattr("brain_core.library.read_document", held_up)
    with following(folder, root) as brain:
        brain.commit_turn(turn("m", "s", refs=[ref("harbour.md")]))
        assert reading.wait(_SECONDS)
        brain.commit_turn(say("m", "s", "Meanwhile I have moved to Lisbon."))
        assert found(brain, "m", "Lisbon")
        assert brain.status().turns_to_follow == 2
        go_on.set()
        until(brain)
        assert len(documents(brain)) == 1


def test_a_file_taken_in_by_hand_and_by_a_ref_is_one_document(folder: Path, root: Path) -> None:
    uri = (root / "harbour.md").as_uri()
    with following(folder, root) as brain:
        header = DocumentHeader(memory_id="m", source_uri=uri)
        brain.ingest_document(header, [(root / "harbour.md").read_bytes()])
        brain.commit_turn(turn("m", "s", refs=[ref("harbour.md"), ref(f"{uri}#L1"), ref(uri)]))
        until(brain)
        assert list(documents(brain)) == [uri]


def test_a_memory_without_documents_has_none_afterwards(folder: Path, root: Path) -> None:
    with following(folder, root) as brain:
        brain.commit_turn(say("m", "s", "See harbour.md."))
        until(brain)
        assert documents(brain) == {}
        with pytest.raises(NotFound):
            brain.get_document(GetDocumentRequest(memory_id="m", document_id="harbour.md"))


@pytest.mark.parametrize("changed", [False, True])
@pytest.mark.parametrize("title", ["", "as the turn calls it"])
def test_a_ref_keeps_what_the_document_was_taken_in_with(folder: Path, root: Path, title: str, changed: bool) -> None:
    file = root / "harbour.md"
    header = DocumentHeader(
        memory_id="m",
        source_uri=file.as_uri(),
        title="港口手册",
        tag_ids=["port", "港口"],
        topic_ids=["cranes"],
        language="de",
        media_type="text/plain",
    )
    with following(folder, root) as brain:
        brain.ingest_document(header, [file.read_bytes()])
        if changed:
            file.write_text("The harbour crane is called Ermintrude.\n", "utf-8")
        brain.commit_turn(turn("m", "s", refs=[ref(str(file), title=title)]))
        assert until(brain).follow_problem == ""
        known = brain.get_document(GetDocumentRequest(memory_id="m", document_id=file.as_uri())).document
        assert (known.title, list(known.tag_ids), list(known.topic_ids)) == ("港口手册", ["port", "港口"], ["cranes"])
        assert (known.language, known.media_type) == ("de", "text/plain")
        assert known.size_bytes == file.stat().st_size
        tagged = ListDocumentsRequest(memory_id="m", tag_ids=["port"])
        assert [one.source_uri for one in brain.list_documents(tagged).documents] == [file.as_uri()]


def test_what_only_the_text_says_changes_with_the_text(folder: Path, root: Path) -> None:
    file = root / "notes.md"
    file.write_text("---\ntags: [old]\n---\n# Old heading\n\nText.\n", "utf-8")
    with following(folder, root) as brain:
        brain.ingest_document(DocumentHeader(memory_id="m", source_uri=file.as_uri()), [file.read_bytes()])
        file.write_text("# New heading\n\nText.\n", "utf-8")
        brain.commit_turn(turn("m", "s", refs=[ref(str(file))]))
        until(brain)
        known = brain.get_document(GetDocumentRequest(memory_id="m", document_id=file.as_uri())).document
        assert (known.title, list(known.tag_ids)) == ("New heading", [])


def test_a_file_is_one_document_however_its_ref_is_spelled(folder: Path, root: Path) -> None:
    (root / "inner").mkdir()
    file = root / "计划 w.md"
    file.write_text("The wombat sleeps. 袋熊在睡觉。\n", "utf-8")
    (root / "link.md").symlink_to(file)
    (folder / "linked").symlink_to(root)
    uri, path = file.as_uri(), str(file)
    spelled = [
        uri,
        path,
        file.name,
        uri.replace("file://", "file://localhost"),
        uri.replace("file://", "FILE://LocalHost"),
        uri.replace("file:///", "file:/"),
        f"{root.as_uri()}/inner/../{uri.rpartition('/')[2]}",
        f"{root.as_uri()}/./{uri.rpartition('/')[2]}",
        uri.replace("w.md", "%77.%6Dd"),
        uri.replace("%E8", "%e8"),
        f"file://{path}",
        f"{uri}?raw=1#L2",
        str(root / "link.md"),
        f"{(folder / 'linked').as_uri()}/{uri.rpartition('/')[2]}",
        "inner/../link.md",
    ]
    with following(folder, root) as brain:
        for each in spelled:
            brain.commit_turn(turn("m", "s", refs=[ref(each)]))
        assert until(brain).follow_problem == ""
        assert list(documents(brain)) == [uri]


@pytest.mark.parametrize("memories", [("a", "b", "c"), ("c", "b", "a"), ("乙", "甲", "z")])
def test_the_status_names_the_last_file_that_was_skipped_whichever_memory_it_was_of(
    folder: Path, root: Path, memories: tuple[str, ...]
) -> None:
    with following(folder, root) as brain:
        for number, memory in enumerate(memories, start=1):
            (root / f"gone-{number}.md").symlink_to(folder / "nowhere")
            brain.commit_turn(turn(memory, "s", refs=[ref(f"{root}/gone-{number}.md")]))
            problem = until(brain).follow_problem
            assert f"gone-{number}.md" in problem
            assert repr(memory) in problem


def test_a_purged_turn_leaves_no_word_in_the_status(folder: Path, root: Path) -> None:
    """What was skipped is named by what the turn called it, and the name stayed, in the files too."""
    with following(folder, root) as brain:
        gone = [brain.commit_turn(turn("m", "s", refs=[ref(str(root / name))])) for name in ("qzone.md", "qztwo.md")]
        assert "qztwo" in until(brain).follow_problem
        brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=gone[0].turn_id))
        assert "qztwo" in brain.status().follow_problem, "another turn named it"
        brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=gone[1].turn_id))
        status = brain.status()
        assert (status.refs_skipped, status.follow_problem) == (2, "")
        erased(brain)
        assert files_with(folder / "data", "qzone", "qztwo") == []


@pytest.mark.parametrize("whole_memory", [False, True])
def test_what_is_purged_meanwhile_is_not_followed(folder: Path, root: Path, whole_memory: bool) -> None:
    """A memory that was begun anew got the file of the one before, and none of its own."""
    policy = {"ingest_refs": {"roots": [str(root)]}}
    tea, harbour = turn("m", "s", refs=[ref(str(root / "茶.md"))]), turn("m", "s", refs=[ref(str(root / "harbour.md"))])
    with opened(folder / "data", documents=policy) as (brain, store):
        brain.commit_turn(say("m", "s", "The first."))
        until(brain)
        purged = threading.Event()

        def purge() -> None:
            if whole_memory:
                brain.delete_memory(DeleteMemoryRequest(memory_id="m"))
            else:
                brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id="t2"))
            brain.commit_turn(harbour)
            purged.set()

        store.after_view = purge
        brain.commit_turn(tea)
        assert purged.wait(_SECONDS)
        until(brain)
        assert list(documents(brain)) == [(root / "harbour.md").as_uri()]
