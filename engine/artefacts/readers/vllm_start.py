"""What vLLM says while it starts: weights, the memory block of every era, the pool, graphs."""
