"""Truth: what was said and what is known, as records in an ordered key-value store."""
