"""The peers' rows as a Markdown table and as a plot."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import matplotlib as mpl
from matplotlib import pyplot as plt

from benchmarks.machine import Machine, in_one_line
from benchmarks.peers.corpus import BATCH, PER_OWNER
from benchmarks.peers.peer import WANTED

mpl.use("Agg")

_HEAD = (
    "peer",
    "search p50 / p95 ms",
    f"recall@{WANTED}",
    f"add ms (in {BATCH}s)",
    "add ms (one)",
    "memory MB",
    "disk MB",
    "searches",
)


class Row(TypedDict):
    """One line of results.json: one way of searching of one peer at one size. Times in milliseconds per call."""

    peer: str
    way: str
    memories: int
    p50_ms: float
    p95_ms: float
    recall: float
    add_ms: float
    add_one_ms: float
    memory_mb: float
    disk_mb: float
    queries: int
    rounds: int
    told: str


class LeftOut(TypedDict):
    """A peer that could not be measured at a size, and why."""

    peer: str
    memories: int
    reason: str


class Results(TypedDict):
    """The whole of results.json. `filesystem` is what the stores were kept on: on tmpfs, fsync costs nothing."""

    machine: Machine
    dimension: int
    filesystem: str
    rows: list[Row]
    left_out: list[LeftOut]


def markdown(results: Results) -> str:
    """Write the whole table.md: sizes in order, in each the fastest search first."""
    rows, left_out = results["rows"], results["left_out"]
    told = (
        f"{PER_OWNER} memories per owner, vectors of {results['dimension']} dimensions, top {WANTED} with the owner's "
        "filter, each answer with its texts. One process per peer and size; times are medians of rounds over the same "
        f"queries, one call after another. Recall is the share of the {WANTED} nearest by cosine inside the owner. "
        f"Adding in batches of {BATCH} includes what is built afterwards; memory is the growth of the process and its "
        f"children. The stores lay on {results['filesystem']}."
    )
    parts = ["# Peers", in_one_line(results["machine"]), told]
    for size in sorted({one["memories"] for one in (*rows, *left_out)}):
        at_size = sorted((row for row in rows if row["memories"] == size), key=lambda row: row["p50_ms"])
        parts.append(f"## {size:,} memories")
        if at_size:
            lines = [_line(_HEAD), _line(["---"] * len(_HEAD)), *(_line(_cells(row)) for row in at_size)]
            parts.append("\n".join(lines))
        missing = [f"- left out: **{one['peer']}**: {one['reason']}" for one in left_out if one["memories"] == size]
        if missing:
            parts.append("\n".join(missing))
    versions = {row["peer"]: row["told"] for row in rows}
    parts += ["## Versions and settings", "\n".join(f"- **{peer}**: {how}." for peer, how in sorted(versions.items()))]
    return "\n\n".join(parts) + "\n"


def _cells(row: Row) -> list[str]:
    return [
        label(row),
        f"{row['p50_ms']:.3f} / {row['p95_ms']:.3f}",
        f"{row['recall']:.3f}",
        f"{row['add_ms']:.3f}",
        f"{row['add_one_ms']:.3f}",
        f"{row['memory_mb']:,.0f}",
        f"{row['disk_mb']:,.0f}",
        f"{row['rounds']} × {row['queries']}",
    ]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def label(row: Row) -> str:
    """Name peer and way."""
    return f"{row['peer']} {row['way']}".strip()


def plot(rows: Sequence[Row], path: Path) -> None:
    """Draw the median search by peer, one panel per size, as a PNG; nothing for no rows."""
    sizes = sorted({row["memories"] for row in rows})
    if not sizes:
        return
    tallest = max(sum(row["memories"] == size for row in rows) for size in sizes)
    figure, panels = plt.subplots(1, len(sizes), figsize=(6.5 * len(sizes), 1.2 + 0.32 * tallest), squeeze=False)
    for panel, size in zip(panels[0], sizes, strict=True):
        at_size = sorted((row for row in rows if row["memories"] == size), key=lambda row: -row["p50_ms"])
        colours = ["tab:orange" if row["peer"] == "smartbrain" else "tab:blue" for row in at_size]
        bars = panel.barh([label(row) for row in at_size], [row["p50_ms"] for row in at_size], color=colours)
        marks = [f"{row['p50_ms']:.2f} ms, recall {row['recall']:.2f}" for row in at_size]
        panel.bar_label(bars, marks, padding=3, fontsize=7)
        panel.set_xscale("log")
        panel.set_xlim(at_size[-1]["p50_ms"] / 3, at_size[0]["p50_ms"] * 50)
        panel.tick_params(labelsize=8)
        panel.set_title(f"search p50, {size:,} memories", fontsize=9)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)
