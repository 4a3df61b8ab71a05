"""Stubs of the records that live only on disk."""
