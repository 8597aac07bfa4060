"""Computes. Knows no text, no terminal, no database."""
