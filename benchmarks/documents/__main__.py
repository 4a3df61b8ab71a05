"""`python -m benchmarks.documents mixed|ingest --out DIR …`: see benchmarks/README.md."""

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import grpc
from smartbrain.conversations import ConversationError
from smartbrain.errors import SmartBrainError

from benchmarks.arguments import positive
from benchmarks.documents import ingest_report, mixed_report
from benchmarks.documents.asked import questions
from benchmarks.documents.found import load_questions, rows
from benchmarks.documents.ingest import ingest
from benchmarks.documents.large import Large, stream, write_text
from benchmarks.documents.mixed import run
from benchmarks.documents.tree import tree_of
from benchmarks.machine import describe_machine
from benchmarks.quality.datasets import DataError, load_data
from benchmarks.server import ServerError, running_server

_QUESTIONS = Path(__file__).parent / "questions.json"
_CHANGED = 0.01  # share of files that are changed before the last round


def main(arguments: list[str] | None = None) -> int:
    """Measure; 1 with a message when data, server or a call fails."""
    chosen = _parser().parse_args(arguments)
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        chosen.trial(chosen)
    except (OSError, ValueError, ConversationError, DataError, ServerError, SmartBrainError, grpc.RpcError) as error:
        print(f"benchmarks.documents: {error}", file=sys.stderr)
        return 1
    print(f"written to {chosen.out}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.documents", description=__doc__)
    trials = parser.add_subparsers(required=True, metavar="TRIAL")
    mixed = trials.add_parser("mixed", help="conversations and documents in one memory")
    mixed.set_defaults(trial=_mixed)
    mixed.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of data folders")
    mixed.add_argument("--chats", nargs="+", default=["locomo"], metavar="NAME", help="default: locomo")
    mixed.add_argument(
        "--documents", nargs="+", default=["cranfield", "xquad_zh"], metavar="NAME", help="default: cranfield xquad_zh"
    )
    mixed.add_argument("--questions", type=positive, default=100, metavar="N", help="drawn; default: %(default)s")
    ingest = trials.add_parser("ingest", help="a tree of files, or one large file, going in")
    ingest.set_defaults(trial=_ingest)
    ingest.add_argument("--tree", type=Path, metavar="DIR", help="folder whose files are ingested")
    ingest.add_argument(
        "--questions", type=Path, default=_QUESTIONS, metavar="FILE", help="to the tree; default: %(default)s"
    )
    ingest.add_argument("--large", type=positive, metavar="MB", help="size of a text file to make and stream")
    for one in (mixed, ingest):
        one.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    return parser


def _mixed(chosen: argparse.Namespace) -> None:
    machine, load = describe_machine(), os.getloadavg()[0]
    chats = [load_data(chosen.data / name) for name in chosen.chats]
    documents = [load_data(chosen.data / name) for name in chosen.documents]
    asked = questions(chats, documents, chosen.questions)
    with tempfile.TemporaryDirectory(prefix="sb-mixed-") as folder:
        answers = run(chats, documents, asked, Path(folder) / "data")
    drawn = [number for number, one in enumerate(asked) if one.drawn]
    results = mixed_report.Results(
        machine=machine,
        load=load,
        filled=f"conversations of {', '.join(chosen.chats)}; documents of {', '.join(chosen.documents)}",
        drawn=mixed_report.rows([asked[number] for number in drawn], [answers[number] for number in drawn]),
        every=mixed_report.rows(asked, answers),
    )
    with (chosen.out / "answers.jsonl").open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in answers)
    _write(chosen.out, results, mixed_report.markdown(results))


def _ingest(chosen: argparse.Namespace) -> None:
    if chosen.tree is None and chosen.large is None:
        raise ValueError("nothing to ingest: give --tree, --large or both")
    results = ingest_report.Results(
        machine=describe_machine(), load=os.getloadavg()[0], tree="", rounds=[], found=[], large=None
    )
    if chosen.tree is not None:
        tree = tree_of(chosen.tree)
        asked = load_questions(chosen.questions, tree)
        results["tree"] = str(tree.folder)
        with _served() as (channel, pid):
            rounds = (("new", tree), ("unchanged", tree), ("1 % changed", tree.with_changes(_CHANGED)))
            results["rounds"] = [ingest(channel, pid, files, name) for name, files in rounds]
            results["found"] = rows(channel, tree, asked)
    if chosen.large is not None:
        results["large"] = _streamed(chosen.large * 1_000_000)
    _write(chosen.out, results, ingest_report.markdown(results))


def _streamed(size: int) -> Large:
    with tempfile.TemporaryDirectory(prefix="sb-large-") as folder:
        path = Path(folder) / "large.txt"
        write_text(path, size)
        with _served() as (channel, pid):
            return stream(channel, pid, path)


@contextlib.contextmanager
def _served() -> Iterator[tuple[grpc.Channel, int]]:
    """Start a server of its own with defaults; a connection to it and its process."""
    with running_server() as server, grpc.insecure_channel(server.target) as channel:
        assert server.pid is not None, "it was started here"
        yield channel, server.pid


def _write(out: Path, results: object, table: str) -> None:
    (out / "results.json").write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(table, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
