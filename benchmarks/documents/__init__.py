"""Documents beside memory: how they are found, and what it costs to take them in."""
