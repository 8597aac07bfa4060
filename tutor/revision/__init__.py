"""Revision: what is due, how an answer is graded, what is asked next, and what it all adds up to."""
