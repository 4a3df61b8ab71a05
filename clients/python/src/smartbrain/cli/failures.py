"""Failures as one line on standard error and exit code 1, never a traceback."""

from typing import Any

import click

from smartbrain.cli.connection import Connection
from smartbrain.errors import DeadlineExceeded, SmartBrainError, Unavailable


class FailingPlainly(click.Group):
    """A group whose commands report what the client raises in one line, with a hint."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click.Group has it
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except SmartBrainError as error:
            raise click.ClickException(_one_line(error, ctx.obj)) from error
        except UnicodeEncodeError as error:
            raise click.ClickException("the text is not valid UTF-8") from error
        except OSError as error:
            if isinstance(error, BrokenPipeError):  # the reader has gone; click knows what to do
                raise
            raise click.ClickException(str(error)) from error


def _one_line(error: SmartBrainError, connection: Connection) -> str:
    if isinstance(error, Unavailable) and not error.reason:  # whoever answers gives one
        text = f"no server answers at {connection.server}: {error}"
    elif isinstance(error, DeadlineExceeded):
        text = f"{connection.server} did not answer in time: {error}"
    else:
        text = str(error)
    return " ".join(text.split())
