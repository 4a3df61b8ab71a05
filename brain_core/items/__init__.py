"""Items read back: what is believed, what was believed, what changed, and what a commit answered."""
