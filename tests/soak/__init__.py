"""Hours of random use, watched for crashes and for growth: ``python -m tests.soak --hours 2 --seed 1``."""
