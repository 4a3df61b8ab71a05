"""Columns of what a place of a ranking was given: of its ranks, int32[m, 2], and of its scores, float64[m, 5]."""

cdef enum:
    MEANING = 0  # a column of the ranks, and of the scores that they are by
    WORDS = 1
    RANK_COLUMNS = 2
    FUSED = 2
    FINAL = 3
    RECENCY = 4
    SIGNAL_COLUMNS = 5


cdef inline int check_given(
    const int[:, ::1] ranks, const double[:, ::1] signals, const double[::1] scores, Py_ssize_t pieces
) except -1:
    """Raise ValueError unless each of the pieces has its ranks, its signals and its score."""
    if {ranks.shape[0], signals.shape[0], scores.shape[0]} != {pieces}:
        raise ValueError(f"ranks, signals and scores must be of {pieces} pieces")
    if ranks.shape[1] != RANK_COLUMNS or signals.shape[1] != SIGNAL_COLUMNS:
        raise ValueError(f"ranks and signals must have {RANK_COLUMNS} and {SIGNAL_COLUMNS} columns")
    return 0
