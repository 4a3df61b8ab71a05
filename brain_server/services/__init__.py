"""One shape for every call: read the request, call the brain, translate the error, write the answer."""
