"""How the built-in embedding table is made: texts, the teacher's vectors for them, the fit, the files."""
