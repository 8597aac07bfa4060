"""Levers: what each changes, when it may be pulled, what it gains, and their order."""
