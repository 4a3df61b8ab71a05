"""Which day is read of what is told: `python -m tests.extraction.days --lang en --show`.

`days/` has lines by language: when it was said, the message, and the days that may be read of it ("-" for none,
"first..last" where it lasts). All were written before the rules of dates were looked at for them, and split at random;
the rules' writer has read `seen`, never `held`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from smartbrain.v1.event_pb2 import Message, Turn, TurnEvents

from brain_core.extract.read import read_turn
from brain_core.kinds.draft import Draft
from tests.extraction.reading import CONFIDENCE, JUDGED, Held

HALVES = ("seen", "held")
LANGUAGES = ("en", "zh")
NO_DAY = "-"
_FOLDER = Path(__file__).parent / "days"


@dataclass
class Score:
    """Counts over messages. wrong: a day was read that is none of its days. missed: it has one, and none was read."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    failures: list[str] = field(default_factory=list)


def rows(lang: str, half: str) -> Iterator[tuple[datetime, str, list[str]]]:
    """Yield when each message was said, its text, and the days that may be read of it."""
    for line in (_FOLDER / f"{lang}_{half}.tsv").read_text("utf-8").splitlines():
        said, text, days = line.split("\t")
        yield datetime.fromisoformat(said), text, days.split(",")


def measured(lang: str, half: str) -> Score:
    """Read the messages of a half, each by itself, with the judge as it comes."""
    score = Score()
    for said, text, allowed in rows(lang, half):
        read = days_of(text, said)
        wrong, missed = not read <= set(allowed), not read and NO_DAY not in allowed
        score.wrong += wrong
        score.missed += missed
        score.right += not wrong and not missed
        if wrong or missed:
            score.failures.append(f"{said:%a %Y-%m-%d}\t{text}\t{','.join(allowed)}\t=> {sorted(read) or NO_DAY}")
    return score


def days_of(text: str, said: datetime) -> set[str]:
    """Return the days that what is read of one message of the user is about: events', and when tasks are due."""
    message = Message(role="user", content=text)
    message.created_at.FromDatetime(said)
    read = read_turn(Turn(events=TurnEvents(messages=[message])), Held(), CONFIDENCE, JUDGED)
    return {day for each in read if isinstance(each, Draft) and (day := _day(each))}


def _day(draft: Draft) -> str:
    """Return the day of a draft, with the last one where there are several; "" where it has none."""
    given = draft.given
    if "until" in given:
        return f"{given['date']}..{given['until']}"
    return str(given.get("date") or given.get("due") or "")


def main() -> None:
    """Print how many messages of a half are read right, and with --show the others of the half that was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=HALVES, default="seen")
    parser.add_argument("--lang", choices=LANGUAGES, default="en")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    if asked.show and asked.half != "seen":
        parser.error("--show: only what was seen while the rules were written may be looked at")
    score = measured(asked.lang, asked.half)
    if asked.show:
        print("\n".join(score.failures))
    print(f"{asked.lang} {asked.half}: {score.right} right, {score.wrong} wrong, {score.missed} missed")


if __name__ == "__main__":
    main()
