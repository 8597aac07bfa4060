"""Every formula once: its text, its symbols, its unit and its source; evaluated exactly, by numpy or by sympy."""
