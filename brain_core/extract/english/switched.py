"""Another database, cloud, … than the one that was decided on, told briefly: "switched to tidb last week"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.choices import about
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import clean
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import value_of
from brain_core.extract.language import Found, Rule, Scene


def _switched(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what is used now as the decision on the topic of one that is known; of any other topic, nothing."""
    fields = about(scene, match["new"])
    topics = {value_of(item).get("topic") for item in scene.known.active("decisions")}
    if fields["topic"] in topics and not supposed(scene):
        yield Found({**fields, "decision": clean(scene.clause.whole), "made_at": scene.said.isoformat()})


RULES = (
    Rule("switched", "decisions", "switched migrated", pattern(
        r"^(?:we(?:['’]ve| have)? |i(?:['’]ve| have)? )?(?:just |now |finally |recently )*(?:switched|migrated)"
        r"(?: over)? to "
        r"(?P<new>[\w.+#-]{2,30})(?: (?:now|today|yesterday|last \w+|this \w+|on \w+day|for good))*$"),
        _switched, vital=True),
)  # fmt: skip
