"""The key map: what stands where in a partition. These bytes are disk format.

    partition "s"              key "store"                          StoreRecord
                               key "llm"                            SpentRecord
                               key "erased"                         empty: written when files were
                               "purge" 00 memory_id 00 number(8)    PurgeRecord: its bytes may still be there
                               "answered" 00 SHA-256(32)            DeleteMemoryResponse: of memory_id 00 request_id
    partition "m" memory_id    'S'                                  SpaceRecord
                               's' session_id                       Session
                               't' session_id 00 sequence(8)        Turn
                               'm' session_id 00 message_id         sequence(8): which turn has the message
                               'i' type 00 key                      MemoryItem, newest version
                               'v' type 00 key 00 version(4)        MemoryItem, every version
                               'n' type 00 age(8) age(4) key        empty: an active item, newest first
                               'j' type 00 key                      ordinal(8): chunk of the item's newest version
                               'd' item id 00 type 00 key           empty: this item depends on that one
                               'c' ordinal(8)                       ChunkRecord
                               'l' revision(8)                      ChangeRecord
                               'e' revision(8)                      CommitRecord: what the commit answered
                               'r' request_id                       RequestRecord
                               'x' session_id 00 revision(8)        empty: the revision wrote items of the session
                               'w' session_id                       SummaryProgress: how far its summary is
                               'W' session_id 00 version(4)         SummaryRecord, the newest versions
                               'B'                                  CoreRecord: what every context carries
                               'L'                                  LearnedRecord: how far a language model has read
                               'a' revision(8)                      SetAsideRecord: a turn it could not read
                               'D' document_id                      DocumentRecord
                               'P' document_id 00 number(4)         SectionRecord: the n-th section of a document
                               'U' source_uri                       document_id: the document of an address
                               'G' tag_id 00 document_id            empty: the document has the tag
                               'H' topic_id 00 document_id          empty: the document has the topic
    partition "f" memory_id    'F'                                  FollowedRecord: how far refs were followed
    partition "c" memory_id    'k' context_id                       ContextRecord
                               'o' number(8)                        context_id: which to drop first

Numbers are unsigned, big-endian, so that they sort. Ids contain no control characters, so 00 ends them.
"""

from __future__ import annotations

import hashlib

STORE = b"s"
STORE_KEY = b"store"
SPENT = b"llm"
PURGES = b"purge\x00"
ANSWERED = b"answered\x00"
MEMORIES = b"m"
SPACE = b"S"
SESSIONS = b"s"
TURNS = b"t"
MESSAGES = b"m"
ITEMS = b"i"
VERSIONS = b"v"
NEWEST = b"n"
ITEM_CHUNKS = b"j"
DEPENDENTS = b"d"
CHUNKS = b"c"
CHANGES = b"l"
COMMITS = b"e"
REQUESTS = b"r"
SESSION_CHANGES = b"x"
SUMMARIES_PROGRESS = b"w"
SUMMARIES = b"W"
CORE = b"B"
LEARNED = b"L"
SET_ASIDE = b"a"
DOCUMENTS = b"D"
SECTIONS = b"P"
ADDRESSES = b"U"
TAGS = b"G"
TOPICS = b"H"
FOLLOWED = b"F"
CONTEXTS = b"k"
CONTEXT_ORDER = b"o"
_LAST = 2**63 - 1
_LAST_VERSION = 2**31 - 1


def number(value: int, size: int = 8) -> bytes:
    """Return a number as it stands in a key."""
    return value.to_bytes(size, "big")


def memory(memory_id: str) -> bytes:
    """Return the partition of a memory."""
    return MEMORIES + memory_id.encode()


def memory_id_of(partition: bytes) -> str:
    """Return the memory of a partition."""
    return partition[len(MEMORIES) :].decode()


def contexts(memory_id: str) -> bytes:
    """Return the partition of a memory's stored contexts."""
    return b"c" + memory_id.encode()


def followed(memory_id: str) -> bytes:
    """Return the partition of how far a memory's refs were followed."""
    return b"f" + memory_id.encode()


def session(session_id: str) -> bytes:
    """Return the key of a session."""
    return SESSIONS + session_id.encode()


def turns(session_id: str) -> bytes:
    """Return the prefix of a session's turns."""
    return TURNS + session_id.encode() + b"\x00"


def turn(session_id: str, sequence: int) -> bytes:
    """Return the key of a turn."""
    return turns(session_id) + number(sequence)


def message(session_id: str, message_id: str) -> bytes:
    """Return the key under which a message's turn stands."""
    return messages(session_id) + message_id.encode()


def messages(session_id: str) -> bytes:
    """Return the prefix of the places of a session's messages."""
    return MESSAGES + session_id.encode() + b"\x00"


def items(item_type: str, key_prefix: str = "") -> bytes:
    """Return the prefix of a type's items, those whose keys begin so."""
    return ITEMS + item_type.encode() + b"\x00" + key_prefix.encode()


def item(item_type: str, key: str) -> bytes:
    """Return the key of an item's newest version."""
    return items(item_type, key)


def versions(item_type: str, key: str) -> bytes:
    """Return the prefix of an item's versions."""
    return VERSIONS + item_type.encode() + b"\x00" + key.encode() + b"\x00"


def version(item_type: str, key: str, number_: int) -> bytes:
    """Return the key of one version of an item."""
    return versions(item_type, key) + number(number_, 4)


def newest(item_type: str) -> bytes:
    """Return the prefix under which a type's active items are named, the newest first."""
    return NEWEST + item_type.encode() + b"\x00"


def newest_item(item_type: str, key: str, revision: int, version_: int) -> bytes:
    """Return the key that names an active item: the later its version was written, the earlier it sorts."""
    return newest(item_type) + number(_LAST - revision) + number(_LAST_VERSION - version_, 4) + key.encode()


def key_of_newest(found: bytes, item_type: str) -> str:
    """Return the item's key in a key of `newest_item`."""
    return found[len(newest(item_type)) + 12 :].decode()


def item_chunk(item_type: str, key: str) -> bytes:
    """Return the key under which the chunk of an item's newest version is named."""
    return ITEM_CHUNKS + item_type.encode() + b"\x00" + key.encode()


def dependents(item_id: str) -> bytes:
    """Return the prefix under which the items that depend on one are named."""
    return DEPENDENTS + item_id.encode() + b"\x00"


def dependent(item_id: str, item_type: str, key: str) -> bytes:
    """Return the key that names an item that depends on another."""
    return dependents(item_id) + item_type.encode() + b"\x00" + key.encode()


def chunk(ordinal: int) -> bytes:
    """Return the key of a chunk."""
    return CHUNKS + number(ordinal)


def change(revision: int) -> bytes:
    """Return the key of a revision's change."""
    return CHANGES + number(revision)


def commit(revision: int) -> bytes:
    """Return the key of what a revision's commit answered."""
    return COMMITS + number(revision)


def set_aside(revision: int) -> bytes:
    """Return the key of a turn that a language model could not read, by the revision that added it."""
    return SET_ASIDE + number(revision)


def request(request_id: str) -> bytes:
    """Return the key of a request's answer."""
    return REQUESTS + request_id.encode()


def session_changes(session_id: str) -> bytes:
    """Return the prefix of the revisions that wrote items of a session."""
    return SESSION_CHANGES + session_id.encode() + b"\x00"


def session_change(session_id: str, revision: int) -> bytes:
    """Return the key that says that a revision wrote items of a session."""
    return session_changes(session_id) + number(revision)


def summary_progress(session_id: str) -> bytes:
    """Return the key of how far a session's summary is."""
    return SUMMARIES_PROGRESS + session_id.encode()


def summaries(session_id: str) -> bytes:
    """Return the prefix of the versions of a session's summary."""
    return SUMMARIES + session_id.encode() + b"\x00"


def summary(session_id: str, number_: int) -> bytes:
    """Return the key of one version of a session's summary."""
    return summaries(session_id) + number(number_, 4)


def document(document_id: str) -> bytes:
    """Return the key of a document."""
    return DOCUMENTS + document_id.encode()


def sections(document_id: str) -> bytes:
    """Return the prefix of a document's sections."""
    return SECTIONS + document_id.encode() + b"\x00"


def section(document_id: str, number_: int) -> bytes:
    """Return the key of the n-th section of a document, from 0."""
    return sections(document_id) + number(number_, 4)


def address(source_uri: str) -> bytes:
    """Return the key under which the document of an address is named."""
    return ADDRESSES + source_uri.encode()


def labelled(kind: bytes, label: str) -> bytes:
    """Return the prefix under which the documents with a label are named. kind: TAGS or TOPICS."""
    return kind + label.encode() + b"\x00"


def purge(memory_id: str, number_: int) -> bytes:
    """Return the key of a purge of a memory."""
    return purges(memory_id) + number(number_)


def answered_purge(memory_id: str, request_id: str) -> bytes:
    """Return the key of what the purge of a whole memory was answered; it tells neither of the two."""
    return ANSWERED + hashlib.sha256(f"{memory_id}\x00{request_id}".encode()).digest()


def purges(memory_id: str) -> bytes:
    """Return the prefix of a memory's purges."""
    return PURGES + memory_id.encode() + b"\x00"


def context(context_id: str) -> bytes:
    """Return the key of a stored context."""
    return CONTEXTS + context_id.encode()


def context_order(number_: int) -> bytes:
    """Return the key that names the n-th context of a memory."""
    return CONTEXT_ORDER + number(number_)


def number_of(key: bytes) -> int:
    """Return the number at the end of a key."""
    return int.from_bytes(key[-8:], "big")
