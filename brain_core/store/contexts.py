"""What ComposeContext answered, kept for a while. Audit, not truth: it moves no memory's revision."""

from __future__ import annotations

from smartbrain.v1.brain_service_pb2 import GetContextResponse

from brain_core.errors import NotFound
from brain_core.store import keys
from brain_core.store.kv import KV, Batch, ReadView


def put_context(kv: KV, memory_id: str, stored: GetContextResponse, keep: int) -> None:
    """Keep a context and drop the one that is `keep` older."""
    partition = keys.contexts(memory_id)
    revision = kv.revision(partition) + 1
    context_id = stored.context.context_id
    batch = Batch()
    batch.put(keys.context(context_id), stored.SerializeToString())
    batch.put(keys.context_order(revision), context_id.encode())
    if revision > keep:
        oldest = keys.context_order(revision - keep)
        found = kv.get(partition, oldest)
        if found is not None:
            batch.delete(keys.context(found.decode()))
            batch.delete(oldest)
    kv.write(partition, batch, expect=revision - 1)


def get_context(view: ReadView, memory_id: str, context_id: str) -> GetContextResponse:
    """Return a kept context; raise NotFound."""
    found = view.get(keys.contexts(memory_id), keys.context(context_id))
    if found is None:
        raise NotFound(
            f"context_id: memory {memory_id!r} keeps no context {context_id!r}",
            field="context_id",
            value=context_id,
            limit="the newest policies.observability.contexts_kept contexts",
            hint="contexts are kept while policies.observability.store_contexts is true",
        )
    return GetContextResponse.FromString(found)
