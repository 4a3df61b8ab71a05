"""Generate the Python stubs from the .proto files.

    python protos/generate.py            write them
    python protos/generate.py --check    write nothing; exit 1 if the committed stubs differ

Contract stubs go to the client's package, which is the one copy that client and server share; records that live only
on disk go beside the store that reads them.
"""

from __future__ import annotations

import argparse
import filecmp
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

PROTOS = Path(__file__).resolve().parent
ROOT = PROTOS.parent
TARGETS = {"smartbrain/v1": ROOT / "clients/python/src", "brain_core/store/v1": ROOT}


def includes() -> list[str]:
    """Return protoc's include options: ours, the HTTP annotations, and Google's well-known types."""
    well_known = files("grpc_tools") / "_proto"
    return [f"-I{PROTOS}", f"-I{PROTOS / 'third_party'}", f"-I{well_known}"]


def protos(package: str) -> list[str]:
    """List the .proto files of a package folder, relative to this folder."""
    return sorted(str(path.relative_to(PROTOS)) for path in (PROTOS / package).glob("*.proto"))


def run(options: list[str], sources: list[str]) -> None:
    """Run protoc; raise SystemExit with its status if it fails."""
    status = protoc.main(["protoc", *includes(), *options, *sources])
    if status:
        raise SystemExit(status)


def generate(package: str, out: Path) -> None:
    """Write the stubs of one package below `out`."""
    options = [f"--python_out={out}", f"--mypy_out=quiet:{out}"]
    if package.startswith("smartbrain/"):
        options += [f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}"]
    run(options, protos(package))
    for empty in out.joinpath(package).glob("*_pb2_grpc.py*"):
        if not empty.name.split("_pb2_grpc")[0].endswith("_service"):
            empty.unlink()


def differences(package: str, target: Path) -> list[str]:
    """Name the stubs of one package that differ from what its .proto files generate."""
    with tempfile.TemporaryDirectory() as folder:
        generate(package, Path(folder))
        fresh, committed = Path(folder) / package, target / package
        names = {p.name for p in fresh.iterdir()} | {p.name for p in committed.glob("*_pb2*.py*")}
        _, changed, missing = filecmp.cmpfiles(fresh, committed, sorted(names), shallow=False)
    return [f"{package}/{name}" for name in changed + missing]


def main() -> None:
    """Run as a script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed stubs")
    arguments = parser.parse_args()
    if arguments.check:
        stale = [name for package, target in TARGETS.items() for name in differences(package, target)]
        if stale:
            sys.exit("stubs differ from the .proto files; run python protos/generate.py: " + ", ".join(stale))
        return
    for package, target in TARGETS.items():
        generate(package, target)


if __name__ == "__main__":
    main()
