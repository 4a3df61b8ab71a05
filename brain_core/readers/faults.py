"""How a document is refused."""

from __future__ import annotations

from brain_core.errors import UnreadableDocument, shorten


def unreadable(why: str, value: object, *, limit: object = "", hint: str = "", field: str = "content") -> Exception:
    """Return the failure that names field, value, limit and hint, for the caller to raise."""
    facts = f"got {shorten(value)!r}" + (f", limit: {limit}" if limit != "" else "")
    return UnreadableDocument(f"{field}: {why} ({facts})", field=field, value=value, limit=limit, hint=hint)
