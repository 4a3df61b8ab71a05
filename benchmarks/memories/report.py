"""The trial of many memories as Markdown tables."""

from typing import TypedDict

from benchmarks.machine import Machine, in_one_line
from benchmarks.memories.trial import Times, Trial
from benchmarks.tables import table


class Results(TypedDict):
    """The whole of results.json. texts: where they are from."""

    machine: Machine
    load: float
    texts: str
    trial: Trial


def markdown(results: Results) -> str:
    """Write the whole table.md."""
    trial = results["trial"]
    memories = trial["memories"]
    told = (
        f"{memories:,} memories of {trial['chunks']:,} chunks in one Brain in process, durability process, texts "
        f"{results['texts']}; indexes bounded to {trial['cache_bytes'] / 1e6:,.0f} MB. Filled one memory after the "
        f"other, then all asked in turn, twice in a row each: *loading* is the first call where the index had to be "
        "read from its snapshot, *loaded* the first call where it was still there, *again* the second call. Times are "
        "wall time as the caller sees it, with embedding and the reading of texts, and whatever the cache does to make "
        "room; in brackets what of it is CPU time of the calling thread."
    )
    filled = (
        ("filled in", f"{trial['fill_seconds']:,.1f} s"),
        ("ms of a commit of 20 messages", _times(trial["commit"])),
        ("indexes in the cache at the end", f"{trial['loaded']:,}, {_mb(trial['index_bytes'])} as counted"),
        ("one loaded index", f"{_mb(trial['of_one'])} of RSS, {_mb(trial['of_one_counted'])} as counted"),
        ("RSS beyond an empty brain: filled / searched", f"{_mb(trial['rss_filled'])} / {_mb(trial['rss_searched'])}"),
        ("disk: store / snapshots", f"{_mb(trial['store_disk'])} / {_mb(trial['snapshot_disk'])}"),
    )
    ways = [
        (
            way["name"],
            _times(way["loading"]),
            _times(way["loaded"]),
            _times(way["again"]),
            f"{way['loads']:,}",
            f"{way['evictions']:,}",
        )
        for way in trial["ways"]
    ]
    head = ("p50 / p95 / max ms (CPU p50 / p95)", "loading", "loaded", "again", "loads", "evictions")
    load = f"load average {results['load']:.1f}"
    parts = ["# Many memories", f"{in_one_line(results['machine'])} · {load}", told]
    return "\n\n".join([*parts, table(("", ""), filled), table(head, ways)]) + "\n"


def _times(times: Times | None) -> str:
    if times is None:
        return ""
    wall = f"{times['p50_ms']:.2f} / {times['p95_ms']:.2f} / {times['max_ms']:.1f}"
    return f"{wall} ({times['cpu_p50_ms']:.2f} / {times['cpu_p95_ms']:.2f}), {times['calls']:,} calls"


def _mb(size: int) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e7 else f"{size / 1e6:.3f} MB"
