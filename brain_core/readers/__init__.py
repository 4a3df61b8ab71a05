"""From the bytes of a document to its sections: one small file per format, each the only one that knows its library."""
