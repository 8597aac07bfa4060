"""Words grouped to concepts, in English and Hinglish: the lexicon behind ``engine.diagnosis.sayings``.

One concept a row, a row goes on where the next line is indented. ``word*`` is a stem, ``two_words`` a phrase, ``#`` any
number, ``%`` the sign. Spelling is folded ("aa" is "a", hyphens and underscores part words) here as in the texts read,
and articles and auxiliaries are dropped; "of", "to", "on" and the like may stand between the words of a phrase.
A phrase that holds a negation ("no faster") hides the words inside it; ``mask`` hides single words ("load test").
"""

CONCEPTS = """
slow: slow* crawl* sluggish* longer dhima* dhime dhimi dhire sust unusable painful* struggl* takes_forever deteriorat*
    degrad* bottleneck* collaps* tank* plummet* hurts hurt kills killed_speed ghat* falls_behind fall_behind loses
    lose lost_to piche_reh* piche_rah* penalty overhead inefficien* expensive der_lag* der_se time_lag* too_long
    long_time ages zyada_time more_time late mar_gai der too_high high_ttft kills_speed speed_mar lag lags lagged
    lagging laggy lag_raha lag_rahe worse performs_worse poorer negative regress* costs cost triples tripl* quadrupl*
    fivefold eats_up drags drag dhire_chal* atakta phans* susti thak time_leta time_leti time_lete zyada_der ghanto
    behind trails trailing kharab_speed dheela takes_much_longer longer_than_expected slowness slowdown speed_loss
    performance_loss speed_drop perf_drop underperform* lackluster jyada_time der_laga* thakela ghat_gayi ghat_gai
    ulta half_as_fast twice_slower
fast: fast* quick* snappy tez tezi jaldi speedup* speeds_up sped_up outperform* beats beat wins win improv* doubled
    better efficient* badhiya instant* immediate* snappier blazing rapid speedier tezi_se better_speed
    better_throughput ahead leads lead faster_by superior
less: lower* reduc* drop* decreas* declin* less halv* half third fraction_of fell falls loss loses kam gir* adhi adha
    fewer smaller down tihai chauthai shrink* suffers halves below under cuts costs cost fall shrinks minus diminish*
    tripled_down aadhi ghat* hardly little
more: increas* higher adds add added grow* rise* rising climb* badh* double* doubling jump* up_to extra zyada explod*
    spik* balloon* multipl* tripl* quadrupl* additional rises went_up goes_up shoots_up soar* inflat* badhi costs
    takes_away more
perf: throughput performance perf tps tok_s toks_s token_s tokens_s t_s tokens_per_second tokens_per_sec tokens_second
    token_per_second tok_sec generation_rate req_s raftar requests_s requests_per_second rps qps samples_s
    iterations_s speed speeds request_rate decode_rate rate_of_generation token_rate output_speed
delay: latency latencies ttft itl tpot response_time response_times step_time time_per_token ms_per_token decode_time
    e2e inter_token time_per_step steps forward_pass wall_clock ms_token time_to_generate waqt
decode: decod* generat* token_generation tg eval_time output_tokens tpot itl inference infer* tok_s tokens_s t_s
    tokens_per_second token_s tokens_per_sec completion* answer* response* jawab*
gain: faster speedup* speed_up gain* benefit* improv* advantage fayda faida boost help* acceler* better tez scaling
    scale scales speeds_up quicker_result uplift win difference benefits payoff worth advantage* speed_increase
    increase
nogain: brings_nothing bring_nothing no_help same_speed same_throughput same_tokens same_performance same_perf
    barely_faster hardly_faster barely_any marginal* negligible useless pointless in_vain nothing_gained same_tps
    as_slow_as same_latency without_speedup no_effect identical_speed fayda_nahi same_rate same_time no_change
    makes_no_difference no_difference zero_gain 0_gain 0_benefit not_worth no_win just_as_slow equally_slow
    koi_fark_nahi farak_nahi utni_hi utna_hi wahi_speed speed_wahi koi_fayda nahi_badla kuch_nahi_badla no_speedup
    no_improvement no_benefit nothing_changes not_faster not_help brings_no gives_no zero_benefit little_gain
    little_benefit minimal_gain did_not_pay not_pay_off stays_same remains_same kuch_nahi_mila farq_nahi
bad: slow* dhim* poor* terribl* awful bad* low disappoint* weak kharab horribl* bekar kam terrible high too_high poor
ask: how kaise tip tips advice suggestion* recommend* improve optimi* increase reduce any_way kya_karun best_way want
    chahta chahti need make any looking_for hoping would_like wants wanted need_to ideas idea way what which
token: token tokens tok shabd word output_starts answer_starts byte printed shows_up appears
first: first pehla pehle pahla ttft time_to_first initial first_word pehla_shabd pehli beginning_of_answer
    first_output first_response first_byte first_characters anything_is_printed anything_shows anything_appears
    before_anything
long: long* lamb* huge large big* bada bade badi thousands heavy document* 8k 16k 32k
prompt: prompt* input* context* prefill* document* instruction* preamble* history query message* conversation* text
    conversation few_shot system_prompt turn turns chat
prefill: prefill* prompt_process* prompt_eval* pp512 ttft prompt_phase ingest*
short: short* chhot* few brief single_word single_token 1_word 1_token 1_label label labels classif* tiny yes_or_no
    max_tokens_1 #_token_output embedding* rerank* 1_shabd bas_# embed score scoring 1_line 2_lines 3_lines
    single_line 1_sentence single_sentence couple_of_words #_words handful_of_tokens bas_ek haan_nahi ek_label
    #_output_tokens yes_no true_false
output: output* answer* respon* jawab* completion* generat* result* reply replies word words sentence sentences
    line_of_text paragraph summary
classify: classif* embedding* rerank* scoring extraction summari*
start: start* startup launch* come_up comes_up came_up up_and_running initiali* init spin_up chalu shuru serve_at_all
    bring_up bring_it_up run_at_all chalta load_kar* boots booting bootup boot starting utha uthta comes_online
    become_ready becomes_ready ready healthy gets_ready server_up deploy* khada khadi khad* uthe
fail: fail* crash* die* dies dying abort* refus* blow* killed exit* terminat* throws hang* stops error rejected
    valueerror runtimeerror quit* cannot_start unable atak* band_ho* give_up gives_up wont_start falls_over
    brings_down bring_down segfault* crashloop* unhealthy restarts restarting oomkilled fails_with dead failing marta
    exits core_dump* abrupt* broken
nostart: refuse*_start refuse_to fails_to_start failed_to_start cannot_start wont_start unable_to_start
    unable_to_launch core_initialization_failed engine_initialization_failed will_not_come_up fail*_at_startup
    fail*_during_startup crash*_on_startup crash*_at_startup dies_at_startup exit*_at_start* exits_immediately
    failed_to_initiali* killed_while_load* load_nahi chalu_nahi fails_on_launch stops_with refuse*_to_start
    refuses_to_come_up refusing_to_start started_failing starts_failing exits_right_after never_becomes_ready
    never_gets_ready never_comes_up crash_loop crashloop* dies_right_after crashes_right_after stops_right_after
    exits_after_load* dies_during_startup dies_on_startup crash*_during_startup crash*_during_init* dies_during_init*
    not_come_up never_start* fail*_to_launch fail*_to_boot fail*_to_come_up utha_nahi quits_at_start* chalu_hi_nahi
    terminated_before died_before exited_before before_api before_server never_gets_past not_get_past cannot_get_past
    never_available not_become_ready timeout_waiting_for_engine cannot_bring_up impossible_to_start will_not_load
    not_load restarts_in_loop restart_loop keeps_restarting crashes_in_loop never_up before_model_is_up before_ready
    stuck_at_load* stuck_loading hangs_at_load* hangs_at_start* hangs_while_load* hangs_during_load*
    hangs_during_start* stuck_at_start* stuck_during_load*
oom: oom oomed ooms out_of_memory outofmemory* memory_error ran_out_of run_out_of runs_out_of runs_out_of_memory
    runs_out_of_space insufficient_memory not_enough_memory not_enough_vram not_enough_gpu_memory memory_khatam
    memory_kam_pad* vram_khatam vram_kam_pad* jagah_kam_pad* cudamalloc_failed failed_to_allocate fails_to_allocate
    unable_to_allocate no_memory_left exhaust*_memory memory_allocation_fail* alloc_fail* cuda_oom runs_out_vram
    memory_full memory_overflow vram_overflow out_of_vram out_of_gpu_memory out_of_gpu gpu_oom exceeds_vram
    cudaerrormemoryallocation cublas_alloc_failed cublas_status_alloc_failed std_bad_alloc outofmemory vram_full
killed: killed sigkill exit_code_137 dies died crash* fail*
loading: load load*_weights loads loading weight_loading load*_model model_load* load*_checkpoint shard shards
    while_loading weights_load load_karte load_hote load_karne load_nahi model_load at_load during_load
    weights_are_loaded checkpoint_load* shards_are_read reading_shards reading_weights load_checkpoint loads_weights
    bringing_weights placing_weights weights_on_gpu while_load* copying_weights_to_gpu load_hone from_pretrained
warmup: warmup warm_up profil*_run profil* memory_profil* dummy_run before_first_request determine_num_available_*
    first_forward profile_run determine_available_memory memory_estimation estimat*_memory sizing_run profiling
    dry_run determin* computing_number_of_blocks initial_memory_check dry_batch dummy_batch dummy_forward sizing
graph: graph graphs cudagraph* captur* graph_captur* hipgraph*
capture: captur* graph_capture cuda_graph_captur* graphs_capture
eager: enforce_eager eager eager_mode disable_cuda_graph
running: in_middle middle_of_traffic runtime at_run_time while_serving serving_for during_serving after_hour*
    after_while after_#_hour* after_#_min* after_#_request* after_several hour hours days ghante ghanta under_load
    during_inference during_generat* suddenly long_run mid_run traffic long_prompt_comes long_prompt_arriv*
    chalne_ke_bad chalne_bad kuch_der chalte_chalte eventually jab_lamba when_request when_long minutes_later
    for_hours for_#_hour* for_#_min* ghante_bad load_test* brings_down served single_request 1_request 1_long_request
    long_request* at_peak peak_load mid_generation during_decod* while_generat* after_#_step* runs_for minutes_of
    chalte_hue raat_bhar traffic_aate production worker many_long after_many long_chats over_time random at_random
    occasionally sporadic* randomly kabhi_kabhi intermittent*
gone: gone fixed resolved anymore solved never ab_nahi thanks
only: only sirf solely just hi_aata hi unless
utilization: gpu_memory_utilization memory_utilization mem_fraction* memory_fraction gpu_mem_util utili_ation
    mem_fraction_static free_gpu_memory_fraction utilization_0.9 utilization_0.95 utilization_0.98 utilization_badha*
    utilization_to_0.9 utilization_to_0.95 rais*_utilization increas*_utilization higher_utilization utilization_#
    utilization_further more_utilization memory_share gpu_memory_share higher_gpu_memory gpu_memory_fraction
    kv_cache_fraction memory_fraction* fraction_of_memory memory_util vram_share vram_limit
blocks: cache_blocks cache_block kv_blocks gpu_blocks blocks initialize_cache
none-left: nothing_left no_room no_space leaves_nothing leaves_no left_no no_available not_enough negative
    0_gpu_blocks zero_blocks nahi_bana nahi_ban* no_memory #_blocks_0 no_place nahi_bach* memory_nahi_bach*
    initialize_cache num_gpu_blocks_0 without_blocks bachi_nahi bacha_nahi bachti_nahi jagah_nahi not_leave
    leaves_zero nothing_remains 0_gpu zero_gpu_blocks 0_blocks no_kv no_cache cannot_create_cache cannot_build_cache
    not_enough_room not_enough_space no_memory_remains 0_kv not_be_created weights_fill weights_take_everything
    no_headroom zero_headroom no_leftover remaining_memory_is_0 nothing_remaining kuch_nahi_bach* cache_nahi_ban*
window: max_len max_length max_seq_len maximum_length max_model_len max_sequence_length sequence_length max_seq_length
    context_window context_length maximum_sequence_length full_context model_len window max_position_embeddings
    max_seq derived_max* longest_sequence longest_request max_model_length max_total_tokens context_size context
    context_len n_ctx seq_len
exceeds: larger bigger exceed* greater more_than longer_than badi zyada bada above than_kv than_cache cannot_hold
    not_hold does_not_fit not_fit not_fit* more_than_available needs_more need_more too_large too_big too_long
    than_available over_capacity than_fits than_pool does_not_go double_size twice_size not_held not_hold*
    cannot_store not_stored not_fits outgrow* surpass* more_kv not_enough_kv only_#_available available
rope: rope* yarn derived derive* derives config_derived inferred 1m 1_million 128k 131072 1048576 262144 10m
memory: memory vram ram mem gpu_ram gb gib jagah vram_use memory_use gigabytes gigs gbs
vram: vram gpu_memory gpu_mem card_memory device_memory memory gb gib gpu card nvidia_smi
takes: use uses using used take takes taking taken occup* eat eats consum* grab* alloc* hog* need needs requir* kha*
    leta leti le_raha le_rha bhar* fills full shows bhari allocated resident hold holds occupied sits footprint
    requires reserved reserves kha_raha bhari_dikhti dikhti
mostly: most_of almost_all nearly_all entire whole all_of all_memory all_vram puri pura pure full all
small-model: #_b 7b 8b 1b 3b 13b 1.5b 0.5b small_model tiny_model tiny chhota chhoti small little_model 500m 350m 125m
    0.6b 270m chhote_model chote_model chhota_model
same: same identical equal utni utna utne barabar unchanged not_change no_less not_shrink not_decreas* not_drop
    not_go_down does_not_shrink kam_nahi no_difference still similar same_amount just_as_much not_smaller not_less
    not_lower same_vram same_memory same_footprint jitna_hi no_smaller exactly_as_much as_much_as
    not_lower_than_before same_as_before
file: file files disk checkpoint_size on_disk safetensors gguf_size file_size checkpoint weights_on_disk file_on_disk
    model_files weights_file size_on_disk gguf
cap: cap limit fraction configured utilization utilisation set budget share 0.5 0.6 0.7 0.8 0.4 0.3 allowed allotted
    permitted permit* asked_for ceiling quota limit_of requested
above: above exceed* beyond over more_than even_though despite although way_above ignor* still phir_bhi past
    greater_than larger_than
other-process: another_process other_process* another_program other_program* another_job other_job* another_training
    training_job jupyter notebook leftover zombie* other_container* another_container another_user colleague
    dusra_process dusri_process ek_aur_process aur_process aur_program shared_gpu share_gpu gpu_shared
    another_instance second_instance other_models another_model dusra_model desktop_environment another_server
    doosra_process ek_aur_model another_application xorg gnome browser desktop also_use* tenant* other_pod*
    another_pod other_workload* another_engine_on other_notebook* training_on_same comfyui stable_diffusion whisper_on
    another_llm 2_servers_on same_gpu_by someone_else doosre_process dusre_process koi_aur somebody_else
    other_software sharing_gpu sharing_card doosri_process dusra_program koi_process dusre_user apps_on_gpu
    stable_diffusion_on other_apps another_app desktop_session display_server windows_desktop game other_user_process*
    other_users_on other_users_processes other_users_jobs
layers: layer layers of_layers
cpu: cpu host_memory system_ram host ram processor system_memory
stays: stay* remain* left end_up ends_up offloaded rest remainder baki sirf puts partially only_half half_of fit fits
    only few in_ram on_host in_system
offload: offload* cpu_offload* host_memory swap_weights ngl weights_into_ram weights_in_ram layers_ram weights_ram
    into_cpu_ram weights_in_host weights_on_cpu layers_on_cpu partially_on_cpu weights_to_cpu into_ram layers_in_ram
    ram_mein moving_layers_to_cpu layers_to_cpu layers_to_ram layers_in_cpu layers_in_system_ram experts_to_cpu
    experts_on_cpu experts_in_ram experts_in_host in_system_memory spill* spilled shared_gpu_memory unified_memory
    system_memory cpu_ram swapped_to_ram partial_offload n_gpu_layers weights_in_cpu host_ram layers_in_system
    layers_on_host layers_in_host host_offload weight_offload offloaded cpu_layers ngl_# gpu_layers_# weights_live_in
quant: awq gptq int4 int8 4_bit 8_bit 4bit 8bit 3_bit 2_bit w4a16 w8a16 nf4 fp4 fp8 gguf q4 q4_k_m q8 q5 quantiz*
    quantis* marlin bnb bitsandbytes squeezellm w8a8 w4a8 exl2 hqq aqlm mxfp4 nvfp4 load_in_4bit load_in_8bit quantize
    smoothquant
plain: fp16 bf16 float16 bfloat16 half_precision 16_bit 16bit f16 unquantiz* full_precision original unquantis*
    non_quantiz* fp32 merged without_adapter base_model
unfused: bitsandbytes bnb nf4 load_in_4bit load_in_8bit act_order desc_act squeezellm hqq aqlm old_cuda_kernel
    llm_int8 gptq_act* quanto bnb_4bit 4bit_bnb gptq_desc torchao_eager eetq
kv: kv kv_cache kvcache kv_pool cache cache_usage key_value pool gauge kv_usage
kvquant: fp8_kv fp8_kv_cache kv_cache_fp8 int8_kv quantized_kv kv_cache_dtype kv_quant* fp8_e5m2 fp8_e4m3 kv_int8
    kv_cache_quant* quantiz*_kv kv_cache_in_fp8 ctk cache_type_k cache_type_v quantiz*_cache q8_0_kv q4_0_kv kv_q8
    kv_fp8 kv_in_fp8 8_bit_kv 4_bit_kv fp8_cache int8_cache quantised_kv* kv_cache_q8 kv_8_bit compressed_kv
    kv_compress* turboquant kv_to_fp8
usage: usage utilization utilisation used occupancy gauge percentage token_usage cache_usage bhara
full: full bhar* exhausted runs_out_of saturated reaches_100 at_capacity no_free_blocks maxed_out khatam fills filled
    fill_up fills_up filling exhaust* all_taken taken_up used_up fully_used occupied_completely no_free full_ho
    bhara_hua pura_bhar completely_used all_used fully_allocated no_space_left 100_%_used overflowing
collapse: collaps* drop* falls_off cliff plummet* tank* decay* degrad* gir* slow* nosedive* dhim* halv* stall* falls
    fall fell half drops breaks break worse nosediv* sinks dives
near-zero: near_zero close_to_zero almost_zero almost_empty mostly_empty nearly_empty never_goes_over never_exceeds
    never_above barely_used hardly_used low lagbhag_khali kam few_percent few_% single_digit handful_percent under_few
    cache_empty pool_empty stays_empty #_%_empty almost_unused hardly_filled barely_filled mostly_free mostly_unused
card: gpu gpus card cards device devices a100 h100 3090 4090 a6000 l40s v100 t4 a10 a10g h200
manycards: multi_gpu multiple_gpu* multiple_card* more_gpu* more_card* additional_gpu* second_gpu second_card
    extra_gpu both_gpus both_cards several_gpus dual_gpu dual tensor_parallel* tp_2 tp_4 tp_8 tp2 tp4 tp8 tp_size
    adding_gpu* scaling_to_more do_gpu do_card do_cards dono_gpu dono_card char_gpu char_card zyada_gpu all_gpus
    tensor_parallelism across_gpus second_a100 more_h100* more_a100* dusra_gpu dusra_card dual_4090 dual_3090 2_gpus
    4_gpus 8_gpus both_gpu additional_card another_gpu another_card second_4090 second_3090 third_gpu pair_of_gpus
    gpu_pair split_across across_cards across_two across_2 across_4 sharded sharding tp multi_card more_devices
    more_accelerators ranks tensor_split dusra_card_laga* aur_gpu aur_card dono_cards row_split split_mode cards_below
    gpus_below
onecard: 1_gpu 1_card single_gpu single_card tp_1 tp1 1_device 1_a100 1_h100 1_3090 1_4090 ek_gpu ek_card ek_hi_card
    ek_hi_gpu 1_hi_card than_1 1_of_them 1_alone 1_by_itself 1_single single 1_only ek_akela akela sirf_ek only_1
    just_1_gpu 1_accelerator alone_card 1_enough 1_would_enough 1_of_cards 1_of_gpus either_card any_1_card
fits: fit fits aram enough sufficient easily fit_ho enough_memory_for enough_vram large_enough enough_room suffices
    fits_comfortably comfortably fits_into sama* aate aati aata would_run could_run would_hold would_work runs_on_1
    chal_sakta aaram_se
joined: pcie pci_e phb sys_topology pxb pix no_nvlink no_nv_link without_nvlink nvlink_nahi numa sys no_p2p
    p2p_disabled without_p2p p2p_not_supported riser x4_slot x8_slot pcie_x4 pcie_x8 ethernet 10gbe gigabit usb4
    thunderbolt oculink separate_nodes infiniband_missing bridge_missing no_bridge without_bridge different_sockets
    cross_socket qpi upi phb_link shows_node node_link
nvlink: nvlink nv_link nvlink_bridge nvswitch nvlinks
power: power watt watts w power_draw draw* draw consumption wattage watt_usage energy
busy: 100_% utilization full_utili* fully_utili* busy gpu_util 99_% 98_% utilisation
copies: memcpy* htod h2d host_to_device copying_weights copy_from_host host_se_device cpu_to_gpu transfer*_weights
    memcpyhtod host_device_copy copies_from_host cpu_gpu_transfer dtoh_copies copies_dominate transfers_dominate
    copy_time weight_transfers host_to_gpu weights_over_pcie stream*_weights pcie_transfer* memory_copies cudamemcpy*
    copying_experts copies_of_expert* host_to_device_cop* host_to_device_transfer* uploads_weights fetch*_weights
    weights_cross copy_mein streamed_from_cpu weights_are_streamed weights_streamed transferred_from_cpu
    transferred_from_host moves_weights moved_over_pcie copied_from_host copied_from_cpu copied_to_gpu copy_to_gpu
    host_transfers bus_transfers loading_experts experts_fetched pcie_traffic copies_over copy_over limited_by_copies
    bound_by_copies bound_by_copying copying_over
gpu: gpu gpus sm card cards nvidia_smi nvtop
idle: idle idles idling khali waits waiting_for gaps under_utili* underutili* not_busy starv* intezar wait thanda
    bubbles low_utili* half_asleep bored starved starving half_idle barely_loaded underused not_saturated sits_idle
    doing_nothing mostly_waiting khali_pada baitha gap unloaded nothing_to_do under_half half_empty not_working_hard
    lazy bekar_baitha free_baitha
gpuuse: gpu_utili* gpu_util gpu_usage sm_utili* gpu_load gpu_use sm_occupancy volatile_gpu gpu_at util_gpu sm_util*
    sm_activity sm_active gpu_percentage gpu_only gpu_busy busy_gpu gpu_occupancy gpu_kam gpus_at gpu_activity
    utili_of_gpu compute_utili* gpu_under gpu_below gpu_ka_use gpu_utilisation sm_load gpus_are_at average_gpu
batch: batch batches batch_size bs batch_size_of
many: high_concurrency higher_concurrency large_batch* larger_batch* big_batch* bigger_batch* many_users many_requests
    #_concurrent #_users #_clients heavy_load high_load under_load concurrency concurrent bade_batch bada_batch
    batch_64 batch_32 batch_128 batch_256 load_par zyada_users high_qps batch_16 batch_size_64 larger_batches
    many_clients busy_server saturat* zyada_load more_users high_traffic #_streams #_stream parallel_streams
    several_streams #_slots many_slots #_parallel n_streams busy_hours many_parallel at_scale batched
    large_concurrency as_concurrency with_concurrency concurrency_exceeds concurrency_above higher_load heavier_load
    more_load more_requests more_clients more_concurrent several_users multiple_users multiple_requests many_sequences
    large_batches bade_load #_concurrent* many_concurrent lots_of_users lots_of_requests high_batch big_load
    high_parallelism #_parallel* #_simultaneous* multi_user zyada_log zyada_request bheed load_badh*
cliff: cliff jump* suddenly abrupt* step_change achanak goes_from sharp* discontinu* threshold
override: overrid* overwrit* overrul* ignores_mine ignore_mine replaced_by silently_chang* badal_de* badal_d*
    not_respected differs_from_what overwritten not_what_i_passed sets_its_own not_applied apne_ap own resets ignor*
    replac* reset* discard* not_honou* forces forced overrode hard_coded hardcoded badal_jat* alag_dikh* not_used
    not_taken not_pass* rewrit* swallow* behind_my_back alters altered modif* own_defaults imposes imposed injects
    not_reach never_reach* nahi_maan* badal_raha
settings: setting* config* max_num_* parameter* flag* option* value* argument* knob* platform max_batch* limit
    enforce_eager flags args arguments launch_options max_model_len settings values
lora: lora loras adapter* qlora peft enable_lora unmerged dynamic_adapter lora_requests peft_adapter multi_lora
grammar: json_mode json_schema json guided* structured_output* structured grammar* regex outlines xgrammar constrained
    guidance response_format lm_format_enforcer schema_constrained schema grammars function_call_schema json_output
    json_object json_schema_mode pydantic tool_schema llguidance gbnf constrained_decoding json_constrain*
    output_schema structured_json format_constraint* schema_lag*
draft: speculat* draft* eagle* medusa ngram n_gram mtp lookahead assisted_generat* prompt_lookup spec_decode
    spec_decoding speculator speculators draft_model spec_dec proposer self_speculative dflash p_eagle target_model
    target_alone the_target eagle3 drafts drafter spec_tokens num_speculative speculative_decode assistant_model
    draft_tokens drafting acceptance accept_rate accepted_tokens proposal_length
kernelwarn: default_moe_config not_fully_optimized sub_optimal suboptimal falling_back_to falls_back_to fallback
    config_file_not_found no_tuned untuned performance_might slow_kernel not_optimi* naive_kernel unoptimi* tuned
    missing_tuned no_config_for missing_config falls_back fell_back disabled not_supported_falling slow_path
    naive_implementation reference_kernel not_using_flash unfused_kernel generic_kernel fallback_kernel
    sub_optimal_performance dequantize_path without_marlin cannot_use_marlin marlin_not no_optimi* unsupported_kernel
    kernel_not using_triton_fallback torch_native eager_attention math_backend slower_kernel not_tuned cannot_be_used
kernel: kernel* moe fused* attention backend flash* config* optimized quantization performance marlin flashinfer
    triton gemm cutlass
core: core cores cpu_core python_process process thread cpu_usage main_thread cpu gil cpu_thread python_thread
    single_thread thread_at host_cpu cpus top_shows htop core_at process_at python_at event_loop
pegged: pegged 100_% maxed pinned bottleneck* full_core full saturat* bound busy limit eats atak* longer_than
    saturated at_100 maxed_out fully_loaded hot full_tilt completely_busy 99_% fully completely
hostwork: tokeni*ation detokeni*ation scheduling scheduler sampling launch_overhead kernel_launch* cpu_overhead
    host_overhead python_overhead input_prep* tokenization detokenization scheduler_overhead schedul* launch_latency
    cpu_time python_code request_parsing gil event_loop cpu_bound host_bound cpu_side host_side python_side
    launch_bound
serial: one_after_another one_by_one one_at_a_time 1_after_another 1_by_1 1_at_a_time 1_at_time sequential* serial*
    in_turn not_in_parallel instead_of_parallel instead_of_in_parallel single_request_at 1_request_at for_loop
    ek_ke_bad_ek ek_ek ek_ek_prompt queued_behind only_1_request just_1_request 1_1_prompt 1_ke_bad_1 1_bad_1
    1_prompt_at await_each blocking_call not_batched no_batching single_prompt single_prompt_each waits_until_first
    1_request_per not_concurrent* only_handles_1 sequential_calls synchronous* sync_calls no_overlap no_concurrency
    waits_for_previous one_prompt_per 1_prompt_per 1_prompt_each sequentially serially in_sequence second_user_waits
    waits_for_first waits_until queue_up_behind behind_each_other blocks_others blocked_by_first mutex global_lock
    lock no_batch batch_size_always_1 running_always_1 batch_of_1 never_batched single_file ek_waqt_ek pehli_khatam
    1_ke_bad kabhi_sath_nahi alag_alag 1_call_at 1_user_at 2_user_waits awaits_each before_sending_next before_next
    next_one_starts_only one_prompt_at wait_for_each waits_for_each finish_before ruka_rehta ruki_rehti line_se
    1_pura_ho dusra_ruka 2_ruka other_waits others_wait second_request_waits 2_request_waits one_user_blocks
    1_after_other after_other one_question_at ek_khatam khatam_hone_ke_bad ek_waqt baari_baari bari_bari
    one_prompt_per_call no_parallel* not_parallel* single_threaded_client request_by_request python_loop while_loop
    client_loop loop_bhej* loop_send* generate_loop prompts_loop
request: request* prompt* user* client* call* sequence* log people customer* reqs queries calls prompts batch_size
    jobs concurrency load clients streams threads workers sessions parallelism users
grows: linear* proportional* twice_as_long grow* increas* double* badh* scales_with multipl* n_times half_speed_each
    goes_up twice_long dugna proportion* requests_x n_x times_single_time times_number sum_of proportional scales
    multiplies worse_with rises_with increases_with grows_with higher_with more_users badhate times_as_long n_fold
    rises steep* rises_steeply jitne utna_zyada utna_time multiply n_times_longer sums_up adds_up stacks
stuck: never_exceed* never_above never_goes_above never_more_than capped plateau* not_go_above not_exceed only_#_run*
    only_#_active upar_nahi no_more_than ever_running stays_at not_rise maximum_of never_over max_# se_upar limited_to
    never_reach* not_more_than hovers_at sees_only tops_out maxes_out max_out plateaus_at se_zyada_nahi limited
    ceiling_of engine_sees server_sees server_only_sees at_most at_a_time_only maximum_# runs_#_at_most capped_at
    limited_at never_goes_over never_more never_exceeds_# ke_upar_nahi stuck_at stuck_on stuck_below remains_stuck
    atka_hua
runs: running active in_flight processed scheduled run concurrently chal*
wait: waiting wait pending queue* queued waits backlog queuing queueing queue_length queue_depth waiting_list
    line_lambi line_lagi line_badh* line_laga* line_khatam line_lag* requests_line line_rehti queues kataar
    kataar_mein
pile: grow* pile* never_drain* keeps_growing keeps_rising keep_rising accumul* rising badhti increas* long_line
    building_up builds_up lagi_reh* backlog lambi overflow* khali_nahi climb* larger longer_and_longer without_end
    unbounded endless diverg* never_empties explod* spik* lambi_ho* climbing hundreds thousands wait_longer
    longer_wait keeps_on increasing badh badhta badhte chali never_shrinks not_shrink does_not_drain not_drain swells
promise: advertis* promis* claim* expected expect docs_say paper blog_post supposed dawa ummeed hoped marketing
    announced theoretical* benchmark_says wada wade vada bola_tha kaha_tha supposedly rated stated quoted
    benchmarks_show readme_says
factor: #_x #_times #_guna #_fold x
runner: llama_cpp ollama transformers huggingface hf exllama exllamav2 tgi lm_studio text_generation_inference
    lmdeploy tensorrt* trt trtllm sglang vllm turbomind mlc fastchat deepspeed mii triton desktop_runner koboldcpp
    other_engine other_server other_framework another_engine another_server second_engine other_backend
    reference_implementation competitor* gpt_fast candle exllama2 aphrodite nim tabbyapi llamacpp hf_generate
    hugging_face naive_hf plain_hf lmstudio llama_server text_generation_webui hf_transformers pipeline desktop_app
    mlx jan gpt4all another_runner other_runner another_program
equal: no_faster same_as_with barabar same_speed not_faster as_fast_as not_any_faster same_as comparable equal
    identical no_better ek_jaisi ek_jaisa equally on_par at_par neck utna_hi same_speed_as
spike: spik* stall* stutter* freez* hiccup* pause* jitter* ruk_jat* atak_atak ruk_ja* hang* interrupt* blocked jerky
    halts choppy ruk ruka ruke rukti rukta jump* jumps surge* block blocks blocking gaps gap hitch* wobbl* uneven
    irregular atakti atakta thamti tham_ja* laggy bursts burst arrive_in_bursts ruk_ruk bunches clumps atak sab_atak
streams: stream* everyone others other_users other_requests baki inter_token itl tokens token decod* all_other
    running_requests sabki tpot token_stream
again: again recomput* reprocess* each_turn every_turn every_call from_scratch each_time every_time har_bar dobara
    phir_se repeatedly each_request every_request anew afresh over_and_over once_more each_message every_message
    every_step each_round from_start from_beginning start_over repeated* reprefill* resent har_message phirse
    naye_sire prefilled_again keep_restarting restarted restarting every_follow_up follow_up dubara phir_phir bar_bar
    baar_baar har_dafa all_over each_question every_question
process: process* comput* prefill* evaluat* recomput* encod* prefilled prefill_again recalculat* evaluated
evict: evict* thrown_out kicked_out nikal_di nikal_de* nikal_diya dropped_from hatakar hata_de* resumed resume
    restarted
preempt: preempt* retract* swapped_out swapped swap_kar* num_preemptions recompute_mode gets_evicted get_evicted
    evicted_from kicked_out bumped_out thrown_out_of paused_and_resumed pushed_out evicted_and swap_out swapping_out
    swaps beech_mein_rok* bich_mein_rok* bahar_nikal*
prefixcache: prefix_cach* prefix_cache hit_rate radix* apc automatic_prefix_cach* cached_tokens prompt_cache
    prefix_hit* prefix_reus* cache_reus* prompt_cach* cache_hit cache_hit_rate prefix_match* cached_token_count
    num_cached_tokens kv_reuse prompt_reuse
hit: hit hits hit_rate reuse reused cached_tokens match*
zero: 0 0_% 0.00 0.0 zero never none nahi no_hits 0_for no_cached not_hit misses miss nothing_reused
shared: same share* common identical sabhi_ka saari_ka all_start every_prompt_start begin* start_with few_shot
    equal_start same_in_all same_for_all same_in_every in_common repeated_in_every in_all_prompts in_every_prompt
    constant har_request_mein_wahi wahi wohi har_prompt sab_mein_same ek_jaisa ek_jaise 1_si every_time_same reused
    static unchanged repeats repeated
prefix: prefix* system_prompt preamble instruction* few_shot shuru_ka header boilerplate same_document template_prefix
    shared_context same_context same_beginning common_beginning few_shot_examples examples context_document
    instructions intro opening schema_prompt tool_definitions tool_descriptions lamba_instruction
goal: only_care throughput_only overnight batch_job maximi* latency_does_not_matter latency_not_important raat_ka
    sirf_throughput bulk max_throughput dataset_generation synthetic_data not_interactive offline_batch offline_job
    offline_inference offline_throughput offline_workload per_hour per_day documents_per batch_processing
    no_latency_requirement cost_per_token tokens_per_dollar cheapest nightly bulk_job whole_dataset large_dataset
    throughput_matters throughput_counts throughput_oriented only_throughput max_tokens_per_second_total
    latency_is_irrelevant latency_irrelevant latency_unimportant throughput_chahiye offline_run_over as_many_documents
    as_many_requests as_many_prompts as_many_samples only_total total_throughput_counts latency_not_matter
    latency_no_concern dataset_offline process_dataset over_night throughput_is_all aggregate_matters
    offline_processing batch_inference batch_scoring no_users_waiting no_interactive not_latency rather_than_latency
    not_about_latency tokens_per_day maximum_tokens max_tokens_per_day bulk_processing bulk_inference whole_corpus
    millions_of_documents millions_of_prompts million_documents million_prompts offline_evaluation data_processing
    not_realtime not_real_time ek_sath_lakhon poore_dataset
chunk: chunked_prefill chunk* chunking enable_chunked_prefill
off: disabl* turning_off turn_off switched_off without off band_kar* hata*
direct: directly direct engine_itself bench_itself engine_alone bare_engine itself seedha sidha native locally
    offline_engine curl_localhost standalone raw_engine inside_container without_proxy offline_llm llm_class
    python_api offline_mode in_process engine_only bench_throughput library_call without_gateway without_server
    bypass* from_localhost on_localhost inside_pod bina_proxy bare raw llm_generate generate_call without_http
    bina_server seedhe local_call calling_generate in_notebook offline_script curl_against against_engine
    straight_to_engine engine_directly talking_to_engine seedha_engine
proxy: nginx gateway proxy litellm load_balancer ray_serve router fastchat wrapper langchain middleware kong traefik
    openai_server api_server fastapi envoy cloudflare ingress istio open_webui triton_frontend bentoml kserve
    api_gateway reverse_proxy serving_layer haproxy cloudfront lambda api_management apisix sidecar tunnel vpn
    service_mesh flask gradio nodejs express edge streamlit dify n8n langserve triton_server model_gateway llm_gateway
    reverse_proxies auth_proxy cdn ingress_controller http_layer queue_worker celery backend_service bff orchestrator
    app_server webapp application_layer
constant: fixed constant exactly_# always_# same_extra regardless no_matter each_call extra_# every_request_takes fix
    overhead_of offset every_call_costs constant_overhead fixed_delay flat_overhead independent_of same_overhead
    irrespective har_baar_itna additional_# fixed_cost constant_delay half_second_added added_to_every added_to_each
    adds_# added_latency har_baar har_request_par_extra constant_extra always_extra always_1_extra extra_per_call flat
    constant_latency half_second half_a_second added_every
each: each every har per all no_matter regardless always 1_sequence any_sequence
before: used_to previously previous_version older_version old_version last_release earlier_version since_last
    since_update pehle pichhle purane downgrad* previous_release than_before before_update older earlier formerly
    yesterday last_month last_week prior pehle_tez pehle_fast last_version old_build old_image old_release old_setup
    downgrading used_to_run used_to_get pehle_zyada pehle_sahi pehle_theek downgrade_fixes went_back
upgrade: upgrad* updat* after_update new_version newer_version last_release latest_version new_release bumped
    naye_version nayi_version migrat* switching_to_# moved_to_# since_version went_from_0 from_0 version_0 moved_from
    moved_to migrated switched_to_v newer new_build new_one latest bump* switching_version since_v since_#
    after_moving naya_version version_badal* nightly_build update_ke_bad upgraded after_upgrad* changed_version
    new_docker_image new_image from_0.# broken_since since_0 rolled_back rollback downgrade works_on_0 in_new
version: version release v0 v1 0.5 0.6 0.7 0.8 0.9 commit 0.8_version v_0
reserve: reserv* allocat* pre_alloc* prealloc* up_front upfront padded buffer set_aside pad_to kept keeps slot_of
    fixed_size statically static_allocation contiguous preallocates max_length_buffer rakh_leta rakhta sets_aside
    setting_aside earmark* blocks_off claims claimed held_for hold_for roke_rakh* holds hold
small: small little tiny #_% 10_percent fraction_of short mostly_empty stays_empty empty kam chhota wasted sirf part
    waste wastes unused remainder barkaar bekaar
average: average mean typically usually avg ausat most typical real actual most_requests
slots: slot slots parallel np n_parallel
context: context n_ctx ctx context_length window
split: split* divid* halv* quarter half only_sees chauthai adha bant* shared_between smaller fourth less kam 1_4
    only_get*
cut: cut cuts truncat* kat_jat* kat_ja* dropped vanish* missing trimmed shortened gayab chopped clipped kat
    silently_truncated trunc* head_of_prompt loses_beginning forgets forgotten drops_start drops_beginning drops_first
    drop_start loses_start start_is_missing beginning_is_missing first_part_missing only_last_# only_last_part chop*
    kaat_deta kat_deta loses lose missing_start cut_short kaat aadha_kat
count: how_many kitn* maximum_number what_batch max_batch number_of_users enough_for estimate capacity possible
    max_users sufficient_for chal_sakte sambhal* chalega_kya number_of_requests number_requests number_users
    at_once_can max_parallel how_many_users concurrent_capacity what_concurrency kitne_log kitni_req* kitne_user*
    enough max_requests max_concurrent_users users_per_gpu requests_per_gpu maximum_users user_capacity support_how
    serve_how supports_how kitna_load serve_# handle_# support_# enough_to_serve people_simultaneously people_at_once
differs: twice differ* different double* more fewer larger mismatch* does_not_match not_match match_nahi not_agree
    do_not_agree not_equal zyada kam discrepan* not_add_up several_times does_not_add inconsistent not_correspond
    times_expected not_give not_fit_together not_explain not_reconcile
calc: calculat* own comput* estimate* formula by_hand per_token hisab expected theoretical* bytes
maxconc: maximum_concurrency max_concurrency concurrency
atonce: rate_inf request_rate_inf all_at_once everything_at_once all_prompts_at_once at_same_moment
    all_requests_at_once ek_sath same_moment fires_everything inf infinite_rate simultaneously same_time burst
    time_zero at_t_0 all_prompts all_requests flood* unlimited_rate no_rate_limit fired_at_once concurrently
    submitted_together in_one_go sabhi_ek_sath thousands_at_once burst* whole_dataset_at_once simultaneous*
    rate_unlimited infinite_request_rate max_rate no_pacing sab_ek_sath ek_hi_baar together
compare: vs versus compared where tulna than while se gives comparison against gap difference antar farak
    compared_with comparing benchmark* ahead_of than_vllm
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
toofew: only just merely barely sirf bas measured hardly measly paltry
works: works fine ok okay thik everything_works no_problem starts
model: model models
help: help helps
recompute: recompute recomputation recomputed
seqs: max_num_seqs num_seqs max_running_requests max_concurrent_requests concurrency concurrent_requests batch_size
budget: max_num_batched_tokens batched_tokens chunk_size chunked_prefill_size token_budget ubatch prefill_tokens
fourbit: 4_bit 4bit int4 awq gptq nf4 w4a16 q4 quantiz* quantis*
fp8: fp8
quality: perplexity quality accuracy nonsense gibberish garbage garbled answers hallucinat* wrong score_lower rouge
    bleu mmlu
already: already enabled_already pehle_se on_already
time: time latency waqt der long total_time single_time wall_time duration finish*
overtake: catch* overtak* pull*_ahead ahead takes_over takes_lead aage nikal_jat* barabar crosses crossover surpass*
    ties win* outperform* beats better
regress: slower_than_before regression regressed
unchanged: unchanged flat constant same stays_same identical hardly_changes barely_changes hardly_any_change
    same_value equal constant_at stuck_at stagnates stagnant
token-usage: token_usage
speed-up: speed_up speed_this_up speed_it_up speed_things_up make_it_faster make_this_faster accelerate tez_karun
    tez_kaise tez_karna faster_inference increase_throughput improve_throughput improve_performance improve_speed
    improve_latency reduce_latency more_tok more_speed more_throughput better_performance better_throughput boost
    speed_badh* badhaun badhaye throughput_badh* latency_kam latency_ghata* squeeze more_out faster_decoding
    faster_generation faster_responses quicker_answers lower_latency lower_ttft higher_speed better_speed
    better_latency maximum_speed optimi*
mask: load_test* under_load high_load heavy_load peak_load load_balanc* load_generator full_load load_par zyada_load
    first_load load_badh* max_num_batched_tokens max_num_seqs swapped_#
idleuse: at_idle no_request* without_request* no_traffic without_traffic idle right_after_start directly_after_start
    before_first_request nothing_running chalu_karte start_hote
token-tiny: less_than_1_token less_than_1_tok below_1_token under_1_token below_1_tok under_1_tok not_even_1_token
    seconds_per_token s_per_token s_token sec_per_token seconds_token minutes_per_token 1_token_every second_per_token
    token_per_minute tokens_per_minute ek_ek_token
atbatch: at_batch beyond_batch above_batch past_batch batch_exceeds batch_goes from_batch over_batch
    batch_size_exceeds batch_reaches batch_passes batch_crosses batch_ke_upar batch_se_upar batch_par captured_sizes
    captured_size captured_graph* largest_captured graph_size
empty: empty khali none zero 0 nobody no_one nothing
server: server http api api_server rest openai_endpoint web endpoint frontend wrapper service
weights: weight weights model checkpoint
shortof: far_from short_of nowhere_near below falls_short not_reach* only less_than far_less instead
engines: 2_servers 2_engines 2_frameworks both_servers both_engines 2_runtimes engine_ki_tulna either_engine
catch: catch* overtak* pull*_ahead aage surpass*
merging: merged unmerged dynamic
utilword: utilization utilisation
finish: done finish* complete* returned
logword: log logs line startup printed prints shows says
weightsonly: weights parameters
exhausted: exhaust*
missing: missing not_found no_config using_default* no_tuned
moe: moe expert* kernel
lowpower: cool cold low_power low_wattage not_drawing thande kam_power
statline: avg_prompt_throughput avg_generation_throughput gen_throughput decode_batch prefill_batch
seconds: several_seconds many_seconds few_seconds kai_second
offered: sent submitted offered send bheja bheji bheje bhejta fired queued posted issued opened connections
arrive: arriv* comes come_in submit* aata_hai enters joins new_prompt dete dalte bhejte bhejta dalo dalne
change: slower worse dropped halved fell became_slow* slowed less_than_before dhima_ho* slow_ho* gir_gay* ghat_gay*
    kam_ho*
lift: rais* increas* higher badha* larger bump* doubled
"""
