"""Words for requests: prompts, queues, batches, the host; rows as in ``engine.diagnosis.symptoms.concepts``."""

ROWS = """
token: token tokens tok shabd word output_starts answer_starts byte printed shows_up appears answer_begins jawab_shuru
    until_answer before_answer answer_appears until_output time_until answer_to_begin before_answer* before_reply
    before_response before_starts
first: first pehla pehle pahla ttft time_to_first initial first_word pehla_shabd pehli beginning_of_answer
    first_output first_response first_byte first_characters anything_is_printed anything_shows anything_appears
    before_anything answer_begins jawab_shuru until_answer before_answer answer_appears until_output time_until
    answer_to_begin before_it_answers before_answer* before_reply before_response before_starts
long: long* lamb* huge large big* bada bade badi thousands heavy document* 8k 16k 32k #_document big_file large_file
    long_file lamba 100k 128k 64k whole_file
prompt: prompt* input* context* prefill* document* instruction* preamble* history query message* conversation* text
    conversation few_shot system_prompt turn turns chat file
prefill: prefill* prompt_process* prompt_eval* pp512 ttft prompt_phase ingest*
short: short* chhot* few brief single_word single_token 1_word 1_token 1_label label labels classif* tiny yes_or_no
    max_tokens_1 #_token_output embedding* rerank* 1_shabd bas_# embed score scoring 1_line 2_lines 3_lines
    single_line 1_sentence single_sentence couple_of_words #_words handful_of_tokens bas_ek haan_nahi ek_label
    #_output_tokens yes_no true_false #_sentence* short_answer* one_liner 1_output_token #_output_token
output: output* answer* respon* jawab* completion* generat* result* reply replies word words sentence sentences
    line_of_text paragraph summary
classify: classif* embedding* rerank* scoring extraction summari*
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
gpu: gpu gpus sm card cards nvidia_smi nvtop sms util
idle: idle idles idling khali waits waiting_for gaps under_utili* underutili* not_busy starv* intezar wait thanda
    bubbles low_utili* half_asleep bored starved starving half_idle barely_loaded underused not_saturated sits_idle
    doing_nothing mostly_waiting khali_pada baitha gap unloaded nothing_to_do under_half half_empty not_working_hard
    lazy bekar_baitha free_baitha
cardidle: gpu_idle gpus_idle gpu_khali gpus_khali idle_gpu* gpu_sits_idle card_idle card_khali gpu_mostly_idle
    gpu_almost_idle gpu_nearly_idle gpu_baitha gpu_free_baitha
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
    high_parallelism #_parallel* #_simultaneous* multi_user zyada_log zyada_request bheed load_badh* parallel_#
    concurrency_# above_batch_# batch_above_# beyond_batch above_#_parallel more_requests_per #_parallel_users
    concurrent_requests more_than_#_clients users_badh* users_badhane simultaneous* #_simultaneous
lora: lora loras adapter* qlora peft enable_lora unmerged dynamic_adapter lora_requests peft_adapter multi_lora
grammar: json_mode json_schema json guided* structured_output* structured grammar* regex outlines xgrammar constrained
    guidance response_format lm_format_enforcer schema_constrained schema grammars function_call_schema json_output
    json_object json_schema_mode pydantic tool_schema llguidance gbnf constrained_decoding json_constrain*
    output_schema structured_json format_constraint* schema_lag*
draft: speculat* draft* eagle* medusa ngram n_gram mtp lookahead assisted_generat* prompt_lookup spec_decode
    spec_decoding speculator speculators draft_model spec_dec proposer self_speculative dflash p_eagle target_model
    target_alone the_target eagle3 drafts drafter spec_tokens num_speculative speculative_decode assistant_model
    draft_tokens drafting acceptance accept_rate accepted_tokens proposal_length
core: core cores cpu_core python_process process thread cpu_usage main_thread cpu gil cpu_thread python_thread
    single_thread thread_at host_cpu cpus top_shows htop core_at process_at python_at event_loop
pegged: pegged 100_% maxed pinned bottleneck* full_core full saturat* bound busy limit eats atak* longer_than
    saturated at_100 maxed_out fully_loaded hot full_tilt completely_busy 99_% fully completely maxes_out maxing_out
hostwork: tokeni*ation detokeni*ation scheduling scheduler sampling launch_overhead kernel_launch* cpu_overhead
    host_overhead python_overhead input_prep* tokenization detokenization scheduler_overhead schedul* launch_latency
    cpu_time python_code request_parsing gil event_loop cpu_bound host_bound cpu_side host_side python_side
    launch_bound logprob* sampler detokeniz* detokenis* tokeniz* tokenis* repetition_penalty presence_penalty
    frequency_penalty penalties logits_processor* logit_processor* stop_strings json_serial* serializ* host_work
    post_process* postprocess* pre_process* preprocess*
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
    client_loop loop_bhej* loop_send* generate_loop prompts_loop blocks_ones every_request_blocks each_request_blocks
    not_run_parallel khatam_hone_par khatam_par never_batches not_batches not_run_together ek_ek_kar ek_ek_karke
    strictly_order in_order one_each tab_dusra tab_dusri tab_agla pura_hone_ke_bad pura_hota_tab one_behind_other
    limited_to_1 limited_to_single
    loop_over loop_through 1_time_1 1_bar_1 1_per_call 1_per_request
request: request* prompt* user* client* call* sequence* log people customer* reqs queries calls prompts batch_size
    jobs concurrency load clients streams threads workers sessions parallelism users
stuck: never_exceed* never_above never_goes_above never_more_than capped plateau* not_go_above not_exceed only_#_run*
    only_#_active upar_nahi no_more_than ever_running stays_at not_rise maximum_of never_over max_# se_upar limited_to
    never_reach* not_more_than hovers_at sees_only tops_out maxes_out max_out plateaus_at se_zyada_nahi limited
    ceiling_of engine_sees server_sees server_only_sees at_most at_a_time_only maximum_# runs_#_at_most capped_at
    limited_at never_goes_over never_more never_exceeds_# ke_upar_nahi stuck_at stuck_on stuck_below remains_stuck
    atka_hua never_runs_more not_run_more never_runs
runs: running active in_flight processed scheduled run concurrently chal*
wait: waiting wait pending queue* queued waits backlog queuing queueing queue_length queue_depth waiting_list
    line_lambi line_lagi line_badh* line_laga* line_khatam line_lag* requests_line line_rehti queues kataar
    kataar_mein nothing_generated
pile: grow* pile* never_drain* keeps_growing keeps_rising keep_rising accumul* rising badhti increas* long_line
    building_up builds_up lagi_reh* backlog lambi overflow* khali_nahi climb* larger longer_and_longer without_end
    unbounded endless diverg* never_empties explod* spik* lambi_ho* climbing hundreds thousands wait_longer
    longer_wait keeps_on increasing badh badhta badhte chali never_shrinks not_shrink does_not_drain not_drain swells
    never_smaller never_gets_smaller several_thousand never_shorter thousand never_ends keeps_getting_longer rise
    rises rose never_empty not_empty never_drained
streams: stream* everyone others other_users other_requests baki inter_token itl tokens token decod* all_other
    running_requests sabki tpot token_stream sab_users sab_users_ke baaki_users baki_users decode output_freezes
    everyone_else baaki_sab
again: again recomput* reprocess* each_turn every_turn every_call from_scratch each_time every_time har_bar dobara
    phir_se repeatedly each_request every_request anew afresh over_and_over once_more each_message every_message
    every_step each_round from_start from_beginning start_over repeated* reprefill* resent har_message phirse
    naye_sire prefilled_again keep_restarting restarted restarting every_follow_up follow_up dubara phir_phir bar_bar
    baar_baar har_dafa all_over each_question every_question
process: process* comput* prefill* evaluat* recomput* encod* prefilled prefill_again recalculat* evaluated padh* reads
    reread* re_read* reprocess* re_process*
evict: evict* thrown_out kicked_out nikal_di nikal_de* nikal_diya dropped_from hatakar hata_de* resumed resume
    restarted
preempt: preempt* retract* swapped_out swapped swap_kar* num_preemptions recompute_mode gets_evicted get_evicted
    evicted_from kicked_out bumped_out thrown_out_of paused_and_resumed pushed_out evicted_and swap_out swapping_out
    swaps beech_mein_rok* bich_mein_rok* bahar_nikal* back_to_queue back_to_waiting back_to_pending running_to_waiting
    running_to_pending sent_back pushed_back put_back returned_to_queue wapas_queue
prefixcache: prefix_cach* prefix_cache hit_rate radix* apc automatic_prefix_cach* cached_tokens prompt_cache
    prefix_hit* prefix_reus* cache_reus* prompt_cach* cache_hit cache_hit_rate prefix_match* cached_token_count
    num_cached_tokens kv_reuse prompt_reuse
hit: hit hits hit_rate reuse reused cached_tokens match*
zero: 0 0_% 0.00 0.0 zero never none nahi no_hits 0_for no_cached not_hit misses miss nothing_reused
shared: same share* common identical sabhi_ka saari_ka all_start every_prompt_start begin* start_with few_shot
    equal_start same_in_all same_for_all same_in_every in_common repeated_in_every in_all_prompts in_every_prompt
    constant har_request_mein_wahi wahi wohi har_prompt sab_mein_same ek_jaisa ek_jaise 1_si every_time_same reused
    static unchanged repeats repeated in_every_request in_all_requests in_each_request with_every_request
    every_request_has
prefix: prefix* system_prompt preamble instruction* few_shot shuru_ka header boilerplate same_document template_prefix
    shared_context same_context same_beginning common_beginning few_shot_examples examples context_document
    instructions intro opening schema_prompt tool_definitions tool_descriptions lamba_instruction
goal: only_care throughput_only overnight batch_job maximi* latency_does_not_matter latency_not_important
    raat_ka_batch raat_job sirf_throughput bulk max_throughput dataset_generation
    synthetic_data not_interactive offline_batch offline_job
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
constant: fixed constant exactly_# always_# same_extra regardless no_matter each_call extra_# every_request_takes fix
    overhead_of offset every_call_costs constant_overhead fixed_delay flat_overhead independent_of same_overhead
    irrespective har_baar_itna additional_# fixed_cost constant_delay half_second_added added_to_every added_to_each
    adds_# added_latency har_baar har_request_par_extra constant_extra always_extra always_1_extra extra_per_call flat
    constant_latency half_second half_a_second added_every
each: each every har per all no_matter regardless always 1_sequence any_sequence
count: how_many kitn* maximum_number what_batch max_batch number_of_users enough_for estimate capacity possible
    max_users sufficient_for chal_sakte sambhal* chalega_kya number_of_requests number_requests number_users
    max_parallel how_many_users concurrent_capacity what_concurrency kitne_log kitni_req* kitne_user*
    enough max_requests max_concurrent_users users_per_gpu requests_per_gpu maximum_users user_capacity support_how
    serve_how supports_how kitna_load enough_to_serve
atonce: rate_inf request_rate_inf at_same_time all_at_once everything_at_once all_prompts_at_once at_same_moment
    all_requests_at_once ek_sath same_moment fires_everything inf infinite_rate simultaneously same_time burst
    time_zero at_t_0 all_prompts all_requests flood* unlimited_rate no_rate_limit fired_at_once concurrently
    submitted_together in_one_go sabhi_ek_sath thousands_at_once burst* whole_dataset_at_once simultaneous*
    rate_unlimited infinite_request_rate max_rate no_pacing sab_ek_sath ek_hi_baar together sent_at_once sent_together
    all_#_at_once all_#_prompts fired_together #_prompts_at_once
recompute: recompute recomputation recomputed
atbatch: at_batch beyond_batch above_batch past_batch batch_exceeds batch_goes from_batch over_batch
    batch_size_exceeds batch_reaches batch_passes batch_crosses batch_ke_upar batch_se_upar batch_par captured_sizes
    captured_size captured_graph* largest_captured graph_size beyond_# past_#
finish: done finish* complete* returned khatam pura_hone khatm ends end ended over
offered: sent submitted offered send bheja bheji bheje bhejta fired queued posted issued opened connections
arrive: arriv* comes come_in submit* aata_hai enters joins new_prompt dete dalte bhejte bhejta dalo dalne sends send
    sending bheja bhej* aate_hi aate aata arrive* uploads new_request new_long while_prefilled while_prefill
    someone_submits someone_sends someone_uploads submits whenever mixed_in mixed join joining new_users
behind: wait_behind waits_behind waiting_behind queued_behind stuck_behind blocked_until blocked_behind
    blocks_everyone blocks_every* blocks_all blocks_others block_others blocks_short right_behind right_after_long
    held_up_by head_of_line ruk_jati ruk_jate atak_jate atak_jati ruki_rehti
firsttime: first_few first_couple cold_start coldstart new_shape each_shape every_new unseen_shape new_length
    new_prompt_length nayi_length nayi_shape first_time first_message every_restart each_restart restart_pehla
    first_answers first_answer first_reply first_replies pehli_bar pehla_request
compile: compil* jit autotun* torch_compile inductor codegen code_generation deepgemm nvrtc ptxas recompil* cubin
    kernel_build tuning_kernels kernels_built kernel_build* building_kernels
jit: jit code_generation codegen autotun* recompil* just_in_time
logprob: logprob* repetition_penalty presence_penalty
samplework: logprob* repetition_penalt* presence_penalt* frequency_penalt* penalty_param* penalties logit_bias
    logits_processor* logit_processor* bad_words no_repeat_ngram* full_vocab
collective: all_reduce* allreduce* all_gather* allgather* reduce_scatter nccl ncclkernel* nccldev* ncclallreduce*
    collective* communication_overhead communication_time communication_between inter_gpu_communication all_to_all
    alltoall
replica: replica* n_replicas num_replicas more_instances number_of_instances more_pods engine_instances
arrivalrate: at_rate request_rate arrival_rate rate_# qps rps request_rates every_rate higher_rate
clients: client* user* concurren* parallel* request* stream* session* users log sequences program programs scripts
    terminals thread threads thread_pool workers worker
sametime: same_time at_same_time simultaneous* sath saath ek_sath together in_parallel at_once parallel
inputs: jpg jpeg png jpgs image images photo photos picture pictures frame frames pdf pdfs
longer-chat: context_grows context_gets_longer longer_chat* longer_context* longer_conversation* context_fills
    chat_grows conversation_grows chat_gets_longer conversation_gets_longer history_grows history_gets_longer
    growing_context context_length_increases context_badh* context_lamba chat_lambi chat_lamba history_badh*
wordwise: ek_ek_word ek_ek_shabd ek_ek_akshar ek_ek_letter word_by_word letter_by_letter
zerohits: 0_hits zero_hits no_hits 0_hit no_cache_hits never_hits hits_never 0_cached
others: other* everyone everybody all_users sab sabki sabka baki baaki another_user
fallback: falls_back fallback fall_back eager
timeout: time_out timeout times_out timed_out timeouts
nobatch: no_batching no_batch not_batched not_batching no_inflight
attime: #_at_time #_at_a_time #_together
stops: stops stop halts pauses stops_flowing stop_flowing dries_up
fresh: restart* deploy* reboot* after_start after_startup after_launch boot_up cold fresh* start idle pause
pehla: first pehla pehli initial fresh cold
callword: request* call* query queries inference* run batch* prompt* answer* reply replies message* shape* length* use
    hit attempt* baar bar user generation* hits response_after
untilword: until till tak jab_tak
one-user: 1_user single_user 1_client batch_1 single_request alone single_stream
second-one: second_one 2_one second_call second_request
capword: limit* cap caps capped maximum max restrict* allows only
connections: connection* socket* semaphore connector keepalive
npflag: np_# parallel_# #_slots num_parallel_#
gapword: gap gaps bubble bubbles holes pauses_between
once: once ek_bar ek_baar
coldstart: cold_start cold_starts coldstart
unused: not_used not_being_used unused not_utilized not_utilised use_nahi
nextone: next second 2 other another dusra dusri agla agli b
bounce: bounc* alternat* flip* back_and_forth
third: third quarter half_load tenth
pycode: python_code python_side interpreter python
single: single individual
after-first: after_first once_first first_one_done
newshape: new_length* new_shape* new_size* unseen unknown_length*
silence: silence quiet nothing_happens blank
forever: ages forever eternity takes_forever
queueword: queue queues backlog waiting_line
"""
