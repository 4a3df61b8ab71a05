"""A caller's values into the fields of a message: what a field cannot hold is refused by its name, value and limit."""

import math
import reprlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from numbers import Real
from typing import Any, Final, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from smartbrain.errors import InvalidArgument

Filled = TypeVar("Filled", bound=Message)

Field = Any  # a FieldDescriptor: that of upb is a class of its own, which the stubs tell apart

_ARGUMENTS: Final = {"type": "item_type", "tag_ids": "tags", "topic_ids": "topics"}
"""What the verbs call an argument whose field has another name."""

_WHOLE_NUMBERS: Final = {
    FieldDescriptor.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, (1 << 64) - 1),
}

# 30 years. gRPC takes what is far beyond for a deadline that has passed.
_MOST_SECONDS: Final = 1e9
_OVER: Final = -1.0  # seconds

_STRUCT: Final = "google.protobuf.Struct"
_EXACT: Final = 1 << 53
"""The contracts' numbers are doubles: whole numbers past this one are kept as text, or an id would become another."""

_shown = reprlib.Repr()
_shown.maxstring = _shown.maxother = 80


def filled(kind: type[Filled], **values: object) -> Filled:
    """Give a message of these fields. Raises InvalidArgument for a value that its field cannot hold."""
    given = {name: _given(kind.DESCRIPTOR.fields_by_name[name], value) for name, value in values.items()}
    try:
        return kind(**given)
    except (TypeError, ValueError) as error:
        for place, value, field in _unfit(kind, given):
            raise unfit(place, value, limit_of(field)) from error
        raise


def unfit(field: str, value: object, limit: str) -> InvalidArgument:
    """Give the error for an argument that no server needs to see. limit: what it must be."""
    shown = " ".join(_shown.repr(value).split())
    facts = {"field": field, "value": shown, "limit": limit}
    return InvalidArgument(f"{field} is {shown}; it must be {limit}", reason="FIELD_INVALID", metadata=facts)


def limit_of(field: Field) -> str:
    """Say what a field, or each value of a repeated one, must be."""
    if field.message_type is not None:
        return f"of type {field.message_type.name}"
    if field.enum_type is not None:
        return f"one of {', '.join(value.name for value in field.enum_type.values)}"
    if field.cpp_type in _WHOLE_NUMBERS:
        low, high = _WHOLE_NUMBERS[field.cpp_type]
        return f"a whole number, {low} to {high}"
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return "True or False"
    return "text that UTF-8 can hold" if field.cpp_type == FieldDescriptor.CPPTYPE_STRING else "a number"


def holds(field: Field, number: int) -> bool:
    """Say whether a number is none that is too large for its field."""
    low, high = _WHOLE_NUMBERS.get(field.cpp_type, (-sys.float_info.max, sys.float_info.max))
    return low <= number <= high


def whole(number: int) -> int | str:
    """Give a whole number as a Struct can hold it: past 2**53 as text."""
    return number if abs(number) <= _EXACT else str(number)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Give a JSON object, as json's object_pairs_hook. Raises ValueError where a name stands twice."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"{name!r} stands twice in an object")
        fields[name] = value
    return fields


def exact(kind: Any, value: Any) -> Any:  # noqa: ANN401  upb's class has no stub; JSON
    """Give the JSON of a message with the numbers of its Structs as these can hold them. kind: its descriptor."""
    if kind.full_name == _STRUCT:
        return _exact_json(value)
    if not isinstance(value, dict):
        return value
    given = dict(value)
    for name, each in value.items():
        inside = _inside(kind, name)
        if inside is not None:
            given[name] = [exact(inside, one) for one in each] if isinstance(each, list) else exact(inside, each)
    return given


def _inside(kind: Any, name: str) -> Any:  # noqa: ANN401  upb's class has no stub
    """Give the kind of a field that is a message, by either of its names; None for any other."""
    if not name.isascii():  # upb fails where one holds an unpaired surrogate
        return None
    field = kind.fields_by_name.get(name) or kind.fields_by_camelcase_name.get(name)
    return field and field.message_type


def _exact_json(value: object) -> object:
    if isinstance(value, dict):
        return {name: _exact_json(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_exact_json(each) for each in value]
    return whole(value) if isinstance(value, int) and not isinstance(value, bool) else value


def timestamp(time: datetime, field: str) -> Timestamp:
    """Give an aware datetime as a Timestamp. Raises InvalidArgument that names the field for anything else."""
    if not isinstance(time, datetime):
        raise unfit(field, time, "an aware datetime")
    if time.tzinfo is None:
        hint = "give an aware datetime, as datetime.now(UTC) is"
        facts = {"field": field, "value": str(time), "limit": "an aware datetime", "hint": hint}
        raise InvalidArgument(f"{field} has no time zone", reason="FIELD_INVALID", metadata=facts)
    given = Timestamp()
    try:
        given.FromDatetime(time)
    except (OverflowError, ValueError) as error:
        raise unfit(field, time, "a time of the years 1 to 9999 in UTC") from error
    return given


def seconds(timeout: float | None) -> float | None:
    """Give a timeout as it is, None for none; one that is used up is over for sure, which is the call's to tell.

    A deadline of this very moment is raced: a quick answer came before it. Raises InvalidArgument for what is no time.
    """
    if timeout is None:
        return None
    if isinstance(timeout, Real) and not math.isnan(timeout) and timeout <= _MOST_SECONDS:
        return timeout if timeout > 0 else min(timeout, _OVER)
    raise unfit("timeout", timeout, f"a number of seconds, at most {_MOST_SECONDS:.0f}, or None")


def _given(field: Field, value: object) -> object:
    """Give a value to put into a field: of a repeated one a list, for iterables are read once."""
    argument = _ARGUMENTS.get(field.name, field.name)
    if field.is_repeated:
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            raise unfit(argument, value, f"a list, and each value {limit_of(field)}")
        return list(value)
    if value is None and field.message_type is None:
        raise unfit(argument, value, limit_of(field))
    return value


def _unfit(kind: type[Message], given: Mapping[str, Any]) -> Iterator[tuple[str, object, Field]]:
    """Yield (place, value, field) of what cannot be held."""
    for name, value in given.items():
        field = kind.DESCRIPTOR.fields_by_name[name]
        argument = _ARGUMENTS.get(name, name)
        places = [(f"{argument}[{at}]", each, [each]) for at, each in enumerate(value)] if field.is_repeated else []
        for place, shown, put in places or [(argument, value, value)]:
            try:
                kind(**{name: put})
            except (TypeError, ValueError):
                yield place, shown, field
