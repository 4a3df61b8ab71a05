"""What is known of the world: entities, knowledge, patches, notes."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

from smartbrain.v1.item_pb2 import LAYER_LONGTERM

from brain_core.errors import require
from brain_core.kinds.kind import LAYERS, Kind, Value, lines, listed, path
from brain_core.kinds.merge import counted
from brain_core.kinds.shape import DAY, OBJECT, TEXT, TEXTS, Field, entries, number, word
from brain_core.kinds.subject import FIELDS, SPELLING, in_path, name_of
from brain_core.kinds.told_of import told_of

ENTITY_KINDS = ("person", "org", "repo", "file", "url", "topic", "other")
KNOWLEDGE_KINDS = ("fact", "procedure", "preference", "correction")
PATCH_KINDS = ("technology", "policy", "event", "correction")
NAMESPACES = ("project", "workflow", "user", "task", "system")
VIEWS = ("system://boot", "system://index", "system://recent", "system://stats")
"""Addresses that are computed and cannot be written."""

_UNSAFE = re.compile(r"[^\w.~:/?#\[\]@!$&'()*+,;=%-]")
_ADDRESS = re.compile(rf"(?:{'|'.join(NAMESPACES)})://[^\s:/][^\s]*")


def _entity(value: Value) -> str:
    attributes = value.get("attrs", {})
    return lines(
        f"{value['kind']}: {value['canonical']}",
        listed("Also called", value.get("aliases"), ", "),
        *(f"{name}: {attributes[name]}" for name in sorted(attributes)),
    )


def _knowledge(value: Value) -> str:
    name = name_of(value)
    told_by = f" told by {name}" if name else ""
    said = (name and told_of(str(value["content"]), name)) or value["content"]
    return f"{str(value['kind']).capitalize()}{told_by}: {said}"


def _patch(value: Value) -> str:
    return lines(
        f"Since {value['event_date']} ({value['kind']}): {value['description']}",
        listed("Concerns", value.get("domains"), ", "),
        listed("No longer", value.get("remove")),
        "; ".join(f"Not {each['old']} but {each['new']}" for each in value.get("update", ())),
        listed("New", value.get("add")),
    )


def _note(value: Value) -> str:
    return lines(str(value.get("title", "")), str(value["content"]))


def note_key(value: Value) -> str:
    """Return the address of a note in one spelling: NFKC, white space and what is not ASCII left readable.

    Raises InvalidArgument if it is none, or one of the computed views.
    """
    address = unicodedata.normalize("NFKC", str(value["uri"])).strip().rstrip("/")
    limit = " | ".join(f"{each}://…" for each in NAMESPACES)
    require(bool(_ADDRESS.fullmatch(address)), "uri", value["uri"], limit, "is no address of a note")
    require(address not in VIEWS, "uri", address, f"not one of {' | '.join(VIEWS)}", "is computed")
    return address


WORLD = (
    Kind(
        type="entities", prefix="entity", parts=("kind", "canonical"), policy="accumulate",
        fields={
            "kind": word(*ENTITY_KINDS), "canonical": TEXT, "aliases": TEXTS, "attrs": OBJECT, "mentions": number(0),
        },
        required=("canonical",), defaults={"kind": "other", "mentions": 1},
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "entity", priority=lambda _: 5,
        render=_entity, uri=lambda v: f"project://entities/{path(v['kind'], v['canonical'])}",
        merge=counted, quiet=("mentions",), counters=("mentions",),
        compared=("canonical",),
    ),
    Kind(
        type="knowledge", prefix="knowledge", parts=("kind", "slug"), policy="knowledge",
        fields={**FIELDS, "kind": word(*KNOWLEDGE_KINDS), "slug": TEXT, "content": TEXT},
        required=("content",), defaults={"kind": "fact"}, slugged=("slug", "content"),
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "knowledge", priority=lambda _: 3,
        render=_knowledge, uri=lambda v: f"project://knowledge/{path(*in_path(v), v['kind'], v['slug'])}",
        compared=("content",), asserts=True, quiet=SPELLING, of_somebody=True,
    ),
    Kind(
        type="patches", prefix="patch", parts=("kind", "slug"), policy="versioned",
        fields={
            "kind": word(*PATCH_KINDS), "slug": TEXT, "description": TEXT, "event_date": DAY, "domains": TEXTS,
            "remove": TEXTS, "add": TEXTS, "update": entries(("old", "new"), old=TEXT, new=TEXT),
            "source_url": Field("text", most=4096),
        },
        required=("description", "event_date"), defaults={"kind": "correction"}, slugged=("slug", "description"),
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "patch", priority=lambda _: 1,
        render=_patch, uri=lambda v: f"system://patches/{path(v['kind'], v['slug'])}",
        compared=("description",),
    ),
    Kind(
        type="notes", prefix="", parts=(), policy="overwrite", whole_key=note_key,
        fields={
            "uri": Field("text", most=1024), "title": TEXT, "content": TEXT, "layer": word(*LAYERS), "category": TEXT,
        },
        required=("uri", "content"), defaults={"layer": "longterm", "category": "note"},
        layer=lambda v: LAYERS[v["layer"]], category=lambda v: str(v["category"]), priority=lambda _: 5,
        render=_note, uri=lambda v: _UNSAFE.sub(lambda found: quote(found[0]), note_key(v)),
    ),
)  # fmt: skip
"""Rows of what is said of the world."""
