"""The flags of all engines: which field of a scenario each sets, and how its value is read. Data, no rules.

Names are written with "_", without leading dashes, in lower case; a dot of a nested name is "_" too. Of a switch the
table has the bare name ("prefix_caching"): "enable_", "use_", "disable_" and "no_" before it are understood.
Source: the option tables of vLLM, SGLang, TensorRT-LLM, llama.cpp and TGI named in the project's table of flags, and
the options of LMDeploy, TabbyAPI (ExLlama), Ollama and transformers by their documentation.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.diagnosis.model import Engine
from engine.diagnosis.settings import flag_meanings as meanings
from engine.diagnosis.settings import flag_values as values
from engine.diagnosis.settings.flag_meanings import Reader


class Flag(NamedTuple):
    """What some names set.

    Attributes:
        field: of :class:`engine.diagnosis.model.Scenario`; "" where the reader gives fields by name.
        read: the reader of the value.
        names: the names, apart by blanks.
        only: the engines for which the names mean this; empty for every other one.
        switch: whether the value is on or off, so that "disable_" before a name turns it round.
        rank: of two flags that set one field the higher wins; 0 is of those that hold only where nothing else, not
            even another source, says it (``--dtype`` beside a quantized checkpoint).
    """

    field: str
    read: Reader
    names: str
    only: tuple[Engine, ...] = ()
    switch: bool = False
    rank: int = 1


def _switch(field: str, names: str, *only: Engine) -> Flag:
    return Flag(field, values.switch, names, only, switch=True)


def _off(field: str, names: str, *only: Engine) -> Flag:
    return Flag(field, values.inverse, names, only, switch=True)


_PAGED: tuple[Engine, ...] = ("vllm", "sglang", "tensorrt-llm", "tgi", "lmdeploy", "exllama", "transformers")
"""Engines in which a context is one request's, not the whole server's."""

FLAGS: tuple[Flag, ...] = (
    # --- ranks ---
    Flag("tp", values.ranks,
         "tensor_parallel_size tensor_parallel tp tp_size tensor_parallel_degree tensor_parallel_count num_shard "
         "tensor_model_parallel_size attn_tp_size"),
    Flag("pp", values.ranks, "pipeline_parallel_size pipeline_parallel pp pp_size pipeline_model_parallel_size"),
    Flag("dp", values.ranks, "data_parallel_size data_parallel dp dp_size data_parallel_replicas replicas"),
    Flag("", meanings.spread, "parallelism parallel_config parallel_strategy parallelization ranks"),
    _switch("expert_parallel", "expert_parallel expert_parallelism"),
    Flag("expert_parallel", meanings.several, "expert_parallel_size ep ep_size moe_expert_parallel_size moe_ep_size"),
    Flag("nodes", values.ranks, "nnodes num_nodes nodes"),
    Flag("link", meanings.link, "link interconnect topology topo nvlink_topology gpu_link gpu_interconnect"),
    Flag("link", meanings.nvlink, "nvlink"),
    _off("no_custom_all_reduce", "custom_all_reduce"),
    _switch("attention_dp", "enable_dp_attention enable_attention_dp"),
    _switch("p2p_off", "nccl_p2p_disable"),
    _off("p2p_off", "p2p peer_to_peer"),
    # --- memory ---
    Flag("utilization", values.positive_share,
         "gpu_memory_utilization gpu_memory_utilisation gpu_mem_util gpu_utilization_target memory_utilization "
         "mem_fraction_static mem_fraction free_gpu_memory_fraction kv_cache_free_gpu_memory_fraction "
         "kv_cache_free_gpu_mem_fraction kv_cache_config_free_gpu_memory_fraction cuda_memory_fraction "
         "cache_max_entry_count"),
    Flag("", meanings.pool,
         "kv_cache_memory_bytes kv_cache_memory kv_cache kv_cache_pool kv_pool kv_cache_size "
         "kv_cache_config_max_gpu_total_bytes max_gpu_total_bytes gpu_kv_cache_size"),
    Flag("kv_pool_tokens", values.count,
         "max_batch_total_tokens kv_cache_config_max_tokens max_tokens_in_paged_kv_cache kv_cache_tokens "
         "max_total_num_tokens"),
    Flag("kv_pool_tokens", values.count, "max_total_tokens", ("sglang",)),
    Flag("max_model_len", values.count, "max_total_tokens", ("tgi",)),
    Flag("kv_pool_tokens", values.count, "cache_size", ("exllama",)),
    Flag("", meanings.pool_blocks, "num_gpu_blocks_override num_gpu_blocks"),
    Flag("block_size", values.count,
         "block_size page_size tokens_per_block kv_cache_config_tokens_per_block cache_block_seq_len "
         "attention_block_size attention_block kv_block_size"),
    Flag("watermark", values.share, "watermark"),
    Flag("kv", values.kv,
         "kv_cache_dtype cache_type_k ctk cache_type_v ctv kv_cache_config_dtype kv_dtype kv_quant kv_cache_quant "
         "quant_policy cache_mode kv_cache_quant_algo kv_cache_type ollama_kv_cache_type"),
    Flag("weights", values.weights_tgi, "quantize", ("tgi",)),
    Flag("weights", values.weights, "quantization quantize quant quant_method model_format weights_format quant_algo"),
    Flag("weights", meanings.bits("nf4"), "load_in_4bit"),
    Flag("weights", meanings.bits("int8"), "load_in_8bit"),
    Flag("weights", meanings.bits("nf4-double"), "bnb_4bit_use_double_quant", rank=2),
    Flag("weights", values.weights, "dtype torch_dtype precision", rank=0),
    _switch("act_order", "desc_act act_order"),
    Flag("cpu_offload", values.gibibytes, "cpu_offload_gb cpu_offload"),
    Flag("gpu_layers", meanings.layers, "n_gpu_layers ngl gpu_layers num_gpu_layers"),
    Flag("gpu_layers", meanings.layers, "num_gpu", ("ollama",)),
    Flag("expert_offload", values.present,
         "n_cpu_moe ncmoe cpu_moe cmoe kt_weight_path kt_amx_weight_path expert_offload"),
    Flag("expert_offload", meanings.given, "kt_num_gpu_experts"),
    Flag("expert_offload", meanings.experts_elsewhere, "override_tensor ot cpu_offload_params"),
    # --- lengths, caps and budgets ---
    Flag("max_model_len", meanings.context,
         "max_model_len max_model_length context_length max_context_length max_seq_len max_seq_length session_len "
         "max_sequence_length ollama_context_length max_context_len num_ctx"),
    Flag("context_total", meanings.context, "ctx_size c n_ctx"),
    Flag("max_model_len", meanings.context, "ctx_size n_ctx", _PAGED),
    Flag("max_num_seqs", values.count,
         "max_num_seqs max_running_requests max_batch_size max_concurrent_requests max_num_sequences max_num_requests"),
    Flag("max_num_batched_tokens", values.count,
         "max_num_batched_tokens max_num_tokens max_batch_prefill_tokens max_prefill_token_num n_ubatch ub ubatch_size "
         "ubatch"),
    Flag("max_num_batched_tokens", values.count, "chunk_size", ("exllama",)),
    Flag("slots", meanings.slots, "np parallel n_parallel num_parallel ollama_num_parallel n_slots slots"),
    Flag("reserve", values.count, "reserve reserved_slots"),
    Flag("images", meanings.images, "images limit_mm_per_prompt limit_mm_per_prompt_image limit_mm_data_per_request"),
    # --- scheduling ---
    _switch("chunked_prefill", "chunked_prefill prefill_chunking chunked_context kv_chunked_prefill"),
    Flag("", meanings.chunk, "chunked_prefill_size"),
    _switch("prefix_caching",
            "prefix_caching radix_cache automatic_prefix_caching prefix_cache apc cache_prompt block_reuse "
            "kv_cache_reuse kv_cache_config_enable_block_reuse kv_cache_config_block_reuse"),
    _switch("full_admission", "scheduler_reserve_full_isl reserve_full_isl"),
    Flag("", meanings.policy,
         "capacity_scheduler_policy scheduler_config_capacity_scheduler_policy batch_scheduler_policy "
         "kv_cache_policy guaranteed_no_evict"),
    Flag("static_batching", meanings.static, "gpt_model_type batching_type batching batching_strategy"),
    _switch("static_batching", "static_batching static_batch"),
    _off("static_batching", "cont_batching cb continuous_batching inflight_batching in_flight_batching"),
    _switch("unified", "kv_unified kvu unified_kv"),
    # --- graphs ---
    _switch("eager", "enforce_eager eager eager_mode ggml_cuda_disable_graphs"),
    _off("eager", "cuda_graph graphs cuda_graphs_enabled decode_cuda_graph cudagraph hip_graph"),
    Flag("", meanings.graphs,
         "cuda_graph_max_bs cuda_graph_max_bs_decode max_cudagraph_capture_size cudagraph_capture_sizes "
         "cuda_graph_sizes cuda_graph_bs cuda_graph_bs_decode cuda_graph_config_max_batch_size cuda_graph_batch_sizes "
         "cuda_graph_config_batch_sizes compilation_config_cudagraph_capture_sizes cuda_graphs cudagraph_sizes "
         "compilation_config_max_cudagraph_capture_size cuda_graph_max_batch_size"),
    Flag("", meanings.graph_table, "cuda_graph_config compilation_config"),
    Flag("", meanings.graph_mode, "cudagraph_mode compilation_config_cudagraph_mode"),
    # --- drafting, adapters, grammars ---
    Flag("", meanings.drafting,
         "speculative_config spec_decode spec mtp eagle eagle3 speculation speculative speculative_decoding"),
    Flag("speculation", values.present,
         "speculative_model speculative_algorithm speculative_algo speculative_draft_model_path model_draft md "
         "draft_model spec_type spec_method spec_model speculative_method draft_model_dir assistant_model "
         "prompt_lookup_num_tokens speculative_config_method speculative_config_model speculative_decoding_mode"),
    Flag("", meanings.drafts,
         "num_speculative_tokens speculative_num_steps spec_draft_n_max draft_max draft speculate spec_tokens "
         "speculative_config_num_speculative_tokens max_draft_len draft_tokens num_draft_tokens"),
    Flag("", meanings.drafts_and_one, "speculative_num_draft_tokens", rank=2),
    Flag("lora", values.present, "lora", switch=True),
    Flag("", meanings.adapters, "lora_modules lora_paths lora_adapters adapters lora_dir lora_scaled lora_adapter"),
    Flag("loras", values.count, "max_loras num_loras max_loras_per_batch"),
    Flag("grammar", values.present,
         "guided_decoding_backend grammar_backend structured_outputs_config_backend structured_outputs_config "
         "structured_outputs guided_json guided_regex guided_choice guided_grammar guided_decoding json_schema "
         "grammar grammar_file structured_output json_mode xgrammar"),
    Flag("grammar", meanings.answer_format, "response_format"),
)  # fmt: skip
"""One row for each meaning; the first row that fits a name and the engine is taken."""

ENGINE_NAMES = tuple("engine server backend runner serving_engine inference_engine framework runtime".split())
"""Names whose value is an engine, the surest first; only "engine" where the value is none of ours."""
VERSION_NAMES = tuple("version engine_version vllm_version sglang_version tgi_version trtllm_version build".split())
"""Names whose value is the engine's version."""

COMMAND_NAMES = frozenset(
    "args command cmd command_line launch launch_command start_command server_args extra_args flags options".split()
)
"""Names whose value is a command line."""

SILENT: frozenset[str] = frozenset(
    """
    model model_path tokenizer host port seed trust_remote_code served_model_name chat_template download_dir
    api_key load_format revision swap_space max_lora_rank max_cpu_loras max_log_len disable_log_stats
    disable_log_requests attention_backend moe_backend linear_backend moe_runner_backend fp8_gemm_backend
    vllm_attention_backend attention flash_attn fa flash_attention attn_backend attn_implementation sdpa
    enable_flash_attn n_batch b batch_size batch max_prefill_tokens max_input_length max_input_tokens max_tokens
    max_new_tokens n_predict n top_k top_p temperature max_seq_len_to_capture compilation_level performance_mode
    async_scheduling long_prefill_token_threshold max_num_partial_prefills scheduling_policy schedule_policy
    schedule_conservativeness retraction_policy preemption_mode distributed_executor_backend mamba_cache_mode
    prefix_match_unit kv_offloading_size kv_transfer_config api_server_count stream_interval num_scheduler_steps
    multi_step disable_overlap_schedule enable_mixed_chunk
    swa_full_tokens_ratio mamba_full_memory_ratio max_queued_requests waiting_served_ratio max_waiting_tokens
    tgi_wiggle_room split_mode sm main_gpu mg tensor_split ts fit fit_target fit_ctx cache_ram cache_reuse no_mmap
    mmap mlock threads t threads_batch tb numa no_op_offload op_offload device_map max_memory offload_folder
    low_cpu_mem_usage bnb_4bit_compute_dtype bnb_4bit_quant_type use_cache cache_implementation gpu_split autosplit
    gpu_split_auto kv_cache_config kv_cache_config_enable_partial_reuse enable_partial_reuse host_cache_size
    secondary_offload_min_priority stop max_queue_delay batch_wait_timeout_ms disable_overlap_scheduler
    skip_mm_profiling mm_processor_cache_gb num_gpus gpus gpu cuda_visible_devices nccl_debug nccl_ib_disable
    nccl_p2p_level enable_p2p_check enable_metrics decode_log_interval log_stats_interval vllm_log_stats_interval
    vllm_memory_profiler_estimate_cudagraphs ollama_flash_attention keep_alive rope_scaling rope_freq_base
    rope_freq_scale hf_overrides generation_config reasoning_parser tool_call_parser speculative_eagle_topk
    draft_min spec_draft_n_min draft_p_min data_parallel_size_local decode_context_parallel_size dcp_size
    context_parallel_size cpu_offload_trigger_percent num_beams tuned alternative enable_padding
    cuda_graph_config_enable_padding world_size stream metrics
    """.split()
)
"""Names that people give and that set no field: kept as text, and never taken for a slip of the pen."""
