"""The Makefile: what is there is not made again."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PIP = """#!/bin/sh
echo "zebra==1.0"
echo "pip==25.0"
"""
NEEDED = ("pyproject.toml", "setup.py", "requirements.lock", "clients/python/pyproject.toml")
BEFORE = 1_700_000_000


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Give a folder with the Makefile in which all is installed, by a pip that knows two packages."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / "clients/python").mkdir(parents=True)
    (tmp_path / ".venv/bin/pip").write_text(PIP)
    (tmp_path / ".venv/bin/pip").chmod(0o700)
    for age, name in enumerate((*NEEDED, ".venv/run", ".venv/dev")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (BEFORE + age, BEFORE + age))
    return tmp_path


def make(folder: Path, *arguments: str) -> int:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    ran = subprocess.run(["make", *arguments], cwd=folder, env=environment, capture_output=True, check=False)
    return ran.returncode


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_what_the_lock_has_written_down_is_not_installed_again(installed: Path) -> None:
    assert make(installed, "--question", ".venv/dev") == 0
    assert make(installed, "lock") == 0
    assert (installed / "requirements.lock").read_text().splitlines()[1:] == ["zebra==1.0"]
    assert make(installed, "--question", ".venv/dev") == 0
    later = (installed / ".venv/dev").stat().st_mtime + 10
    os.utime(installed / "requirements.lock", (later, later))
    assert make(installed, "--question", ".venv/dev") == 1
