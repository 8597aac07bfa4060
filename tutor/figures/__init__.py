"""The figures of the course: interactive drawings in text cells, each a pure function of a small state."""
