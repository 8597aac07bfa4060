"""Which cards, how many, in which formats: one sweep over all configurations, and the table."""
