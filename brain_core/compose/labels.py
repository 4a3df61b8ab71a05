"""Tags and topics: the documents that have them, looked up where a plan asks for some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from smartbrain.v1.evidence_pb2 import Signals
from smartbrain.v1.plan_pb2 import PlanFilters, RetrievalPlan

from brain_core.store import keys
from brain_core.store.documents import labelled_documents
from brain_core.store.kv import ReadView

KINDS = {"tag_ids": keys.TAGS, "topic_ids": keys.TOPICS}
_SCORES = {"tag_ids": "tag_score", "topic_ids": "topic_score"}

Asked = dict[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Labels:
    """Documents by label: of each field of PlanFilters that names labels, the ids that have one."""

    documents: dict[str, Asked] = field(default_factory=dict)

    def having(self, name: str, labels: Iterable[str]) -> set[str]:
        """Return the documents with any of some labels. name: tag_ids or topic_ids."""
        known = self.documents[name]
        return {document for label in labels for document in known[label]}

    def tell(self, document_id: str, found: Signals) -> None:
        """Put into a message which share of the labels that a plan asks for a document has."""
        for name, known in self.documents.items():
            if known and document_id:
                matching = sum(document_id in documents for documents in known.values())
                setattr(found, _SCORES[name], matching / len(known))


NONE = Labels()


def read_labels(view: ReadView, memory_id: str, plan: RetrievalPlan) -> Labels:
    """Return what a plan's filters need to know."""
    filters = [*_filters(plan)]
    if not filters:
        return NONE
    asked = {name: {label for one in filters for label in getattr(one, name)} for name in KINDS}
    if not any(asked.values()):
        return NONE
    return Labels(
        {
            name: {label: frozenset(labelled_documents(view, memory_id, KINDS[name], label)) for label in labels}
            for name, labels in asked.items()
        }
    )


def _filters(plan: RetrievalPlan) -> Iterator[PlanFilters]:
    """Yield the filters that a plan has."""
    if plan.HasField("global_filters"):
        yield plan.global_filters
    for query in plan.queries:
        if query.HasField("filters"):
            yield query.filters
