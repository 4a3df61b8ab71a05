"""tantivy in memory. Its k1, b and idf are fixed, and are those asked for; it keeps a document's length in a byte."""

from collections.abc import Sequence
from importlib.metadata import version

import tantivy

from benchmarks.peers.lexical.engine import TOP, Document, Engine

_ANALYSER = "terms"


class Tantivy:
    """An index of one text field whose tokens are the terms between spaces."""

    told = f"tantivy {version('tantivy')}: in memory, one writer thread, commit and reload after an add"

    def __init__(self) -> None:
        schema = tantivy.SchemaBuilder()
        schema.add_integer_field("row", stored=True)
        schema.add_text_field("terms", stored=False, tokenizer_name=_ANALYSER, index_option="freq")
        self._schema = schema.build()
        self._index = tantivy.Index(self._schema)
        analyser = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        self._index.register_tokenizer(_ANALYSER, analyser)
        self._writer = self._index.writer(num_threads=1)
        self._rows = 0

    def build(self, documents: Sequence[Document]) -> None:
        """Add all and commit once."""
        for document in documents:
            self._append(document)
        self._publish()

    def top(self, query: Document) -> list[int]:
        """Search for any of the terms."""
        wanted = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "terms", term))
            for term in dict.fromkeys(query.terms)
        ]
        searcher = self._index.searcher()
        hits = searcher.search(tantivy.Query.boolean_query(wanted), TOP, count=False).hits
        return [searcher.doc(address)["row"][0] for _, address in hits]

    def add(self, document: Document) -> None:
        """Add, commit and reload: only then is it found."""
        self._append(document)
        self._publish()

    def _append(self, document: Document) -> None:
        self._writer.add_document(tantivy.Document(row=self._rows, terms=" ".join(document.terms)))
        self._rows += 1

    def _publish(self) -> None:
        self._writer.commit()
        self._index.reload()


def open_engine() -> Engine:
    """Make an empty one."""
    return Tantivy()
