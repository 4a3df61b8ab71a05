"""What ComposeContext answered, kept for a while. Audit, not truth: it moves no memory's revision."""

from __future__ import annotations

import threading

from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ComposeContextResponse, GetContextResponse
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core.errors import NotFound
from brain_core.store import keys
from brain_core.store.kv import KV, Batch, ReadView
from brain_core.store.v1.records_pb2 import ContextRecord


class ContextLog:
    """The newest contexts of each memory. Safe for use from many threads."""

    def __init__(self, kv: KV, keep: int) -> None:
        self._kv = kv
        self._keep = keep
        self._lock = threading.Lock()

    def put(
        self,
        memory_id: str,
        request: ComposeContextRequest,
        plan: RetrievalPlan | None,
        response: ComposeContextResponse,
    ) -> None:
        """Keep a context and drop the one that is `keep` older. plan: as it was carried out, None keeps none."""
        record = ContextRecord(request=request, plan=plan, response=response.SerializeToString())
        partition = keys.contexts(memory_id)
        context_id = response.context.context_id
        batch = Batch()
        batch.put(keys.context(context_id), record.SerializeToString())
        with self._lock:
            number = self._kv.revision(partition) + 1
            batch.put(keys.context_order(number), context_id.encode())
            oldest = keys.context_order(number - self._keep) if number > self._keep else b""
            found = self._kv.get(partition, oldest) if oldest else None
            if found is not None:
                batch.delete(keys.context(found.decode()))
                batch.delete(oldest)
            self._kv.write(partition, batch, expect=number - 1)


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
    record = ContextRecord.FromString(found)
    plan = record.plan if record.HasField("plan") else None
    response = ComposeContextResponse.FromString(record.response)
    return GetContextResponse(request=record.request, plan=plan, context=response.context, revision=response.revision)
