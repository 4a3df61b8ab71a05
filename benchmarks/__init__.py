"""Measurements of SmartBrain through its own doors: `quality` (what is found) and `engine` (how fast)."""
