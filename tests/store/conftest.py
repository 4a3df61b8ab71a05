"""Fixtures of this folder."""

from tests.models.conftest import stub

__all__ = ["stub"]
