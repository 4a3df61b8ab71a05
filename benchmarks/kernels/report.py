"""The kernels' rows as a Markdown table."""

import math
from collections.abc import Sequence
from typing import TypedDict

from benchmarks.kernels.measure import Measured, Row
from benchmarks.machine import Machine, in_one_line

_HEAD = (
    "kernel",
    "work of a call",
    "kernel µs",
    "NumPy twin µs",
    "naive Python µs",
    "twin ÷ kernel",
    "naive ÷ kernel",
    "peak KiB: kernel / twin / naive",
    "twin agrees",
    "naive agrees",
)


class Results(TypedDict):
    """The whole of results.json."""

    machine: Machine
    load: float
    rows: list[Row]


def markdown(results: Results) -> str:
    """Write the whole table.md."""
    told = (
        "Median CPU time of the calling thread for one call. Peak: what Python and NumPy allocate during a call, its "
        "result included; what C++ allocates inside the kernels that keep something (Postings, Passages) is not seen. "
        "The twin is brain_core/kernels/reference and must be equal to the last bit; naive Python sums in other "
        "orders and precisions, so its numbers may be off in the last digits."
    )
    parts = ["# Kernels", f"{in_one_line(results['machine'])} · load average {results['load']:.1f}", told]
    for size in dict.fromkeys(row["size"] for row in results["rows"]):
        at_size = [row for row in results["rows"] if row["size"] == size]
        lines = [_line(_HEAD), _line(["---"] * len(_HEAD)), *(_line(_cells(row)) for row in at_size)]
        parts += [f"## {size}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _cells(row: Row) -> list[str]:
    compiled, twin, naive = row["compiled"], row["twin"], row["naive"]
    peaks = " / ".join("" if one is None else f"{one['peak_kib']:,.0f}" for one in (compiled, twin, naive))
    return [
        f"`{row['kernel']}`",
        row["told"],
        _time(compiled),
        _time(twin),
        "" if naive is None else _time(naive),
        _ratio(twin, compiled),
        "" if naive is None else _ratio(naive, compiled),
        peaks,
        _agreement(twin),
        "" if naive is None else _agreement(naive),
    ]


def _time(one: Measured) -> str:
    return f"{one['us']:,.2f}" if one["us"] < 100 else f"{one['us']:,.0f}"


def _ratio(one: Measured, compiled: Measured) -> str:
    ratio = one["us"] / max(compiled["us"], 1e-3)
    return f"{ratio:,.1f}" if ratio < 100 else f"{ratio:,.0f}"


def _agreement(one: Measured) -> str:
    if one["difference"] == 0:
        return "equal"
    return "**differs**" if math.isinf(one["difference"]) else f"to {one['difference']:.0e}"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
