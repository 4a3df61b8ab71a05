from libcpp.vector cimport vector

cdef extern from "order.h" nogil:
    cdef struct Entry:
        double score
        long long tie
        int row
        int place

    cdef cppclass RowPlaces:
        RowPlaces(size_t rows)
        int& operator[](int row)

    cdef cppclass ComesFirst:
        ComesFirst()

cdef void join(
    const int[::1] rows, const double[::1] scores, const long long[::1] offsets, const double[::1] weights,
    int method, double rrf_k, vector[Entry]& entries,
) noexcept nogil
cdef int check_lists(
    const int[::1] rows, const double[::1] scores, const long long[::1] offsets, const double[::1] weights, double rrf_k
) except -1
