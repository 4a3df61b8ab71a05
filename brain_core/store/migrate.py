"""What the store was made with: its format and its embedder.

A format number names the meaning of every record and key. Opening refuses any other number by name; each future format
gets one function here that turns the one before into it.
"""

from __future__ import annotations

from brain_core.errors import EmbedderMismatch, FormatMismatch
from brain_core.models.embedder import Embedder
from brain_core.store import keys
from brain_core.store.kv import KV, Batch, ReadView
from brain_core.store.v1.records_pb2 import StoreRecord

FORMAT = 1
"""Number of the format that this version reads and writes."""


def read_store_record(view: ReadView) -> StoreRecord | None:
    """Return what the store was made with; None if it is new."""
    found = view.get(keys.STORE, keys.STORE_KEY)
    return None if found is None else StoreRecord.FromString(found)


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
        batch = Batch()
        batch.put(keys.STORE_KEY, record.SerializeToString())
        kv.write(keys.STORE, batch, expect=0)
        kv.sync()
        return
    if found.format != FORMAT:
        age = "newer" if found.format > FORMAT else "older"
        raise FormatMismatch(
            f"the store has disk format {found.format}, {age} than format {FORMAT} of this version",
            field="format",
            value=found.format,
            limit=FORMAT,
            hint="open it with the version of SmartBrain that wrote it",
        )
    if (found.embedder, found.dimension, found.embedder_hash) != (
        embedder.name,
        embedder.dimension,
        embedder.fingerprint,
    ):
        raise EmbedderMismatch(
            f"the store holds vectors of {found.embedder} ({found.dimension}-d, {found.embedder_hash[:12]}), "
            f"not of {embedder.name} ({embedder.dimension}-d, {embedder.fingerprint[:12]})",
            field="embedder",
            value=found.embedder,
            limit=embedder.name,
            hint="start with the embedder that the store was made with",
        )
