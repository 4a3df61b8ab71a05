"""`python -m benchmarks.engine --out DIR`: see benchmarks/README.md."""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import grpc
from tqdm import tqdm

from benchmarks.arguments import positive, seconds
from benchmarks.engine.calls import WORKLOADS, Durability, Workload, fill
from benchmarks.engine.clients import ClientError, Clients
from benchmarks.engine.echo import running_echo
from benchmarks.engine.measure import Filled, Row, measure
from benchmarks.engine.report import markdown
from benchmarks.engine.texts import GivenTexts, MadeUpTexts, Texts
from benchmarks.machine import describe_machine, in_one_line
from benchmarks.server import ServerError, running_server


def main(arguments: list[str] | None = None) -> int:
    """Run the workloads; 1 with a message when the server or a call fails."""
    chosen = _parser().parse_args(arguments)
    workloads = [one for one in WORKLOADS if chosen.workload is None or one.name in chosen.workload]
    rows: list[Row] = []
    chosen.out.mkdir(parents=True, exist_ok=True)
    try:
        texts = GivenTexts(chosen.data) if chosen.data else MadeUpTexts()
        with running_echo() as echo, tqdm(total=_count(chosen, workloads), desc="workloads", disable=None) as bar:
            for chunks in chosen.chunks:
                for row in _at_size(texts, chunks, workloads, chosen, echo):
                    rows.append(row)
                    bar.update()
                    _write(chosen.out, rows)
    except (OSError, ValueError, ServerError, ClientError, grpc.RpcError) as error:
        print(f"benchmarks.engine: {error}", file=sys.stderr)
        return 1
    print(f"written to {chosen.out}: engine.json, table.md")
    return 0


def _parser() -> argparse.ArgumentParser:
    names = [one.name for one in WORKLOADS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    parser.add_argument("--chunks", type=positive, nargs="+", default=[1_000, 10_000, 100_000], metavar="N")
    parser.add_argument("--clients", type=positive, nargs="+", default=[1, 8], metavar="N")
    parser.add_argument("--seconds", type=seconds, default=6, metavar="S", help="of each workload; the echo as long")
    parser.add_argument("--workload", nargs="+", choices=names, metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--data", type=Path, metavar="DIR", help="take texts from conversations; default: made up")
    return parser


def _count(chosen: argparse.Namespace, workloads: list[Workload]) -> int:
    return len(chosen.chunks) * len(chosen.clients) * len(workloads)


def _at_size(
    texts: Texts, chunks: int, workloads: list[Workload], chosen: argparse.Namespace, echo: str
) -> Iterator[Row]:
    """Fill one store once and measure every workload on it, restarting the server where its durability changes."""
    with tempfile.TemporaryDirectory(prefix="sb-engine-") as folder:
        data = Path(folder) / "data"
        with running_server(_durable("process"), data) as server:
            fill(server.target, texts, chunks)
        now, sent = chunks, 0
        for durability in dict.fromkeys(one.durability for one in workloads):
            with running_server(_durable(durability), data) as server:
                filled = Filled(server, data, texts, chunks, now, sent)
                for workload in workloads:
                    for count in chosen.clients if workload.durability == durability else ():
                        with Clients(count) as clients:
                            yield measure(filled, echo, workload, clients, chosen.seconds)
                now, sent = filled.now, filled.sent


def _durable(durability: Durability) -> dict[str, object]:
    return {"store": {"durability": durability}}


def _write(out: Path, rows: list[Row]) -> None:
    """Write what there is so far, so that a run that is broken off keeps its rows."""
    machine = describe_machine()
    (out / "engine.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    (out / "machine.json").write_text(json.dumps(machine, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(markdown(rows, in_one_line(machine)), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
