"""A context comes out: check → plan → search → rank → select → package."""
