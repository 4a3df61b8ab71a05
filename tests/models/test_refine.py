"""Lasting vectors come in the background: counted, resumed, exact in every index, and never in a commit's way."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from smartbrain.v1.brain_service_pb2 import DeleteTurnRequest
from smartbrain.v1.event_pb2 import Preference, Retraction
from smartbrain.v1.item_pb2 import ITEM_STATUS_RETRACTED
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, DocumentHeader

from brain_core.errors import FailedPrecondition
from brain_core.index import snapshot
from brain_core.index.follow import open_index, rebuild_index
from brain_core.store.log import memory_ids, read_space, scan_changes, scan_chunks
from tests.building import compose, embedder, follows, found, kept, plan, pref, retrieve, say, turn
from tests.index.test_index_snapshot import equal
from tests.models.endpoint import DIMENSION, Stub, endpoint, vector
from tests.models.onnx_model import needs_model, onnx_embedder
from tests.models.refining import open_with, refined, sound, texts_of, vectors_of

_SECONDS = 30


class Gated:
    """A refining embedder of three numbers whose lasting vectors wait for a gate. calls: how many texts each had."""

    name, dimension, fingerprint, batch = "gated", 3, "a" * 64, 4

    def __init__(self, *, encoder: str = "b" * 64, fails: int = 0) -> None:
        self.encoder = encoder
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.calls: list[int] = []
        self.texts: list[list[str]] = []
        self.fails = fails

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.tile(np.array([0, 0, 1], dtype=np.float32), (len(texts), 1))

    def embed_fresh(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.tile(np.array([1, 0, 0], dtype=np.float32), (len(texts), 1))

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.entered.set()
        self.gate.wait(_SECONDS)
        self.calls.append(len(texts))
        self.texts.append([*texts])
        if self.fails:
            self.fails -= 1
            raise RuntimeError("the model fell over")
        return np.tile(np.array([0, 0, 1], dtype=np.float32), (len(texts), 1))

    def close(self) -> None:
        self.gate.set()


def opened(**options: Any) -> Gated:  # noqa: ANN401
    gated = Gated(**options)
    gated.gate.set()
    return gated


def test_a_commit_does_not_wait_and_its_chunks_are_counted_until_they_are_done(folder: Path) -> None:
    gated = Gated()
    with open_with(folder, gated) as brain:
        for number in range(3):
            brain.commit_turn(say("m", "s", f"line {number}", "yes"))
        brain.commit_turn(say("n", "s", "elsewhere"))
        assert brain.status().chunks_to_refine == 7
        assert vectors_of(brain).tolist() == [[1, 0, 0]] * 6
        assert found(brain, "m", "line", mode="exact")
        gated.gate.set()
        refined(brain)
        assert vectors_of(brain).tolist() == [[0, 0, 1]] * 6
        assert vectors_of(brain, "n").tolist() == [[0, 0, 1]]
        assert brain.status().refine_problem == ""
        sound(brain)
    assert max(gated.calls) <= gated.batch


def test_a_batch_is_one_revision_that_adds_nothing_and_commits_go_on_from_it(folder: Path) -> None:
    with open_with(folder, opened()) as brain:
        first = brain.commit_turn(say("m", "s", "one", "two"))
        refined(brain)
        changes = list(scan_changes(brain._kv.snapshot(), "m", 0))
        assert [change.revision for change in changes] == list(range(1, len(changes) + 1))
        assert [(one.chunk_count, list(one.changed_chunks), one.commit_id) for one in changes[1:]] == [(0, [0, 1], "")]
        assert follows(brain, "m")
        request = say("m", "s", "three")
        request.request_id = "again"
        second = brain.commit_turn(request)
        assert (first.turn_id, second.turn_id, second.revision) == ("t1", "t3", 3)
        refined(brain)
        assert brain.commit_turn(request) == second
        assert compose(brain, "m", "s2", "three", min_revision=4).evidence
        with pytest.raises(FailedPrecondition, match="min_revision"):
            compose(brain, "m", "s2", "three", min_revision=5)
        dry = say("m", "s", "four")
        dry.validate_only = True
        assert brain.commit_turn(dry).revision == 4
        sound(brain)


def test_what_a_commit_changes_meanwhile_stays_changed(folder: Path) -> None:
    gated = Gated()
    with open_with(folder, gated) as brain:
        brain.commit_turn(turn("m", "s", preferences=[pref("tone", "formal")]))
        assert gated.entered.wait(_SECONDS)
        brain.commit_turn(turn("m", "s", retractions=[Retraction(type="preferences", key="pref:writing:tone")]))
        gated.gate.set()
        refined(brain)
        [chunk] = scan_chunks(brain._kv.snapshot(), "m")
        assert chunk.status == ITEM_STATUS_RETRACTED
        assert vectors_of(brain).tolist() == [[0, 0, 1]]
        assert found(brain, "m", "formal") == []
        sound(brain)


def test_a_memory_that_is_not_loaded_is_not_loaded_for_it(folder: Path) -> None:
    waiting = Gated()
    with open_with(folder, waiting) as brain:
        for number in range(20):
            brain.commit_turn(say(f"m{number}", "s", "line"))
        stopping = threading.Timer(0.2, waiting.gate.set)  # close lets the batch under way end
        waiting.fails = 1
        stopping.start()
    with open_with(folder, opened()) as brain:
        refined(brain)
        assert brain.status().memories_loaded == 0
        assert brain._indexes._slots == {}
        sound(brain)


def test_live_loaded_replayed_and_rebuilt_are_equal(folder: Path) -> None:
    gated = Gated()
    with open_with(folder, gated) as brain:
        for number in range(5):
            brain.commit_turn(say("m", "s", f"line {number}"))
        with brain._indexes.use("m") as index:
            snapshot.save(snapshot.snapshot_path(folder / "early", "m"), index)
        gated.gate.set()
        refined(brain)
        view = brain._kv.snapshot()
        index, _, why_not = open_index(view, "m", folder / "early", 3)
        assert why_not == ""
        with brain._indexes.use("m") as live:
            equal(index, live)
            equal(rebuild_index(view, "m", 3), live)
            rows = np.arange(len(live.chunks), dtype=np.int32)
            assert np.array_equal(live.vectors.vectors(rows), kept(vectors_of(brain)))
    equal(snapshot.load(snapshot.snapshot_path(folder / "index", "m"), 3), live)


def test_a_model_that_fails_is_tried_again_and_says_so(folder: Path) -> None:
    with open_with(folder, opened(fails=2)) as brain:
        brain.commit_turn(say("m", "s", "line"))
        deadline = time.monotonic() + _SECONDS
        while "the model fell over" not in brain.status().refine_problem:
            assert time.monotonic() < deadline
        refined(brain)
        assert vectors_of(brain).tolist() == [[0, 0, 1]]


def test_another_encoder_of_the_space_begins_again_and_the_same_one_does_not(folder: Path) -> None:
    for encoder, asked in (("b" * 64, 1), ("b" * 64, 0), ("c" * 64, 1), ("b" * 64, 1)):
        gated = opened(encoder=encoder)
        with open_with(folder, gated) as brain:
            if not list(memory_ids(brain._kv)):
                brain.commit_turn(say("m", "s", "line"))
            refined(brain)
            space = read_space(brain._kv, "m")
            assert space is not None
            assert (space.refined_chunks, space.refined_by) == (1, encoder)
        assert len(gated.calls) == asked


def test_an_endpoint_that_is_away_costs_a_commit_nothing_and_a_compose_its_semantic_part(folder: Path) -> None:
    with endpoint() as gone:
        pass
    with open_with(folder, gone, embedder={**gone.policy, "timeout_seconds": 1.0}) as brain:
        brain.commit_turn(say("m", "s", "Mei lives in Kyoto", "Noted"))
        brain.commit_turn(say("m", "s", "Ann lives in Lisbon", "Noted"))
        assert not vectors_of(brain).any()
        package = compose(brain, "m", "s2", "Who lives in Kyoto?")
        assert "Mei lives in Kyoto" in package.evidence[0].snippet
        assert any("semantic part left out" in words for words in package.debug.ignored)
        pack = retrieve(brain, "m", plan("Kyoto", mode="semantic"))
        assert list(pack.evidences) == []
        assert any("semantic part left out" in words for words in pack.warnings)
        deadline = time.monotonic() + _SECONDS
        while gone.url not in brain.status().refine_problem:
            assert time.monotonic() < deadline
        assert brain.status().chunks_to_refine == len(texts_of(brain)) >= 4
        with endpoint(port=gone.port):
            refined(brain)
            texts = texts_of(brain)
            assert np.allclose(vectors_of(brain), unit([vector(text) for text in texts]), atol=1e-3)
            deadline = time.monotonic() + _SECONDS
            while brain.status().refine_problem:  # until the round that has written the vectors ends
                assert time.monotonic() < deadline
            while not (hits := found(brain, "m", "Kyoto", mode="semantic")):  # left alone for a while after a failure
                assert time.monotonic() < deadline
                time.sleep(0.05)
            assert hits[0] == "Mei lives in Kyoto"
        sound(brain)


def unit(rows: list[list[float]]) -> NDArray[np.float64]:
    joined = np.array(rows)
    lengths: NDArray[np.float64] = np.linalg.norm(joined, axis=1, keepdims=True)
    return joined / lengths


def test_an_endpoint_that_dies_half_way_and_comes_back(folder: Path, stub: Stub) -> None:
    with open_with(folder, stub, limits={"messages_per_turn": 1000}) as brain:
        brain._embedder._batch = 8  # type: ignore[attr-defined]
        stub.behaviour.mode = "500"
        brain.commit_turn(say("m", "s", *(f"line {number} of it" for number in range(60))))
        stub.behaviour.failing, stub.behaviour.mode = 0, "good"
        deadline = time.monotonic() + _SECONDS
        while brain.status().chunks_to_refine > 30:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        stub.behaviour.mode = "nan"
        refused = brain.status().chunks_to_refine
        while refused and "NaN" not in brain.status().refine_problem:
            assert time.monotonic() < deadline
        stub.behaviour.mode = "good"
        refined(brain)
        assert np.allclose(vectors_of(brain), unit([vector(text) for text in texts_of(brain)]), atol=1e-3)
        sound(brain)


def test_vectors_of_zeros_are_waited_out_and_a_text_that_has_none_is_not(folder: Path, stub: Stub) -> None:
    """An endpoint that gave zeros for everything left chunks for good that no question finds by meaning."""
    stub.behaviour.nothing = ""
    with open_with(folder, stub) as brain:
        brain.commit_turn(say("m", "s", "Mei lives in Kyoto", "芽衣住在京都"))
        deadline = time.monotonic() + _SECONDS
        while "vectors of zeros" not in brain.status().refine_problem:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert brain.status().chunks_to_refine == 2
        stub.behaviour.nothing = "芽衣"
        refined(brain)
        assert vectors_of(brain).any(axis=1).tolist() == [True, False]
        asked = len(stub.behaviour.requests)
        brain.commit_turn(say("m", "s", "Ann lives in Lisbon"))
        refined(brain)
        assert brain.status().refine_problem == ""
        assert len(stub.behaviour.requests) == asked + 1
        sound(brain)


def test_a_slow_endpoint_holds_neither_a_compose_nor_the_end_past_its_timeout(folder: Path, stub: Stub) -> None:
    stub.behaviour.mode, stub.behaviour.seconds = "slow", 20.0
    brain = open_with(folder, stub, embedder={**stub.policy, "timeout_seconds": 1.0})
    began = time.monotonic()
    brain.commit_turn(say("m", "s", "tea in the garden"))
    assert compose(brain, "m", "s2", "tea").evidence
    brain.close()
    assert time.monotonic() - began < 10, "waited for the endpoint, not for the timeout"
    stub.behaviour.mode = "good"
    with open_with(folder, stub) as brain:
        refined(brain)
        assert brain.status().dimension == DIMENSION


@needs_model
def test_a_store_of_the_table_opens_with_the_model_and_again_without(folder: Path) -> None:
    questions = ["who has a peanut allergy", "why did the disk run full"]
    with open_with(folder, embedder()) as brain:
        brain.commit_turn(say("m", "s", "Mei must never eat peanuts.", "Noted."))
        assert brain.status().chunks_to_refine == 0
    with open_with(folder, onnx_embedder()) as brain:
        brain.commit_turn(say("m", "s", "CI broke: the disk is full.", "Noted."))
        refined(brain)
        wanted = onnx_embedder().embed_documents(texts_of(brain))
        assert np.allclose(vectors_of(brain), wanted, atol=2e-3)
        sound(brain)
        answers = [found(brain, "m", question, mode="semantic") for question in questions]
        assert [answer[0] for answer in answers] == [
            "Mei must never eat peanuts.",
            "CI broke: the disk is full.",
        ]
    with open_with(folder, embedder()) as brain:
        assert [found(brain, "m", question, mode="semantic") for question in questions] == answers
        brain.commit_turn(say("m", "s", "A third line by the table."))
        sound(brain)
    with open_with(folder, onnx_embedder()) as brain:
        refined(brain)
        assert np.allclose(vectors_of(brain), onnx_embedder().embed_documents(texts_of(brain)), atol=2e-3)


def test_what_a_purge_makes_anew_gets_its_lasting_vector_again(folder: Path) -> None:
    """The refiner heard of commits alone, so it kept the vector that a purge gave it until the next one."""
    gated = Gated()
    gated.gate.set()
    with open_with(folder, gated) as brain:
        for confirmed in (False, True):
            given = Preference(scope="other", name="instrument", value="drum 鼓", confirmed=confirmed)
            brain.commit_turn(turn("m", "s", preferences=[given]))
        refined(brain)
        assert vectors_of(brain).tolist() == [[0, 0, 1]]
        done = brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id="t1"))
        assert done.purged.items_changed == 1
        refined(brain)
        assert vectors_of(brain).tolist() == [[0, 0, 1]]
        assert gated.calls == [1, 1]
        [chunk] = scan_chunks(brain._kv.snapshot(), "m")
        assert chunk.evidence.ref.turn_id == "t2"
        sound(brain)


def test_a_document_that_is_purged_while_its_lasting_vector_is_made_keeps_none(folder: Path) -> None:
    """A vector tells of its text: its chunk got it back with the text gone, for good."""
    gated = Gated()
    with open_with(folder, gated) as brain:
        brain.ingest_document(DocumentHeader(memory_id="m", document_id="d", media_type="text/plain"), [b"drum"])
        assert gated.entered.wait(_SECONDS)
        brain.delete_document(DeleteDocumentRequest(memory_id="m", document_id="d", purge=True))
        assert [text.strip() for text in texts_of(brain)] == [""]
        assert vectors_of(brain).tolist() == [[0, 0, 0]]
        gated.gate.set()
        refined(brain)
        assert ["drum" in str(texts) for texts in gated.texts] == [True, False], "it was read again"
        sound(brain)
