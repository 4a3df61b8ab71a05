"""What is kept names whom it tells of: a pronoun alone is of nobody who could be found again."""

from __future__ import annotations

import pytest

from brain_core.extract.dangling import is_dangling
from brain_core.kinds.draft import Draft
from tests.extraction.reading import JUDGED, read


@pytest.mark.parametrize(
    "text",
    [
        "i'm her bridesmaid. pottery has been on pause since june btw, too busy",
        "跟妈妈说了，她挺失望的，改成春节再回去",
        "her name's Claire Duffy at the clinic on Whiteladies Road",
    ],
)
def test_a_pronoun_alone_is_not_kept(text: str) -> None:
    kept = [draft for draft in read(text, worth=JUDGED) if isinstance(draft, Draft)]
    told = [str(draft.given.get("title") or draft.given.get("content") or "") for draft in kept]
    assert not [each for each in told if is_dangling(each)]


@pytest.mark.parametrize(
    "text",
    [
        "Klara gets married in June",
        "my sister Eva has moved, I'm her bridesmaid",
        "she is called Eva and lives next door",
        "heritage day is on Sunday",
        "小王挺失望的",
        "她下个月要做白内障手术",
    ],
)
def test_what_names_somebody_is_not_dangling(text: str) -> None:
    assert not is_dangling(text)
