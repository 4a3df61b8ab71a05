"""What is kept beside items loses what a purged turn said: lines of summaries, and answers of commits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import CommitExplain, CommitTurnResponse, ConflictDecision

from brain_core.commit.redact import Redacting, redact_answers, redact_summaries
from brain_core.store import keys, log
from brain_core.store.kv import Batch
from brain_core.store.rocks import RocksKV
from brain_core.store.v1.records_pb2 import CommitRecord, SummaryLine, SummaryRecord

GONE, TOUCHED = ("tasks", "task:default:1"), ("tasks", "task:default:2")
REDACTING = Redacting(
    "m", "s", frozenset({"t3"}), {GONE, TOUCHED}, {GONE}, {"i1", "i2"}, {7}, 3, Timestamp(seconds=1_700_000_000)
)


@pytest.fixture
def kv(folder: Path) -> Iterator[RocksKV]:
    opened = RocksKV(folder / "store", durable=False)
    yield opened
    opened.close()


def line(text: str, turn_id: str, *chunks: int, key: str = "") -> SummaryLine:
    return SummaryLine(text=text, turn_id=turn_id, chunks=chunks, item_type="tasks", item_key=key)


def left(kv: RocksKV, session_id: str, record: SummaryRecord, *lines: SummaryLine) -> SummaryRecord | None:
    """Return what a summary becomes, None where it stays as it is. lines: of what holds again."""
    stored, batch = Batch(), Batch()
    stored.put(keys.summary(session_id, 1), record.SerializeToString())
    kv.write(keys.memory("m"), stored)
    redact_summaries(batch, kv, REDACTING, lines)
    found = dict(batch.puts).get(keys.summary(session_id, 1))
    return None if found is None else SummaryRecord.FromString(found)


def texts(record: SummaryRecord | None) -> tuple[list[str], list[str]]:
    assert record is not None
    return [each.text for each in record.lines], [each.text for each in record.rewritten]


@pytest.mark.parametrize("session_id", ["s", "other"])
@pytest.mark.parametrize("gone", [line("said then", "t3"), line("rests on it", "t9", 5, 7)])
def test_lines_of_what_went_go_and_a_models_words_with_them(kv: RocksKV, session_id: str, gone: SummaryLine) -> None:
    record = SummaryRecord(version=1, lines=[line("stays", "t4", 6), gone], rewritten=[line("a model's", "t4")])
    assert texts(left(kv, session_id, record)) == (["stays"], [])


def test_a_models_words_go_where_it_read_the_turn_even_if_no_line_does(kv: RocksKV) -> None:
    record = SummaryRecord(version=1, lines=[line("stays", "t4", 6)], rewritten=[line("a model's", "t4")])
    assert texts(left(kv, "s", record)) == (["stays"], [])
    assert left(kv, "other", record) is None, "of another session it was shown nothing"


def test_what_holds_again_is_told_where_the_item_was(kv: RocksKV) -> None:
    held = line("held before", "t1", 2, key=TOUCHED[1])
    for key, told in ((TOUCHED[1], ["stays", "held before"]), (GONE[1], ["stays"])):
        record = SummaryRecord(version=1, lines=[line("stays", "t4", 6), line("said then", "t3", key=key)])
        assert texts(left(kv, "s", record, held)) == (told, [])


def test_answers_lose_decisions_on_what_went_on_either_side(kv: RocksKV) -> None:
    def decision(slot: tuple[str, str], other: tuple[str, str] = ("", "")) -> ConflictDecision:
        return ConflictDecision(type=slot[0], key=slot[1], other_type=other[0], other_key=other[1], reason="why")

    other = ("goals", "goal:default:x")
    conflicts = [decision(other, GONE), decision(GONE, other), decision(other, TOUCHED), decision(TOUCHED)]
    answer = CommitTurnResponse(turn_id="t4", revision=4, explain=CommitExplain(conflicts=conflicts))
    stored, batch = Batch(), Batch()
    log.put_commit(stored, 4, CommitRecord(response=answer.SerializeToString()))
    kv.write(keys.memory("m"), stored)
    redact_answers(batch, kv, REDACTING)
    [(key, record)] = batch.puts
    told = CommitTurnResponse.FromString(CommitRecord.FromString(record).response).explain.conflicts
    assert key == keys.commit(4)
    assert [(one.key, one.other_key, one.reason) for one in told] == [
        (other[1], TOUCHED[1], "why"),
        (TOUCHED[1], "", ""),
    ]
