"""What the functions of `pack` answer, by the classes of the contract."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import EvidenceRaw, Provenance

from brain_core.kernels.reference.records import check_each, check_field, check_records, in_field, record_at
from brain_core.kernels.reference.signals import RANKS, SIGNALS

_ADDED = ("snippet_policy", "signals", "provenance", "raw", "status")


def longer(content: NDArray[np.uint8], ends: NDArray[np.int64], rows: NDArray[np.int32], longest: int) -> list[int]:
    """Return the places of rows int32[m] whose snippet has more than `longest` characters.

    content, ends: serialised Evidence of n rows, row r in content[ends[r]:ends[r + 1]].
    """
    check_records(content, ends, rows.tolist())
    snippets = [record_at(content, ends, row).snippet for row in rows.tolist()]
    return [place for place, text in enumerate(snippets) if len(text) > longest]


def pack_evidences(  # noqa: PLR0913  the signature of the kernel
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: NDArray[np.int32],
    texts: list[str | None],
    policy: str,
    queries: NDArray[np.int32],
    provenances: list[bytes],
    relations: list[str],
    raws: list[bytes],
    statuses: NDArray[np.uint8],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    field: int,
) -> bytes:
    """Return rows int32[m] as messages Evidence of a repeated field of this number, serialised.

    content, ends: as in `longer`; snippet_policy, signals, provenance, raw and status of a record are left out. texts:
    of each row what stands in place of its snippet, or None. policy: of all snippets. queries: int32[m], which of
    `provenances` each row has; provenances: serialised Provenance of each query, none for no provenance. relations:
    of each row, none for none. raws: serialised EvidenceRaw of each row, none for none. statuses: uint8[m], 0 is none.
    ranks: int32[m, 2], 0 is none; signals: float64[m, 5], NaN is none; both of no rows for no signals.
    """
    m = len(rows)
    check_field(field)
    check_records(content, ends, rows.tolist())
    check_each(m, texts=texts, relations=relations or rows, raws=raws or rows)
    _check_added(m, queries, len(provenances), statuses, ranks, signals)
    out = b""
    for number, row in enumerate(rows.tolist()):
        evidence = record_at(content, ends, row)
        for name in _ADDED:
            evidence.ClearField(name)  # type: ignore[arg-type]  # names of fields
        text = texts[number]
        evidence.snippet = evidence.snippet if text is None else text
        evidence.snippet_policy = policy
        if provenances:
            evidence.provenance.CopyFrom(Provenance.FromString(provenances[queries[number]]))
            evidence.provenance.relation = relations[number] if relations else ""
        if raws and raws[number]:
            evidence.raw.CopyFrom(EvidenceRaw.FromString(raws[number]))
        evidence.status = int(statuses[number])  # type: ignore[assignment]  # of its enumeration
        for name, rank in zip(RANKS, ranks[number].tolist(), strict=True) if len(ranks) else ():
            if rank:
                setattr(evidence.signals, name, rank)
        for name, score in zip(SIGNALS, signals[number].tolist(), strict=True) if len(ranks) else ():
            if not math.isnan(score):
                setattr(evidence.signals, name, score)
        out += in_field(field, evidence.SerializeToString())
    return out


def _check_added(
    m: int,
    queries: NDArray[np.int32],
    known: int,
    statuses: NDArray[np.uint8],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
) -> None:
    if len(queries) != m or len(statuses) != m:
        raise ValueError(f"queries and statuses must have {m} entries, one for each of rows")
    if len(ranks) != len(signals) or len(ranks) not in (0, m):
        raise ValueError(f"ranks and signals must be of {m} rows or of none")
    if (ranks.shape[1], signals.shape[1]) != (len(RANKS), len(SIGNALS)):
        raise ValueError(f"ranks and signals must have {len(RANKS)} and {len(SIGNALS)} columns")
    for number, query in enumerate(queries.tolist() if known else []):
        if not 0 <= query < known:
            raise IndexError(f"queries[{number}] is {query}, not in 0..{known - 1}")
