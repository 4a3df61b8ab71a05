from libc.stdint cimport uint16_t

cdef void multiply(
    const uint16_t[:, ::1] halves, const int[::1] rows, const float[::1] query, float* out
) noexcept nogil
