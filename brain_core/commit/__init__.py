"""A turn goes in: check, learn, resolve, one batch."""
