"""Which server and which memory a command talks to."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from smartbrain.client import Client

# Somebody waits at the terminal: with these, a server that is not there is reported within a second.
_RETRIES = 2
_TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Connection:
    """The global options. `memory` and `timezone` are None when none was named."""

    server: str
    memory: str | None
    timezone: ZoneInfo | None

    def client(self) -> Client:
        """Open a client bound to the named memory, else to the one called default."""
        return Client(
            self.server,
            memory_id=self.memory or "default",
            timezone=self.timezone.key if self.timezone else None,
            timeout=_TIMEOUT_SECONDS,
            retries=_RETRIES,
        )


def named(context: click.Context, option: click.Parameter, memory: str | None) -> str | None:
    """Refuse an empty name: of a variable that is not set, one user's words would go into the memory of all."""
    if memory is not None and not memory.strip():
        raise click.BadParameter("is empty; leave it out for the memory called default", context, option)
    return memory


class _ZoneType(click.ParamType[ZoneInfo]):
    """A time zone by its IANA name."""

    name = "zone"

    def convert(self, value: str | ZoneInfo, param: click.Parameter | None, context: click.Context | None) -> ZoneInfo:
        """Read what was typed."""
        try:
            return value if isinstance(value, ZoneInfo) else ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: the name of a folder of zones
            self.fail(f"{value!r} is no time zone, such as Asia/Shanghai or America/Los_Angeles", param, context)


timezone_option = click.option(
    "--timezone",
    metavar="ZONE",
    type=_ZoneType(),
    envvar="SMARTBRAIN_TIMEZONE",
    show_envvar=True,
    help="Where it is said, an IANA name such as Asia/Shanghai.  [default: the server's]",
)


pass_connection = click.make_pass_decorator(Connection)
