"""A server that is told where to die, and is started again on the same folder after each death."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from tests.faults import fatal
from tests.serving import Server, start_server

_SECONDS = 60


class Victim:
    """brain-server under fatal.py. config: content of its brain.yml."""

    def __init__(self, folder: Path, config: str = "") -> None:
        self.folder = folder
        self._order = folder / "order"
        self._config = config
        self._server: Server | None = None

    @property
    def program(self) -> list[str]:
        """Return the command in place of brain-server."""
        return [sys.executable, fatal.__file__, str(self._order)]

    @property
    def server(self) -> Server:
        """Give the running server, started anew if it is not running."""
        if self._server is None or self._server.process.poll() is not None:
            self._order.unlink(missing_ok=True)
            self._server = start_server(self.folder, config=self._config, program=self.program)
        return self._server

    def die_at(self, point: str, nth: int = 1) -> None:
        """Order it to die in the nth pass of a point from now on."""
        assert point in fatal.POINTS
        new = self._order.with_suffix(".new")
        new.write_text(f"{point} {nth}", "utf-8")
        new.replace(self._order)

    def wait_for_death(self) -> None:
        """Wait until it has died as ordered."""
        assert self._server is not None
        assert self._server.process.wait(_SECONDS) == -signal.SIGKILL

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command to its end under the order that stands."""
        command = [*self.program, "--data", str(self.folder / "data"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)

    def stop(self) -> None:
        """Stop what runs."""
        if self._server is not None and self._server.process.poll() is None:
            self._order.unlink(missing_ok=True)
            assert self._server.terminate() == 0
