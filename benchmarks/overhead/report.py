"""What planner and trace add as a Markdown table."""

from typing import TypedDict

from benchmarks.machine import Machine, in_one_line
from benchmarks.overhead.trial import BASE, OWN, VARIANTS, Row
from benchmarks.tables import table


class Results(TypedDict):
    """The whole of results.json. texts: where the memory's are from."""

    machine: Machine
    load: float
    texts: str
    chunks: int
    rows: list[Row]


def markdown(results: Results) -> str:
    """Write the whole table.md."""
    told = (
        f"ComposeContext over gRPC, a memory of {results['chunks']:,} chunks of texts {results['texts']}. A server of "
        "its own for each of what is on, all with the same store; each message goes to all of them before the next, "
        f"the order going round, one call at a time. Ratios are to *{BASE}*: of the medians, and message by message "
        "(median of each message over its calls, then of all ratios). *Planner* off is `query_expansion.enabled: "
        f"false`: one query, the message as it stands, which is read all the same; with *{OWN}*, of one query too and "
        "with trace off, it is not. *Trace* is `observability.trace`: what was dropped, and timings."
    )
    head = (
        "messages",
        "n",
        "queries",
        "on",
        "p50 / p95 ms",
        "ratio",
        "by message",
        f"by message, to {OWN}",
        "response bytes",
    )
    body = [
        (
            row["kind"],
            f"{row['messages']:,} × {row['calls'] // row['messages']}",
            f"{row['queries']:.2f}",
            name,
            f"{row['p50_ms'][name]:.3f} / {row['p95_ms'][name]:.3f}",
            f"{row['ratio'][name]:.3f}",
            f"{row['paired'][name]:.3f}",
            f"{row['to_own'][name]:.3f}",
            f"{row['response_bytes'][name]:,}",
        )
        for row in results["rows"]
        for name in VARIANTS
    ]
    machine = f"{in_one_line(results['machine'])} · load average {results['load']:.1f}"
    return "\n\n".join(["# What planner and trace add", machine, told, table(head, body)]) + "\n"
