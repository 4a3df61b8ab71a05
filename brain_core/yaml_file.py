"""YAML as people write it: a key stands once, and words and numbers are those of YAML 1.2.

By YAML 1.1, which the library speaks, `on` is true, 0100 is 64, 1:30 is 90 and 1e3 is a text.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import yaml
from yaml.constructor import ConstructorError

_TAG = "tag:yaml.org,2002:"
_PLAIN = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", r"[-+]?[0-9][0-9_]*|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
     "-+.0123456789"),
)  # fmt: skip
"""What is no text though it has no quotes: tag, form, first characters. Underscores in numbers are of YAML 1.1."""


def read_yaml(text: str) -> Any:  # noqa: ANN401  whatever a file holds
    """Return what a text holds. Raises yaml.YAMLError, with the line, also where a key stands twice in a section."""
    return yaml.load(text, Loader=_Loader)


class _Loader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Refuse a key that stands twice."""
        seen: set[Hashable] = set()
        for name, _ in node.value:
            key = self.construct_object(name, deep=True)
            if isinstance(key, Hashable):
                if key in seen:
                    raise ConstructorError(None, None, f"{key!r} stands twice", name.start_mark)
                seen.add(key)
        return super().construct_mapping(node, deep)

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        """Return a whole number, a decimal one unless it begins with 0x or 0o."""
        digits: str = node.value
        try:
            return int(digits, 0) if digits[:2] in ("0x", "0o") else int(digits)
        except ValueError as error:  # more digits than Python reads
            raise ConstructorError(None, None, str(error), node.start_mark) from error


_Loader.yaml_implicit_resolvers = {}
for _tag, _form, _first in _PLAIN:
    _Loader.add_implicit_resolver(_TAG + _tag, re.compile(f"^(?:{_form})$"), list(_first))
_Loader.add_constructor(f"{_TAG}int", _Loader.construct_yaml_int)
