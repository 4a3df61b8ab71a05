"""What the rules learn from conversations that nothing was tuned on: counts, and a sample to be judged by hand."""
