"""Structured logs: one JSON object a line, on standard error."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from datetime import UTC, datetime

import structlog

from brain_core.errors import BrainError, InvalidArgument
from brain_core.extract.secrets import masked_everywhere

_VALUE = "[value]"
LEVELS = ("debug", "info", "warning", "error")


def set_up_logs(level: str) -> None:
    """Log from `level` up. debug logs every call, info every refusal, start and stop.

    What libraries log in Python's own way from warning up goes into the same lines.
    """
    lines = _Lines(sys.stderr.fileno())
    logging.basicConfig(handlers=[_Relay()], level=logging.WARNING)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=True,
    )


def loggable(error: BrainError) -> str:
    """Return what a failure says, without the words that were refused: they may be a secret."""
    text = str(error)
    if isinstance(error, InvalidArgument) and error.value and not error.value.isdigit():
        text = text.replace(repr(error.value), _VALUE).replace(f"(got {error.value}", f"(got {_VALUE}")
    return masked_everywhere([text])[0]


class _Lines:
    """What takes each line of the log to a file. Safe to use from many threads.

    A line that cannot be written (to a pipe that nobody reads any more, a full disk) fails no call: it is counted, and
    the next that can be written is followed by one that says how many were lost.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lost = 0
        self._is_cut = False
        self._lock = threading.Lock()

    def msg(self, line: str) -> None:
        """Write a line, or count it."""
        with self._lock:
            try:
                self._write(line)
                if self._lost:
                    self._write(self._told())
                    self._lost = 0
            except OSError:
                self._lost += 1

    log = debug = info = warning = error = critical = msg

    def _told(self) -> str:
        at = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        return json.dumps({"lines": self._lost, "event": "log lines were lost", "level": "warning", "timestamp": at})

    def _write(self, line: str) -> None:
        left = ("\n" * self._is_cut + line + "\n").encode(errors="backslashreplace")
        while left:
            left = left[os.write(self._descriptor, left) :]
            self._is_cut = bool(left)


class _Relay(logging.Handler):
    """Hands on to structlog what is logged in Python's own way."""

    def emit(self, record: logging.LogRecord) -> None:
        structlog.get_logger().log(
            record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info or None
        )
