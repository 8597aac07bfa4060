"""TensorRT-LLM's log and the results of trtllm-bench."""
