"""A running server's page of metrics: fetched, sampled at intervals, watched."""
