"""What is read of a brain for a question: contexts, their replays and evidence."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date, tzinfo
from typing import TYPE_CHECKING

from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import (
    ComposeContextRequest,
    ComposeContextResponse,
    ReplayRequest,
    ReplayResponse,
)
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core import browse
from brain_core.compose.again import again, made_under, prepare_again, record_of, replayed
from brain_core.compose.agent import for_task
from brain_core.compose.check import check_compose, check_retrieve, check_types
from brain_core.compose.draft import Contents
from brain_core.compose.executors import Executors
from brain_core.compose.pipeline import compose, retrieve
from brain_core.compose.plan import Asker, Planned, plan_message
from brain_core.compose.planner.adviser import Advice
from brain_core.compose.planner.gather import TURNS
from brain_core.compose.planner.read import Recent, read
from brain_core.compose.prepare import prepare_compose, prepare_retrieve
from brain_core.compose.since import read_since
from brain_core.compose.slots import SlotCounter
from brain_core.compose.then import moment_of, turns_at
from brain_core.compose.trace import left_out_for
from brain_core.env import Env, Watch
from brain_core.index.memory_index import MemoryIndex
from brain_core.indexes import Indexes
from brain_core.kinds.registry import Kinds
from brain_core.models.embedder import Embedder
from brain_core.models.thesaurus import built_in_thesaurus
from brain_core.once import Once
from brain_core.policy import Policies, Policy
from brain_core.store.contexts import ContextLog
from brain_core.store.kv import KV
from brain_core.store.log import not_begun
from brain_core.store.v1.records_pb2 import ContextRecord
from brain_core.zones import zone_or

if TYPE_CHECKING:
    from brain_core.compose.planner.consult import Consultant, Matter


class Composer:
    """Composes contexts, keeps them and composes them again, and retrieves. Safe for use from many threads."""

    def __init__(  # noqa: PLR0913  all that a context is made of
        self,
        kv: KV,
        indexes: Indexes,
        contexts: ContextLog,
        policy: Policy,
        embedder: Embedder,
        env: Env,
        kinds: Kinds,
        counter: SlotCounter,
        executors: Executors,
        consultant: Consultant | None,
    ) -> None:
        """consultant: asks a language model how to look; None where none is configured."""
        self._kv = kv
        self._indexes = indexes
        self._contexts = contexts
        self._policy = policy
        self._embedder = embedder
        self._env = env
        self._kinds = kinds
        self._counter = counter
        self._executors = executors
        self._consultant = consultant
        self._made_under = made_under(policy.policies, embedder, policy.zone)
        self._stamp = ContextRecord(made_under=self._made_under).SerializeToString()

    def warm_up(self) -> None:
        """Load what composing needs."""
        built_in_thesaurus()
        for message in ("Where do I live?", "我住在哪里？"):
            read(message, date.min, Recent)

    def compose(
        self,
        request: ComposeContextRequest,
        due: float | None,
        watch: Watch | None,
        seen: Callable[[Contents], None] | None,
    ) -> bytes:
        """Answer as Brain.composed_bytes does."""
        check_compose(request, self._policy.limits)
        if request.HasField("plan"):
            check_types(request.plan, self._kinds)
        policies = for_task(self._policy.policies, request.agent_state)
        reach = self._executors.reach(due, request.as_of)
        with self._indexes.hold(request.memory_id):  # before it is planned: a plan may quote what is purged meanwhile
            epoch = self._contexts.epoch(request.memory_id)
        planner = self._planner(request, policies, self.advising(request, due, watch))
        composing = prepare_compose(request, policies, self._embedder, self._env, self._counter, reach, planner)
        with self._reading_if_begun(request) as index:
            made = compose(index, self._kv, composing, policies, self._env, self._zone_of(request))
            has_begun = index.revision > 0
        draft, kept = made.draft, policies.observability.store_contexts and has_begun
        ignored = draft.debug.ignored
        if not has_begun:
            ignored.append(f"memory_id: {not_begun(request.memory_id)}")
        if seen is not None:
            seen(draft.contents())
        traceless = left_out_for(request, made.revision, policies.observability.trace)
        if traceless:
            ignored.append(traceless)
        if kept and self._contexts.problem:
            ignored.append(f"store_contexts: not kept over a restart: {self._contexts.problem}")
        response = draft.response(made.revision, trace=not traceless)
        if kept:
            record = record_of(composing, made.asked, response, policies)
            record.MergeFromString(self._stamp)
            self._contexts.put(request.memory_id, draft.package.context_id, record, epoch)
        return response + _prompt(response) if request.render else response

    def retrieve(
        self, request: RetrieveRequest, due: float | None, asked_by: str, seen: Callable[[EvidencePack], None] | None
    ) -> bytes:
        """Answer as Brain.retrieved_bytes does."""
        check_retrieve(request, self._policy.limits)
        if not asked_by:  # another brain may know types that this one lacks
            check_types(request.plan, self._kinds)
        policies = self._policy.policies
        reach = self._executors.reach(due, request.as_of, asked_by)
        retrieving = prepare_retrieve(request, policies, self._embedder, self._env, reach)
        with self._indexes.reading(request.memory_id, request.min_revision) as index:
            retrieved = retrieve(index, self._kv, request, retrieving, policies, self._policy.zone)
        if seen is not None:
            seen(retrieved.told)
        return retrieved.response

    def replay(self, request: ReplayRequest) -> ReplayResponse:
        """Compose a stored context again and say what differs; store nothing. Raises NotFound."""
        record = browse.stored_record(self._kv, self._contexts, request, self._policy.limits)
        stored = again(record, self._made_under, self._kv)
        policies = for_task(self._policy.policies, stored.request.agent_state)
        planner = self._planner(stored.request, policies)
        composing = prepare_again(stored, policies, self._embedder, self._env, self._counter, planner)
        with self._indexes.reading(request.memory_id, 0) as index:
            made = compose(index, self._kv, composing, policies, self._env, self._zone_of(stored.request))
            answer = stored.answer
            since = read_since(self._kv, request.memory_id, answer.revision, answer.context)
        response = ComposeContextResponse.FromString(made.draft.response(made.revision, trace=True))
        return replayed(stored, made.asked, response, since)

    def advising(
        self, request: ComposeContextRequest, due: float | None, watch: Watch | None
    ) -> Callable[[], Advice] | None:
        """Return what asks a language model how to look, without the memory's lock; None where none is configured."""
        consultant = self._consultant
        if consultant is None:
            return None

        def look() -> Matter:
            with self._reading_if_begun(request) as index:
                turns = turns_at(self._kv, request, TURNS, moment_of(self._kv, request, index.chunks))
                return consultant.matter(request, index, turns, self._zone_of(request))

        return lambda: consultant.advise(look, due, watch)

    def _planner(
        self, request: ComposeContextRequest, policies: Policies, advise: Callable[[], Advice] | None = None
    ) -> Callable[[], Planned]:
        def planned() -> Planned:
            advice = advise() if advise is not None else None
            with self._reading_if_begun(request) as index:
                then = moment_of(self._kv, request, index.chunks)
                most = max(TURNS, policies.composition.recent_turns_max)
                turns = Once(lambda: turns_at(self._kv, request, most, then))
                asker = Asker(self._zone_of(request), self._policy.limits.query_chars)
                return plan_message(request, policies, index, turns, advice, then, asker)

        return planned

    def _reading_if_begun(self, request: ComposeContextRequest) -> AbstractContextManager[MemoryIndex]:
        return self._indexes.reading_if_begun(request.memory_id, request.min_revision)

    def _zone_of(self, request: ComposeContextRequest) -> tzinfo:
        return zone_or(request.timezone, self._policy.zone)


def _prompt(response: bytes) -> bytes:
    """Return what joins a ComposeContextResponse to give its package as prompt text, too."""
    text = render(ComposeContextResponse.FromString(response).context)
    return ComposeContextResponse(prompt=text).SerializeToString()
