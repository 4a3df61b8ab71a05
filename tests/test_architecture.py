"""The house as it is drawn: who may import whom, and that every kernel is complete."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from brain_core.kernels import reference

ROOT = Path(__file__).parents[1]
CORE = ROOT / "brain_core"
KERNELS = CORE / "kernels"
CLIENT = ROOT / "clients/python/src/smartbrain"
_GENERATED = ("_pb2.py", "_pb2_grpc.py")


def sources(folder: Path) -> list[Path]:
    found = sorted(one for one in folder.rglob("*.py") if not one.name.endswith(_GENERATED))
    assert found, f"no sources in {folder}"
    return found


@cache
def imports(file: Path) -> tuple[str, ...]:
    """Return the full names of all that a file imports, wherever in the file it does."""
    return tuple(_imported(file))


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            yield from (f"{node.module}.{one.name}" for one in node.names)


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def breaches(files: list[Path], *forbidden: str, allowed: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{file.relative_to(ROOT)} imports {name}"
        for file in files
        for name in imports(file)
        if within(name, *forbidden) and not within(name, *allowed)
    ]


def rooms(*names: str) -> tuple[str, ...]:
    return tuple(f"brain_core.{name}" for name in names)


def test_the_library_knows_no_door() -> None:
    doors = ("brain_server", "clients", "grpc", "grpc_status", "grpc_health", "grpc_reflection", "structlog")
    assert breaches(sources(CORE), *doors, "prometheus_client") == []
    assert (
        breaches(
            sources(CORE), "smartbrain", allowed=("smartbrain.v1", "smartbrain.render", "smartbrain.backup_folder")
        )
        == []
    )


def test_the_library_reads_no_environment_and_sets_up_no_logging() -> None:
    assert breaches(sources(CORE), "logging", "os.environ", "os.getenv", "socket", "http", "urllib.request") == []
    for file in sources(CORE):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                assert node.attr not in {"environ", "getenv", "environb", "basicConfig"}, file


def test_steps_never_import_each_other() -> None:
    steps = ("commit", "compose", "lifecycle")
    for step in steps:
        if (CORE / step).exists():
            others = rooms(
                *(other for other in steps if other != step), "brain", "browse", "verify", "care", "composer", "indexes"
            )
            assert breaches(sources(CORE / step), *others) == []


def test_composing_knows_no_connection() -> None:
    assert breaches(sources(CORE / "compose"), *rooms("models.endpoint", "models.remote", "models.adviser")) == []


def test_kernels_import_nothing_of_ours() -> None:
    for file in sources(KERNELS):
        twin = KERNELS / "reference" in file.parents
        allowed = ("smartbrain.v1", "brain_core.kernels.reference") if twin else ()  # protobuf makes twins of messages
        assert breaches([file], "brain_core", "brain_server", "smartbrain", allowed=allowed) == []
    known = ("numpy", "libc", "libcpp", "cpython", "cython", "collections", "re", "typing", "brain_core.kernels")
    for file in (one for kind in ("pyx", "pxd", "pyi") for one in KERNELS.glob(f"*.{kind}")):
        named = re.findall(r"^\s*(?:from|cimport|import)\s+([\w.]+)", file.read_text("utf-8"), re.MULTILINE)
        assert named or file.suffix != ".pyx", file
        assert all(within(name, *known) for name in named), (file, named)


@pytest.mark.parametrize(
    ("room", "forbidden"),
    [
        ("text", ("store", "index", "commit", "compose", "kinds", "models", "brain", "policy")),
        ("models", ("store", "index", "commit", "compose", "kinds", "brain", "policy")),
        ("kinds", ("store", "index", "commit", "compose", "models", "brain", "policy")),
        ("store", ("index", "commit", "compose", "kinds", "brain", "policy")),
        ("index", ("commit", "compose", "brain", "policy")),
    ],
)
def test_what_is_below_does_not_know_what_is_above(room: str, forbidden: tuple[str, ...]) -> None:
    assert breaches(sources(CORE / room), *rooms(*forbidden)) == []


def test_kinds_know_no_more_than_errors_and_addresses() -> None:
    assert breaches(sources(CORE / "kinds"), "brain_core", allowed=rooms("errors", "addresses", "kinds")) == []


def test_readers_know_no_more_than_errors_and_text() -> None:
    assert breaches(sources(CORE / "readers"), "brain_core", allowed=rooms("errors", "text", "readers")) == []


def test_a_format_does_not_know_another() -> None:
    shared = ("document", "faults", "gather", "source", "outline", "frontmatter")
    for name in ("plain", "markdown", "webpage", "pdf", "sourcecode", "objects", "rows"):
        allowed = rooms(*(f"readers.{one}" for one in shared))
        assert breaches([CORE / f"readers/{name}.py"], "brain_core.readers", allowed=allowed) == []


def test_each_library_has_one_file_that_knows_it() -> None:
    for library, home in (
        ("rocksdict", "store/rocks.py"),
        ("faiss", "index/codes.py"),
        ("Stemmer", "text/words.py"),
        ("onnxruntime", "models/onnx.py"),
        ("httpx2", "models/endpoint.py"),
        ("charset_normalizer", "readers/guess.py"),
        ("ijson", "readers/objects.py"),
        ("lxml", "readers/webpage.py"),
        ("markdown_it", "readers/markdown.py"),
        ("pypdfium2", "readers/pdf_child.py"),
    ):
        knowing = {str(file.relative_to(CORE)) for file in sources(CORE) if breaches([file], library)}
        assert knowing == {home}
        for other in ("brain_server", "clients/python/src"):
            assert breaches(sources(ROOT / other), library) == []


def test_one_file_of_the_server_counts() -> None:
    server = sources(ROOT / "brain_server")
    assert [file.name for file in server if breaches([file], "prometheus_client")] == ["metrics.py"]
    assert breaches(sources(CLIENT), "prometheus_client") == []


def test_one_file_of_the_server_serves_http() -> None:
    server = sources(ROOT / "brain_server")
    assert [file.name for file in server if breaches([file], "uvicorn")] == ["server.py"]
    assert breaches(sources(ROOT / "brain_server/http"), "brain_core", allowed=rooms("errors")) == []


def test_the_client_knows_neither_library_nor_server() -> None:
    assert breaches(sources(CLIENT), "brain_core", "brain_server") == []


def test_rendering_knows_the_contracts_only() -> None:
    assert breaches([CLIENT / "render.py"], "smartbrain", allowed=("smartbrain.v1",)) == []


def kernel_names() -> list[str]:
    names = sorted(file.stem for file in KERNELS.glob("*.pyx"))
    assert names
    return names


def public(stub: Path) -> set[str]:
    """Return the names of the functions that a kernel's stub declares, less those that only store or give back."""
    storing = {"add", "document", "dump", "load", "nbytes"}
    functions = {
        node.name for node in ast.walk(ast.parse(stub.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)
    }
    return {name for name in functions if not name.startswith("_")} - storing


def twins(kernel: str) -> dict[str, object]:
    """Return what a kernel's twin has to give by name: its functions, and the methods of its classes."""
    twin = vars(reference)[kernel]
    classes = [one for one in vars(twin).values() if isinstance(one, type) and one.__module__ == twin.__name__]
    return {name: one for holder in (*classes, twin) for name, one in vars(holder).items()}


@pytest.mark.parametrize("name", kernel_names())
def test_every_kernel_is_built_typed_and_has_its_twins(name: str) -> None:
    stub = KERNELS / f"{name}.pyi"
    assert stub.exists()
    listed = re.search(r"^KERNELS = (\[.*?\])", (ROOT / "setup.py").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert listed is not None
    assert name in ast.literal_eval(listed[1])
    functions = public(stub)
    assert functions
    for function in functions:
        assert callable(twins(name).get(function)), f"{function} of {name} has no twin"
        assert twins(name)[function].__doc__, f"the twin of {function} does not say what it means"
    source = (KERNELS / f"{name}.pyx").read_text("utf-8")
    assert all(re.search(rf"^\s*def {function}\(", source, re.MULTILINE) for function in functions)
    assert "nogil" in source


def test_nothing_in_the_house_calls_the_twins() -> None:
    house = [file for folder in ("brain_core", "brain_server") for file in sources(ROOT / folder)]
    callers = [file for file in house if KERNELS / "reference" not in file.parents]
    assert breaches(callers, "brain_core.kernels.reference") == []


def test_every_package_says_what_it_is() -> None:
    for file in sources(CORE):
        assert ast.get_docstring(ast.parse(file.read_text("utf-8"))), file
