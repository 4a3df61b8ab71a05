"""The language of a text, as far as its script tells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.text.language import language, written_language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I like coffee", "en"),
        ("我喜欢咖啡", "zh"),
        ("コーヒーが好きです", "ja"),
        ("日本語を勉強します", "ja"),
        ("커피를 좋아해요", "ko"),
        ("我用 Python 写代码", "zh"),
        ("My teacher wrote 你好 on the board", "en"),
        ("12345 !?", ""),
        ("", ""),
        ("😀", ""),
    ],
)
def test_the_larger_script_names_the_language(text: str, expected: str) -> None:
    assert language(text) == expected


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=100))
def test_any_text_has_one_of_the_known_codes(text: str) -> None:
    assert language(text) in {"en", "zh", "ja", "ko", ""}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The crane in the harbour is called Zebedee.", "en"),
        ("Install it with the command below, then restart your machine.", "en"),
        ("Der Kran im Hafen heißt Zebedäus und ist nicht mehr in Betrieb.", "de"),
        ("La grue du port est en panne depuis lundi, et les bateaux ne partent pas.", "fr"),
        ("Les réunions ont lieu dans la salle bleue.", "fr"),
        ("La grúa del puerto no funciona y los barcos están en el muelle.", "es"),
        ("La gru del porto non funziona e le navi sono ferme.", "it"),
        ("O guindaste do porto não funciona e os navios estão parados.", "pt"),
        ("De kraan in de haven is kapot en het schip kan niet vertrekken.", "nl"),
        ("Dźwig w porcie nie działa, a statki stoją przy nabrzeżu.", ""),
        ("Zebedee", ""),
        ("int x = compute(y, z);", ""),
        ("港口的起重机坏了。", "zh"),
        ("Кран в порту сломан.", ""),
    ],
)
def test_common_words_tell_the_usual_languages(text: str, expected: str) -> None:
    assert written_language(text) == expected
