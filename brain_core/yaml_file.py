"""YAML as people write it: a key stands once, and only true and false are true and false."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import yaml

_BOOLEAN = "tag:yaml.org,2002:bool"


def read_yaml(text: str) -> Any:  # noqa: ANN401  whatever a file holds
    """Return what a text holds. Raises yaml.YAMLError, with the line, also where a key stands twice in a section.

    `on`, `off`, `yes` and `no` are words, as in YAML 1.2.
    """
    return yaml.load(text, Loader=_Loader)


class _Loader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Refuse a key that stands twice."""
        seen: set[Hashable] = set()
        for name, _ in node.value:
            key = self.construct_object(name, deep=True)
            if isinstance(key, Hashable):
                if key in seen:
                    raise yaml.constructor.ConstructorError(None, None, f"{key!r} stands twice", name.start_mark)
                seen.add(key)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != _BOOLEAN]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_BOOLEAN, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))
