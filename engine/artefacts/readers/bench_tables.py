"""Tables of benchmark results: llama-bench, sweep-bench, AutoAWQ."""
