"""Real questions asked at every token limit: is a package over it, does it leave out what it should."""
