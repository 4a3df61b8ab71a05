"""The server's parts, constructed in order, and its life from start to graceful stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from smartbrain.access import is_local

from brain_core import Brain, Policy
from brain_core.allowed import AllowedFolders
from brain_server.addresses import AddressError, listen
from brain_server.admission import Admission
from brain_server.draining import Draining
from brain_server.executors import GrpcExecutor
from brain_server.metrics import PATH, Metrics
from brain_server.scrape import Scrape
from brain_server.services.table import SERVICES, handlers
from brain_server.status import Status
from brain_server.tls import load_tls
from brain_server.tokens import Tokens

if TYPE_CHECKING:
    from brain_server.http.door import Door
    from brain_server.http.server import HttpServer

log = structlog.get_logger()

# A request over its own limit is refused by name; only one far beyond it is cut off by gRPC.
_RECEIVE_FACTOR = 4
_SEND_BYTES = 256 << 20
_HANDSHAKE_MS = 20_000
"""For a connection to begin; a silent one is closed then."""

_LAST_SECONDS = 1.0
_LAST_SHARE = 0.25
"""Of the grace, its last part, no longer than the former: documents still on their way are refused then."""


class App:
    """A brain behind a gRPC server, and perhaps an HTTP one that hands its requests to that."""

    def __init__(self, data: Path, policy: Policy, addresses: Sequence[str], metrics: str = "", http: str = "") -> None:
        """Open the brain, then take the addresses, then serve.

        metrics, http: addresses of the metrics' page and of the API over HTTP, empty for none.
        Raises brain_core's errors or AddressError; then nothing is held.
        """
        self._policy = policy
        self._tls = load_tls(policy.server.tls)
        self._tokens = Tokens(policy.server.tokens)
        self._executors = [GrpcExecutor(row) for row in policy.resources.remote]
        self._brain = Brain.open(data, policy, executors=self._executors)
        self._pool = ThreadPoolExecutor(policy.server.workers, thread_name_prefix="call")
        self._health = health.HealthServicer()
        self._draining = Draining(SERVICES)
        self._admission = Admission(self._tokens, SERVICES, self._called)
        self._passing = ExitStack()  # folders that go with the server
        self._scrape: Scrape | None = None
        self._http: HttpServer | None = None
        try:
            self._status = Status(self._brain)
            self._metrics = Metrics(self._status)
            self._server = self._build()
            self._take(addresses, metrics, http)
            self._start_pages()
        except BaseException:
            self._pool.shutdown()
            self._passing.close()
            self._brain.close()
            raise
        for name in ("", *SERVICES):
            self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        self._announce(data)

    def _take(self, addresses: Sequence[str], metrics: str, http: str) -> None:
        """Take the addresses, all or none, and serve gRPC."""
        try:
            credentials = self._tls.credentials if self._tls else None
            self.addresses = [listen(self._server, address, credentials) for address in addresses]
            self._scrape = Scrape(metrics, self._tokens.guarding(self._metrics.page), self._tls) if metrics else None
            self._http = self._open_http(http) if http else None
            self._inner = self._inner_address() if http else ""
        except BaseException:
            self._stop_pages()
            self._server.start()  # what was never started keeps its addresses as long as the process lives
            self._server.stop(None).wait()
            raise
        self._brain.warm_up()  # many clients at once would each load it, and none with a deadline have an answer
        self._server.start()

    def _start_pages(self) -> None:
        """Serve HTTP where there is an address for it, or nothing any more."""
        try:
            if self._scrape is not None:
                self._scrape.start()
            if self._http is not None:
                self._http.start(self._inner)
        except BaseException:
            self._stop_pages()
            self._server.stop(None).wait()
            raise

    def _build(self) -> grpc.Server:
        server = grpc.server(
            self._pool,
            interceptors=[self._draining, self._admission],
            options=[
                ("grpc.so_reuseport", 0),
                ("grpc.server_handshake_timeout_ms", _HANDSHAKE_MS),
                ("grpc.max_receive_message_length", _RECEIVE_FACTOR * self._policy.limits.request_bytes),
                ("grpc.max_send_message_length", _SEND_BYTES),
            ],
        )
        server.add_generic_rpc_handlers(handlers(self._brain, self._status, self._metrics, self._called, self._tokens))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        reflection.enable_server_reflection([*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME], server)
        return server

    def _inner_address(self) -> str:
        """Return where the door asks gRPC: in the clear, since it has no certificate to show."""
        plain = (address for address in self.addresses if self._tls is None or address.startswith("unix:"))
        return next(plain, "") or listen(self._server, f"unix:{self._passing_folder()}/door")

    def _passing_folder(self) -> str:
        try:
            folder = TemporaryDirectory(prefix="brain-server-", ignore_cleanup_errors=True)
        except OSError as error:
            raise AddressError(f"--http: no folder for the socket between HTTP and gRPC: {error}") from error
        return self._passing.enter_context(folder)

    def _open_http(self, address: str) -> HttpServer:
        from brain_server.http.body import Limits  # noqa: PLC0415  none of it is loaded where it is not used
        from brain_server.http.door import Door  # noqa: PLC0415
        from brain_server.http.routes import Routes  # noqa: PLC0415
        from brain_server.http.server import HttpServer  # noqa: PLC0415

        limits = Limits(_RECEIVE_FACTOR * self._policy.limits.request_bytes, self._policy.limits.document_bytes)

        def door(channel: grpc.aio.Channel, host: str) -> Door:
            named = "" if self._tls or self._tokens else host
            return Door(channel, Routes(SERVICES), named, limits, self._metrics.called, self._tokens)

        return HttpServer(address, self._policy.server.grace_seconds, door, tls=self._tls)

    @property
    def metrics_address(self) -> str:
        """Address of the HTTP endpoint as taken; empty if there is none."""
        return self._scrape.address if self._scrape is not None else ""

    @property
    def http_address(self) -> str:
        """Address of the API over HTTP as taken; empty if there is none."""
        return self._http.address if self._http is not None else ""

    def _announce(self, data: Path) -> None:
        pages = [address for address in (self.metrics_address, self.http_address) if address]
        scheme = "https" if self._tls else "http"
        log.info(
            "listening",
            addresses=self.addresses,
            **{"metrics": f"{scheme}://{self.metrics_address}{PATH}"} if self.metrics_address else {},
            **{"http": f"{scheme}://{self.http_address}"} if self.http_address else {},
            data=str(data),
            durability=self._policy.store.durability,
        )
        missing = [] if self._tls else ["encryption"]
        if not self._tokens and not self._policy.server.tls.client_ca:
            missing.append("authentication")
        open_to_others = [address for address in (*self.addresses, *pages) if not is_local(address)]
        if missing and open_to_others:
            hint = "set server.tls and server.tokens in brain.yml"
            words = f"reachable from other machines without {' or '.join(missing)}"
            log.warning(words, addresses=open_to_others, hint=hint)
        absent = AllowedFolders(self._policy.documents.ingest_refs.roots).missing
        if absent:
            words = "files that turns refer to are not taken in from there until it is one"
            log.warning(words, field="documents.ingest_refs.roots", problem=absent)
        asked = [executor.target for executor in self._executors if executor.in_the_clear]
        if asked:
            log.warning("asks other machines without encryption or authentication", targets=asked)

    def _called(self, call: str, code: str, reason: str, seconds: float) -> None:
        self._metrics.called(call, code, reason, seconds)
        self._draining.ended()

    def stop(self) -> None:
        """Turn new calls away, finish those in flight within the grace, write out what is derived, close."""
        grace_seconds = self._policy.server.grace_seconds
        over = time.monotonic() + grace_seconds
        log.info("stopping", grace_seconds=grace_seconds)
        self._health.enter_graceful_shutdown()
        if self._http is not None:
            self._http.begin_stop()
        self._draining.refuse_new(grace_seconds)
        last_seconds = min(_LAST_SECONDS, _LAST_SHARE * grace_seconds)
        ending = threading.Timer(max(0.0, over - last_seconds - time.monotonic()), self._brain.end_ingests)
        ending.start()
        self._server.stop(max(0.0, over - time.monotonic())).wait()
        ending.cancel()
        self._brain.end_ingests()
        # gRPC gives up on calls past the grace, but their threads run on and must not meet a closed store.
        self._pool.shutdown(wait=True)
        self._draining.close()
        self._admission.close()
        self._stop_pages()
        self._metrics.close()
        self._brain.close()
        for executor in self._executors:
            executor.close()
        self._passing.close()
        log.info("stopped")

    def _stop_pages(self) -> None:
        for pages in (self._scrape, self._http):
            if pages is not None:
                pages.stop()
