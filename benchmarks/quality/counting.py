"""What a baseline's package is charged for."""

from collections.abc import Callable

from smartbrain.conversations import Session, Turn
from smartbrain.render import HEADINGS, render_evidence, render_recent_turn
from smartbrain.v1.context_pb2 import ContextEvidence, RecentTurn

from brain_core.text.tokens import TOKEN

_LARGEST_LABEL = 99


class WordPieces:
    """Word pieces of the turns' texts and nothing else: no names, times, markup or question."""

    name = "word pieces of the turns' texts"

    def __init__(self, word_pieces: Callable[[str], int]) -> None:
        self._word_pieces = word_pieces

    def evidence(self, session: Session, turn: Turn) -> int:  # noqa: ARG002
        """Count the text."""
        return TOKEN * self._word_pieces(turn.text)

    def said(self, turn: Turn) -> int:
        """Count the text."""
        return TOKEN * self._word_pieces(turn.text)

    def frame(self, question: str) -> int:  # noqa: ARG002
        """Count nothing."""
        return 0


class Rendered:
    """The prompt that a model would get: each turn a quote under who said it and when, rendered as SmartBrain's are."""

    name = "of the whole rendered prompt with the question, by SmartBrain's estimate (it errs high)"

    def __init__(self, weigh: Callable[[str], int]) -> None:
        """Take what weighs a text in hundredths of a token."""
        self._weigh = weigh

    def evidence(self, session: Session, turn: Turn) -> int:
        """Count a piece of evidence."""
        at = turn.datetime or session.datetime
        title = ", ".join([turn.speaker or turn.role, *([f"{at:%Y-%m-%d}"] if at else [])])
        piece = ContextEvidence(source="memory", title=title, snippet=turn.text)
        return self._weigh(render_evidence(_LARGEST_LABEL, piece))

    def said(self, turn: Turn) -> int:
        """Count a recent turn."""
        return self._weigh(render_recent_turn(RecentTurn(role=turn.role, speaker=turn.speaker, content=turn.text)))

    def frame(self, question: str) -> int:
        """Count the headings of evidence and question, and the question."""
        return self._weigh("\n\n".join([HEADINGS["evidence"], HEADINGS["user_message"], question]))
