"""What turns text into vectors. The built-in model is a table lookup; nothing here opens a connection."""
