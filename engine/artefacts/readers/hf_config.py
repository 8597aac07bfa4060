"""A model's config.json, a quantization_config, an index of safetensors."""
