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

cdef struct Listed:  # what a list found, best first
    const int* rows
    const double* scores
    Py_ssize_t size
    double weight

cdef void join(const vector[Listed]& lists, int method, double rrf_k, vector[Entry]& entries) noexcept nogil
cdef int method_of(str method, double rrf_k) except -1
cdef int take(const int[::1] rows, const double[::1] scores, double weight, vector[Listed]& lists) except -1
