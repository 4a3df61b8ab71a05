"""Time zones. What is stored are instants; a zone tells on which day, and at which hour, one was for somebody.

What a turn says is resolved in the zone that its request named, else the setting's; periods and ends in the zone of who
asks. A resolved day is a date in a value, so it stays. An item keeps its zone (`MemoryItem.timezone`), because its text
is made again when it is doubted or rolled back. Stored titles are in UTC; the index tells them in the chunk's zone,
else in the setting's, and a snapshot says which that was (`index/derive.py`, `index/snapshot.py`).
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from brain_core.errors import require

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_LATEST = datetime.max.replace(tzinfo=UTC)


@lru_cache(maxsize=1024)
def zone_named(name: str) -> tzinfo:
    """Return the zone of an IANA name. Raises ValueError if there is none."""
    if name == "UTC":
        return UTC  # needs no data
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # OSError: a folder of zones, a name that is too long
        raise ValueError("no time zone of the IANA database") from error


def zone_or(name: str, default: tzinfo) -> tzinfo:
    """Return the zone that a checked request or a stored turn names, `default` where it names none."""
    return zone_named(name) if name else default


def check_zone(field: str, name: str) -> None:
    """Check the name of a zone; empty means the server's. Raises InvalidArgument."""
    if name:
        require(_is_zone(name), field, name, "an IANA name, such as Asia/Shanghai or America/Los_Angeles", "is unknown")


def _is_zone(name: str) -> bool:
    try:
        zone_named(name)
    except ValueError:
        return False
    return True


def clock(at_us: int, zone: tzinfo) -> datetime:
    """Return what clocks in a zone show at a time in Unix microseconds, without the zone.

    In the first and last hours of the years 1 to 9999, where a zone may have no such day, it is what UTC shows.
    """
    at = _EPOCH + timedelta(microseconds=at_us)
    try:
        return at.astimezone(zone).replace(tzinfo=None)
    except OverflowError:
        return at.replace(tzinfo=None)


def day_at(at_us: int, zone: tzinfo) -> date:
    """Return the day that it is in a zone at a time in Unix microseconds."""
    return clock(at_us, zone).date()


def midnight_us(day: date, zone: tzinfo) -> int:
    """Return when a day begins in a zone, Unix microseconds, within the years 1 to 9999 of UTC."""
    begins = datetime(day.year, day.month, day.day, tzinfo=zone)
    return (min(max(begins, _EARLIEST), _LATEST) - _EPOCH) // _MICROSECOND
