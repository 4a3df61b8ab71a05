"""Fits the small classifiers of texts that the product reads with (`brain_core/text`: `linear`, `convolution`)."""
