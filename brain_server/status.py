"""What this server is and holds."""

from __future__ import annotations

import time
from importlib.metadata import version

from smartbrain.v1.admin_service_pb2 import GetStatusResponse

from brain_core import Brain

DISTRIBUTION = "smartbrain-server"


class Status:
    """A brain's status, with the server's version and age."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._started = time.monotonic()
        self._version = version(DISTRIBUTION)  # read from a file, which may not open when a status is most wanted

    def read(self) -> GetStatusResponse:
        """Return the status now."""
        status = self._brain.status()
        status.version = self._version
        status.uptime_seconds = time.monotonic() - self._started
        return status
