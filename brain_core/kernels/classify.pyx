"""Which of some labels a text is of: its words and what it means, weighed, and filters over its tokens beside them."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.math cimport exp
from libc.stdint cimport uint32_t
from libcpp.vector cimport vector

from brain_core.kernels.convolve cimport Filters
from brain_core.kernels.linear cimport Weights


cdef class Classifier:
    """Weights of words and filters of the same labels, of which exactly one is right."""

    cdef Weights words
    cdef Filters order

    def __init__(self, Weights words not None, Filters order not None):
        """Raises ValueError where they are not of as many labels, at least one."""
        if words.bias.shape[0] != order.base.shape[0] or words.bias.shape[0] == 0:
            raise ValueError(f"words are of {words.bias.shape[0]} labels, order of {order.base.shape[0]}")
        self.words, self.order = words, order

    def likeliest(
        self, str text not None, list named not None, const float[::1] meaning not None, list tokens not None,
    ):
        """Return (label, how likely it is of all, 0..1): that of the best sum of both scores, of equals the first.

        text, named, meaning: of one text, as texts, named and vectors of `linear.Weights.scores`. tokens: as one of the
        texts of `convolve.Filters.scores`. Raises ValueError, or UnicodeEncodeError for a surrogate.
        """
        cdef str lower = text.lower()
        cdef Py_ssize_t size = 0, label, labels = self.words.bias.shape[0], best = 0
        cdef const char* utf8 = PyUnicode_AsUTF8AndSize(lower, &size)
        cdef vector[uint32_t] rows
        cdef vector[int] ids
        cdef vector[float] scores, of_order
        cdef double total = 0
        if meaning.shape[0] != self.words.meaning.shape[1]:
            raise ValueError(f"meaning must have {self.words.meaning.shape[1]} numbers, got {meaning.shape[0]}")
        self.words.read_named(named, rows)
        self.order.read_tokens(tokens, ids)
        with nogil:
            scores.resize(labels)
            of_order.resize(labels)
            self.words.weigh(utf8, size, rows, &meaning[0], scores.data())
            self.order.weigh(ids, of_order.data())
            for label in range(labels):
                scores[label] += of_order[label]
                if scores[label] > scores[best]:
                    best = label
            for label in range(labels):
                total += exp(<double>scores[label] - scores[best])
        return best, 1 / total
