"""The key map: what stands where in a partition. These bytes are disk format.

    partition "s"              key "store"                          StoreRecord
    partition "m" memory_id    'S'                                  SpaceRecord
                               's' session_id                       Session
                               't' session_id 00 sequence(8)        Turn
                               'm' session_id 00 message_id         sequence(8): which turn has the message
                               'i' type 00 key                      MemoryItem, newest version
                               'v' type 00 key 00 version(4)        MemoryItem, every version
                               'j' type 00 key                      ordinal(8): chunk of the item's newest version
                               'c' ordinal(8)                       ChunkRecord
                               'l' revision(8)                      ChangeRecord
                               'r' request_id                       RequestRecord
    partition "c" memory_id    'k' context_id                       ContextRecord
                               'o' number(8)                        context_id: which to drop first

Numbers are unsigned, big-endian, so that they sort. Ids contain no control characters, so 00 ends them.
"""

from __future__ import annotations

STORE = b"s"
STORE_KEY = b"store"
MEMORIES = b"m"
SPACE = b"S"
SESSIONS = b"s"
TURNS = b"t"
MESSAGES = b"m"
ITEMS = b"i"
VERSIONS = b"v"
ITEM_CHUNKS = b"j"
CHUNKS = b"c"
CHANGES = b"l"
REQUESTS = b"r"
CONTEXTS = b"k"
CONTEXT_ORDER = b"o"


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
    return MESSAGES + session_id.encode() + b"\x00" + message_id.encode()


def item(item_type: str, key: str) -> bytes:
    """Return the key of an item's newest version."""
    return ITEMS + item_type.encode() + b"\x00" + key.encode()


def version(item_type: str, key: str, number_: int) -> bytes:
    """Return the key of one version of an item."""
    return VERSIONS + item_type.encode() + b"\x00" + key.encode() + b"\x00" + number(number_, 4)


def item_chunk(item_type: str, key: str) -> bytes:
    """Return the key under which the chunk of an item's newest version is named."""
    return ITEM_CHUNKS + item_type.encode() + b"\x00" + key.encode()


def chunk(ordinal: int) -> bytes:
    """Return the key of a chunk."""
    return CHUNKS + number(ordinal)


def change(revision: int) -> bytes:
    """Return the key of a revision's change."""
    return CHANGES + number(revision)


def request(request_id: str) -> bytes:
    """Return the key of a request's answer."""
    return REQUESTS + request_id.encode()


def context(context_id: str) -> bytes:
    """Return the key of a stored context."""
    return CONTEXTS + context_id.encode()


def context_order(number_: int) -> bytes:
    """Return the key that names the n-th context of a memory."""
    return CONTEXT_ORDER + number(number_)


def number_of(key: bytes) -> int:
    """Return the number at the end of a key."""
    return int.from_bytes(key[-8:], "big")
