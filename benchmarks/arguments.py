"""Types of command-line arguments that the benchmarks share."""

import argparse
import math


def positive(text: str) -> int:
    """Read a whole number of at least 1; argparse turns what this raises into its usage error."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def seconds(text: str) -> float:
    """Read a number of seconds above 0; argparse turns what this raises into its usage error."""
    value = float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError("must be above 0")
    return value
