"""Which server and which memory a command talks to."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from smartbrain.access import checked_token, token_of
from smartbrain.client import Client

# Somebody waits at the terminal: with these, a server that is not there is reported within a second.
_RETRIES = 2
_TIMEOUT_SECONDS = 60.0

_TOKEN = "SMARTBRAIN_TOKEN"

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Connection:
    """The global options. What was not named is None."""

    server: str
    memory: str | None
    timezone: ZoneInfo | None
    tls: bool = False
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    token_file: Path | None = None

    def client(self) -> Client:
        """Open a client bound to the named memory, else to the one called default."""
        return Client(
            self.server,
            memory_id=self.memory or "default",
            timezone=self.timezone.key if self.timezone else None,
            timeout=_TIMEOUT_SECONDS,
            retries=_RETRIES,
            token=self._token(),
            tls=self.tls,
            ca=self.ca,
            certificate=self.certificate,
            key=self.key,
        )

    def _token(self) -> str | None:
        """Give the token of the file that was named, else of the variable: a command line is for all to read."""
        if self.token_file is not None:
            return token_of("--token-file", self.token_file)
        said = os.environ.get(_TOKEN, "").strip()
        return checked_token(_TOKEN, said) if said else None


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


def _file_option(name: str, text: str) -> Callable[[Command], Command]:
    return click.option(
        f"--{name}",
        metavar="FILE",
        type=click.Path(path_type=Path),
        envvar=f"SMARTBRAIN_{name.upper().replace('-', '_')}",
        show_envvar=True,
        help=text,
    )


def access_options(command: Command) -> Command:
    """Add how a server is reached that is encrypted or wants to know who calls."""
    for option in (
        _file_option("token-file", f"File with the token to call with.  [default: the variable {_TOKEN}, else none]"),
        _file_option("key", "The key of --certificate."),
        _file_option("certificate", "In PEM, to show to a server that asks for one."),
        _file_option("ca", "Authorities, in PEM, that may have signed the server's certificate; encrypts."),
        click.option("--tls", is_flag=True, envvar="SMARTBRAIN_TLS", show_envvar=True, help="Encrypt."),
    ):
        command = option(command)
    return command


pass_connection = click.make_pass_decorator(Connection)
