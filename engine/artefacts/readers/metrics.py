"""Pages of /metrics in the Prometheus text format."""
