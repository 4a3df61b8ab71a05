"""When a server is left alone, and when it is tried again."""

from __future__ import annotations

from brain_core.breaker import FAILURES, Breaker


class Clock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_it_is_left_alone_after_failures_in_a_row_alone() -> None:
    breaker = Breaker(Clock())
    for _ in range(10):
        for _ in range(FAILURES - 1):
            breaker.failed()
        assert breaker.admit() == 0
        breaker.succeeded()
    for _ in range(FAILURES):
        assert breaker.admit() == 0
        breaker.failed()
    assert breaker.admit() == breaker.resting() == 1.0


def test_one_trial_after_each_pause_which_doubles_up_to_a_minute() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    for _ in range(FAILURES):
        breaker.failed()
    pauses = []
    for _ in range(9):
        pauses.append(breaker.resting())
        clock.seconds += pauses[-1] - 0.01
        assert breaker.admit() > 0
        clock.seconds += 0.01
        assert breaker.resting() == 0
        assert [breaker.admit() > 0 for _ in range(3)] == [False, True, True]
        breaker.failed()
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    clock.seconds += 60
    assert breaker.admit() == 0
    breaker.succeeded()
    assert breaker.admit() == breaker.resting() == 0
    for _ in range(FAILURES):
        breaker.failed()
    assert breaker.resting() == 1.0, "it begins anew"


def test_calls_that_were_under_way_do_not_make_the_pause_longer() -> None:
    breaker = Breaker(Clock())
    for _ in range(50):
        breaker.failed()
    assert breaker.resting() == 1.0
