"""The README kept true: what it shows is the program's own output, and what it names exists."""
