"""The compiled part of retrieval.

Python decides what to compute; a kernel only computes it. Every public function here checks shapes and ranges in
`def`, then runs one `cdef ... noexcept nogil` loop over flat arrays with the GIL released. Rows (int32) name chunks;
among equal scores the lower row wins, so results are exact and `reference.py` can demand equality.

    query terms ─▶ bm25.Postings.score ─▶ scores[n] ─▶ bm25.top_k ─┐
    query vector ─▶ FAISS, or vectors.cosines of what is allowed ──┤ lists of rows
                                                                   ▼
                                                        fuse.fuse ─▶ rows, fused
                                                                   ▼
                                  their sessions ─▶ features.neighbours ─▶ rows beside them
                                                                   ▼
               chunk attributes, vectors.cosines ─▶ features.features ─▶ matrix[m, 13]
                                                                   ▼
                                         ranker.linear ─▶ score[m] ─▶ fuse.order
                                                                   ▼
                      vectors.expand ─▶ diversify.select (MMR, caps) ─▶ order, fates
                                                                   ▼
                         what stands beside them ─▶ passages.Passages (tokens) ─▶ pieces
                                                   budget.fit (tokens): all else of a prompt

Each kernel has a twin in `reference.py`, in plain NumPy, that says what it means.
"""
