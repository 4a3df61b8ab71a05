"""Structured logs: one JSON object a line, on standard error."""

from __future__ import annotations

import logging
import sys

import structlog

from brain_core.errors import BrainError, InvalidArgument
from brain_core.extract.secrets import masked_everywhere

_VALUE = "[value]"
LEVELS = ("debug", "info", "warning", "error")


def set_up_logs(level: str) -> None:
    """Log from `level` up. debug logs every call, info every refusal, start and stop.

    What libraries log in Python's own way from warning up goes into the same lines.
    """
    logging.basicConfig(handlers=[_Relay()], level=logging.WARNING)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def loggable(error: BrainError) -> str:
    """Return what a failure says, without the words that were refused: they may be a secret."""
    text = str(error)
    if isinstance(error, InvalidArgument) and error.value and not error.value.isdigit():
        text = text.replace(repr(error.value), _VALUE).replace(f"(got {error.value}", f"(got {_VALUE}")
    return masked_everywhere([text])[0]


class _Relay(logging.Handler):
    """Hands on to structlog what is logged in Python's own way."""

    def emit(self, record: logging.LogRecord) -> None:
        structlog.get_logger().log(
            record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info or None
        )
