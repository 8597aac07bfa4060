"""Sentences in plain words and lines of logs, as signals."""
