"""Bringing in whole conversations: import."""

import datetime as dt
import hashlib
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import click

from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.cli.text import printable
from smartbrain.client import Client
from smartbrain.conversations import Conversation, ConversationError, numbered_lines, parse_conversation
from smartbrain.errors import AlreadyExists, InvalidArgument, ResourceExhausted
from smartbrain.fields import unfit
from smartbrain.requests import commit_request
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, WaitLevel

# What goes into one stream: enough that the wait for the disk is shared, little enough to lose little.
_BATCH_TURNS = 256
_BATCH_BYTES = 1 << 20
_MOST_TIMES = 20
"""Unreadable times that are named; all are counted."""


@dataclass(slots=True)
class _Tally:
    """What became of the input."""

    conversations: int = 0
    turns: int = 0
    known: int = 0
    failed: int = 0
    turns_without_text: int = 0
    unreadable_times: int = 0

    def count(self, committed: int, repeated: int) -> None:
        """Count turns of a stream. repeated: those that were there before."""
        self.turns += committed - repeated
        self.known += repeated

    def left_out(self) -> Iterator[str]:
        """Give the lines on what was there already or was left out."""
        if self.known:
            yield f"{self.known} turns were known already"
        if self.turns_without_text:
            yield f"{self.turns_without_text} turns without text were left out"
        if self.unreadable_times:
            yield f"{self.unreadable_times} times in no known form were left out"


@dataclass(slots=True)
class _Importer:
    """Sends conversations to the server in batches and reports what it refuses, going on with the rest."""

    client: Client
    memory_id: str | None
    zone: dt.tzinfo
    tally: _Tally = field(default_factory=_Tally)
    batch: list[tuple[str, CommitTurnRequest]] = field(default_factory=list)
    batch_bytes: int = 0

    def line(self, place: str, line: bytes) -> None:
        """Take in one line, which stands at `place`."""
        try:
            conversation = parse_conversation(line, self.zone)
        except ConversationError as error:
            self.report(place, error)
            return
        self.tally.conversations += 1
        self.tally.turns_without_text += conversation.turns_without_text
        for field_and_value in conversation.unread[: max(0, _MOST_TIMES - self.tally.unreadable_times)]:
            click.echo(f"{place}: {field_and_value} is a time in no known form, left out", err=True)
        self.tally.unreadable_times += conversation.unreadable_times
        for at, request in self._requests(place, conversation):
            size = request.ByteSize()
            if size >= _BATCH_BYTES:  # one that may be too large for the wire goes alone: it would end its stream
                self.flush()
            self.batch.append((at, request))
            self.batch_bytes += size
            if len(self.batch) >= _BATCH_TURNS or self.batch_bytes >= _BATCH_BYTES:
                self.flush()

    def flush(self) -> None:
        """Commit what is gathered; a turn that the server refuses is reported, and the ones behind it follow.

        A turn that is too large for the wire ends its stream without a place, and so is looked for by halves. What of
        them was committed before is so again, under the same ids, and adds nothing.
        """
        left, self.batch, self.batch_bytes = [self.batch], [], 0
        halved = False  # then what is known already may be so since this run
        while left:
            batch = left.pop()
            if not batch:
                continue
            try:
                answer = self.client.commit_many([request for _, request in batch])
                self.tally.count(answer.committed, 0 if halved else answer.repeated)
            except (InvalidArgument, AlreadyExists) as error:
                if error.index is None:
                    raise
                self.tally.count(error.index, 0 if halved else int(error.metadata.get("repeated", 0)))
                self.report(batch[error.index][0], str(error).removeprefix(f"requests[{error.index}]: "))
                left.append(batch[error.index + 1 :])
            except ResourceExhausted as error:
                if error.reason:  # the server's own: not for the size of one turn
                    raise
                if len(batch) == 1:
                    self.report(batch[0][0], error)
                else:
                    halved, middle = True, len(batch) // 2
                    left += [batch[middle:], batch[:middle]]

    def report(self, place: str, error: object) -> None:
        """Say on standard error what is wrong at `place`."""
        self.tally.failed += 1
        click.echo(printable(" ".join(f"{place}: {error}".split())), err=True)

    def _requests(self, place: str, conversation: Conversation) -> Iterator[tuple[str, CommitTurnRequest]]:
        """Give one request per turn with its place. Ids come from the input, so that a repeat commits nothing new.

        In one memory for all, sessions are named with their conversation: many call their first one the same.
        """
        memory_id = self.memory_id or conversation.id
        prefix = f"{conversation.id}/" if self.memory_id else ""
        for session in conversation.sessions:
            for turn in session.turns:
                ids = (memory_id, conversation.id, session.session_id, turn.turn_id)
                message = {"message_id": turn.turn_id, "role": turn.role, "speaker": turn.speaker, "content": turn.text}
                at = f"{place}: session {session.session_id}, turn {turn.turn_id}"
                try:
                    yield (
                        at,
                        commit_request(
                            memory_id,
                            prefix + session.session_id,
                            [{**message, "created_at": turn.datetime}],
                            request_id=_request_id(ids),
                            wait_level=WaitLevel.WAIT_LEVEL_FINDABLE,
                            validate_only=False,
                            timezone="",  # the client's
                        ),
                    )
                except InvalidArgument as error:
                    self.report(at, error)


def _request_id(ids: Sequence[str]) -> str:
    """Give what a turn is committed under. ids: of memory, conversation, session, turn. Raises InvalidArgument."""
    try:
        return "import-" + hashlib.sha256("\0".join(ids).encode()).hexdigest()[:32]
    except UnicodeEncodeError as error:
        raise unfit("an id", ids, "text that UTF-8 can hold") from error


_HELP = """Commit the conversations of JSON-lines FILES, plain or gzipped (- for standard input).

One line is one conversation:

\b
{"id": "ann", "sessions": [{"session_id": "monday", "datetime": "2024-05-06 09:30",
  "turns": [{"turn_id": "t1", "role": "user", "speaker": "Ann", "text": "Hello."}]}]}

Needed are id, sessions and turns, and a text (or image_caption) in each turn: others are left out and counted.
role is user, assistant, system or tool; any other is user. A turn may have a datetime of its own. Times are ISO
8601 or like "8 May, 2023", "2023/05/20 02:21", "2023年5月8日". What has no session_id or turn_id is called by its
place; ids and speakers may be whole numbers. Other keys are ignored. Files are in UTF-8.

Each conversation becomes the memory of its id, or all become the one named by `brain --memory`,
with sessions called CONVERSATION/SESSION. A repeated import adds nothing and says what was known already. Times
without a zone are those of `brain --timezone`, else UTC. A bad line is reported as FILE:LINE with the field that is
wrong, and the rest goes on; the exit code is 1 then.
"""


@click.command("import", help=_HELP)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@pass_connection
def import_conversations(connection: Connection, files: tuple[str, ...]) -> None:
    """Commit the conversations of JSON-lines FILES, plain or gzipped (- for standard input)."""
    with connection.client() as client:
        importer = _Importer(client, connection.memory, connection.timezone or dt.UTC)
        for name in files:
            try:
                for number, line in _lines(name):
                    importer.line(f"{name}:{number}", line)
            except ConversationError as error:
                importer.report(name, error)
        importer.flush()
    tally = importer.tally
    click.echo(f"imported {tally.turns} turns of {tally.conversations} conversations")
    for left_out in tally.left_out():
        click.echo(left_out)
    if tally.failed:
        raise click.ClickException(f"{tally.failed} lines or turns could not be imported (see above)")


def _lines(name: str) -> Iterator[tuple[int, bytes]]:
    """Give the numbered lines of a file, with a progress bar on standard error where that is a terminal."""
    if name == "-":
        yield from numbered_lines(cast("io.BufferedReader", sys.stdin.buffer))
        return
    with ExitStack() as stack:
        file = stack.enter_context(Path(name).open("rb"))
        bar = stack.enter_context(
            click.progressbar(
                length=Path(name).stat().st_size, label=name, file=sys.stderr, hidden=not sys.stderr.isatty()
            )
        )
        for number, line in numbered_lines(file):
            yield number, line
            bar.update(file.tell() - bar.pos)
