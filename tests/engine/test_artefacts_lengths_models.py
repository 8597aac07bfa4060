"""What a log or a page of metrics tells is not asked for: mean lengths, a model by its file or by its numbers."""

from __future__ import annotations

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence
from engine.artefacts.evidence import read as artefact
from engine.diagnosis import judge
from engine.diagnosis.model import Scenario, Span

LABELS = '{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"}'
PAGE = f"""\
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{LABELS} 16.0
vllm:num_requests_waiting{LABELS} 143.0
vllm:prompt_tokens_total{LABELS} 1.2345e+07
vllm:generation_tokens_total{LABELS} 4.115e+06
vllm:request_success_total{{finished_reason="stop",model_name="meta-llama/Llama-3.1-8B-Instruct"}} 12000.0
vllm:request_success_total{{finished_reason="length",model_name="meta-llama/Llama-3.1-8B-Instruct"}} 345.0
"""


def scenario(text: str) -> Scenario:
    return feed.scenario(Evidence((artefact("server.log", [text.encode()]),)))


def asked(text: str) -> set[str]:
    return {one.input for one in judge.diagnose(scenario(text)).questions}


def test_counters_give_the_mean_lengths() -> None:
    found = scenario(PAGE)
    assert (found.prompt, found.output) == (Span(1000, 1000), Span(333, 333))
    assert not asked(PAGE) & {"prompt", "output"}


def test_counters_of_a_server_that_finished_hardly_any_give_none() -> None:
    found = scenario(PAGE.replace(" 12000.0", " 20.0").replace(" 345.0", " 1.0"))
    assert (found.prompt, found.output) == (None, None)


ITERATION = (
    "[11/30/2026-20:31:41] [TRT-LLM] [I] iter = 8121, global_rank = 0, rank = 0, currank_total_requests = 0/0, "
    "host_step_time = 9.71ms, prev_device_step_time = 8.2ms, timestamp = 2026-11-30 20:31:41, "
    "num_scheduled_requests: 8, states = {'num_ctx_requests': 0, 'num_ctx_tokens': 0, 'num_generation_tokens': 8}\n"
)


def test_an_iteration_of_tensorrt_llm_tells_what_runs_and_how_long_a_step_takes() -> None:
    found = scenario(ITERATION)
    assert (found.engine, found.running) == ("tensorrt-llm", 8)
    assert found.tpot is not None and float(found.tpot) == pytest.approx(0.00971)


def test_an_iteration_with_prompts_in_it_is_no_time_between_tokens() -> None:
    found = scenario(ITERATION.replace("'num_ctx_requests': 0", "'num_ctx_requests': 2"))
    assert (found.running, found.tpot) == (8, None)


LLAMA = """\
llama_model_loader: loaded meta data with 29 key-value pairs and 363 tensors from {path} (version GGUF V3 (latest))
print_info: file type   = Q4_K - Medium
print_info: file size   = 8.37 GiB (4.87 BPW)
print_info: n_embd           = 5120
print_info: n_layer          = 48
print_info: n_head           = 40
print_info: n_head_kv        = 8
print_info: n_embd_head_k    = 128
print_info: model params     = 14.77 B
llama_context: n_ctx         = 16384
"""


def test_the_file_that_llama_cpp_loads_names_the_model() -> None:
    found = scenario(LLAMA.format(path="/models/Qwen2.5-14B-Instruct-Q4_K_M.gguf"))
    assert found.model is not None and found.model.id == "Qwen/Qwen2.5-14B"
    assert "model" not in asked(LLAMA.format(path="/models/Qwen2.5-14B-Instruct-Q4_K_M.gguf"))
    failed = "srv    load_model: failed to load model, '/models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf'\n"
    other = scenario(failed)
    assert other.model is not None and other.model.id.endswith("Llama-3.1-8B")


@pytest.mark.parametrize("name", ["my-own", "foo-14B"])
def test_a_file_that_nobody_knows_is_the_model_that_its_numbers_describe(name: str) -> None:
    found = scenario(LLAMA.format(path=f"/models/{name}.gguf"))
    assert found.model is not None and not found.stand_in
    shape = (found.model.layers, found.model.d_model, found.model.heads, found.model.kv_heads, found.model.head_dim)
    assert shape == (48, 5120, 40, 8, 128)
    assert found.model.params == pytest.approx(14.77e9, rel=0.01)


def test_a_name_that_is_printed_counts_over_the_file() -> None:
    named = "llama_model_loader: - kv   2:  general.name str              = Qwen2.5 14B Instruct\n"
    found = scenario(LLAMA.format(path="/models/llama-2-7b.gguf") + named)
    assert found.model_name == "Qwen2.5 14B Instruct"
