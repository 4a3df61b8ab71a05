"""Texts as parts of addresses that stand in prompts: readable, and short in every script."""

from __future__ import annotations

import re
from urllib.parse import quote

_ESCAPED = re.compile(r"[^\w.~-]")


def address_part(text: str) -> str:
    """Return a text as one part of an IRI (RFC 3987): letters and digits of any script stand as they are.

    A percent-encoded Chinese character would cost a prompt nine tokens.
    """
    return quote(text, safe="") if text.isascii() else _ESCAPED.sub(lambda found: quote(found[0], safe=""), text)
