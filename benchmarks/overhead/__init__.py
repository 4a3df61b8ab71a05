"""What the planner and the trace add to ComposeContext."""
