"""A store opens only with the format and the embedder that it was made with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from brain_core import Brain
from brain_core.errors import EmbedderMismatch, FormatMismatch
from brain_core.store import keys
from brain_core.store.kv import Batch
from brain_core.store.migrate import FORMAT, read_store_record
from brain_core.store.rocks import RocksKV
from brain_core.store.v1.records_pb2 import StoreRecord
from tests.building import embedder, found, open_brain, say


@dataclass(frozen=True)
class Other:
    """Another embedder, or the same in another size or with other weights."""

    name: str = "other-model"
    dimension: int = 3
    fingerprint: str = "f" * 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.tile(np.array([1, 0, 0], dtype=np.float32), (len(texts), 1))


def test_a_new_store_names_what_it_is_made_with(folder: Path) -> None:
    open_brain(folder).close()
    kv = RocksKV(folder / "store", durable=False)
    assert read_store_record(kv) == StoreRecord(
        format=FORMAT,
        embedder=embedder().name,
        dimension=embedder().dimension,
        embedder_hash=embedder().fingerprint,
    )
    kv.close()


@pytest.mark.parametrize(("number", "age"), [(FORMAT + 1, "newer"), (FORMAT - 1, "older")])
def test_another_format_is_refused_by_number(folder: Path, number: int, age: str) -> None:
    open_brain(folder).close()
    kv = RocksKV(folder / "store", durable=False)
    record = read_store_record(kv)
    assert record is not None
    record.format = number
    batch = Batch()
    batch.put(keys.STORE_KEY, record.SerializeToString())
    kv.write(keys.STORE, batch)
    kv.close()
    for _ in range(2):  # the second try shows that the first held nothing open
        with pytest.raises(FormatMismatch, match=f"disk format {number}, {age} than format {FORMAT}") as failed:
            open_brain(folder)
        assert (failed.value.field, failed.value.value, failed.value.limit) == ("format", str(number), str(FORMAT))


@pytest.mark.parametrize(
    "other",
    [
        Other(),
        Other(name=embedder().name, dimension=embedder().dimension),
        Other(name=embedder().name, fingerprint=embedder().fingerprint),
        Other(dimension=embedder().dimension, fingerprint=embedder().fingerprint),
    ],
)
def test_another_embedder_is_refused_by_name_and_nothing_stays_open(folder: Path, other: Other) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", "marmalade"))
    with pytest.raises(EmbedderMismatch) as failed:
        Brain.open(folder, embedder=other)
    assert embedder().name in str(failed.value)
    assert other.name in str(failed.value)
    assert (failed.value.field, failed.value.value, failed.value.limit) == ("embedder", embedder().name, other.name)
    assert failed.value.hint
    with open_brain(folder) as brain:
        assert found(brain, "m", "marmalade") == ["marmalade"]


def test_a_store_of_another_embedder_works_with_it(folder: Path) -> None:
    with Brain.open(folder, embedder=Other()) as brain:
        brain.commit_turn(say("m", "s", "marmalade"))
    with Brain.open(folder, embedder=Other()) as brain:
        assert found(brain, "m", "marmalade") == ["marmalade"]
        assert brain.status().embedder == "other-model"
