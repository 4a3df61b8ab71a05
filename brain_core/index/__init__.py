"""Derived data: what is searched. Never trusted over the store; always rebuilt from it."""
