"""What is made of known items is remembered by the object."""

from __future__ import annotations

from brain_core.extract.known import Remembered


def test_each_object_is_asked_about_once() -> None:
    made: list[list[int]] = []

    def total(of: list[int]) -> int:
        made.append(of)
        return sum(of)

    total_of = Remembered(total)
    one, other = [1, 2], [1, 2]
    assert [total_of(each) for each in (one, other, one, other)] == [3, 3, 3, 3]
    assert made == [one, other]
    assert made[1] is other


def test_no_more_are_remembered_than_asked_for() -> None:
    made: list[int] = []

    def first(of: list[int]) -> int:
        made.append(of[0])
        return of[0]

    first_of = Remembered(first, 2)
    held = [[1], [2], [3]]
    assert [first_of(each) for each in held] == [1, 2, 3]
    assert [first_of(each) for each in held[1:]] == [2, 3]
    assert made == [1, 2, 3]
    assert first_of(held[0]) == 1
    assert made == [1, 2, 3, 1]
