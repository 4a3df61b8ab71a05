"""Pages of a list: how many entries they have, and where the next one begins, as an opaque token."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import TypeVar

from google.protobuf.message import Message

from brain_core.check import check_range
from brain_core.errors import InvalidArgument, shorten
from brain_core.policy import Limits

_ENTRIES = 100
_BYTES = 3 << 20  # gRPC clients refuse messages over 4 MiB unless told otherwise

Entry = TypeVar("Entry", bound=Message)


def page_size(asked: int, limits: Limits) -> int:
    """Return the most entries of a page; 0 asks for the usual. Raises InvalidArgument."""
    check_range("page_size", asked, 0, limits.page_size)
    return asked or min(_ENTRIES, limits.page_size)


def filled(entries: Iterable[Entry], size: int) -> tuple[list[Entry], bool]:
    """Return up to `size` entries, fewer where they are large, and whether there are more."""
    page: list[Entry] = []
    nbytes = 0
    for entry in entries:
        nbytes += entry.ByteSize()
        if len(page) == size or (page and nbytes > _BYTES):
            return page, True
        page.append(entry)
    return page, False


def token_of(place: str) -> str:
    """Return the token of the place where the next page begins."""
    return base64.urlsafe_b64encode(place.encode()).decode()


def place_of(token: str) -> str:
    """Return the place of a token; "" is that of the first page. Raises InvalidArgument if it is no token."""
    try:
        return base64.b64decode(token.encode(), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise bad_token(token) from error


def number_of(token: str, most_digits: int) -> int:
    """Return the place of a token as a number; that of the first page is 0. Raises InvalidArgument if it is none."""
    place = place_of(token)
    if place and not is_number(place, most_digits):
        raise bad_token(token)
    return int(place or 0)


def is_number(text: str, most_digits: int) -> bool:
    """Return whether a text is a number that fits a key of the store."""
    return text.isascii() and text.isdecimal() and len(text) <= most_digits


def bad_token(token: str) -> InvalidArgument:
    """Return the error for a token that no page gave."""
    return InvalidArgument(
        f"page_token: {shorten(token)!r} is not one that a page gave",
        field="page_token",
        value=token,
        limit="next_page_token of the page before",
    )
