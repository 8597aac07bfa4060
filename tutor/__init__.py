"""tutor: shows, asks, remembers. The app, the linear `--plain` study, the command line, progress."""

__version__ = "0.1.0"
"""The one place of the version; pyproject reads it (asking importlib.metadata for it costs 40 ms at start)."""
