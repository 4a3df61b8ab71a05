from libc.stdint cimport int8_t, uint32_t
from libcpp.vector cimport vector

cdef class Weights:
    cdef const int8_t[:, ::1] rows
    cdef const float[::1] bias
    cdef const float[:, ::1] meaning  # of each label: [labels, dimension]
    cdef float scale

    cdef int read_named(self, list named, vector[uint32_t]& found) except -1
    cdef void weigh(
        self, const char* utf8, Py_ssize_t size, const vector[uint32_t]& named, const float* meant, float* out,
    ) noexcept nogil
