"""Whether a number is one of a few, which are looked through one after the other."""


cdef inline bint among(int number, const int[::1] numbers) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(numbers.shape[0]):
        if numbers[i] == number:
            return True
    return False
