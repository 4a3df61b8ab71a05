from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

cdef struct Columns:
    const int* before
    const int* after
    const int* start
    const int* session
    const int* speaker
    const int* chars
    const unsigned char* assistant
    const unsigned char* first_person
    const long long* time_us
    const unsigned char* priority
    const float* confidence

cdef enum:
    FEATURES = 13

cdef void fill(
    const vector[int]& rows, const float[::1] lexical, const uint64_t[::1] masks, const double[::1] weights,
    const double[::1] session_lexical, double word_trust, const float* cosine, const float* session_cosine,
    double mean, double deviation, double vector_trust, const unsigned char[::1] named, const Columns* of,
    long long now_us, double half_life_us, double* out,
) noexcept nogil
cdef int check_rows(const int* rows, Py_ssize_t m, const Columns* of, Py_ssize_t n) except -1
cdef void find_neighbours(
    const int* rows, Py_ssize_t m, Py_ssize_t most, const int* before, const int* after, const unsigned char* allowed,
    vector[int]& found,
) noexcept nogil
