"""What the distribution exports, and what it does not load."""

import subprocess
import sys

import smartbrain

HEAVY = {"faiss", "rocksdict", "numpy", "Cython", "brain_core", "brain_server"}


def loaded_after(program: str) -> set[str]:
    """Run a program in a fresh interpreter; give the top-level names of what it loaded."""
    ended = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in ended.stdout.split()}


def test_the_client_loads_nothing_of_the_server() -> None:
    loaded = loaded_after(
        "import smartbrain, smartbrain.cli, smartbrain.conversations\n"
        "[getattr(smartbrain, name) for name in smartbrain.__all__]"
    )
    assert {"grpc", "click"} <= loaded
    assert not HEAVY & loaded


def test_contracts_and_rendering_do_not_load_grpc() -> None:
    loaded = loaded_after("from smartbrain.render import render_evidence\nimport smartbrain.v1.context_pb2")
    assert "smartbrain" in loaded
    assert "grpc" not in loaded


def test_every_export_exists_and_every_error_is_exported() -> None:
    from smartbrain import errors  # noqa: PLC0415 - the module is what is looked into

    assert smartbrain.__all__ == sorted(smartbrain.__all__)
    for name in smartbrain.__all__:
        assert getattr(smartbrain, name).__name__ == name
    kinds = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert kinds <= set(smartbrain.__all__)


def test_the_tree_drawn_in_the_docstring_is_the_one_there_is() -> None:
    from smartbrain import errors  # noqa: PLC0415 - the module is what is looked into

    for name in smartbrain.__all__:
        kind = getattr(smartbrain, name)
        if isinstance(kind, type) and issubclass(kind, errors.SmartBrainError):
            assert f"{name} " in (errors.__doc__ or "")
