"""Evidence as the index holds it, serialised one record after the other: where a record stands and what it says.

Field numbers are those of smartbrain.v1 (evidence.proto). A field that stands twice counts as it stands last.
"""

from libc.stdint cimport int64_t
from libc.string cimport memset

from brain_core.kernels.wire cimport Text, field_of, next_field


cdef extern from "products.h" nogil:
    void prefetch(const void* place) noexcept


cdef struct Joined:
    const unsigned char* start
    const int64_t* ends  # of part r: ends[r] and ends[r + 1]


cdef struct Record:
    Text id
    Text title
    Text uri
    Text snippet
    Text metadata
    Text ref


cdef inline Text part(const Joined* of, Py_ssize_t number) noexcept nogil:
    cdef Text found
    found.start, found.size = of.start + of.ends[number], of.ends[number + 1] - of.ends[number]
    return found


cdef inline bint read_record(const Joined* records, Py_ssize_t row, Record* record) noexcept nogil:
    """Find the fields of a record. False if it is no message."""
    cdef Text whole = part(records, row)
    cdef const unsigned char* at = whole.start
    cdef const unsigned char* end = at + whole.size
    cdef int number = 0
    cdef Text value
    memset(record, 0, sizeof(Record))
    while at < end:
        if not next_field(&at, end, &number, &value):
            return False
        if number == 1:
            record.id = value
        elif number == 5:
            record.title = value
        elif number == 6:
            record.uri = value
        elif number == 8:
            record.snippet = value
        elif number == 13:
            record.metadata = value
        elif number == 15:
            record.ref = value
    return True


cdef inline Text item_of(const Record* record) noexcept nogil:
    """The id of the item that the record is a version of; blank if it is none."""
    return field_of(record.ref, 5)


cdef inline Text created_of(const Record* record) noexcept nogil:
    """When it was said, a Timestamp as it was serialised; blank if that is not known."""
    return field_of(record.metadata, 8)


cdef inline Joined joined(const unsigned char[::1] content, const int64_t[::1] ends) noexcept:
    cdef Joined parts
    parts.start, parts.ends = &content[0], &ends[0]
    return parts


cdef inline int check_record(const unsigned char[::1] content, const int64_t[::1] ends, Py_ssize_t row) except -1:
    """Raise IndexError or ValueError unless the record stands in the content."""
    if row < 0 or row + 1 >= ends.shape[0]:
        raise IndexError(f"row {row} is not in 0..{ends.shape[0] - 2}")
    if not 0 <= ends[row] <= ends[row + 1] <= content.shape[0]:
        raise ValueError(f"record {row} does not stand in the content")
    return 0


cdef inline int check_records(
    const unsigned char[::1] content, const int64_t[::1] ends, const int[::1] rows
) except -1:
    """As check_record, of each; they are on their way then, for they stand anywhere in memory."""
    cdef Py_ssize_t i
    for i in range(rows.shape[0]):
        check_record(content, ends, rows[i])
        prefetch(&content[0] + ends[rows[i]])
    return 0
