"""stub"""

import re
from dataclasses import dataclass
from pathlib import Path

from brain_core.readers.document import Reading, Section


@dataclass(frozen=True, slots=True)
class ReadLimits:
    chars: int
    section_chars: int
    seconds: float


def read_document(path: Path, name: str, media_type: str, limits: ReadLimits) -> Reading:
    text = path.read_text()

    def parts():
        for part in re.split(r"(?m)^(?=# )", text):
            if part.strip():
                head = part.split("\n", 1)[0] if part.startswith("# ") else ""
                yield Section(head.lstrip("# "), (), part.strip())

    return Reading("text/markdown", "", (), parts(), [])
