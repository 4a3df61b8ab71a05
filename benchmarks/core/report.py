"""The core's trials as Markdown tables."""

from collections.abc import Sequence
from typing import TypedDict

from benchmarks.core.trial import WANTED, Stage, Trial
from benchmarks.machine import Machine, in_one_line
from benchmarks.tables import table

_PER = 100_000


class Results(TypedDict):
    """The whole of results.json. texts: where they are from."""

    machine: Machine
    load: float
    texts: str
    trials: list[Trial]


def markdown(results: Results) -> str:
    """Write the whole table.md."""
    trials = results["trials"]
    told = (
        f"In one process, no store, no server, one thread; texts: {results['texts']}; "
        f"{', '.join(sorted({str(one['dimension']) for one in trials}))} numbers a vector. "
        "*Embed to selected rows* is what ComposeContext does with a planned message until it knows which chunks it "
        "wants. Recall counts a tie within 1e-5 of cosine; *scan* looks at every allowed row. Bytes are for "
        f"{_PER:,} chunks; *nbytes: chunks* has their evidence in it, texts included; *coded* are those whose vectors "
        "have codes, the others are all looked at."
    )
    parts = ["# The core alone", f"{in_one_line(results['machine'])} · load average {results['load']:.1f}", told]
    if trials:
        parts += [_stages(trials), _recalls(trials), _bytes(trials)]
    return "\n\n".join(parts) + "\n"


def _stages(trials: Sequence[Trial]) -> str:
    head = ("p50 / p95 ms", *(f"{one['chunks']:,} chunks" for one in trials))
    names = [one["stage"] for one in (*trials[0]["stages"], *trials[0]["adding"])]
    rows = [(name, *(_of(name, (*one["stages"], *one["adding"])) for one in trials)) for name in names]
    return table(head, rows)


def _of(name: str, stages: Sequence[Stage]) -> str:
    [one] = [stage for stage in stages if stage["stage"] == name]
    return f"{one['p50_ms']:.3f} / {one['p95_ms']:.3f}"


def _recalls(trials: Sequence[Trial]) -> str:
    head = ("chunks", "rows", f"recall@{WANTED}", "lowest", "search p50 / p95 ms", "scan p50 ms")
    rows = [
        (
            f"{trial['chunks']:,}",
            one["rows"],
            f"{one['recall']:.4f}",
            f"{one['worst']:.1f}",
            f"{one['p50_ms']:.3f} / {one['p95_ms']:.3f}",
            f"{one['scan_p50_ms']:.3f}",
        )
        for trial in trials
        for one in trial["recalls"]
    ]
    return table(head, rows)


def _bytes(trials: Sequence[Trial]) -> str:
    parts = list(trials[0]["nbytes"])
    head = (
        "chunks",
        "coded",
        "RSS MB",
        "RSS MB without what is freed",
        "of it beyond texts",
        *(f"nbytes MB: {part}" for part in parts),
        "built in s",
    )
    rows = [
        (
            f"{one['chunks']:,}",
            f"{one['coded']:,}",
            _megabytes(one["rss_bytes"], one["chunks"]),
            _megabytes(one["held_bytes"], one["chunks"]),
            _megabytes(one["held_bytes"] - one["text_bytes"], one["chunks"]),
            *(_megabytes(one["nbytes"][part], one["chunks"]) for part in parts),
            f"{one['build_seconds']:.0f}",
        )
        for one in trials
    ]
    return table(head, rows)


def _megabytes(size: int, chunks: int) -> str:
    return f"{size / chunks * _PER / 1e6:,.1f}"
