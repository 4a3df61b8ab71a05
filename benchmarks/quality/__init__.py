"""Retrieval quality: conversations replayed through systems turn by turn, questions asked, gold turns looked for."""
