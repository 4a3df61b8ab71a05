"""What a package presents to a model: as what holds, and as what was said."""

from __future__ import annotations

from smartbrain.v1.context_pb2 import ContextPackage


def presented(package: ContextPackage) -> list[str]:
    """Return the texts that a package presents as what holds; demand that all else of memory has its date."""
    items = [block.text for block in package.system_blocks]
    items += [line for section in package.working_summary.sections for line in section.lines]
    for piece in package.evidence:
        if piece.ref.memory_item_id:
            items.append(piece.snippet)
        else:
            assert piece.created_at.seconds, piece
            assert piece.title[-16:-6].count("-") == 2, f"no date in {piece.title!r}"
    assert all(each.created_at.seconds for each in package.recent_turns)
    return items


def everything(package: ContextPackage) -> str:
    """Return all that is presented, and all that is quoted, as one text."""
    return "\n".join([*presented(package), *(piece.snippet for piece in package.evidence)])
