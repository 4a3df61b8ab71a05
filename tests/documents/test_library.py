"""Documents in a brain: in, replaced, out, found, and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, GetContextRequest
from smartbrain.v1.plan_pb2 import PlanFilters
from smartbrain.v1.resource_service_pb2 import (
    DeleteDocumentRequest,
    DocumentHeader,
    DocumentSection,
    GetDocumentRequest,
    IngestDocumentResponse,
    ListDocumentsRequest,
)

from brain_core import Brain
from brain_core.commit.ingest import CHUNKS_AT_ONCE
from brain_core.errors import AlreadyExists, BrainError, InvalidArgument, NotFound
from brain_core.store import documents, log
from brain_core.store.kv import ReadView
from brain_core.text.tokens import ApproxCounter
from tests.building import compose, open_brain, plan, retrieve, say, second
from tests.purge.files import erased, files_with

ABOUT_KIRIBATI = "# Kiribati\n\nThe capital of Kiribati is Tarawa.\n\n# 历史\n\n基里巴斯于一九七九年独立。\n"


def ingest(
    brain: Brain, uri: str, text: str | Iterable[bytes], memory: str = "m", **fields: object
) -> IngestDocumentResponse:
    """Take a Markdown text in. fields: of the header."""
    header = DocumentHeader(memory_id=memory, source_uri=uri, media_type="text/markdown", **fields)  # type: ignore[arg-type]
    return brain.ingest_document(header, [text.encode()] if isinstance(text, str) else text)


def titles(brain: Brain, text: str, mode: str = "exact", **filters: object) -> list[str]:
    """Return the titles of what a query finds in documents and memory."""
    asked = plan(text, mode=mode, filters=PlanFilters(**filters))  # type: ignore[arg-type]
    return [one.title for one in retrieve(brain, "m", asked).evidences]


def sound(brain: Brain) -> bool:
    return [problem for answer in brain.verify() for problem in answer.problems] == []


def chapters(count: int, changed: int = -1) -> str:
    """Return a text of sections, one of which may differ."""
    words = (f"# Part {n}\n\nThe number of part {n} is w{n}{'changed' * (n == changed)}.\n" for n in range(count))
    return "\n".join(words)


def test_a_document_is_found_with_what_was_said_and_cited(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "I was in Kiribati last year."))
    answer = ingest(brain, "https://example.org/kiribati.md", ABOUT_KIRIBATI)
    assert (answer.outcome, answer.sections_added, answer.revision) == ("created", 2, 2)
    document = answer.document
    assert (document.source_type, document.media_type, document.chunks) == ("url", "text/markdown", 2)
    pack = retrieve(brain, "m", plan("What is the capital of Kiribati?"))
    best = pack.evidences[0]
    assert best.kind == "resource_section"
    assert best.id == f"{document.document_id}:{best.section_id}:0"
    assert best.source_uri == "https://example.org/kiribati.md"
    assert "Tarawa" in best.snippet
    assert best.metadata.section_title == "Kiribati"
    assert {one.source_type for one in pack.evidences} == {"url", "conversation", "memory_item"}
    context = compose(brain, "m", "new", "look it up in the docs: what is the capital of Kiribati?")
    assert [one.source for one in context.evidence if "Tarawa" in one.snippet] == ["resource"]


def test_chinese_documents_are_found_by_chinese_and_by_english(brain: Brain) -> None:
    ingest(brain, "file:///kiribati.md", ABOUT_KIRIBATI)
    for question in ("基里巴斯哪一年独立", "When did it become independent?"):
        found = retrieve(brain, "m", plan(question)).evidences
        assert "独立" in found[0].snippet, question
        assert found[0].language == "zh"


def test_the_same_content_changes_nothing_and_other_content_keeps_what_is_the_same(brain: Brain) -> None:
    first = ingest(brain, "file:///parts.md", chapters(5))
    again = ingest(brain, "file:///parts.md", chapters(5))
    assert (again.outcome, again.revision, again.sections_kept) == ("unchanged", first.revision, 5)
    assert again.document == first.document
    every = plan("number of part")
    every.budget.diversity.by_document = 100
    before = {one.id for one in retrieve(brain, "m", every).evidences}
    changed = ingest(brain, "file:///parts.md", chapters(6, changed=2))
    assert changed.outcome == "replaced"
    assert (changed.sections_kept, changed.sections_added, changed.sections_removed) == (4, 2, 1)
    after = {one.id for one in retrieve(brain, "m", every).evidences}
    assert len(before & after) == 4
    assert titles(brain, "w2") == []
    assert len(titles(brain, "w2changed")) == 1
    assert sound(brain)


def test_sections_stand_beside_each_other_in_the_order_of_the_document(brain: Brain) -> None:
    """Also where one in the middle came later than the others."""
    ingest(brain, "file:///parts.md", chapters(3))
    ingest(brain, "file:///parts.md", chapters(3, changed=1))
    context = compose(brain, "m", "s", "search the docs for the number of part 1")
    assert [one.snippet.count("The number") for one in context.evidence] == [3]
    positions = [context.evidence[0].snippet.index(word) for word in ("w0", "w1changed", "w2")]
    assert positions == sorted(positions)


def test_a_section_in_a_piece_stands_under_its_own_title(brain: Brain) -> None:
    """Regression: joined sections had the title of the first, so that a context said the opposite of the document."""
    faq = "\n\n".join(["# FAQ", *(f"## Is {one} backed up?\n\n{told}" for one, told in BACKED_UP.items())])
    ingest(brain, "file:///faq.md", faq)
    context = compose(brain, "m", "s", "search the docs: is the production server backed up?", token_limit=400)
    (piece,) = context.evidence
    said = [line for line in [piece.title, *piece.snippet.split("\n")] if line]
    for one, told in BACKED_UP.items():
        assert said[said.index(f"FAQ › Is {one} backed up?") + 1] == told
    assert context.constraints.token_budget.used <= 400
    assert "with 2 sections of its document" in context.debug.why_selected[0].reason


BACKED_UP = {
    "the beta server": "No.",
    "the production server": "Yes, nightly at 02:00.",
    "the staging server": "Weekly.",
}


def test_another_title_makes_every_section_anew(brain: Brain) -> None:
    ingest(brain, "file:///parts.md", chapters(3))
    renamed = ingest(brain, "file:///parts.md", chapters(3), title="Numbers")
    assert (renamed.outcome, renamed.sections_added, renamed.sections_kept) == ("replaced", 3, 0)
    assert all(title.startswith("Numbers") for title in titles(brain, "w1"))
    assert sound(brain)


def test_a_large_document_goes_in_as_several_batches_and_is_shown_at_once(folder: Path) -> None:
    count = 3 * CHUNKS_AT_ONCE
    with open_brain(folder) as brain:
        answer = ingest(brain, "file:///large.md", chapters(count))
        assert answer.document.chunks == count
        assert answer.revision > 2
        assert len(titles(brain, f"w{count - 1}")) == 1
        assert sound(brain)
    with open_brain(folder) as brain:
        assert len(titles(brain, "w7")) == 1
        assert ingest(brain, "file:///large.md", chapters(count, changed=5)).sections_kept == count - 1
        assert sound(brain)


def test_what_breaks_off_half_way_leaves_what_was_there(brain: Brain, folder: Path) -> None:
    ingest(brain, "file:///parts.md", chapters(3))
    revision = brain.list_documents(ListDocumentsRequest(memory_id="m")).revision

    def broken() -> Iterable[bytes]:
        yield b"# One\n\nHalf of it "
        raise ConnectionError

    with pytest.raises(ConnectionError):
        ingest(brain, "file:///parts.md", broken())
    with pytest.raises(InvalidArgument) as refused:
        ingest(brain, "file:///parts.md", " \n")
    assert refused.value.reason == "UNREADABLE_DOCUMENT"
    assert brain.list_documents(ListDocumentsRequest(memory_id="m")).revision == revision
    assert len(titles(brain, "w1")) == 1
    assert list((folder / "spool").iterdir()) == []


def test_too_many_bytes_are_refused_before_all_have_come(folder: Path) -> None:
    taken = 0

    def endless() -> Iterable[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield b"x" * 1000

    with open_brain(folder, limits={"document_bytes": 10_000}) as brain:
        with pytest.raises(InvalidArgument) as refused:
            ingest(brain, "file:///large.txt", endless())
        assert (refused.value.field, taken) == ("content", 11)
        with pytest.raises(NotFound):
            brain.list_documents(ListDocumentsRequest(memory_id="m"))


def test_a_deleted_document_is_not_found_and_purging_takes_its_text(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "We talked about zebras."))
    document = ingest(brain, "file:///kiribati.md", ABOUT_KIRIBATI).document
    other = ingest(brain, "file:///parts.md", chapters(20))
    request = DeleteDocumentRequest(memory_id="m", document_id="file:///kiribati.md", request_id="once")
    answer = brain.delete_document(request)
    assert answer.document == document
    assert brain.delete_document(request) == answer
    assert titles(brain, "Kiribati") == titles(brain, "capital", "hybrid", document_ids=[document.document_id]) == []
    with pytest.raises(NotFound):
        brain.get_document(GetDocumentRequest(memory_id="m", document_id=document.document_id))
    with pytest.raises(AlreadyExists):
        request.purge = True
        brain.delete_document(request)
    assert "Tarawa" in stored_texts(brain)
    brain.delete_document(DeleteDocumentRequest(memory_id="m", document_id=other.document.document_id, purge=True))
    assert "Tarawa" not in stored_texts(brain)
    assert "part 7" not in stored_texts(brain)
    assert "zebras" in stored_texts(brain)
    assert titles(brain, "zebras") != []
    assert sound(brain)


def test_purging_a_document_takes_what_contexts_quote_of_it_and_its_bytes(folder: Path) -> None:
    with open_brain(folder) as brain:
        document = ingest(brain, "file:///kiribati.md", ABOUT_KIRIBATI).document
        ingest(brain, "file:///parts.md", chapters(20))
        quoting, other = (
            brain.compose_context(
                ComposeContextRequest(memory_id="m", session_id="s", user_message=asked, plan=plan(asked, mode="exact"))
            ).context
            for asked in ("the capital", "part 7")
        )
        assert "Tarawa" in str(quoting.evidence)
        assert "Tarawa" not in str(other)
        assert other.evidence
        gone = DeleteDocumentRequest(memory_id="m", document_id=document.document_id, purge=True, request_id="once")
        answer = brain.delete_document(gone)
        assert answer.document == document
        with pytest.raises(NotFound):
            brain.get_context(GetContextRequest(memory_id="m", context_id=quoting.context_id))
        request = GetContextRequest(memory_id="m", context_id=other.context_id)
        assert brain.get_context(request).context == other
        again = brain.delete_document(gone)
        assert (again.document.document_id, again.revision) == (document.document_id, answer.revision)
        erased(brain)
        assert files_with(folder, "Tarawa") == []


def stored_texts(brain: Brain) -> str:
    view: ReadView = brain._kv
    return "\n".join(chunk.SerializeToString().decode("utf-8", "replace") for chunk in log.scan_chunks(view, "m"))


def test_what_was_replaced_is_purged_once_it_is_a_share_of_the_memory(folder: Path) -> None:
    with open_brain(folder) as brain:
        ingest(brain, "file:///parts.md", chapters(30))
        for change in range(15):
            ingest(brain, "file:///parts.md", chapters(30, changed=change))
        found = stored_texts(brain)
        assert sum(f"w{n}changed" in found for n in range(15)) < 10
        assert sound(brain)
        answers = [titles(brain, f"part {n}", "hybrid") for n in range(5)]
    with open_brain(folder) as brain:
        assert [titles(brain, f"part {n}", "hybrid") for n in range(5)] == answers
        assert sound(brain)


def test_filters_of_documents_narrow_to_them(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The number of part 1 is unknown."))
    one = ingest(brain, "file:///a/one.md", chapters(2), tag_ids=["red", "new"], topic_ids=["numbers"]).document
    two = ingest(brain, "https://b/two.md", chapters(3, changed=0), tag_ids=["new"], changed_at=second(-1000)).document

    def documents(**filters: object) -> set[str]:
        asked = plan("number of part", filters=PlanFilters(**filters))  # type: ignore[arg-type]
        return {found.document_id for found in retrieve(brain, "m", asked).evidences}

    assert documents() == {"", one.document_id, two.document_id}
    assert documents(document_ids=[one.document_id]) == documents(tag_ids=["red"]) == {one.document_id}
    assert documents(tag_ids=["new", "unknown"]) == {one.document_id, two.document_id}
    assert documents(topic_ids=["numbers"]) == documents(source_uri_prefix="file:///a/") == {one.document_id}
    assert documents(tag_ids=["unknown"]) == set()
    assert documents(source_type=["url"]) == {two.document_id}
    assert documents(types=["tasks"]) == set()
    asked = plan("part", filters=PlanFilters(tag_ids=["red", "new"]))
    shares = {found.document_id: found.signals.tag_score for found in retrieve(brain, "m", asked).evidences}
    assert shares == {one.document_id: 1.0, two.document_id: 0.5}


def test_without_resource_retrieval_no_document_is_searched_and_that_is_told(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The number of part 1 is unknown."))
    ingest(brain, "file:///one.md", chapters(2))
    asked = plan("number of part")
    asked.resource_retrieval.enabled = False
    pack = retrieve(brain, "m", asked)
    assert {one.kind for one in pack.evidences} == {"memory_chunk"}
    assert "no documents" in pack.explain.filters_applied
    context = compose(brain, "m", "s", "hello there, how nice to see you")
    assert {one.source for one in context.evidence} <= {"memory"}


def test_titles_and_summaries_can_be_asked_for(brain: Brain) -> None:
    long = "# Long\n\n" + " ".join(f"Sentence number {n} is here." for n in range(30))
    ingest(brain, "file:///long.md", long)
    asked = plan("sentence number")
    lengths = []
    for policy in ("l0", "l1", "l2"):
        asked.output.snippet_policy = policy
        found = retrieve(brain, "m", asked).evidences[0]
        assert found.snippet_policy == policy
        shown = compose(brain, "m", "s", "sentence number", plan=asked).evidence[0]
        assert shown.snippet == found.snippet
        lengths.append(len(found.snippet))
    assert lengths == sorted(lengths)
    assert lengths[0] < 20 < lengths[1] <= 200 < lengths[2]


def test_sections_are_read_back_in_order(brain: Brain) -> None:
    document = ingest(brain, "file:///parts.md", chapters(7)).document
    token, read = "", list[DocumentSection]()
    while True:
        request = GetDocumentRequest(
            memory_id="m", document_id=document.document_id, include_sections=True, page_size=3, page_token=token
        )
        page = brain.get_document(request)
        read += page.sections
        token = page.next_page_token
        if not token:
            break
    assert [section.path[-1] for section in read] == [f"Part {n}" for n in range(7)]
    assert all(f"w{n}." in section.text for n, section in enumerate(read))


def test_documents_are_listed_by_id_address_and_tag(brain: Brain) -> None:
    for number in range(5):
        ingest(brain, f"file:///{number}.md", chapters(1), document_id=f"doc-{number}", tag_ids=[str(number % 2)])
    request = ListDocumentsRequest(memory_id="m", page_size=2)
    seen = []
    while True:
        page = brain.list_documents(request)
        seen += [document.document_id for document in page.documents]
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    assert seen == [f"doc-{number}" for number in range(5)]
    tagged = brain.list_documents(ListDocumentsRequest(memory_id="m", tag_ids=["1"], source_uri_prefix="file:///3"))
    assert [document.document_id for document in tagged.documents] == ["doc-3"]


def test_nothing_is_written_where_only_the_verdict_is_asked_for(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "Hello."))
    answer = ingest(brain, "file:///parts.md", chapters(3), validate_only=True)
    assert (answer.outcome, answer.document.chunks, answer.revision) == ("created", 3, 1)
    assert titles(brain, "part") == []


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("header.source_uri", {"source_uri": "no scheme"}),
        ("header.source_uri", {"source_uri": "file:///" + "x" * 2048}),
        ("header.document_id", {"source_uri": "", "document_id": ""}),
        ("header.document_id", {"document_id": "a:b"}),
        ("header.source_type", {"source_type": "book"}),
        ("header.language", {"language": "English"}),
        ("header.tag_ids[1]", {"tag_ids": ["fine", ""]}),
        ("header.memory_id", {"memory_id": ""}),
    ],
)
def test_a_bad_header_is_refused_by_name(brain: Brain, field: str, fields: dict[str, object]) -> None:
    header = DocumentHeader(**{"memory_id": "m", "source_uri": "file:///x.md", **fields})  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument) as refused:
        brain.ingest_document(header, [b"text"])
    assert refused.value.field == field
    with pytest.raises(BrainError):
        brain.list_documents(ListDocumentsRequest(memory_id="m"))


def test_an_address_is_of_one_document_and_a_document_may_move(brain: Brain) -> None:
    ingest(brain, "file:///one.md", chapters(2), document_id="one")
    with pytest.raises(AlreadyExists) as refused:
        ingest(brain, "file:///one.md", chapters(3), document_id="two")
    assert refused.value.field == "header.source_uri"
    moved = ingest(brain, "file:///moved.md", chapters(2), document_id="one")
    assert moved.outcome == "replaced"
    assert len(titles(brain, "part", source_uri_prefix="file:///moved")) == 2
    assert titles(brain, "part", source_uri_prefix="file:///one") == []
    ingest(brain, "file:///one.md", chapters(3), document_id="two")
    assert sound(brain)


def test_an_old_memory_does_not_become_new_by_a_document(brain: Brain) -> None:
    """Days like "yesterday" are counted from what was said, not from when a document was taken in."""
    brain.commit_turn(say("m", "s", "The plumber came.", at=-40 * 86_400))
    before = compose(brain, "m", "x", "what did the plumber do yesterday?").debug.planner.reason
    ingest(brain, "file:///parts.md", chapters(1))
    assert compose(brain, "m", "x", "what did the plumber do yesterday?").debug.planner.reason == before


def test_labels_that_are_not_given_again_are_named(brain: Brain) -> None:
    text = chapters(1)
    ingest(brain, "file:///a.md", text, tag_ids=["red", "红"], topic_ids=["numbers"], title="Parts")
    again = ingest(brain, "file:///a.md", text, tag_ids=["blue"])
    assert again.outcome == "replaced"
    assert [words for words in again.warnings if "not given again" in words] == [
        "title of before (Parts) not given again: gone",
        "topic_ids of before (numbers) not given again: gone",
    ]
    assert not ingest(brain, "file:///a.md", text, tag_ids=["blue"]).warnings
    assert ingest(brain, "file:///a.md", text).warnings == ["tag_ids of before (blue) not given again: gone"]
    assert not ingest(brain, "file:///a.md", text).warnings


def test_an_address_may_be_named_in_plain_letters(brain: Brain) -> None:
    encoded = "file:///srv/%E6%96%87%E6%A1%A3/%E6%B8%AF%E5%8F%A3%201.md?v=1#L2"
    known = ingest(brain, encoded, chapters(1)).document.document_id
    for name in (encoded, "file:///srv/文档/港口 1.md?v=1#L2", "file:///srv/文档/%E6%B8%AF口%201.md?v=1#L2"):
        found = brain.get_document(GetDocumentRequest(memory_id="m", document_id=name)).document
        assert (found.document_id, found.source_uri) == (known, encoded)
    with pytest.raises(NotFound):
        brain.get_document(GetDocumentRequest(memory_id="m", document_id="file:///srv/文档/别的.md"))


def test_addresses_stand_in_prompts_in_plain_letters(brain: Brain) -> None:
    encoded = "file:///srv/%E6%96%87%E6%A1%A3/%E6%B8%AF%E5%8F%A3%201.md"
    ingest(brain, encoded, ABOUT_KIRIBATI)
    context = compose(brain, "m", "s", "look it up in the docs: what is the capital of Kiribati?")
    assert "file:///srv/文档/港口%201.md" in render(context)
    assert [one.source_uri for one in context.evidence if one.source == "resource"][:1] == [encoded]
    assert ApproxCounter().count(render(context)) <= context.constraints.token_budget.used


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('<html lang="fr-CA"><p>Zébulon, 3 kg', "fr"),
        ('<html lang="fr"><p>The crane in the harbour is called Zebedee.', "fr"),
        ('<html lang="en"><p>港口的起重机坏了。', "zh"),
        ("<html><p>Der Kran im Hafen ist nicht mehr in Betrieb.", "de"),
        ('<html lang="x-klingon"><p>Zebedee', ""),
    ],
)
def test_the_language_of_a_page_is_what_it_says_or_its_words(brain: Brain, page: str, expected: str) -> None:
    header = DocumentHeader(memory_id="m", source_uri="https://a.b/page.html")
    document = brain.ingest_document(header, [page.encode()]).document
    assert document.language == expected
    assert [one.language for one in retrieve(brain, "m", plan("Zebedee Zébulon Kran 起重机")).evidences] == [expected]


def test_another_title_of_the_same_sections_stands_in_what_is_found(brain: Brain) -> None:
    for title in ("Atlas", "Almanac 年鉴"):
        answer = ingest(brain, "file:///k.md", f"---\ntitle: {title}\n---\n\n{ABOUT_KIRIBATI}")
        assert answer.document.title == title
        assert all(title in found for found in titles(brain, "capital of Kiribati", source_type=["file"]))
        assert titles(brain, "capital of Kiribati", source_type=["file"])
    assert (answer.outcome, answer.sections_kept, answer.sections_added) == ("replaced", 0, 2)


def test_sections_that_are_the_same_are_each_kept(brain: Brain) -> None:
    twice = "# Rule\n\nWash your hands.\n\n"
    first = ingest(brain, "file:///rules.md", twice * 2)
    assert (first.document.sections, first.document.chunks) == (2, 2)
    stored = list(documents.scan_sections(brain._kv, "m", first.document.document_id))
    assert len({one.section_id for one in stored}) == 2
    again = ingest(brain, "file:///rules.md", twice * 3)
    assert (again.sections_kept, again.sections_added, again.document.chunks) == (2, 1, 3)
    assert sound(brain)


def test_tags_of_a_text_stand_beside_those_of_its_header(brain: Brain) -> None:
    text = f"---\ntags: [islands, 岛]\n---\n\n{ABOUT_KIRIBATI}"
    answer = ingest(brain, "file:///k.md", text, tag_ids=["travel"])
    assert list(answer.document.tag_ids) == ["travel", "islands", "岛"]
    assert titles(brain, "capital of Kiribati", tag_ids=["岛"])
    assert not titles(brain, "capital of Kiribati", tag_ids=["sea"])
