"""What the store was made with: its format and its embedder.

A format number names the meaning of every record and key. Opening refuses any other number by name; each future format
gets one function here that turns the one before into it.
"""

from __future__ import annotations

from smartbrain.backup_folder import STORE_FORMAT

from brain_core.errors import EmbedderMismatch, FormatMismatch
from brain_core.models.embedder import Embedder
from brain_core.store import keys
from brain_core.store.kv import KV, Batch, ReadView
from brain_core.store.v1.records_pb2 import StoreRecord

FORMAT = STORE_FORMAT
"""Number of the format that this version reads and writes."""


def read_store_record(view: ReadView) -> StoreRecord | None:
    """Return what the store was made with; None if it is new."""
    found = view.get(keys.STORE, keys.STORE_KEY)
    return None if found is None else StoreRecord.FromString(found)


def is_of(record: StoreRecord, embedder: Embedder) -> bool:
    """Return whether a store's vectors are of an embedder's space."""
    found = (record.embedder, record.dimension, record.embedder_hash)
    return found == (embedder.name, embedder.dimension, embedder.fingerprint)


def check_format(record: StoreRecord) -> None:
    """Raise FormatMismatch unless this version reads the store."""
    if record.format != FORMAT:
        age = "newer" if record.format > FORMAT else "older"
        raise FormatMismatch(
            f"the store has disk format {record.format}, {age} than format {FORMAT} of this version",
            field="format",
            value=record.format,
            limit=FORMAT,
            hint="open it with the version of SmartBrain that wrote it",
        )


def lock_store(kv: KV, embedder: Embedder) -> None:
    """Write into a new store what it is made with, or check that an old one fits.

    Raises FormatMismatch or EmbedderMismatch, with what was found and what is needed.
    """
    found = read_store_record(kv)
    if found is None:
        record = StoreRecord(
            format=FORMAT,
            embedder=embedder.name,
            dimension=embedder.dimension,
            embedder_hash=embedder.fingerprint,
        )
        _put_store_record(kv, record)
        return
    check_format(found)
    if found.next_embedder:
        raise EmbedderMismatch(
            f"a re-embed of the store from {found.embedder} to {found.next_embedder} has not ended",
            field="embedder",
            value=found.embedder,
            limit=found.next_embedder,
            hint="run it again to its end: brain-server --data DIR --config FILE --reembed",
        )
    if not is_of(found, embedder):
        raise EmbedderMismatch(
            f"the store holds vectors of {found.embedder} ({found.dimension}-d, {found.embedder_hash[:12]}), "
            f"not of {embedder.name} ({embedder.dimension}-d, {embedder.fingerprint[:12]})",
            field="embedder",
            value=found.embedder,
            limit=embedder.name,
            hint="start with the embedder that the store was made with, or give it this one's vectors: "
            "brain-server --data DIR --config FILE --reembed",
        )


def begin_reembed(kv: KV, record: StoreRecord, embedder: Embedder) -> None:
    """Close the store to all but a re-embed to this embedder, durably."""
    record.next_embedder = embedder.name
    record.next_dimension = embedder.dimension
    record.next_embedder_hash = embedder.fingerprint
    _put_store_record(kv, record)


def end_reembed(kv: KV, record: StoreRecord) -> None:
    """Open the store again, with the vectors it has now. Every earlier write is durable by then."""
    kv.sync()
    record.embedder, record.next_embedder = record.next_embedder, ""
    record.dimension, record.next_dimension = record.next_dimension, 0
    record.embedder_hash, record.next_embedder_hash = record.next_embedder_hash, ""
    _put_store_record(kv, record)


def _put_store_record(kv: KV, record: StoreRecord) -> None:
    batch = Batch()
    batch.put(keys.STORE_KEY, record.SerializeToString())
    kv.write(keys.STORE, batch)
    kv.sync()
