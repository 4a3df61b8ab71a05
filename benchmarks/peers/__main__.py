"""`python -m benchmarks.peers --data DIR … --out DIR`: see benchmarks/README.md."""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import psutil
from numpy.typing import NDArray
from smartbrain.conversations import ConversationError
from tqdm import tqdm

from benchmarks.arguments import positive
from benchmarks.machine import describe_machine
from benchmarks.peers.corpus import Corpus, Source
from benchmarks.peers.report import LeftOut, Results, Row, markdown, plot
from benchmarks.peers.trial import Trial
from brain_core.models.static import StaticEmbedder

_ROOT = Path(__file__).resolve().parents[2]
PEERS = sorted(path.stem for path in (Path(__file__).parent / "stores").glob("[!_]*.py"))
_GRACE_SECONDS = 60  # beyond a peer's time, for what cannot be broken off: opening, indexing, one add, closing
_EMBEDDED_AT_ONCE = 500
_QUIET = {"ANONYMIZED_TELEMETRY": "False", "MEM0_TELEMETRY": "False", "HF_HUB_OFFLINE": "1", "DO_NOT_TRACK": "1"}


def main(arguments: list[str] | None = None) -> int:
    """Measure the peers; 1 with a message when the data cannot be used."""
    chosen = _parser().parse_args(arguments)
    names: list[str] = list(dict.fromkeys(chosen.peer or PEERS))
    chosen.out.mkdir(parents=True, exist_ok=True)
    try:
        source = Source(chosen.data)
        embedder = StaticEmbedder()
        writer = _Writer(chosen.out, embedder.dimension)
        with tqdm(total=len(chosen.memories) * len(names), desc="peers", disable=None) as bar:
            for memories in chosen.memories:
                corpus = source.corpus(memories, lambda texts: _embed(embedder, texts))
                _at_size(corpus, names, chosen.seconds_per_peer, writer, bar.update)
    except (OSError, ValueError, ConversationError) as error:
        print(f"benchmarks.peers: {error}", file=sys.stderr)
        return 1
    print(f"written to {chosen.out}: table.md, results.json, plot.png")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR", help="folder; repeatable")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    parser.add_argument("--memories", type=positive, nargs="+", default=[10_000, 100_000], metavar="N", help="sizes")
    parser.add_argument(
        "--peer", action="append", choices=PEERS, metavar="NAME", help=f"{', '.join(PEERS)}; default: all"
    )
    parser.add_argument(
        "--seconds-per-peer", type=positive, default=300, metavar="N", help="at each size; default: %(default)s"
    )
    return parser


def _embed(embedder: StaticEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
    starts = tqdm(range(0, len(texts), _EMBEDDED_AT_ONCE), desc="embed", unit="", leave=False, disable=None)
    return np.concatenate([embedder.embed(texts[start : start + _EMBEDDED_AT_ONCE]) for start in starts])


class _Writer:
    """What was measured so far, written after each peer, so that a run that is broken off keeps its rows."""

    def __init__(self, out: Path, dimension: int) -> None:
        self._out = out
        self._results = Results(
            machine=describe_machine(), dimension=dimension, filesystem=_filesystem(), rows=[], left_out=[]
        )

    def add(self, peer: str, corpus: Corpus, measured: Trial | str) -> None:
        """Add a peer's trial, or the reason why there is none."""
        if isinstance(measured, str):
            self._results["left_out"].append(LeftOut(peer=peer, memories=len(corpus.texts), reason=measured))
        else:
            self._results["rows"] += _rows(peer, corpus, measured)
        text = json.dumps(self._results, ensure_ascii=False, indent=1) + "\n"
        (self._out / "results.json").write_text(text, encoding="utf-8")
        (self._out / "table.md").write_text(markdown(self._results), encoding="utf-8")
        plot(self._results["rows"], self._out / "plot.png")


def _filesystem() -> str:
    """Return the type of the one that temporary folders are made on."""
    folder = Path(tempfile.gettempdir()).resolve()
    mounts = {Path(one.mountpoint): one.fstype for one in psutil.disk_partitions(all=True)}
    return next((mounts[one] for one in (folder, *folder.parents) if one in mounts), "an unknown file system")


def _rows(peer: str, corpus: Corpus, trial: Trial) -> list[Row]:
    return [
        Row(
            peer=peer,
            way=way["name"],
            memories=len(corpus.texts),
            p50_ms=way["p50_ms"],
            p95_ms=way["p95_ms"],
            recall=round(float(np.mean([corpus.recall(at, found) for at, found in enumerate(way["found"])])), 4),
            add_ms=trial["add_ms"],
            add_one_ms=trial["add_one_ms"],
            memory_mb=trial["memory_mb"],
            disk_mb=trial["disk_mb"],
            queries=len(way["found"]),
            rounds=way["rounds"],
            told=trial["told"],
        )
        for way in trial["ways"]
    ]


def _at_size(
    corpus: Corpus, names: Sequence[str], seconds: int, writer: _Writer, on_peer: Callable[[], object]
) -> None:
    with tempfile.TemporaryDirectory(prefix="sb-peers-") as folder:
        corpus.save(Path(folder))
        for name in names:
            with tempfile.TemporaryDirectory(prefix="sb-peer-") as own:
                writer.add(name, corpus, _trial(name, Path(folder), Path(own), seconds))
            on_peer()


def _trial(peer: str, corpus: Path, own: Path, seconds: int) -> Trial | str:
    """Run a trial in a process of its own; return why there is no result where there is none."""
    data, result = own / "data", own / "result.json"
    data.mkdir()
    command = [sys.executable, "-m", "benchmarks.peers.trial", peer, str(corpus), str(data), str(seconds), str(result)]
    environment = {**os.environ, **_QUIET, "MEM0_DIR": str(own / "mem0"), "XDG_RUNTIME_DIR": str(own)}
    process = subprocess.Popen(command, cwd=_ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        status = process.wait(timeout=seconds + _GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        return f"out of time: did not come back within {seconds + _GRACE_SECONDS} s"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # the peer and whatever it started
        process.wait()
    if not result.exists():
        return f"failed: its process ended with status {status}"
    measured = json.loads(result.read_text(encoding="utf-8"))
    return str(measured["left_out"]) if "left_out" in measured else cast("Trial", measured)


if __name__ == "__main__":
    sys.exit(main())
