"""The trials of ingesting as Markdown tables."""

from collections.abc import Sequence
from typing import TypedDict

from benchmarks.documents.found import WANTED, Row
from benchmarks.documents.ingest import Round
from benchmarks.documents.large import Large, beside_index
from benchmarks.machine import Machine, in_one_line
from benchmarks.tables import table


class Results(TypedDict):
    """The whole of results.json. tree: its folder, empty where none was asked for; large: None likewise."""

    machine: Machine
    load: float
    tree: str
    rounds: list[Round]
    found: list[Row]
    large: Large | None


def markdown(results: Results) -> str:
    """Write the whole table.md."""
    parts = ["# Documents going in", f"{in_one_line(results['machine'])} · load average {results['load']:.1f}"]
    if results["rounds"]:
        parts += [_told(results), _rounds(results["rounds"]), *_skipped(results["rounds"][0])]
        parts += ["## Found", _found(results["found"])]
    if results["large"] is not None:
        parts += ["## One large file", _large(results["large"])]
    return "\n\n".join(parts) + "\n"


def _told(results: Results) -> str:
    return (
        f"The files of `{results['tree']}`, one after the other over gRPC, each found and on disk before the next: all "
        "for the first time, all again, all again with a paragraph added to some. RSS and index are of the server; the "
        f"index is what it says of itself. *Found*: recall@{WANTED} is the share of questions whose document is among "
        f"the first {WANTED} (one hybrid query; a document stands where its first chunk does); bm25 is over the same "
        "chunks with their headings."
    )


def _rounds(rounds: Sequence[Round]) -> str:
    head = ("", *(one["name"] for one in rounds))
    body = (
        ("files", *(f"{one['files']:,}" for one in rounds)),
        ("created / replaced / unchanged / skipped", *(_outcomes(one) for one in rounds)),
        ("seconds", *(f"{one['seconds']:.1f}" for one in rounds)),
        ("files/s", *(f"{one['files'] / one['seconds']:,.0f}" for one in rounds)),
        ("MB, MB/s", *(f"{one['bytes'] / 1e6:.1f}, {one['bytes'] / 1e6 / one['seconds']:.2f}" for one in rounds)),
        ("sections: in all", *(f"{one['sections']:,}" for one in rounds)),
        ("sections: kept / added / removed", *(_sections(one) for one in rounds)),
        ("chunks", *(f"{one['chunks']:,}" for one in rounds)),
        ("files with warnings", *(f"{one['warnings']:,}" for one in rounds)),
        ("RSS before / after", *(f"{_mb(one['rss_before'])} / {_mb(one['rss_after'])}" for one in rounds)),
        ("index before / after", *(f"{_mb(one['index_before'])} / {_mb(one['index_after'])}" for one in rounds)),
    )
    return table(head, body)


def _outcomes(one: Round) -> str:
    counts = [one["outcomes"].get(name, 0) for name in ("created", "replaced", "unchanged")]
    return " / ".join(f"{count:,}" for count in [*counts, sum(one["reasons"].values())])


def _sections(one: Round) -> str:
    return f"{one['sections_kept']:,} / {one['sections_added']:,} / {one['sections_removed']:,}"


def _skipped(first: Round) -> list[str]:
    if not first["reasons"]:
        return ["No file was skipped."]
    counted = ", ".join(f"{count:,} {reason}" for reason, count in first["reasons"].items())
    named = [(one["name"], one["reason"], one["message"][:200]) for one in first["skipped"]]
    return [f"Skipped: {counted}. The first of them:", table(("file", "reason", "message"), named)]


def _found(found: Sequence[Row]) -> str:
    head = ("system", "questions in", "n", f"recall@{WANTED}", "MRR", "missed")
    return table(
        head,
        [
            (
                one["system"],
                one["language"],
                str(one["questions"]),
                f"{one['recall']:.3f}",
                f"{one['mrr']:.3f}",
                str(len(one["missed"])),
            )
            for one in found
        ],
    )


def _large(large: Large) -> str:
    told = (
        "Made-up text of English and Chinese, streamed in parts of 1 MiB. *Beside the index* is how far the server "
        "grew at its peak, less what its index holds more than before."
    )
    body = (
        ("size", _mb(large["bytes"])),
        ("seconds, MB/s", f"{large['seconds']:.1f}, {large['bytes'] / 1e6 / large['seconds']:.2f}"),
        ("sections / chunks", f"{large['sections']:,} / {large['chunks']:,}"),
        (
            "server's RSS: before / peak / after",
            f"{_mb(large['rss_before'])} / {_mb(large['peak'])} / {_mb(large['rss_after'])}",
        ),
        ("index: before / after", f"{_mb(large['index_before'])} / {_mb(large['index_after'])}"),
        ("server, beside the index", _mb(beside_index(large))),
        ("client, peak beyond before", _mb(large["client"])),
    )
    return f"{told}\n\n{table(('', ''), body)}"


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
