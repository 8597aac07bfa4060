"""What vLLM and SGLang say they were started with: the engine's config line, Namespace and args lines."""
