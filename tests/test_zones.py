"""Days and hours of instants in time zones, to the ends of the calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain_core.errors import InvalidArgument
from brain_core.zones import check_zone, clock, day_at, midnight_us, zone_named, zone_or

SHANGHAI, LOS_ANGELES, KATHMANDU = map(zone_named, ("Asia/Shanghai", "America/Los_Angeles", "Asia/Kathmandu"))
FIRST_US, LAST_US = -62_135_596_800 * 10**6, 253_402_300_799 * 10**6

zones = st.sampled_from([UTC, SHANGHAI, LOS_ANGELES, KATHMANDU, zone_named("America/Sao_Paulo")])


def us(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 10**6


@pytest.mark.parametrize(
    ("zone", "at", "day"),
    [
        (UTC, "2026-05-12T07:30:00+08:00", date(2026, 5, 11)),
        (SHANGHAI, "2026-05-12T07:30:00+08:00", date(2026, 5, 12)),
        (SHANGHAI, "2026-05-12T00:00:00+08:00", date(2026, 5, 12)),
        (LOS_ANGELES, "2026-05-31T23:30:00-07:00", date(2026, 5, 31)),
        (LOS_ANGELES, "2026-11-01T23:30:00-08:00", date(2026, 11, 1)),  # summer time has ended that day
        (KATHMANDU, "2026-05-12T00:00:00+05:45", date(2026, 5, 12)),
    ],
)
def test_a_day_is_that_of_the_clocks_in_the_zone(zone: tzinfo, at: str, day: date) -> None:
    assert day_at(us(at), zone) == day


@given(zones, st.dates(date(1900, 1, 1), date(2200, 1, 1)))
def test_a_day_begins_in_the_zone_and_not_before(zone: tzinfo, day: date) -> None:
    begins = midnight_us(day, zone)
    assert day_at(begins, zone) == day
    assert day_at(begins - 1, zone) == day - timedelta(days=1)


@given(zones, st.integers(FIRST_US, LAST_US))
def test_every_time_that_a_message_may_have_is_on_some_day(zone: tzinfo, at_us: int) -> None:
    begins = midnight_us(day_at(at_us, zone), zone)
    assert FIRST_US <= begins <= LAST_US + 999_999
    assert abs(clock(at_us, zone) - clock(at_us, UTC)) <= timedelta(days=1)


@pytest.mark.parametrize("day", [date.min, date.max])
@pytest.mark.parametrize("zone", [SHANGHAI, LOS_ANGELES])
def test_the_calendar_ends_where_a_timestamp_does(zone: tzinfo, day: date) -> None:
    assert FIRST_US <= midnight_us(day, zone) <= LAST_US


@pytest.mark.parametrize(
    "name", ["Mars/Base", "America", "../etc/passwd", "/etc/passwd", "a\0b", "x" * 5000, "+08:00", "\ud800", " UTC"]
)
def test_a_name_that_is_no_zone_is_refused_by_field_and_value(name: str) -> None:
    with pytest.raises(InvalidArgument, match="timezone: is unknown") as refused:
        check_zone("timezone", name)
    assert refused.value.field == "timezone"
    assert "Asia/Shanghai" in str(refused.value)


def test_no_name_is_the_default() -> None:
    check_zone("timezone", "")
    assert zone_or("", SHANGHAI) is SHANGHAI
    assert zone_or("America/Los_Angeles", SHANGHAI) is LOS_ANGELES
