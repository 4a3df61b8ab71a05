"""Protobuf's wire format, read and written byte by byte: fields of bytes, varints and doubles.

https://protobuf.dev/programming-guides/encoding
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.math cimport signbit
from libc.stdint cimport uint64_t
from libc.string cimport memcpy
from libcpp.string cimport string
from libcpp.vector cimport vector

cdef enum:
    VARINT = 0
    FIXED64 = 1
    BYTES = 2
    FIXED32 = 5
    MOST_FIELDS = 0x1FFFFFFF

cdef struct Text:
    const unsigned char* start
    Py_ssize_t size


cdef inline bint read_varint(const unsigned char** at, const unsigned char* end, uint64_t* value) noexcept nogil:
    cdef int shift = 0
    cdef unsigned char byte
    value[0] = 0
    while at[0] < end and shift < 64:
        byte = at[0][0]
        value[0] |= <uint64_t>(byte & 0x7F) << shift
        at[0] += 1
        if byte < 0x80:
            return True
        shift += 7
    return False


cdef inline bint next_field(const unsigned char** at, const unsigned char* end, int* number, Text* value) noexcept nogil:
    """Read one field; value is blank unless it is of bytes. False where no field begins or it does not end."""
    cdef uint64_t tag, size
    if not read_varint(at, end, &tag):
        return False
    number[0] = <int>(tag >> 3)
    value.start, value.size = at[0], 0
    if tag & 7 == VARINT:
        return read_varint(at, end, &size)
    if tag & 7 == BYTES:
        if not read_varint(at, end, &size) or size > <uint64_t>(end - at[0]):
            return False
        value.start, value.size = at[0], <Py_ssize_t>size
        at[0] += size
        return True
    if tag & 7 == FIXED64 or tag & 7 == FIXED32:
        size = 8 if tag & 7 == FIXED64 else 4
        if size > <uint64_t>(end - at[0]):
            return False
        at[0] += size
        return True
    return False


cdef inline Text field_of(Text message, int wanted) noexcept nogil:
    """The last field of bytes of this number; blank if there is none."""
    cdef const unsigned char* at = message.start
    cdef const unsigned char* end = at + message.size
    cdef Text value, found
    cdef int number = 0
    found.start, found.size = at, 0
    while at < end and next_field(&at, end, &number, &value):
        if number == wanted:
            found = value
    return found


cdef inline void put_varint(string& out, uint64_t value) noexcept nogil:
    while value >= 0x80:
        out.push_back(<char>(value & 0x7F | 0x80))
        value >>= 7
    out.push_back(<char>value)


cdef inline void put_tag(string& out, int number, int kind) noexcept nogil:
    put_varint(out, <uint64_t>(number << 3 | kind))


cdef inline void put_number(string& out, int number, uint64_t value) noexcept nogil:
    put_tag(out, number, VARINT)
    put_varint(out, value)


cdef inline void put_bytes(string& out, int number, Text value) noexcept nogil:
    put_tag(out, number, BYTES)
    put_varint(out, <uint64_t>value.size)
    out.append(<const char*>value.start, value.size)


cdef inline void put_text(string& out, int number, Text text) noexcept nogil:
    """As put_bytes, but that nothing, the default, is left out."""
    if text.size:
        put_bytes(out, number, text)


cdef inline void put_message(string& out, int number, const string& message) noexcept nogil:
    put_bytes(out, number, text_in(message))


cdef inline void put_double(string& out, int number, double value) noexcept nogil:
    cdef char[8] raw
    memcpy(&raw[0], &value, 8)  # little-endian, as x86-64 and AArch64 have it
    put_tag(out, number, FIXED64)
    out.append(&raw[0], 8)


cdef inline void put_share(string& out, int number, double value) noexcept nogil:
    """As put_double, but that +0, the default, is left out."""
    if value != 0 or signbit(value):
        put_double(out, number, value)


cdef inline Text text_in(const string& bytes_) noexcept nogil:
    """What the string holds, until it is changed."""
    cdef Text text
    text.start, text.size = <const unsigned char*>bytes_.data(), <Py_ssize_t>bytes_.size()
    return text


cdef inline int find_texts(list held, Py_ssize_t wanted, str name, vector[Text]& found) except -1:
    """Find the UTF-8 of each str, or what each bytes holds; it is theirs. Raises ValueError if they are not `wanted`."""
    cdef Text text
    if len(held) != wanted:
        raise ValueError(f"{name} has {len(held)} entries, not {wanted}")
    for one in held:
        if isinstance(one, str):
            text.start = <const unsigned char*>PyUnicode_AsUTF8AndSize(one, &text.size)
        else:
            text.start, text.size = <const unsigned char*>PyBytes_AS_STRING(<bytes?>one), PyBytes_GET_SIZE(one)
        found.push_back(text)
    return 0


cdef inline int check_field(int field) except -1:
    if not 1 <= field <= MOST_FIELDS:
        raise ValueError(f"field must be in 1..{MOST_FIELDS}, got {field}")
    return 0
