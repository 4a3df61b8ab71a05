"""Kinds that brain.yml declares: each entry of its list `kinds` is a row of the registry."""

# kinds:
#   - type: recipes                  # of the items; a-z, 0-9 and _
#     prefix: recipe                 # of the keys: recipe:<cuisine>:<name>
#     parts: [cuisine, name]         # fields that make the key; required, or with a default
#     policy: versioned              # overwrite, versioned, knowledge or accumulate
#     layer: longterm                # working, episodic or longterm
#     category: pattern              # one that the layer may hold
#     priority: 5                    # 0..10; 5 if left out
#     required: [name, steps]
#     fields:                        # text, number, flag, day, list, object or any; a list names the words allowed
#       cuisine: [italian, chinese, other]
#       name: text
#       steps: list
#       rating: number
#     defaults: {cuisine: other}     # each as its field may be
#     compared: [name]               # fields whose words tell near-duplicates; none if left out
#     text: "Recipe: {name} ({cuisine})\nSteps: {steps}"  # a line of which a field is missing is left out
#     uri: "workflow://recipes/{cuisine}/{name}"          # project://<type>/<parts> if left out
#     expires_after_seconds: 3600    # never if left out

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from brain_core.addresses import address_part
from brain_core.errors import InvalidArgument, PolicyError
from brain_core.kinds.kind import CATEGORIES, LAYERS, Kind, Value, path, shown
from brain_core.kinds.merge import gathered, replaced
from brain_core.kinds.shape import FORMS, Field

_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
_PLACE = re.compile(r"\{(\w+)\}")


def declared(rows: Iterable[Mapping[str, Any]]) -> list[Kind]:
    """Return the kinds that rows declare. Raises PolicyError that names the row's field, its value and what may be."""
    return [_kind(f"kinds[{number}]", row) for number, row in enumerate(rows)]


def _kind(where: str, row: Mapping[str, Any]) -> Kind:
    _check_row(where, row)
    layer, category, priority = LAYERS[row["layer"]], row["category"], row["priority"]
    fields = {name: _field(f"{where}.fields.{name}", form) for name, form in row["fields"].items()}
    _check_defaults(where, row, fields)
    item_type, parts, address = row["type"], tuple(row["parts"]), row["uri"]
    return Kind(
        type=item_type,
        prefix=row["prefix"],
        parts=parts,
        policy=row["policy"],
        fields=fields,
        required=tuple(row["required"]),
        defaults=dict(row["defaults"]),
        layer=lambda _: layer,
        category=lambda _: str(category),
        priority=lambda _: int(priority),
        render=_template(row["text"]),
        uri=_address(address) if address else lambda v: f"project://{item_type}/{path(*(v[part] for part in parts))}",
        compared=tuple(row["compared"]),
        merge=gathered if row["policy"] == "accumulate" else replaced,
        expires_after_s=row["expires_after_seconds"],
    )


def _check_row(where: str, row: Mapping[str, Any]) -> None:
    for name in ("type", "prefix"):
        _require(_NAME.fullmatch(row[name]) is not None, f"{where}.{name}", row[name], "a-z, 0-9 and _, from a letter")
    fields = row["fields"]
    for name in fields:
        _require(_NAME.fullmatch(name) is not None, f"{where}.fields", name, "a-z, 0-9 and _, from a letter")
    _require(bool(row["parts"]), f"{where}.parts", row["parts"], "at least one field")
    for part in (
        *row["parts"],
        *row["required"],
        *row["defaults"],
        *row["compared"],
        *_PLACE.findall(row["text"] + row["uri"]),
    ):
        _require(part in fields, f"{where}", part, f"a field of its own: {', '.join(fields)}")
    for part in row["parts"]:
        _require(
            part in row["required"] or part in row["defaults"], f"{where}.parts", part, "required, or with a default"
        )
    allowed = CATEGORIES[LAYERS[row["layer"]]]
    _require(row["category"] in allowed, f"{where}.category", row["category"], " | ".join(allowed))
    _require(bool(row["text"].strip()), f"{where}.text", row["text"], "a text that says something")


def _check_defaults(where: str, row: Mapping[str, Any], fields: Mapping[str, Field]) -> None:
    for name, default in row["defaults"].items():
        place = f"{where}.defaults.{name}"
        try:
            fields[name].check(place, default)
        except InvalidArgument as error:
            words = f"brain.yml: kind {row['type']!r}: {error}"
            raise PolicyError(words, field=place, value=default, limit=error.limit) from error
        _require(bool(default.strip()) or name not in row["parts"], place, default, "a part of a key: it is blank")


def _require(holds: bool, field: str, value: object, limit: str) -> None:
    if not holds:
        raise PolicyError(f"brain.yml: {field}: {value!r} is not {limit}", field=field, value=value, limit=limit)


def _field(where: str, form: object) -> Field:
    if isinstance(form, list):
        _require(bool(form) and all(word.strip() for word in form), where, form, "a list of words, none of them blank")
        return Field("text", words=tuple(map(str, form)))
    for known in FORMS:
        if form == known:
            return Field(known)
    raise PolicyError(
        f"brain.yml: {where}: {form!r} is no form of a field",
        field=where,
        value=form,
        limit=f"{' | '.join(FORMS)}, or a list of words",
    )


def _template(template: str) -> Callable[[Value], str]:
    """Return what fills a template in; lines of which a field is missing are left out."""
    templates = template.split("\n")

    def render(value: Value) -> str:
        kept = [line for line in templates if all(value.get(name) for name in _PLACE.findall(line))]
        return "\n".join(_PLACE.sub(lambda place: shown(value[place[1]]), line) for line in kept)

    return render


def _address(template: str) -> Callable[[Value], str]:
    return lambda value: _PLACE.sub(lambda place: address_part(shown(value.get(place[1], ""))), template)
