"""vLLM's latency and throughput benchmarks, and SGLang's: lines and JSON."""
