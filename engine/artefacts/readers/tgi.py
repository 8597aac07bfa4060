"""Text Generation Inference: its limits and the errors of its warm-up."""
