"""What durability costs without us: threads that append a record to a file and wait for the disk, over and over."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Appended:
    """Latencies in milliseconds, of all writers, and the seconds they took together."""

    latencies: list[float]
    seconds: float


def append(folder: Path, record: bytes, writers: int, seconds: float) -> Appended:
    """Let so many threads append to one file of a folder, each waiting by fdatasync for each of its records."""
    latencies: list[float] = []
    begun = threading.Barrier(writers + 1)

    def write(descriptor: int) -> None:
        begun.wait()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            before = time.perf_counter()
            os.write(descriptor, record)
            os.fdatasync(descriptor)
            latencies.append((time.perf_counter() - before) * 1e3)

    with tempfile.NamedTemporaryFile(dir=folder, prefix="append-") as file:
        descriptor = os.open(file.name, os.O_WRONLY | os.O_APPEND)
        try:
            threads = [threading.Thread(target=write, args=(descriptor,)) for _ in range(writers)]
            for thread in threads:
                thread.start()
            begun.wait()
            began = time.monotonic()
            for thread in threads:
                thread.join()
            return Appended(latencies, time.monotonic() - began)
        finally:
            os.close(descriptor)
