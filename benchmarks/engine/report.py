"""The engine's rows as a Markdown table, each beside its echo."""

from collections.abc import Sequence

from benchmarks.engine.measure import ROUNDS, Row

_HEAD = (
    "workload",
    "chunks",
    "clients",
    "p50 / p95 / p99 ms",
    "calls/s",
    "echo p50 ms",
    "echo calls/s",
    "p50 ÷ echo",
    "calls/s ÷ echo",
    "append p50 ms",
    "appends/s",
    "request / response bytes",
    "RSS MB",
    "chunks after",
)


def markdown(rows: Sequence[Row], machine: str) -> str:
    """Write the whole table.md."""
    lines = [_line(_HEAD), _line(["---"] * len(_HEAD)), *(_line(_cells(row)) for row in rows)]
    told = (
        "Each client is a process; requests are serialised before the clock starts and responses are not parsed. "
        f"Workload and echo take turns {ROUNDS} times, the first of which is not counted. All clients use one memory. "
        "*append* is a bare append and fdatasync by as many threads on that file system. Chunks after: without items."
    )
    return "\n\n".join(["# Engine", machine, told, "\n".join(lines)]) + "\n"


def _cells(row: Row) -> list[str]:
    return [
        row["workload"],
        f"{row['chunks']:,}",
        str(row["clients"]),
        f"{row['p50_ms']:.2f} / {row['p95_ms']:.2f} / {row['p99_ms']:.2f}",
        f"{row['qps']:,.0f}",
        f"{row['echo_p50_ms']:.2f}",
        f"{row['echo_qps']:,.0f}",
        f"{row['p50_ms'] / row['echo_p50_ms']:.1f}",
        f"{row['qps'] / row['echo_qps']:.2f}",
        "" if row["append_p50_ms"] is None else f"{row['append_p50_ms']:.2f}",
        "" if row["append_qps"] is None else f"{row['append_qps']:,.0f}",
        f"{row['request_bytes']:,} / {row['response_bytes']:,}",
        f"{row['rss_mb']:,.0f}",
        f"{row['chunks_after']:,}",
    ]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
