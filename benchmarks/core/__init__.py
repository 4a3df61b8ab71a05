"""The core alone: from a text to the rows that answer it, in process, without store and server."""
