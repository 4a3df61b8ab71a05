"""Which server and which memory a command talks to."""

from dataclasses import dataclass

import click

from smartbrain.client import Client

# Somebody waits at the terminal: with these, a server that is not there is reported within a second.
_RETRIES = 2
_TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Connection:
    """The global options. `memory` is None when none was named."""

    server: str
    memory: str | None

    def client(self) -> Client:
        """Open a client bound to the named memory, else to the one called default."""
        return Client(self.server, memory_id=self.memory or "default", timeout=_TIMEOUT_SECONDS, retries=_RETRIES)


pass_connection = click.make_pass_decorator(Connection)
