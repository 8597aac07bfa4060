"""Checks answers: the verdict, and which broken calculation gives a wrong value."""
