"""What all tests share: hypothesis draws the same examples every time."""

from hypothesis import settings

settings.register_profile("same", derandomize=True, max_examples=25, deadline=None, database=None)
settings.load_profile("same")
