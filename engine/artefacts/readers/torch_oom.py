"""PyTorch's out-of-memory text, of every version."""
