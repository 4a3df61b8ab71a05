from libc.stdint cimport int16_t, uint8_t
from libcpp.vector cimport vector

cdef enum:
    SCALE = 4  # bytes of a row that are its scale

cdef float wholes_of(const float[::1] query, vector[int16_t]& wholes) noexcept nogil
cdef void multiply(
    const uint8_t[:, ::1] packed, const int* rows, Py_ssize_t m, const int16_t* wholes, float scale, float* out
) noexcept nogil
