"""JSON to an endpoint and bytes back: within a deadline and a size, or a failure in words.

The only file that opens connections.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock, Thread

import httpx2

from brain_core.env import Watch
from brain_core.errors import shorten

_PAUSE_SECONDS = 0.05
"""Before the second try of a request; four times longer before each next."""

_MOST_UNENDED = 64
"""Requests under way, those given up among them: each holds a thread, and an answer may trickle in without end."""

_PASSING = (408, 425, 429, 500, 502, 503, 504)


class Unanswered(Exception):
    """An endpoint gave nothing usable; the words say why. status: of its answer, 0 where it gave none."""

    def __init__(self, why: str, status: int = 0) -> None:
        super().__init__(why)
        self.status = status


class Unwanted(Unanswered):
    """Whoever the answer is for has left: nothing is wrong with the endpoint."""


class Unfinished(Unanswered):
    """It was reached, and did not end its answer within the time or the size: another question may do better."""


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: bytes


class JsonEndpoint:
    """Posts JSON to the paths under one address. Safe for use from many threads.

    No call outlasts its deadline, whatever the endpoint does.
    """

    def __init__(self, url: str, api_key: str, timeout_seconds: float) -> None:
        """timeout_seconds: for all tries of one request. Connects to nothing yet."""
        self._url = url.rstrip("/")
        self._timeout = timeout_seconds
        self._client = httpx2.Client(
            headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
            timeout=httpx2.Timeout(timeout_seconds, connect=timeout_seconds / 2),  # tells away from slow
            trust_env=False,
        )
        self._lock = Lock()
        self._waiting: set[SimpleQueue[_Answer | Exception]] = set()
        self._closed = False
        self._unended = 0

    def post(
        self,
        path: str,
        asked: object,
        most_bytes: int,
        tries: int,
        deadline: float | None = None,
        watch: Watch | None = None,
    ) -> bytes:
        """Return the body of an answer 200. Raises Unanswered; what passes by itself is tried again.

        deadline: of time.monotonic(); None gives this request the timeout. watch: ends the wait at once.
        """
        until = time.monotonic() + self._timeout if deadline is None else deadline
        for attempt in range(tries):
            last = attempt == tries - 1
            try:
                answer = self._answer(path, asked, most_bytes, until, watch)
            except httpx2.TransportError as error:
                if last:
                    raise Unanswered(f"cannot be reached: {one_line(error)}") from error
            else:
                if answer.status == 200:
                    return answer.body
                if last or answer.status not in _PASSING:
                    words = one_line(answer.body.decode(errors="replace"))
                    raise Unanswered(f"answered {answer.status}: {words}", answer.status)
            pause = _PAUSE_SECONDS * 4**attempt
            time.sleep(max(0.0, min(pause, until - time.monotonic())))
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Close the connections; who waits for an answer gets none. Later calls fail."""
        with self._lock:
            self._closed = True
            for found in self._waiting:
                found.put(Unanswered("is no longer asked: closing"))
        self._client.close()

    def _answer(self, path: str, asked: object, most_bytes: int, deadline: float, watch: Watch | None) -> _Answer:
        """Make one request. Raises Unanswered at the deadline, TransportError if the connection fails.

        It runs in a thread of its own, which the deadline leaves behind: no timeout of the client bounds a slow name
        server or an answer that comes drop by drop.
        """
        found: SimpleQueue[_Answer | Exception] = SimpleQueue()
        unwanted = Unwanted("is no longer asked: nobody waits for the answer")
        if watch is not None and not watch(lambda: found.put(unwanted)):
            raise unwanted
        with self._lock:
            if self._closed:
                raise Unanswered("is no longer asked: closed")
            if self._unended >= _MOST_UNENDED:
                raise Unanswered(f"is not asked while {self._unended} requests have come to no end")
            self._unended += 1
            self._waiting.add(found)
        try:
            Thread(target=self._post, args=(path, asked, most_bytes, deadline, found), daemon=True).start()
            answer = found.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            raise Unfinished(f"gave no answer within {self._timeout:g} s") from None
        finally:
            with self._lock:
                self._waiting.discard(found)
        if isinstance(answer, httpx2.TransportError | Unanswered):
            raise answer
        if isinstance(answer, Exception):
            raise Unanswered(f"cannot be asked: {one_line(answer)}") from answer
        return answer

    def _post(
        self, path: str, asked: object, most_bytes: int, deadline: float, found: SimpleQueue[_Answer | Exception]
    ) -> None:
        try:
            with self._client.stream("POST", f"{self._url}/{path}", json=asked) as response:
                found.put(_Answer(response.status_code, _body(response, most_bytes, deadline)))
        except Exception as error:  # noqa: BLE001  whoever waits gets it
            found.put(error)
        finally:
            with self._lock:
                self._unended -= 1


def _body(response: httpx2.Response, most: int, deadline: float) -> bytes:
    body = bytearray()
    for piece in response.iter_bytes():
        body += piece
        if len(body) > most or time.monotonic() > deadline:
            raise Unfinished(f"answered more than {most} bytes, or too slowly")
    return bytes(body)


def one_line(text: object) -> str:
    """Return words of a server or an error as one short line that can be printed and has a UTF-8."""
    printable = "".join(each if each.isprintable() else " " for each in str(text))
    return shorten(" ".join(printable.split()), 200)
