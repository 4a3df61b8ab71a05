"""What a language model may cost: calls by the hour, tokens by the day, counted in the store across restarts."""

from __future__ import annotations

from brain_core.env import Env
from brain_core.policy import LlmPolicy
from brain_core.store import keys, learned
from brain_core.store.kv import KV, Batch
from brain_core.store.v1.records_pb2 import SpentRecord

_HOUR_US = 3600 * 1_000_000
_DAY_US = 24 * _HOUR_US


class Budget:
    """Calls and tokens of one store. For use from one thread. A limit of 0 is none."""

    def __init__(self, kv: KV, env: Env, policy: LlmPolicy) -> None:
        self._kv = kv
        self._env = env
        self._calls_per_hour = policy.calls_per_hour
        self._tokens_per_day = policy.tokens_per_day

    def wait_seconds(self) -> float:
        """Return how long until a call may be made; 0 if it may be made now."""
        spent, now = self._spent(), self._env.now_us()
        if self._tokens_per_day and spent.tokens >= self._tokens_per_day:
            return (_DAY_US - now % _DAY_US) / 1e6
        if self._calls_per_hour and spent.calls >= self._calls_per_hour:
            return (_HOUR_US - now % _HOUR_US) / 1e6
        return 0.0

    def problem(self) -> str:
        """Return which limit is reached, in words."""
        spent = self._spent()
        if self._tokens_per_day and spent.tokens >= self._tokens_per_day:
            return f"llm.tokens_per_day: {spent.tokens} of {self._tokens_per_day} are spent; waiting for tomorrow (UTC)"
        return f"llm.calls_per_hour: {spent.calls} of {self._calls_per_hour} are made; waiting for the next hour"

    def spend(self, calls: int, tokens: int) -> None:
        """Count calls and tokens, before the call, so that a crash amid it is counted too; fewer tokens give back."""
        spent = self._spent()
        spent.calls += calls
        spent.tokens = max(0, spent.tokens + tokens)
        batch = Batch()
        learned.put_spent(batch, spent)
        self._kv.write(keys.STORE, batch)

    def _spent(self) -> SpentRecord:
        """Return what was spent in this hour and on this day."""
        spent, now = learned.read_spent(self._kv), self._env.now_us()
        hour, day = now // _HOUR_US, now // _DAY_US
        if spent.hour != hour:
            spent.hour, spent.calls = hour, 0
        if spent.day != day:
            spent.day, spent.tokens = day, 0
        return spent
