"""Fits the judge of what is worth learning (`brain_core/extract/worth.py`) on labelled sentences."""
