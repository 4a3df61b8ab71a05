"""Many small memories in one brain whose cache holds only some of them."""
