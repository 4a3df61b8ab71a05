"""The scores as Markdown tables and as a plot."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt

from benchmarks.quality.scoring import LevelScores, Row, Scores
from benchmarks.tables import table

mpl.use("Agg")

_QUALITY = ("recall@5", "recall@10", "recall@20", "recall@50", "recall_any@10", "recall_all@10", "ndcg@10", "mrr")


def markdown(scores: Sequence[Scores], counters: Mapping[str, str], machine: str) -> str:
    """Write the whole table.md: turns, sessions, cost, categories, and what was left out."""
    parts = [
        "# Retrieval quality",
        machine,
        "## Turns",
        _level_table([(one, one["turn"]) for one in scores]),
        "## Sessions",
        "A session ranks where its first turn does, among the 50 turns kept.",
        _level_table([(one, one["session"]) for one in scores]),
        "## Cost",
        _cost_table(scores, counters),
        "## Categories",
        _category_table(scores),
        "## Left out",
        _left_out(scores),
    ]
    return "\n\n".join(parts) + "\n"


def _level_table(rows: Sequence[tuple[Scores, LevelScores]]) -> str:
    rows = [(one, level) for one, level in rows if level["questions"]]
    if not rows:
        return "No question has gold ids at this level."
    packages = [key for key in rows[0][1]["overall"] if key.startswith("package")]
    keys = [*_QUALITY, *packages]
    body = [
        [one["data"], one["system"], str(level["questions"]), *_cells(level["overall"], keys)] for one, level in rows
    ]
    return table(["data", "system", "n", *keys], body)


def _cost_table(scores: Sequence[Scores], counters: Mapping[str, str]) -> str:
    limits = list(scores[0]["compose_ms"])
    head = ["data", "system", "retrieve p50 / p95 ms"]
    head += [f"package {limit}: p50 / p95 ms, tokens mean / most" for limit in limits]
    body = []
    for one in scores:
        cells = [one["data"], one["system"], _times(one["retrieve_ms"])]
        for limit in limits:
            tokens = one["tokens"][limit]
            cells.append(f"{_times(one['compose_ms'][limit])}, {tokens['mean']:.0f} / {tokens['max']:.0f}")
        body.append(cells)
    told = [f"- {system}: tokens are {counter}." for system, counter in counters.items()]
    return "\n\n".join([table(head, body), "\n".join(told)]) if told else table(head, body)


def _category_table(scores: Sequence[Scores]) -> str:
    packages = [key for key in scores[0]["turn"]["overall"] if key.startswith("package")] if scores else []
    keys = ["recall@10", "ndcg@10", "mrr", *packages]
    body = []
    for one in scores:
        level = "turn" if one["turn"]["by_category"] else "session"
        by_category = one["turn"]["by_category"] or one["session"]["by_category"]
        for category, row in by_category.items():
            name = category + (" (not in the headline)" if category in one["excluded"] else "")
            body.append([one["data"], one["system"], level, name, f"{row['questions']:.0f}", *_cells(row, keys)])
    return table(["data", "system", "level", "category", "n", *keys], body)


def _left_out(scores: Sequence[Scores]) -> str:
    head = [
        "data",
        "system",
        "answered",
        "blank",
        "excluded",
        "no gold turns",
        "no gold sessions",
        "gold absent when asked",
    ]
    body = []
    for one in scores:
        excluded = ", ".join(f"{category} {count}" for category, count in one["excluded"].items()) or "none"
        unlabelled = [str(one["turn"]["unlabelled"]), str(one["session"]["unlabelled"])]
        cells = [one["data"], one["system"], str(one["answered"]), str(one["blank_questions"]), excluded]
        body.append([*cells, *unlabelled, str(one["absent_gold"])])
    told = "Blank questions are not asked; those without gold are not scored at that level; absent gold is a miss."
    return f"{table(head, body)}\n\n{told}"


def plot(scores: Sequence[Scores], path: Path) -> None:
    """Draw bars of recall@10 and of gold inside the 2,048-token package, by data set and system, as a PNG.

    Turn level; a data set whose questions have no gold turns is shown at session level and named so; one without any
    gold is not shown.
    """
    scores = [one for one in scores if _best_level(one)]
    if not scores:
        return
    data_sets = list(dict.fromkeys(one["data"] for one in scores))
    systems = list(dict.fromkeys(one["system"] for one in scores))
    width = 0.8 / len(systems)
    figure, panels = plt.subplots(2, 1, figsize=(max(6.0, 1.4 * len(data_sets) * max(1, len(systems) / 3)), 7.0))
    for panel, key, title in zip(
        panels, ("recall@10", "package@2048"), ("recall@10", "gold inside 2,048 tokens"), strict=True
    ):
        for place, system in enumerate(systems):
            levels = {one["data"]: _best_level(one) for one in scores if one["system"] == system}
            heights = [levels[data][key] if data in levels else 0.0 for data in data_sets]
            places = [x + (place - (len(systems) - 1) / 2) * width for x in range(len(data_sets))]
            bars = panel.bar(places, heights, width, label=system)
            panel.bar_label(bars, fmt="%.2f", fontsize=7)
        panel.set_xticks(range(len(data_sets)), [_label(data, scores) for data in data_sets], fontsize=8)
        panel.set_ylim(0.0, 1.05)
        panel.set_title(title)
    panels[0].legend(ncols=len(systems), fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _best_level(one: Scores) -> Row:
    return one["turn"]["overall"] or one["session"]["overall"]


def _label(data: str, scores: Sequence[Scores]) -> str:
    by_turn = any(one["turn"]["overall"] for one in scores if one["data"] == data)
    return data if by_turn else f"{data}\n(sessions)"


def _cells(row: Row, keys: Sequence[str]) -> list[str]:
    return [f"{row[key]:.3f}" for key in keys]


def _times(row: Row) -> str:
    return f"{row['p50']:.2f} / {row['p95']:.2f}"
