"""What turns text into vectors, and a language model that may read along. endpoint.py alone opens connections."""
