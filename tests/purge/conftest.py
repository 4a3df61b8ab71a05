"""Fixtures of this folder."""

from tests.building import brain

__all__ = ["brain"]
