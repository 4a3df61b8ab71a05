"""The compiled part of retrieval.

Python decides what to compute; a kernel only computes it. Every public function here checks shapes and ranges in
`def`, then runs one `cdef ... noexcept nogil` loop over flat arrays with the GIL released. Rows (int32) name chunks;
among equal scores the lower row wins, so results are exact and `reference` can demand equality.

    query terms and others like them ─▶ words.ask ─▶ best.top_k ───┐
    query vector ─▶ scan.near, vectors.nearest of what it finds ───┤ lists of rows
                                                                   ▼
        chunk attributes, vectors, session sums ─▶ rank.rank ─▶ rows in final order, scores
                                                   (fuse.join: lists to one
                                                    features.find_neighbours: rows beside them
                                                    features.fill: matrix[m, 13], weighted mean)
                                                                   ▼
                      vectors.expand ─▶ diversify.select (MMR, caps) ─▶ places, drops
                                                                   ▼
                         what may go in, and when ─▶ offers.offered, top, rest, priced ─▶ rows in order, may_open
                         what stands beside them ─▶ passages.Passages (costs) ─▶ pieces
                                                   budget.fit (costs): all else of a prompt
                                                                   ▼
           serialised evidence ─▶ signals.told ─▶ evidence.context_evidences ─▶ bytes of the answer
                                                      reasons.dropped, reasons.expansions
                                     ─▶ pack.pack_evidences ─▶ evidences of a Retrieve

Beside all that, `linear.Weights` says what short texts read like by their words and `convolve.Filters` by runs of their
tokens; `classify.Classifier` asks both in one call.

Each kernel has a twin of its name in `reference`, in plain NumPy, that says what it means. `fuse.fuse`,
`features.features` and `features.neighbours` are steps of `rank.rank` as tests and benchmarks look at them, as
`bm25.Postings.rarest` is one of `words.ask`. `vocabulary.Vocabulary` gives terms the ids that `bm25` and `words` know
them by. `densest.densest` says which sentences are shown of a text that is too long.
"""
