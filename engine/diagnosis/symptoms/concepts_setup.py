"""Words for the set-up: formats, cards, engines, versions, settings; rows as in ``symptoms.concepts``."""

ROWS = """
quant: awq gptq int4 int8 4_bit 8_bit 4bit 8bit 3_bit 2_bit w4a16 w8a16 nf4 fp4 fp8 gguf q4 q4_k_m q8 q5 quantiz*
    quantis* marlin bnb bitsandbytes squeezellm w8a8 w4a8 exl2 hqq aqlm mxfp4 nvfp4 load_in_4bit load_in_8bit quantize
    smoothquant compressed_weights
plain: fp16 bf16 float16 bfloat16 half_precision 16_bit 16bit f16 unquantiz* full_precision original unquantis*
    non_quantiz* fp32 merged without_adapter base_model
unfused: bitsandbytes bnb nf4 load_in_4bit load_in_8bit act_order desc_act squeezellm hqq aqlm old_cuda_kernel
    llm_int8 gptq_act* quanto bnb_4bit 4bit_bnb gptq_desc torchao_eager eetq
card: gpu gpus card cards device devices a100 h100 3090 4090 a6000 l40s v100 t4 a10 a10g h200
manycards: multi_gpu multiple_gpu* multiple_card* more_gpu* more_card* additional_gpu* second_gpu second_card
    extra_gpu both_gpus both_cards several_gpus dual_gpu dual tensor_parallel* tp_2 tp_4 tp_8 tp2 tp4 tp8 tp_size
    adding_gpu* scaling_to_more do_gpu do_card do_cards dono_gpu dono_card char_gpu char_card zyada_gpu all_gpus
    tensor_parallelism across_gpus second_a100 more_h100* more_a100* dusra_gpu dusra_card dual_4090 dual_3090 2_gpus
    4_gpus 8_gpus both_gpu additional_card another_gpu another_card second_4090 second_3090 third_gpu pair_of_gpus
    gpu_pair split_across across_cards across_two across_2 across_4 sharded sharding tp multi_card more_devices
    more_accelerators ranks tensor_split dusra_card_laga* aur_gpu aur_card dono_cards row_split split_mode cards_below
    gpus_below adding_card* add_card* extra_card* add_gpu* pair_of_cards pair_cards
    2_nodes multi_node multinode 2_machines second_node more_nodes
onecard: 1_gpu 1_card single_gpu single_card tp_1 tp1 1_device 1_a100 1_h100 1_3090 1_4090 ek_gpu ek_card ek_hi_card
    ek_hi_gpu 1_hi_card than_1 1_of_them 1_alone 1_by_itself 1_single single 1_only ek_akela akela sirf_ek only_1
    just_1_gpu 1_accelerator alone_card 1_enough 1_would_enough 1_of_cards 1_of_gpus either_card any_1_card lone_card
    lone_gpu 1_node single_node
notgood: not_as_good not_so_good worse_than not_better_than
joined: pcie pci_e phb sys_topology pxb pix no_nvlink no_nv_link without_nvlink nvlink_nahi numa sys no_p2p
    p2p_disabled without_p2p p2p_not_supported riser x4_slot x8_slot pcie_x4 pcie_x8 ethernet 10gbe gigabit usb4
    thunderbolt oculink separate_nodes infiniband_missing bridge_missing no_bridge without_bridge different_sockets
    cross_socket qpi upi phb_link shows_node node_link riser* x1_riser x4_riser through_cpu through_host via_cpu
    via_host no_common_bridge over_cpu
nvlink: nvlink nv_link nvlink_bridge nvswitch nvlinks
override: overrid* overwrit* overrul* ignores_mine ignore_mine replaced_by silently_chang* badal_de* badal_d*
    not_respected differs_from_what overwritten not_what_i_passed sets_its_own not_applied apne_ap own resets ignor*
    replac* reset* discard* not_honou* forces forced overrode hard_coded hardcoded badal_jat* alag_dikh* not_used
    not_taken not_pass* rewrit* swallow* behind_my_back alters altered modif* own_defaults imposes imposed injects
    not_reach never_reach* nahi_maan* badal_raha
settings: setting* config* max_num_* parameter* flag* option* value* argument* knob* platform max_batch* limit
    enforce_eager flags args arguments launch_options max_model_len settings values
kernelwarn: default_moe_config not_fully_optimized sub_optimal suboptimal falling_back_to falls_back_to fallback
    config_file_not_found no_tuned untuned performance_might slow_kernel not_optimi* naive_kernel unoptimi* tuned
    missing_tuned no_config_for missing_config falls_back fell_back disabled not_supported_falling slow_path
    naive_implementation reference_kernel not_using_flash unfused_kernel generic_kernel fallback_kernel
    sub_optimal_performance dequantize_path without_marlin cannot_use_marlin marlin_not no_optimi* unsupported_kernel
    kernel_not using_triton_fallback torch_native eager_attention math_backend slower_kernel not_tuned cannot_be_used
kernel: kernel* moe fused* attention backend flash* config* optimized quantization performance marlin flashinfer
    triton gemm cutlass exllama exllamav2 kernels
runner: llama_cpp ollama transformers huggingface hf exllama exllamav2 tgi lm_studio text_generation_inference
    lmdeploy tensorrt* trt trtllm sglang vllm turbomind mlc fastchat deepspeed mii triton desktop_runner koboldcpp
    other_engine other_server other_framework another_engine another_server second_engine other_backend
    reference_implementation competitor* gpt_fast candle exllama2 aphrodite nim tabbyapi llamacpp hf_generate
    hugging_face naive_hf plain_hf lmstudio llama_server text_generation_webui hf_transformers pipeline desktop_app
    mlx jan gpt4all another_runner other_runner another_program autogptq auto_gptq autoawq pytorch lm_deploy
off: disabl* turning_off turn_off switched_off without off band_kar* hata*
direct: directly direct engine_itself bench_itself engine_alone bare_engine itself seedha sidha native locally
    offline_engine curl_localhost standalone raw_engine inside_container without_proxy offline_llm llm_class
    python_api offline_mode in_process engine_only bench_throughput library_call without_gateway without_server
    bypass* from_localhost on_localhost inside_pod bina_proxy bare raw llm_generate generate_call without_http
    bina_server seedhe local_call calling_generate in_notebook offline_script curl_against against_engine
    straight_to_engine engine_directly talking_to_engine seedha_engine curl se_tez localhost natively local_test
    local_run
proxy: nginx gateway proxy litellm load_balancer ray_serve router fastchat wrapper langchain middleware kong traefik
    fastapi envoy cloudflare ingress istio open_webui triton_frontend bentoml kserve api_gateway reverse_proxy
    serving_layer haproxy cloudfront lambda api_management apisix sidecar tunnel vpn service_mesh flask gradio nodejs
    express edge streamlit dify n8n langserve triton_server model_gateway llm_gateway reverse_proxies auth_proxy cdn
    ingress_controller http_layer queue_worker celery backend_service bff orchestrator app_server webapp
    application_layer
before: used_to previously previous_version older_version old_version last_release earlier_version since_last
    since_update pehle pichhle purane downgrad* previous_release than_before before_update older earlier formerly
    yesterday last_month last_week prior pehle_tez pehle_fast last_version old_build old_image old_release old_setup
    downgrading used_to_run used_to_get pehle_zyada pehle_sahi pehle_theek downgrade_fixes went_back #_before
    previous_one previous old_one
upgrade: upgrad* updat* after_update new_version newer_version last_release latest_version new_release bumped
    naye_version nayi_version migrat* switching_to_# moved_to_# since_version went_from_0 from_0 version_0 moved_from
    moved_to migrated switched_to_v newer new_build new_one latest bump* switching_version since_v since_#
    after_moving naya_version version_badal* nightly_build update_ke_bad upgraded after_upgrad* changed_version
    new_docker_image new_image from_0.# broken_since since_0 rolled_back rollback downgrade works_on_0 in_new
    new_version* newer_version*
version: version release v0 v1 0.5 0.6 0.7 0.8 0.9 commit 0.8_version v_0 old_release latest_release
novalue: whatever no_matter any_value every_setting koi_bhi changing any_setting tried_everything different_values
    all_settings badlo every_combination reduced varying played_with tuning tweak* set adjusted lowered
    different_settings other_values other_settings lower_value higher_value fiddl* playing_with every_flag all_flags
    every_option all_options either_way every_parameter any_flag any_option jo_bhi kuch_bhi sab_kuch combinations
    none_of_options none_of_flags none_of_settings none_of_parameters no_option no_setting no_flag none_of
    nothing_i_change whichever
noeffect: nothing_chang* no_effect no_difference same_error same_result farak_nahi no_change asar_nahi not_change
    not_matter makes_no_difference stays_same same_every_time not_help no_impact fark_nahi same_every same_oom
    same_crash same_problem same_outcome identical_result not_affect changes_nothing nothing_helps no_use
    makes_no_dent unchanged no_influence irrelevant never_changes ineffective identical identical_outcome same_failure
    same_number same_numbers same_speed same_throughput no_avail wahi_result koi_asar no_improvement any_influence
    any_effect any_difference any_impact moves_needle koi_fark same_output same_story no_luck changes_anything
    makes_any_difference helps_at_all
tried: already tried phir_bhi no_help not_help did_not_help in_vain no_effect fayda_nahi no_difference kar_dekha
    laga_kar_dekha karke_dekha dekha same_crash same_error no_luck without_success to_no_avail not_solve not_fix
    nothing_chang* wahi_error no_change does_not_help makes_no_difference enabled_already farak_nahi doesnt_help
    not_improve already_0 already_set already_at already_on already_enabled already_using already_with already_tried
    no_influence made_no_difference changed_nothing changes_nothing ineffective no_improvement bekar koi_fayda
    without_effect nothing_gained not_enough not_change not_changed still_nothing still_fails still_the_same
    to_no_effect without_any_effect in_both_cases same_either_way no_way same_again tried_both tried_with
    tried_without try_kiya karke_dekh_liya
raise: rais* increas* higher badha* up_to 0.9 0.95 0.98 0.92 0.97 0.99 bump* more larger
lower: lower* reduc* decreas* smaller kam ghata* cut limit*
model: model models
help: help helps
seqs: max_num_seqs num_seqs max_running_requests max_concurrent_requests concurrency concurrent_requests batch_size
budget: max_num_batched_tokens batched_tokens chunk_size chunked_prefill_size token_budget ubatch prefill_tokens
fourbit: 4_bit 4bit int4 awq gptq nf4 w4a16 q4 quantiz* quantis*
fp8: fp8
quality: perplexity quality accuracy nonsense gibberish garbage garbled answers hallucinat* wrong score_lower rouge
    bleu mmlu
already: already enabled_already pehle_se on_already
mask: load_test* under_load high_load heavy_load peak_load load_balanc* load_generator full_load load_par zyada_load
    first_load load_badh* max_num_batched_tokens max_num_seqs swapped_# oom_like out_of_memory_like same_ollama
    same_vllm same_sglang same_server same_machine same_time same_card same_box same_hardware same_gpu same_config
    same_llama_cpp same_moment same_node half_empty thread_pool 0.5_b 0.6_b 0.7_b 0.8_b 0.4_b 0.3_b full_length
    full_context full_precision full_size block_size page_size tp_1
    at_same_time ek_ek_word ek_ek_shabd ek_ek_akshar ek_ek_letter presence_penalt* repetition_penalt*
    frequency_penalt* penalty_param* computational_power compute_power computing_power
server: server http api api_server rest openai_endpoint web endpoint frontend wrapper service deployment
engines: 2_servers 2_engines 2_frameworks both_servers both_engines 2_runtimes engine_ki_tulna either_engine
merging: merged unmerged dynamic
logword: log logs line startup printed prints shows says
missing: missing not_found no_config using_default* no_tuned
moe: moe expert* kernel
onthefly: on_the_fly online_quant* as_fp8 bf16_to_fp8 fp16_to_fp8 inflight in_flight_quant* quantiz*_at_load
    quantiz*_while_load* quantizing
activepart: active_param* parameters_active activated_param* active_per_token active_experts
lanes: riser* x1_slot x4_slot x8_slot x1_riser x4_riser pcie_x1 pcie_x4 pcie_x8 ethernet 10gbe 1gbe gigabit wifi usb4
    thunderbolt oculink egpu over_socket over_tcp nccl_socket net_socket using_socket
    without_rdma no_rdma rdma_not
statline: avg_prompt_throughput avg_generation_throughput gen_throughput decode_batch prefill_batch
lift: rais* increas* higher badha* larger bump* doubled
cardname: a100 h100 a800 h800 h200 h20 l40s l40 l20 l4 t4 v100 a10 a10g a30 a6000 a5000 4090 3090 5090 3060 3080 4080
    4070 p40 b200 mi300x mi50 gb200 a40
newcard: new_card newer_card new_gpu newer_gpu faster_card faster_gpu better_card better_gpu bigger_card naye_card
    naya_card naye_gpu naya_gpu mehnga_card stronger_card mehenga_gpu mehnga_gpu expensive_gpu expensive_card
    mehenga_card card_upgrade gpu_upgrade hardware_upgrade upgrading_card
offline: offline llm_generate llm_class llm_object python_script offline_mode offline_inference script in_script
    own_script python_loop
online: online serving openai_server api_server http_server server rest_api fastapi online_serving http endpoint
    http_endpoint web_server
samemodel: same_model wahi_model identical_model
place: pod machine local host laptop elsewhere notebook lm_studio desktop workstation box vm other_server bare_metal
rolledback: downgrad* rolled_back rolling_back rollback went_back revert* going_back back_to_# purane_version
moved: moving moved going went switch* from upgrad* chang* replac*
setsown: sets set forces forced says ignores ignored override* overwrites keeps uses comes_with
despite: although though even_though despite jabki
platform: bundled helm chart template preset operator deploy_yaml default_yaml deploy_config deployment_yaml
attempt: tried try karke_dekha laga_kar_dekha
without: without bina w_o
"""
