"""Giving a store the vectors of another embedder: offline, resumable, and only on request.

While it is under way the store names the embedder it is on the way to, and is not served. Each memory counts how many
of its chunks are done, in the same batch that writes them, so a re-embed that ended early goes on where it was.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from brain_core.embedders import make_embedder
from brain_core.env import Env, system_env
from brain_core.index.derive import chunk_text
from brain_core.models.embedder import Embedder, RefiningEmbedder, encoder_of, lasting_vectors
from brain_core.policy import Policy
from brain_core.store import keys, log
from brain_core.store.kv import KV, Batch
from brain_core.store.migrate import begin_reembed, check_format, end_reembed, is_of, read_store_record
from brain_core.store.rocks import RocksKV
from brain_core.store.v1.records_pb2 import ChangeRecord, SpaceRecord

_CHUNKS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a re-embed is: in one memory, and in all. Counts are of chunks, but for number and memories."""

    memory_id: str
    done: int
    chunks: int
    number: int
    memories: int
    all_done: int
    all_chunks: int


def reembed(
    path: Path | str, policy: Policy, embedder: Embedder | None = None, env: Env | None = None
) -> Generator[Progress, None, None]:
    """Give all chunks of a folder's store the lasting vectors of the policy's embedder, or of the one given.

    Yields at each memory's begin and after each batch; yields nothing if the store has these vectors already, or is
    new. Stopped at any point, by a crash too, it goes on where it was when it is called again with the same embedder.
    Raises PolicyError, StoreLocked, StoreFailed, FormatMismatch or EmbedderUnavailable.
    """
    folder = Path(path)
    embedder = embedder or make_embedder(policy)
    kv = RocksKV(folder / "store", durable=policy.store.durability == "disk")
    try:
        record = read_store_record(kv)
        if record is None:
            return
        check_format(record)
        if is_of(record, embedder) and not record.next_embedder:
            return
        begin_reembed(kv, record, embedder)
        # Snapshots of the old vectors: indexes are made anew from the store at their first use.
        shutil.rmtree(folder / "index", ignore_errors=True)
        yield from _all_memories(kv, embedder, env or system_env())
        end_reembed(kv, record)
    finally:
        if isinstance(embedder, RefiningEmbedder):
            embedder.close()
        kv.close()


def _all_memories(kv: KV, embedder: Embedder, env: Env) -> Iterator[Progress]:
    memories = list(log.memory_ids(kv))
    spaces = {memory_id: log.read_space(kv, memory_id) for memory_id in memories}
    all_chunks = sum(space.next_chunk for space in spaces.values() if space)
    before = 0
    for number, memory_id in enumerate(memories, start=1):
        space = spaces[memory_id]
        if space is None:
            continue
        for done in _memory(kv, space, embedder, env):
            yield Progress(memory_id, done, space.next_chunk, number, len(memories), before + done, all_chunks)
        before += space.next_chunk


def _memory(kv: KV, space: SpaceRecord, embedder: Embedder, env: Env) -> Iterator[int]:
    """Do what is left of a memory; yield how many of its chunks are done, first of all before anything."""
    target = embedder.fingerprint + encoder_of(embedder)
    size = embedder.batch if isinstance(embedder, RefiningEmbedder) else _CHUNKS_AT_ONCE
    if space.reembedded_as != target:
        space.reembedded_as, space.reembedded_chunks = target, 0
    yield space.reembedded_chunks
    while space.reembedded_chunks < space.next_chunk:
        stop = min(space.reembedded_chunks + size, space.next_chunk)
        _batch(kv, space, stop, embedder, env)
        yield space.reembedded_chunks


def _batch(kv: KV, space: SpaceRecord, stop: int, embedder: Embedder, env: Env) -> None:
    """Do the chunks up to `stop`, and count them."""
    chunks = log.read_chunks(kv, space.memory_id, range(space.reembedded_chunks, stop))
    vectors = lasting_vectors(embedder, [chunk_text(chunk) for chunk in chunks])
    space.reembedded_chunks = stop
    space.refined_by = encoder_of(embedder)
    space.refined_chunks = stop if space.refined_by else 0
    partition = keys.memory(space.memory_id)
    revision = kv.revision(partition)
    change = ChangeRecord(revision=revision + 1, committed_at_us=env.now_us())
    batch = Batch()
    log.put_vectors(batch, space, chunks, vectors, change)
    kv.write(partition, batch, expect=revision)
