"""Words for memory, start-up, the cache and its slots; rows as in ``engine.diagnosis.symptoms.concepts``."""

ROWS = """
start: start* startup launch* come_up comes_up came_up up_and_running initiali* init spin_up chalu shuru serve_at_all
    bring_up bring_it_up run_at_all chalta load_kar* boots booting bootup boot_up starting utha uthta comes_online
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
    hangs_during_start* stuck_at_start* stuck_during_load* chalu_hone_pehle start_hone_pehle chalu_hone_se_pehle
    restarting_after keeps_restarting_after container_keeps_restart* container_restarts
oom: oom oomed ooms out_of_memory outofmemory* memory_error ran_out_of run_out_of runs_out_of runs_out_of_memory
    runs_out_of_space insufficient_memory not_enough_memory not_enough_vram not_enough_gpu_memory memory_khatam
    memory_kam_pad* vram_khatam vram_kam_pad* jagah_kam_pad* cudamalloc_failed failed_to_allocate fails_to_allocate
    unable_to_allocate no_memory_left exhaust*_memory memory_allocation_fail* alloc_fail* cuda_oom runs_out_vram
    memory_full memory_overflow vram_overflow out_of_vram out_of_gpu_memory out_of_gpu gpu_oom exceeds_vram
    cudaerrormemoryallocation cublas_alloc_failed cublas_status_alloc_failed std_bad_alloc outofmemory vram_full
    goes_oom cudaoutofmemory outofmemoryerror allocation_fail* alloc_failure* allocation_error* allocator_error
    allocator_fail*
memfull: memory_full vram_full gpu_memory_full card_full
shown: shows showing dikh dikhti dikhta dikhata nvidia_smi
ran: chala chali din_chal* ran_for ran_fine for_days gir girta gira giri
killed: killed sigkill exit_code_137 dies died crash* fail*
loading: load load*_weights loads loading weight_loading load*_model model_load* load*_checkpoint shard shards
    while_loading weights_load load_karte load_hote load_karne load_nahi model_load at_load weights_are_loaded
    checkpoint_load* shards_are_read reading_shards reading_weights load_checkpoint loads_weights bringing_weights
    placing_weights weights_on_gpu while_load* copying_weights_to_gpu load_hone from_pretrained load_model
    loading_model loading_shards
warmup: warmup warm_up profil*_run profil* memory_profil* dummy_run before_first_request determine_num_available_*
    first_forward profile_run determine_available_memory memory_estimation estimat*_memory sizing_run profiling
    dry_run determin* computing_number_of_blocks initial_memory_check dry_batch dummy_batch dummy_forward sizing
    warming profiled warm_karte
graph: graph graphs cudagraph* captur* graph_captur* hipgraph*
capture: captur* graph_capture cuda_graph_captur* graphs_capture
eager: enforce_eager eager eager_mode disable_cuda_graph
running: in_middle middle_of_traffic runtime at_run_time while_serving serving_for during_serving after_hour*
    after_while after_#_hour* after_#_min* after_#_request* after_several hour hours days ghante ghanta under_load
    during_inference during_generat* suddenly long_run mid_run traffic long_prompt_comes long_prompt_arriv*
    chalne_ke_bad chalne_bad kuch_der chalte_chalte eventually jab_lamba when_request when_long minutes_later
    for_hours for_#_hour* for_#_min* ghante_bad load_test* brings_down served single_request 1_request 1_long_request
    long_request* at_peak peak_load mid_generation during_decod* while_generat* after_#_step* runs_for minutes_of
    chalte_hue raat_bhar traffic_aate production many_long after_many long_chats over_time random at_random
    occasionally sporadic* randomly kabhi_kabhi intermittent* when_# as_soon_as_# with_#_clients with_#_users
    with_#_workers with_#_requests #_workers at_#_concurrent #_concurrent requests_come request_comes
    continues_to_increase continues_increase keeps_climbing keeps_growing keeps_increasing keeps_rising climbs_until
    grows_until each_request every_request with_requests later_on in_end in_responses server_ready first_long_prompt
    long_context logprobs logprob prompt_logprobs return_logprob unpredictabl* on_prediction during_prediction
    predictions aakhir lamba_prompt bhejte aate_hi users_aate #_client #_clients #_users #_log client_aate
    under_concurrency same_concurrency while_answering after_day after_days after_week overnight raat_ko during_eval*
    during_request* during_loglik* during_prefill while_evaluating in_night at_night loglikelihood someone_pastes
    while_chatting nach_stunden after_thousand traffic_picks_up traffic_rises traffic_grows
gone: gone fixed resolved anymore solved never ab_nahi thanks fixes
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
    blocks_0 blocks_zero nothing_remains_for no_blocks no_space_for_kv no_kv_space nothing_left_gpu
window: max_len max_length max_seq_len maximum_length max_model_len max_sequence_length sequence_length max_seq_length
    context_window context_length maximum_sequence_length full_context model_len window max_position_embeddings
    max_seq derived_max* longest_sequence longest_request max_model_length max_total_tokens context_size context
    context_len n_ctx seq_len full_length one_full_sequence
exceeds: larger bigger exceed* greater more_than longer_than badi zyada bada above than_kv than_cache cannot_hold
    not_hold does_not_fit not_fit not_fit* more_than_available needs_more need_more too_large too_big too_long
    than_available over_capacity than_fits than_pool double_size twice_size not_held not_hold* cannot_store not_stored
    not_fits outgrow* surpass* more_kv not_enough_kv only_#_available available only_#_aate
rope: rope* yarn derived derive* derives config_derived inferred 1m 1_million 128k 131072 1048576 262144 10m
memory: memory vram ram mem gpu_ram gb gib jagah vram_use memory_use gigabytes gigs gbs
vram: vram gpu_memory gpu_mem card_memory device_memory memory gb gib gpu card nvidia_smi
takes: use uses using used take takes taking taken occup* eat eats consum* grab* alloc* hog* need needs requir* kha*
    leta leti le_raha le_rha bhar* fills full shows bhari allocated resident hold holds occupied sits footprint
    requires reserved reserves kha_raha bhari_dikhti dikhti le_liya goes_to took grabs_until in_use showing gb_gone
    gone_from
mostly: most_of almost_all nearly_all entire whole all_of all_memory all_vram puri pura pure full all every_bit
    everything complete completely
small-model: #_b 7b 8b 1b 3b 13b 1.5b 0.5b small_model tiny_model tiny chhota chhoti small little_model 500m 350m 125m
    0.6b 270m chhote_model chote_model chhota_model half_billion billion_parameters billion_params
file: file files disk checkpoint_size on_disk safetensors gguf_size file_size checkpoint weights_on_disk file_on_disk
    model_files weights_file size_on_disk gguf gguf_file
cap: cap limit fraction configured utilization utilisation set budget share 0.5 0.6 0.7 0.8 0.4 0.3 allowed allotted
    permitted permit* asked_for ceiling quota limit_of requested
above: above exceed* beyond over more_than even_though despite although way_above ignor* still phir_bhi past
    greater_than larger_than saath
other-process: another_process other_process* another_program other_program* another_job other_job* another_training
    training_job jupyter notebook leftover zombie* other_container* another_container colleague dusra_process
    dusri_process ek_aur_process aur_process aur_program shared_gpu share_gpu gpu_shared another_instance
    second_instance other_models another_model dusra_model desktop_environment another_server doosra_process
    ek_aur_model another_application xorg gnome browser desktop also_use* tenant* other_pod* another_pod
    other_workload* another_engine_on other_notebook* training_on_same comfyui stable_diffusion whisper_on another_llm
    2_servers_on same_gpu_by someone_else doosre_process dusre_process koi_aur somebody_else other_software
    sharing_gpu sharing_card doosri_process dusra_program koi_process dusre_user apps_on_gpu stable_diffusion_on
    other_apps another_app desktop_session display_server windows_desktop game other_user_process* other_users_on
    other_users_processes other_users_jobs another_user_on another_user_job another_user_process* another_user_run*
    another_user_use* another_user_start* users_on_same someone_training colleague_run*
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
kv: kv kv_cache kvcache kv_pool cache cache_usage key_value pool gauge kv_usage
kvquant: fp8_kv fp8_kv_cache kv_cache_fp8 int8_kv quantized_kv kv_cache_dtype kv_quant* fp8_e5m2 fp8_e4m3 kv_int8
    kv_cache_quant* quantiz*_kv kv_cache_in_fp8 ctk cache_type_k cache_type_v quantiz*_cache q8_0_kv q4_0_kv kv_q8
    kv_fp8 kv_in_fp8 8_bit_kv 4_bit_kv fp8_cache int8_cache quantised_kv* kv_cache_q8 kv_8_bit compressed_kv
    kv_compress* turboquant kv_to_fp8
usage: usage utilization utilisation used occupancy gauge percentage token_usage cache_usage bhara
full: full bhar* exhausted runs_out_of saturated reaches_100 at_capacity no_free_blocks maxed_out khatam fills filled
    fill_up fills_up filling exhaust* all_taken taken_up used_up fully_used occupied_completely no_free full_ho
    bhara_hua pura_bhar completely_used all_used fully_allocated no_space_left 100_%_used overflowing runs_out ran_out
    kharch bharte
near-zero: near_zero close_to_zero almost_zero almost_empty mostly_empty nearly_empty never_goes_over never_exceeds
    never_above barely_used hardly_used low lagbhag_khali kam few_percent few_% single_digit handful_percent under_few
    cache_empty pool_empty stays_empty #_%_empty almost_unused hardly_filled barely_filled mostly_free mostly_unused
fragmented: fragmented memory_fragment* vram_fragment* cuda_fragment* heavily_fragment* tukdo* tukdon
nofit: nothing_fit* none_fit* kuch_fit_nahi koi_fit_nahi no_request_fit*
fits: fit fits aram enough sufficient easily fit_ho enough_memory_for enough_vram large_enough enough_room suffices
    fits_comfortably comfortably fits_into sama* aate aati aata would_run could_run would_hold would_work runs_on_1
    chal_sakta aaram_se go_onto goes_onto go_into goes_into go_on_card
reserve: reserv* allocat* pre_alloc* prealloc* up_front upfront padded buffer set_aside pad_to kept keeps slot_of
    fixed_size statically static_allocation contiguous preallocates max_length_buffer rakh_leta rakhta sets_aside
    setting_aside earmark* blocks_off claims claimed held_for hold_for roke_rakh* holds hold blocked_for blocks_for
    reserve_ho booked books book
small: small little tiny #_% 10_percent fraction_of short mostly_empty stays_empty empty kam chhota wasted sirf part
    waste wastes unused remainder barkaar bekaar
average: average mean typically usually avg ausat most typical real actual most_requests
slots: slot slots parallel np n_parallel
context: context n_ctx ctx context_length window contextsize
split: split* divid* halv* quarter half only_sees chauthai adha bant* shared_between smaller fourth less kam 1_4
    only_get*
cut: cut cuts truncat* kat_jat* kat_ja* dropped vanish* missing trimmed shortened gayab chopped clipped kat
    silently_truncated trunc* head_of_prompt loses_beginning forgets forgotten drops_start drops_beginning drops_first
    drop_start loses_start start_is_missing beginning_is_missing first_part_missing only_last_# only_last_part chop*
    kaat_deta kat_deta loses lose missing_start cut_short kaat aadha_kat
calc: calculat* own comput* estimate* formula by_hand per_token hisab expected theoretical* bytes
maxconc: maximum_concurrency max_concurrency concurrency
works: works fine ok okay thik everything_works no_problem starts work worked stable theek chalta chalta_hai
    works_fine fits_at_start starts_fine
token-usage: token_usage
idleuse: at_idle no_request* without_request* no_traffic without_traffic idle right_after_start directly_after_start
    before_first_request nothing_running chalu_karte start_hote before_any_request before_any nobody_sends
    without_load
empty: empty khali none zero 0 nobody no_one nothing
weights: weight weights model checkpoint
utilword: utilization utilisation
weightsonly: weights parameters
exhausted: exhaust*
lowpower: cool cold low_power low_wattage not_drawing thande kam_power
lots: takes_much eats_much uses_much much_vram much_memory much_ram much_gpu itni itna far_above way_above
    far_more_than way_more_than much_larger_than much_bigger_than #_times_size times_size doubles_vram doubles_memory
    double_vram double_memory vram_doubles memory_doubles several_times_size more_than_weights more_than_model
    complete_gb abnormal* abnormally_high too_much_memory too_much_vram excessive* huge_memory much_bigger much_larger
    far_bigger far_larger
overcome: succeeded successful succeeds passed passes done finished after_warmup even_after ready
image: image images vision video videos multimodal multi_modal mm limit_mm limit_mm_per_prompt encoder pixel picture
    pictures audio vl
hang: hang* hung stuck freez* never_returns atak_jat* atak_ja* ruk_jat* deadlock* waits_forever waiting_forever
    unresponsive no_response not_respond* not_answer*
nccl: nccl engine_core core_engine core_engine_proc shm_broadcast init process_group all_reduce allreduce rendezvous
slotword: slot slots
outlimit: max_tokens max_new_tokens max_token max_completion_tokens output_limit output_length longest_output
    longest_possible_output max_output num_predict maximum_output max_gen n_predict long_answers_limit
until: until till tak then after tab phir
notload: not_load cannot_load will_not_load can_not_load unable_load unable_to_load fails_load load_nahi not_loading
    not_even_load
maxword: max maximum at_most largest longest
move: cop* mov* transfer* read reading place* put
ollamaps: ollama_ps
allcpu: only_cpu sirf_cpu all_on_cpu everything_on_cpu runs_on_cpu cpu_chalta falls_back_to_cpu entirely_cpu
    completely_cpu cpu_par_chal*
part: part parts portion piece pieces hissa aadha fraction
toobig: too_big too_large bigger_than_card larger_than_card not_fit
after-load: after_load* weights_are_loaded weights_loaded after_weights loaded_weights
splitram: vram_and_ram ram_and_vram gpu_and_cpu cpu_and_gpu vram_ram vram_system_ram
toosmall: too_small not_enough insufficient
"""
