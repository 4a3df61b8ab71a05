"""The option that asks for what was known at a moment."""

from datetime import UTC, datetime

import click

from smartbrain.requests import Moment


class _MomentType(click.ParamType[Moment]):
    """A revision, or a time in ISO 8601, in UTC where it names no zone."""

    name = "moment"

    def convert(self, value: str | Moment, param: click.Parameter | None, context: click.Context | None) -> Moment:
        """Read what was typed."""
        if not isinstance(value, str):
            return value
        if value.isascii() and value.isdecimal():
            return int(value)
        try:
            time = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is neither a revision nor a time as 2024-05-08 or 2024-05-08T13:56", param, context)
        return time if time.tzinfo else time.replace(tzinfo=UTC)


as_of_option = click.option(
    "--as-of", metavar="REV|TIME", type=_MomentType(), help="As it was at a revision or an ISO 8601 time (UTC)."
)
