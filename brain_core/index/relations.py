"""How rows hang together: turns, versions, projects, addresses and links, in arrays; and what things are called.

Learned when it is first asked for, and then of the rows since: a memory that no query of mode relational looks at pays
nothing. All is read from the index itself, so a snapshot needs no more than it has. Who mentions whom is not kept: the
postings know it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.index.aliases import entity_names
from brain_core.index.chunks import NONE, ChunkTable, Names
from brain_core.index.derive import item_key
from brain_core.index.naming import ADDRESS, ITEM, PROJECT, Naming
from brain_core.kinds.kind import NO_PROJECT
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT

Ordinals = NDArray[np.int32]

_OF_PROJECTS = frozenset({"tasks", "decisions", "goals"})
"""Types whose keys are prefix:project:name, or prefix:subject:project:name."""

_SCHEME = re.compile(r"^(?:https?://(?:www\.)?|file://)")
_FILE_NAME = re.compile(r"[^/\\]+\.\w{1,8}$")
_BYTES_PER_NAME = 400  # a name, its folded form and its places, estimated


@dataclass(frozen=True, slots=True)
class Related:
    """What rows share. turn, item, project: int32[n], ordinals, -1 is none.

    addresses: (row, address) of each address that a row is about or rests on, int32[a, 2]. links: (row, item) of each
    link, int32[l, 2].
    """

    turn: Ordinals
    item: Ordinals
    project: Ordinals
    addresses: Ordinals
    links: Ordinals

    def until(self, row: int) -> Related:
        """Return the same without the rows from one on."""
        if row >= len(self.turn):
            return self
        pairs = (each[each[:, 0] < row] for each in (self.addresses, self.links))
        return Related(self.turn[:row], self.item[:row], self.project[:row], *pairs)


class Relations:
    """What is known of the rows of a memory beside their texts. Rows are only added."""

    def __init__(self) -> None:
        self.naming = Naming()
        self.addresses = Names()
        self._turns, self._items, self._projects = Names(), Names(), Names()
        self._turn_of_uri: list[int] = []
        self._columns: Ordinals = np.empty((0, 3), dtype=np.int32)  # turn, item, project
        self._address_pairs: list[tuple[int, int]] = []
        self._link_pairs: list[tuple[int, int]] = []
        self._related: Related | None = None

    @property
    def nbytes(self) -> int:
        """Bytes held, estimated."""
        names = len(self._turns) + len(self._items) + len(self._projects) + len(self.addresses)
        return self._columns.nbytes + 64 * (len(self._address_pairs) + len(self._link_pairs)) + _BYTES_PER_NAME * names

    def of(self, chunks: ChunkTable) -> Related:
        """Return what is known of all rows, those added since the last call among them."""
        if self._related is None or len(self._related.turn) < len(chunks):
            self._learn(chunks)
            turn, item, project = (np.ascontiguousarray(column) for column in self._columns.T)
            self._related = Related(turn, item, project, _pairs(self._address_pairs), _pairs(self._link_pairs))
        return self._related

    def _learn(self, chunks: ChunkTable) -> None:
        first = len(self._columns)
        fresh = np.full((len(chunks) - first, 3), NONE, dtype=np.int32)
        uris, kinds, uri = chunks.names["uri"], chunks.column("kind")[first:], chunks.column("uri")[first:]
        for ordinal in range(len(self._turn_of_uri), len(uris)):
            self._turn_of_uri.append(self._turns.ordinal(_turn_in(uris[ordinal])))
        there = uri != NONE  # of what was purged only the row's place is left
        said = there & np.isin(kinds, (CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT))
        fresh[said, 0] = np.array(self._turn_of_uri, dtype=np.int32)[uri[said]]
        others = np.flatnonzero(there & ~said).tolist()
        types = chunks.names["item_type"]
        for place, evidence in zip(others, chunks.records.read([first + place for place in others]), strict=True):
            fresh[place, 0] = self._turns.ordinal(evidence.ref.turn_id)
            if kinds[place] == CHUNK_KIND_ITEM:
                item_type = types[int(chunks.column("item_type")[first + place])]
                fresh[place, 1:] = self._item(first + place, item_type, evidence)
            else:
                self._address(first + place, evidence.source_uri)
        self._columns = np.concatenate([self._columns, fresh])

    def _item(self, row: int, item_type: str, evidence: Evidence) -> tuple[int, int]:
        """Take in an item's names, links and addresses; return the ordinals of item and project."""
        item = self._items.ordinal(evidence.ref.memory_item_id)
        for link in evidence.links:
            self._link_pairs.append((row, self._items.ordinal(link.item_id)))
        for address in evidence.evidence_refs:
            self._address(row, address)
        key = item_key(evidence)
        names = [key, evidence.ref.memory_item_id, evidence.source_uri]
        project = NONE
        if item_type == "entities":
            names += entity_names(evidence.snippet)
        if item_type in _OF_PROJECTS:
            of_project, name = key.split(":")[-2:]
            names += [name, name.replace("_", " ")]
            project = self._project(of_project)
        for name in names:
            self.naming.add(name, ITEM, item)
        return item, project

    def _project(self, name: str) -> int:
        if name == NO_PROJECT:
            return NONE
        project = self._projects.ordinal(name)
        for one in (name, name.replace("_", " ")):
            self.naming.add(one, PROJECT, project)
        return project

    def _address(self, row: int, address: str) -> None:
        number = self.addresses.ordinal(address)
        self._address_pairs.append((row, number))
        bare = _SCHEME.sub("", address).rstrip("/")
        file = _FILE_NAME.search(bare)
        for name in [address, bare, *([file[0]] if file and "/" in bare else [])]:
            self.naming.add(name, ADDRESS, number)


def _turn_in(uri: str) -> str:
    """Return the turn that an address of the conversation names, "" if it is another's."""
    return uri.rpartition("/")[2] if uri.startswith("smartbrain://") else ""


def _pairs(pairs: list[tuple[int, int]]) -> Ordinals:
    return np.array(pairs, dtype=np.int32).reshape(len(pairs), 2)
