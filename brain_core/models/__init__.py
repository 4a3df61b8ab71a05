"""What turns text into vectors. The built-in model is a table lookup; openai.py alone opens connections."""
