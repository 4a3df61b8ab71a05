"""Failures, each with the field concerned and a hint.

BrainError
├── InvalidArgument        the caller gave something malformed or over a limit
│   └── UnreadableDocument a document has no text that can be read
├── NotFound               no such memory, session, context
├── AlreadyExists          an id is taken by other content
├── FailedPrecondition     the state does not allow it
│   ├── EmbedderMismatch   the store was made with another embedder
│   └── FormatMismatch     the store has a format this version cannot read
├── ResourceExhausted      the machine has no room for it
├── DeadlineExceeded       there is no time left
├── Stopping               the brain is about to be closed
├── StoreLocked            another process has the folder open
├── StoreFailed            the disk or its content is bad
├── EmbedderUnavailable    the embedder's endpoint gives no usable vectors
├── ExecutorUnavailable    another executor gave no answer that can be used
├── ModelUnavailable       the language model's endpoint is away
│   └── UnusableAnswer     it is there, but gives this question no usable answer
└── PolicyError            brain.yml has an unknown key or a bad value
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class BrainError(Exception):
    """Base of all failures that brain_core raises on purpose.

    reason: a word for machines. field, value, limit: what is wrong, where it applies. hint: what to do about it.
    done: counts of what was done before it, by name, where it ends a call with many parts.
    """

    reason = "FAILED"
    done: Mapping[str, int] = MappingProxyType({})

    def __init__(
        self,
        message: str,
        *,
        reason: str = "",
        field: str = "",
        value: object = "",
        limit: object = "",
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.reason = reason or type(self).reason
        self.field = field
        self.value = shorten(value)
        self.limit = str(limit)
        self.hint = hint


class InvalidArgument(BrainError):
    """The caller gave something malformed or over a limit."""

    reason = "INVALID"


class UnreadableDocument(InvalidArgument):
    """A document has no text that can be read."""

    reason = "UNREADABLE_DOCUMENT"


class NotFound(BrainError):
    """No such memory, session or context."""

    reason = "NOT_FOUND"


class AlreadyExists(BrainError):
    """An id is taken by other content."""

    reason = "ALREADY_EXISTS"


class FailedPrecondition(BrainError):
    """The state does not allow it."""

    reason = "PRECONDITION"


class EmbedderMismatch(FailedPrecondition):
    """The store was made with another embedder."""

    reason = "EMBEDDER_MISMATCH"


class FormatMismatch(FailedPrecondition):
    """The store has a format this version cannot read."""

    reason = "FORMAT_MISMATCH"


class ResourceExhausted(BrainError):
    """The machine has no room for it."""

    reason = "EXHAUSTED"


class DeadlineExceeded(BrainError):
    """There is no time left."""

    reason = "DEADLINE"


class Stopping(BrainError):
    """The brain is about to be closed; it can be asked again once it is open again."""

    reason = "STOPPING"


class StoreLocked(BrainError):
    """Another process has the folder open."""

    reason = "STORE_LOCKED"


class StoreFailed(BrainError):
    """The disk or its content is bad."""

    reason = "STORE_FAILED"


class EmbedderUnavailable(BrainError):
    """The embedder's endpoint gives no usable vectors."""

    reason = "EMBEDDER_UNAVAILABLE"


class ExecutorUnavailable(BrainError):
    """Another executor gave no answer that can be used: what asked it goes on without."""

    reason = "EXECUTOR_UNAVAILABLE"


class ModelUnavailable(BrainError):
    """The language model's endpoint is away. why: the same without its address."""

    reason = "MODEL_UNAVAILABLE"
    why = ""


class UnusableAnswer(ModelUnavailable):
    """It is there, but gives this question no usable answer."""

    reason = "UNUSABLE_ANSWER"


class AdviserUnavailable(BrainError):
    """The language model says nothing about a plan that can be used: rules make it."""

    reason = "ADVISER_UNAVAILABLE"


class PolicyError(BrainError):
    """brain.yml has an unknown key or a bad value."""

    reason = "POLICY"


FEWER_FILES = "raise the limit of open files (ulimit -n), or have fewer connections"
"""What to do where no more files may be opened."""


def shorten(value: object, longest: int = 80) -> str:
    """Return a value as one short line, for messages."""
    text = str(value)
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text)} characters)"


def require(condition: bool, field: str, value: object, limit: object, why: str) -> None:
    """Raise InvalidArgument that names field, value and limit unless the condition holds."""
    if not condition:
        raise refused(field, value, limit, why)


def refused(field: str, value: object, limit: object, why: str) -> InvalidArgument:
    """Return the error that names field, value and limit."""
    message = f"{field}: {why} (got {shorten(value)!r}, limit: {limit})"
    return InvalidArgument(message, field=field, value=value, limit=limit)


def unprintable(field: str, value: str) -> InvalidArgument:
    """Return the error for a text with control characters, which its message and its value show escaped."""
    limit = "no control characters"
    message = f"{field}: has a control character (got {shorten(value)!r}, limit: {limit})"
    return InvalidArgument(message, field=field, value=repr(value)[1:-1], limit=limit)
