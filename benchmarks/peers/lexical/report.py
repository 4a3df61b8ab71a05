"""The engines' rows as a Markdown table."""

from collections.abc import Sequence
from typing import TypedDict

from benchmarks.peers.lexical.engine import K1, TOP, B

_HEAD = (
    "engine",
    "documents",
    f"same top {TOP}",
    "same by quantised lengths",
    "different",
    "build ms",
    "search p50 / p95 ms",
    "add until found ms",
)


class Row(TypedDict):
    """One line of lexical.json: one engine at one size. Times in milliseconds; the three verdicts count queries."""

    engine: str
    documents: int
    queries: int
    same: int
    same_by_quantised_lengths: int
    different: int
    build_ms: float
    p50_ms: float
    p95_ms: float
    add_ms: float
    told: str


class Analysis(TypedDict):
    """What turning texts into terms cost at one size, in milliseconds, median of each."""

    documents: int
    document_ms: float
    query_ms: float


def markdown(
    rows: Sequence[Row], analyses: Sequence[Analysis], left_out: Sequence[tuple[str, str]], machine: str
) -> str:
    """Write the whole table.md."""
    told = (
        f"Same terms, k1 {K1}, b {B}, Lucene's idf ln(1 + (N - n + 0.5) / (n + 0.5)), each term of a query once. An "
        f"engine's {TOP} are judged by float64 BM25: *same* where every place has the score that the best document for "
        "that place has, to a hundred-thousandth, so that ties may be broken in any way; *same by quantised lengths* "
        "where that holds once document lengths are rounded down to what fits a byte, as Lucene and tantivy keep them "
        "(exact to 40 terms, four significant bits beyond)."
    )
    analysed = [
        f"- {one['documents']:,} documents: analysis takes {1e3 * one['document_ms']:.0f} µs for a document, "
        f"{1e3 * one['query_ms']:.0f} µs for a query. It is in SmartBrain's times and in no other's."
        for one in analyses
    ]
    lines = [_line(_HEAD), _line(["---"] * len(_HEAD)), *(_line(_cells(row)) for row in rows)]
    versions = dict.fromkeys(f"- **{row['engine']}**: {row['told']}." for row in rows)
    missing = dict.fromkeys(f"- left out: **{engine}**: {reason}." for engine, reason in left_out)
    parts = ["# Lexical peers", machine, told, "\n".join(lines), "\n".join(analysed), "\n".join([*versions, *missing])]
    return "\n\n".join(parts) + "\n"


def _cells(row: Row) -> list[str]:
    return [
        row["engine"],
        f"{row['documents']:,}",
        f"{row['same']} of {row['queries']}",
        str(row["same_by_quantised_lengths"]),
        str(row["different"]),
        f"{row['build_ms']:,.0f}",
        f"{row['p50_ms']:.3f} / {row['p95_ms']:.3f}",
        f"{row['add_ms']:.3f}",
    ]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
