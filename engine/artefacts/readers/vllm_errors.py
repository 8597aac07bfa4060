"""vLLM's refusals and warnings: length errors, no room for blocks, preemption."""
