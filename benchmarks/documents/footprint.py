"""What a process takes of memory. Peaks are read from /proc, which Linux has."""

from pathlib import Path

import psutil

_PROC = Path("/proc")


def rss(pid: int) -> int:
    """Return bytes of memory that a process holds now."""
    return int(psutil.Process(pid).memory_info().rss)


def forget_peak(pid: int) -> None:
    """Let the peak begin anew at what the process holds now. Raises OSError where that cannot be had."""
    (_PROC / str(pid) / "clear_refs").write_text("5", encoding="ascii")


def peak(pid: int) -> int:
    """Return the most bytes of memory that a process held since its start or since `forget_peak`."""
    for line in (_PROC / str(pid) / "status").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(":")
        if name == "VmHWM":
            return 1024 * int(value.split()[0])
    raise OSError(f"/proc/{pid}/status has no VmHWM")
