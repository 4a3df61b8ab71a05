"""What a result was measured on, so that a number is never read without its machine, date and commit."""

import datetime
import os
import platform
import subprocess
from pathlib import Path
from typing import TypedDict

import psutil


class Machine(TypedDict):
    """Facts recorded in every result file."""

    cpu: str
    cores: int
    ram_gb: float
    system: str
    python: str
    date: str
    commit: str
    uncommitted_changes: bool


def describe_machine() -> Machine:
    """Look at this machine now. The commit is "unknown" outside a git checkout."""
    changes = _git("status", "--porcelain")
    return Machine(
        cpu=_cpu_name(),
        cores=os.cpu_count() or 1,
        ram_gb=round(psutil.virtual_memory().total / 2**30, 1),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        date=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        commit=_git("rev-parse", "HEAD") or "unknown",
        uncommitted_changes=bool(changes),
    )


def in_one_line(machine: Machine) -> str:
    """Write the facts as a line of Markdown."""
    commit = machine["commit"][:12] + (" with uncommitted changes" if machine["uncommitted_changes"] else "")
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['ram_gb']} GB RAM, {machine['system']}, "
        f"Python {machine['python']} · {machine['date']} · commit {commit}"
    )


def _cpu_name() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _git(*arguments: str) -> str | None:
    here = Path(__file__).parent
    try:
        done = subprocess.run(["git", *arguments], cwd=here, capture_output=True, text=True, timeout=30, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
