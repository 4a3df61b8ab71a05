"""Labelled sentences that the judge of what is worth learning (`brain_core/extract/worth.py`) is fitted on."""
