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
    provenance: tuple[list[str], list[str], bytes] | None,
    relations: list[str],
    raws: list[bytes],
    standing: tuple[NDArray[np.uint8], NDArray[np.uint8], int],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    field: int,
) -> bytes:
    """Return rows int32[m] as messages Evidence of a repeated field of this number, serialised.

    content, ends: as in `longer`; snippet_policy, signals, provenance, raw and status of a record are left out. texts:
    of each row what stands in place of its snippet, or None. policy: of all snippets. queries: int32[m], which found
    each row. provenance: (modes of the queries, their texts, a serialised Timestamp), None for no provenance.
    relations: of each row, none for none. raws: serialised EvidenceRaw of each row, none for none. standing: (kinds
    uint8[n], statuses uint8[n], the kind of an item, whose status is told). ranks: int32[m, 2], 0 is none; signals:
    float64[m, 5], NaN is none; both of no rows for no signals.
    """
    m, (kinds, statuses, item) = len(rows), standing
    check_field(field)
    check_records(content, ends, rows.tolist())
    check_each(m, texts=texts, relations=relations or rows, raws=raws or rows)
    modes, asked, at = provenance or ([], [], b"")
    check_each(len(modes), **{"texts of queries": asked})
    _check_added(rows, queries, len(modes) if provenance else None, standing, ranks, signals)
    out = b""
    for number, row in enumerate(rows.tolist()):
        evidence = record_at(content, ends, row)
        for name in _ADDED:
            evidence.ClearField(name)  # type: ignore[arg-type]  # names of fields
        text = texts[number]
        evidence.snippet = evidence.snippet if text is None else text
        evidence.snippet_policy = policy
        if provenance:
            query = int(queries[number])
            found = Provenance(mode=modes[query], query_text=asked[query], query_index=query)
            found.retrieved_at.MergeFromString(at)
            evidence.provenance.CopyFrom(found)
            evidence.provenance.relation = relations[number] if relations else ""
        if raws and raws[number]:
            evidence.raw.CopyFrom(EvidenceRaw.FromString(raws[number]))
        evidence.status = int(statuses[row]) if kinds[row] == item else 0  # type: ignore[assignment]  # of its enumeration
        for name, rank in zip(RANKS, ranks[number].tolist(), strict=True) if len(ranks) else ():
            if rank:
                setattr(evidence.signals, name, rank)
        for name, score in zip(SIGNALS, signals[number].tolist(), strict=True) if len(ranks) else ():
            if not math.isnan(score):
                setattr(evidence.signals, name, score)
        out += in_field(field, evidence.SerializeToString())
    return out


def _check_added(
    rows: NDArray[np.int32],
    queries: NDArray[np.int32],
    known: int | None,
    standing: tuple[NDArray[np.uint8], NDArray[np.uint8], int],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
) -> None:
    m, (kinds, statuses, _) = len(rows), standing
    if len(queries) != m:
        raise ValueError(f"queries must have {m} entries, one for each of rows")
    if len(statuses) != len(kinds):
        raise ValueError(f"kinds has {len(kinds)} entries but statuses {len(statuses)}")
    if len(ranks) != len(signals) or len(ranks) not in (0, m):
        raise ValueError(f"ranks and signals must be of {m} rows or of none")
    if (ranks.shape[1], signals.shape[1]) != (len(RANKS), len(SIGNALS)):
        raise ValueError(f"ranks and signals must have {len(RANKS)} and {len(SIGNALS)} columns")
    for number, (row, query) in enumerate(zip(rows.tolist(), queries.tolist(), strict=True)):
        if row >= len(kinds):
            raise IndexError(f"row {row} is not in 0..{len(kinds) - 1}")
        if known is not None and not 0 <= query < known:
            raise IndexError(f"queries[{number}] is {query}, not in 0..{known - 1}")
