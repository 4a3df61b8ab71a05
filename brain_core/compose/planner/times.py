"""What the words of times are looked for with: most messages name none, and no message many."""

from __future__ import annotations

from brain_core.text.sifted import Sifter

ENGLISH = Sifter()
CHINESE = Sifter()
