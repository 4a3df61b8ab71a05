"""Types of command-line arguments that the benchmarks share."""

import argparse


def positive(text: str) -> int:
    """Read a whole number of at least 1; argparse turns what this raises into its usage error."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value
