"""The compiled part of retrieval.

Python decides what to compute; a kernel only computes it. Every public function here checks shapes and ranges in
`def`, then runs one `cdef ... noexcept nogil` loop over flat arrays with the GIL released. Rows (int32) name chunks;
among equal scores the lower row wins, so results are exact and `reference.py` can demand equality.

    query terms ─▶ bm25.Postings.score ─▶ scores[n] ─▶ bm25.top_k ─┐
    query vector ─▶ (FAISS, index/vector.py) ──────────────────────┤ lists of rows
                                                                   ▼
                                                        fuse.fuse ─▶ rows, fused
                                                                   ▼
                          chunk attributes, neighbours ─▶ features.features ─▶ matrix[m, 10]
                                                                   ▼
                                                        ranker.linear ─▶ score[m]
                                                                   ▼
                                        diversify.select (MMR, caps) ─▶ order, fates
                                                                   ▼
                                                 budget.fit (tokens) ─▶ kept

Each kernel has a twin in `reference.py`, in plain NumPy, that says what it means.
"""
