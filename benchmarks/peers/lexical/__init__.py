"""SmartBrain's lexical index beside tantivy and bm25s: same terms, same formula, and are the best the same."""
