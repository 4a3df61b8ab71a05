from libc.stdint cimport uint8_t
from libcpp.vector cimport vector

cdef class Filters:
    cdef const uint8_t[:, ::1] packed
    cdef const float[::1] filters, bias, base
    cdef const float[:, ::1] head
    cdef Py_ssize_t widths

    cdef int read_tokens(self, list tokens, vector[int]& ids) except -1
    cdef void weigh(self, const vector[int]& ids, float* out) noexcept nogil
