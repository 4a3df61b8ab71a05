"""The mixed trial as numbers and as Markdown tables."""

from collections.abc import Sequence
from typing import TypedDict

from benchmarks.documents.asked import Asked
from benchmarks.documents.mixed import TOKEN_LIMIT, WANTED, WAYS, Answer
from benchmarks.machine import Machine, in_one_line
from benchmarks.quality.metrics import package_scores, ranking_scores
from benchmarks.tables import table


class InPackage(TypedDict):
    """Of one way to compose, means over the questions. pieces: of evidence. with_documents: share of packages."""

    gold: float
    memory_pieces: float
    resource_pieces: float
    with_documents: float


class Row(TypedDict):
    """Of one group of questions. other_source: share of the first ten that are not of the source that has the gold.

    better, worse: questions whose recall is above, below that of the right source alone.
    """

    data: str
    source: str
    questions: int
    both: float
    alone: float
    better: int
    worse: int
    other_source: float
    packages: dict[str, InPackage]


class Results(TypedDict):
    """The whole of results.json. filled: what is in the memory. drawn: the headline's questions; every: all of them."""

    machine: Machine
    load: float
    filled: str
    drawn: list[Row]
    every: list[Row]


def rows(asked: Sequence[Asked], answers: Sequence[Answer]) -> list[Row]:
    """Score answers to questions, for each data set, for each source, and for all."""
    pairs = list(zip(asked, answers, strict=True))
    groups = {one.data: (one.data, one.source) for one in asked}
    by_data = [_row(*group, [pair for pair in pairs if pair[0].data == group[0]]) for group in groups.values()]
    sources = dict.fromkeys(one.source for one in asked)
    by_source = [_row("all", source, [pair for pair in pairs if pair[0].source == source]) for source in sources]
    return [*by_data, *by_source, _row("all", "both", pairs)]


def _row(data: str, source: str, pairs: Sequence[tuple[Asked, Answer]]) -> Row:
    both = [_recall(answer["both"], one) for one, answer in pairs]
    alone = [_recall(answer["alone"], one) for one, answer in pairs]
    shown = [(one, found) for one, answer in pairs for found in answer["both"]]
    return Row(
        data=data,
        source=source,
        questions=len(pairs),
        both=_mean(both),
        alone=_mean(alone),
        better=sum(mixed > single for mixed, single in zip(both, alone, strict=True)),
        worse=sum(mixed < single for mixed, single in zip(both, alone, strict=True)),
        other_source=_mean([float(_is_document(found) != (one.source == "documents")) for one, found in shown]),
        packages={way: _in_package(way, pairs) for way in WAYS},
    )


def _in_package(way: str, pairs: Sequence[tuple[Asked, Answer]]) -> InPackage:
    packed = [(one, answer["packages"][way]) for one, answer in pairs]
    return InPackage(
        gold=_mean([package_scores(package["ids"], one.gold)["share"] for one, package in packed]),
        memory_pieces=_mean([package["memory"] for _, package in packed]),
        resource_pieces=_mean([package["resource"] for _, package in packed]),
        with_documents=_mean([float(package["resource"] > 0) for _, package in packed]),
    )


def markdown(results: Results) -> str:
    """Write the whole table.md."""
    told = (
        f"One memory: {results['filled']}. *Both* asks Retrieve (one hybrid query) for memory and documents, *alone* "
        f"for the source that has the gold; recall@{WANTED} is the mean share of a question's gold among the first "
        f"{WANTED}, the difference in points. *Other source* is the share of those that are of the source without the "
        "gold. Nothing is tuned on these sets."
    )
    packed = (
        f"*Packages* are ComposeContext at {TOKEN_LIMIT:,} tokens in a new session: share of the gold inside, and "
        "pieces of evidence of memory / of documents. *auto* is the default, where the planner has documents searched "
        "if the message asks for it; *on* is `policies.retrieval.enable_resource_retrieval: on`."
    )
    machine = f"{in_one_line(results['machine'])} · load average {results['load']:.1f}"
    parts = ["# Memory and documents", machine, told, packed]
    for name, group in (("Questions drawn", results["drawn"]), ("All questions", results["every"])):
        parts += [f"## {name}", _recalls(group), _packages(group)]
    return "\n\n".join(parts) + "\n"


def _recalls(group: Sequence[Row]) -> str:
    head = ("data", "source", "n", "both", "alone", "difference", "better / worse", "other source")
    cells = [
        (
            row["data"],
            row["source"],
            f"{row['questions']:,}",
            f"{row['both']:.3f}",
            f"{row['alone']:.3f}",
            f"{100 * (row['both'] - row['alone']):+.1f}",
            f"{row['better']} / {row['worse']}",
            f"{row['other_source']:.3f}",
        )
        for row in group
    ]
    return table(head, cells)


def _packages(group: Sequence[Row]) -> str:
    head = ["data", "source", "n"]
    for way in WAYS:
        head += [f"{way}: gold inside", "pieces", "with documents"]
    cells = [
        [row["data"], row["source"], f"{row['questions']:,}", *(cell for way in WAYS for cell in _cells(row, way))]
        for row in group
    ]
    return table(head, cells)


def _cells(row: Row, way: str) -> tuple[str, str, str]:
    one = row["packages"][way]
    pieces = f"{one['memory_pieces']:.1f} / {one['resource_pieces']:.1f}"
    return f"{one['gold']:.3f}", pieces, f"{one['with_documents']:.2f}"


def _is_document(found: str) -> bool:
    return found.startswith("passage:/")


def _recall(found: Sequence[str], asked: Asked) -> float:
    return ranking_scores(found, asked.gold)[f"recall@{WANTED}"]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
