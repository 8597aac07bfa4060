"""What a soak types and pastes: answers, names, logs, start commands, and letters that nobody expects."""

from __future__ import annotations

LESSONS = ("core/C0", "core/C1", "core/C2", "core/C3", "core/C4", "core/C5", "core/C6")
EXERCISES = (
    "core/L1.1", "core/L1.2", "core/L1.3", "core/L2.1", "core/L2.2", "core/L2.3", "core/L3.1", "core/L3.2", "core/L3.3",
    "core/L4.1", "core/L4.2", "core/L4.3", "core/L5.1a", "core/L5.1b",
)  # fmt: skip

ANSWERS = (
    "1.07 GB", "0.537 GB", "1.07", "1", "2*1*2048*32*4096*2", "26 GB", "13", "6.5", "80", "97.7 %", "0.31", "yes", "no",
    "haan", "nahi", "a", "b", "c", "kv", "idle", "prefill compute", "decode memory", "lagbhag 1.07 GB hoga", "2,1",
    "2*B*S*L*d_model*p", "1e999999", "((((((((", "-0", "1/0", "९.०७ GB", "1.07 GiB", "128", "49,000", "4096",
    "paged attention", "because the cache grows with each token and each request",
)  # fmt: skip

SEARCHED = ("kv", "cache", "L3", "zzz", "batch", "[b]", "ridge", "", "C", "%", "token")

VALUES = (
    "llama-3.1-8b", "qwen2.5-32b", "A100", "A100 SXM 80GB", "H100 SXM 80GB", "L4", "32k", "16-64", "fp16", "int4", "2k",
    "vllm", "several", "-1", "0", "1e30", "22ms", "max-num-seqs=64", "gpt-neverheard", "[/b]", "the cache is full",
)  # fmt: skip

LOG = """INFO 01-15 10:22:31 [config.py:1604] Using max model len 8192
INFO 01-15 10:22:45 [gpu_model_runner.py:1801] Model loading took 14.9889 GiB and 5.42 seconds
INFO 01-15 10:22:58 [kv_cache_utils.py:634] GPU KV cache size: 39,344 tokens
INFO 01-15 10:22:58 [kv_cache_utils.py:637] Maximum concurrency for 8,192 tokens per request: 4.80x
INFO 01-15 10:25:01 [loggers.py:118] Engine 000: Avg prompt throughput: 812.4 tokens/s, Avg generation throughput: \
655.1 tokens/s, Running: 41 reqs, Waiting: 23 reqs, GPU KV cache usage: 99.7%, Prefix cache hit rate: 0.0%
WARNING 01-15 10:25:03 [scheduler.py:1057] Sequence group 1183 is preempted by PreemptionMode.RECOMPUTE mode because \
there is not enough KV cache space. total_num_cumulative_preemption=101
"""

PASTES = (
    LOG,
    LOG * 40,
    "vllm serve Qwen/Qwen2.5-32B --max-model-len 8192 --gpu-memory-utilization 0.9",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.25 GiB of"
    " which 1.12 GiB is free.",
    '{"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8}',
    'model = "llama-3.1-8b"\ngpu = "A100 SXM 80GB"\nconcurrency = "16-64"\n',
    "/no/such/file.log",
    "नमस्ते 🙂 \x1b[31m red \x00 nul\r\nnext",
    "x" * 5000,
    "\n\n\n",
    "",
)

PROSE = "abcdefhijklmnoprstuvwxyz ABCDEFGHIKLMNOPRSTUVWXYZ0123456789.,%*+-/=()[]<>~^ GB हिंदी é 漢 🙂"
