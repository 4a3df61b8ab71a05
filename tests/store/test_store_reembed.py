"""A re-embed ends with the store that the new embedder would have made, however often it is cut short."""

from __future__ import annotations

import itertools
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from smartbrain.v1.event_pb2 import Entity, Retraction

from brain_core import Brain, load_policy
from brain_core.env import Env
from brain_core.errors import EmbedderMismatch, EmbedderUnavailable, FormatMismatch, StoreLocked
from brain_core.models.embedder import Embedder
from brain_core.reembed import Progress, reembed
from brain_core.store import keys
from brain_core.store.kv import Batch
from brain_core.store.migrate import read_store_record
from brain_core.store.rocks import RocksKV
from tests.building import embedder, plan, pref, retrieve, say, turn
from tests.models.endpoint import Stub
from tests.models.refining import open_with, refined, sound, vectors_of

MEMORIES = ("ann", "bob", "冯")
POLICY = load_policy({"store": {"durability": "process"}})
QUESTIONS = ("Who likes tea in the morning?", "formal tone", "谁喜欢茶？", "line 7")


def still() -> Env:
    """Return a clock that stands, since the background pass reads it too, and ids that count."""
    ids = itertools.count(1)
    return Env(lambda: 1_700_000_000_000_000, lambda: f"id-{next(ids)}")


class Letters:
    """An embedder of 26 numbers: how often each letter stands in a text."""

    name, dimension, fingerprint = "letters", 26, "1" * 64

    def embed(self, texts: list[str]) -> np.ndarray:
        counts = np.array([[text.casefold().count(chr(97 + n)) for n in range(26)] for text in texts], dtype=np.float32)
        counts = counts.reshape(len(texts), 26)
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return counts / np.where(lengths > 0, lengths, 1)


class Pairs(Letters):
    """The same in the length of its vectors, but not in its space."""

    name, fingerprint = "pairs", "2" * 64

    def embed(self, texts: list[str]) -> np.ndarray:
        return super().embed(texts)[:, ::-1].copy()


LETTERS: Embedder = Letters()  # type: ignore[assignment]
PAIRS: Embedder = Pairs()  # type: ignore[assignment]


def fill(brain: Brain) -> None:
    """Commit the same to some memories: messages of two languages, items, a correction, a turn without chunks."""
    for memory in MEMORIES:
        for number in range(12):
            brain.commit_turn(
                say(memory, f"s{number % 2}", f"line {number}: Mei likes tea in the morning", "我喜欢茶。")
            )
        brain.commit_turn(turn(memory, "s0", preferences=[pref("tone", "formal")]))
        brain.commit_turn(turn(memory, "s0", preferences=[pref("tone", "casual")]))
        brain.commit_turn(
            turn(memory, "s0", entities=[Entity(kind="person", canonical="Mei", aliases=["梅"], remember=True)])
        )
    brain.commit_turn(turn("empty", "s", retractions=[Retraction(type="preferences", key="pref:writing:none")]))


def answers(brain: Brain) -> list[list[tuple[str, str]]]:
    """Return what is found, in order, with all its signals; ids hang on revisions, of which a re-embed makes more."""
    packs = [
        retrieve(brain, memory, plan(*QUESTIONS, mode=mode))
        for memory in MEMORIES
        for mode in ("semantic", "hybrid", "exact")
    ]
    return [[(evidence.snippet, str(evidence.signals)) for evidence in pack.evidences] for pack in packs]


def from_the_start(folder: Path, given: Embedder | Stub) -> list[list[tuple[str, str]]]:
    """Return the answers of a store made with an embedder from the start."""
    with open_with(folder, given, still()) as brain:
        fill(brain)
        refined(brain)
        return answers(brain)


def filled(folder: Path) -> Path:
    with open_with(folder, embedder(), still()) as brain:
        fill(brain)
    return folder


def run(folder: Path, given: Embedder, steps: int = 10**9) -> list[Progress]:
    """Re-embed, or only the first so many steps of it."""
    seen = []
    with closing(reembed(folder, POLICY, given, still())) as progress:
        for step in progress:
            seen.append(step)
            if len(seen) == steps:
                break
    return seen


def check(folder: Path, given: Embedder | Stub, wanted: list[list[tuple[str, str]]]) -> None:
    with open_with(folder, given, still()) as brain:
        refined(brain)
        sound(brain)
        assert answers(brain) == wanted
    with open_with(folder, given, still()) as brain:  # with indexes from their snapshots
        assert answers(brain) == wanted


def test_everything_is_found_as_if_made_with_the_new_embedder(folder: Path) -> None:
    wanted = from_the_start(folder / "fresh", LETTERS)
    steps = run(filled(folder / "old"), LETTERS)
    check(folder / "old", LETTERS, wanted)
    last = steps[-1]
    assert (last.all_done, last.number, last.memories) == (last.all_chunks, 4, 4)
    assert {step.memory_id for step in steps if step.done == step.chunks} == {*MEMORIES, "empty"}
    assert run(folder / "old", LETTERS) == []
    wanted = from_the_start(folder / "fresh pairs", PAIRS)
    run(folder / "old", PAIRS)
    check(folder / "old", PAIRS, wanted)


def test_the_way_there_and_back_is_the_way_it_was(folder: Path) -> None:
    with open_with(filled(folder), embedder(), still()) as brain:
        before, vectors = answers(brain), vectors_of(brain, "ann")
    run(folder, LETTERS)
    run(folder, embedder())
    check(folder, embedder(), before)
    with open_with(folder, embedder(), still()) as brain:
        assert np.array_equal(vectors_of(brain, "ann"), vectors)


def test_cut_short_at_any_step_it_goes_on_and_the_store_is_not_served_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brain_core.reembed._CHUNKS_AT_ONCE", 10)
    wanted = from_the_start(folder / "fresh", LETTERS)
    filled(folder / "old")
    reached = 0
    for _ in range(100):
        steps = run(folder / "old", LETTERS, 3)
        if len(steps) < 3:
            break
        assert steps[-1].all_done >= reached
        reached = steps[-1].all_done
        for given in (LETTERS, embedder()):
            with pytest.raises(EmbedderMismatch, match=r"a re-embed .* has not ended") as failed:
                open_with(folder / "old", given, still())
            assert "--reembed" in failed.value.hint
        if steps[-1].number > 2:
            run(folder / "old", LETTERS)
            break
    assert reached > 30
    check(folder / "old", LETTERS, wanted)


def test_changing_ones_mind_half_way_ends_in_the_last_wish(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brain_core.reembed._CHUNKS_AT_ONCE", 10)
    wanted = {id(one): from_the_start(folder / one.name, one) for one in (LETTERS, PAIRS, embedder())}
    filled(folder / "old")
    for last in (embedder(), PAIRS, LETTERS):
        run(folder / "old", LETTERS, 7)
        run(folder / "old", PAIRS, 4)
        run(folder / "old", last)
        check(folder / "old", last, wanted[id(last)])


def test_to_an_endpoint_that_fails_half_way(folder: Path, stub: Stub) -> None:
    wanted = from_the_start(folder / "fresh", stub)
    filled(folder / "old")
    policy = load_policy({"store": {"durability": "process"}, "embedder": {**stub.policy, "batch": 8}})
    asked = len(stub.behaviour.requests)
    with pytest.raises(EmbedderUnavailable, match="answered 500"):
        for step in reembed(folder / "old", policy):
            stub.behaviour.mode = "500" if step.number == 2 else "good"
    stub.behaviour.mode = "good"
    texts = sum(len(request["input"]) for request in stub.behaviour.requests[asked:])
    for step in reembed(folder / "old", policy):
        assert step.number > 1 or step.done == step.chunks
    assert texts < step.all_chunks
    check(folder / "old", stub, wanted)


def test_a_mismatch_names_the_command(folder: Path) -> None:
    filled(folder)
    with pytest.raises(EmbedderMismatch) as failed:
        open_with(folder, LETTERS, still())
    assert "brain-server --data DIR --config FILE --reembed" in failed.value.hint


def test_a_new_store_has_nothing_to_re_embed(folder: Path) -> None:
    assert run(folder / "absent", LETTERS) == []
    with open_with(folder / "absent", LETTERS, still()):
        pass


def test_it_needs_the_store_for_itself_and_of_this_format(folder: Path) -> None:
    with open_with(folder, embedder(), still()) as brain:
        fill(brain)
        with pytest.raises(StoreLocked):
            run(folder, LETTERS)
    kv = RocksKV(folder / "store", durable=False)
    record = read_store_record(kv)
    assert record is not None
    record.format += 1
    batch = Batch()
    batch.put(keys.STORE_KEY, record.SerializeToString())
    kv.write(keys.STORE, batch)
    kv.close()
    with pytest.raises(FormatMismatch):
        run(folder, LETTERS)
