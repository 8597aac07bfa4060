"""The parent's side of the probe: which Python, which card, whether it may start, the child and what is kept of it."""
