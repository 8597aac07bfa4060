"""vLLM's serving benchmark: its Namespace line, its table, its JSON."""
