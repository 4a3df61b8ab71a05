"""Each kernel beside its NumPy twin and a naive Python one."""
