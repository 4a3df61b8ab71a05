"""What each kernel is asked to do: one module per kernel."""
