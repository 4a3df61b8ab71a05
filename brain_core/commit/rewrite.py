"""A summary in a model's words: the same turns, the same bounds, and each line rests on lines that were extracted."""

from __future__ import annotations

from collections.abc import Sequence

from brain_core.commit.lines import one_line
from brain_core.errors import require
from brain_core.models.reading import Rewritten
from brain_core.policy import Consolidation
from brain_core.store import summaries
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import SummaryLine, SummaryRecord
from brain_core.summary import SECTIONS


def rewrite_summary(
    batch: Batch,
    view: ReadView,
    memory_id: str,
    session_id: str,
    version: int,
    lines: Sequence[Rewritten],
    policy: Consolidation,
) -> bool:
    """Add to a batch that a version of a session's summary is shown in these lines; return whether it was.

    `rests_on` are places in the `lines` of that version: a line goes once an item under any of them has ended. A
    version that is no longer the newest stays as it is, and nothing is added. Raises InvalidArgument for a line of
    another section, without text, or that rests on nothing.
    """
    for number, line in enumerate(lines):
        require(line.section in SECTIONS, f"lines[{number}].section", line.section, " | ".join(SECTIONS), "is unknown")
    record = summaries.read_newest(view, memory_id, session_id)
    if record is None or record.version != version:
        return False
    del record.rewritten[:]
    for section in SECTIONS:
        told = [(number, line) for number, line in enumerate(lines) if line.section == section]
        record.rewritten.extend(
            _line(record, f"lines[{number}]", line, policy.line_chars)
            for number, line in told[: policy.lines_per_section]
        )
    summaries.put_version(batch, session_id, record, policy.versions_kept)
    return True


def _line(record: SummaryRecord, path: str, line: Rewritten, longest: int) -> SummaryLine:
    text, known = one_line(line.text, longest), len(record.lines)
    require(bool(text), f"{path}.text", line.text, "not blank", "is blank")
    fits = bool(line.rests_on) and all(0 <= place < known for place in line.rests_on)
    require(fits, f"{path}.rests_on", line.rests_on, f"some of 0..{known - 1}", "names no line")
    under = [record.lines[place] for place in line.rests_on]
    return SummaryLine(
        section=line.section,
        text=text,
        time_us=max(each.time_us for each in under),
        chunks=sorted({chunk for each in under for chunk in each.chunks}),
        turn_id=under[0].turn_id,
    )
