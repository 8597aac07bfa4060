"""Words for speed: what is slow, what is gained, what grows; rows as in ``engine.diagnosis.symptoms.concepts``."""

ROWS = """
slow: slow* crawl* sluggish* longer dhima* dhime dhimi dhire sust unusable painful* struggl* takes_forever deteriorat*
    degrad* bottleneck* collaps* tank* plummet* hurts hurt kills killed_speed ghat* falls_behind fall_behind loses
    lose lost_to piche_reh* piche_rah* penalty overhead inefficien* expensive der_lag* der_se time_lag* too_long
    long_time ages zyada_time more_time late mar_gai der too_high high_ttft kills_speed speed_mar lag lags lagged
    lagging laggy lag_raha lag_rahe worse performs_worse poorer negative regress* costs cost triples tripl* quadrupl*
    fivefold eats_up drags drag dhire_chal* atakta phans* susti thak time_leta time_leti time_lete zyada_der ghanto
    behind trails trailing kharab_speed dheela takes_much_longer longer_than_expected slowness slowdown speed_loss
    performance_loss speed_drop perf_drop underperform* lackluster jyada_time der_laga* thakela ghat_gayi ghat_gai
    ulta half_as_fast twice_slower laggard halves_throughput lumps extended_queue extended_time
fast: fast* quick* snappy tez tezi jaldi speedup* speeds_up sped_up outperform* beats beat wins win improv* doubled
    better efficient* badhiya instant* immediate* snappier blazing rapid speedier tezi_se better_speed
    better_throughput ahead leads lead faster_by superior smooth* sahi_chalta
less: lower* reduc* drop* decreas* declin* less halv* half third fraction_of fell falls loss loses kam gir* adhi adha
    fewer smaller down tihai chauthai shrink* suffers halves below under cuts costs cost fall shrinks minus diminish*
    tripled_down aadhi ghat* hardly little
more: increas* higher adds add added grow* rise* rising climb* badh* double* doubling jump* up_to extra zyada explod*
    spik* balloon* multipl* tripl* quadrupl* additional rises went_up goes_up shoots_up soar* inflat* badhi costs
    takes_away more plus_#
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
    little_benefit minimal_gain did_not_pay not_pay_off stays_same remains_same kuch_nahi_mila farq_nahi ek_jitni
    ek_jitna koi_farak changed_nothing slight* barely_better khaas_fayda not_improve not_improving does_not_improve
bad: slow* dhim* terribl* awful bad* low disappoint* weak kharab horribl* bekar kam terrible high too_high poor poorly
ask: how kaise tip tips advice suggestion* recommend* improve optimi* increase reduce any_way kya_karun best_way want
    chahta chahti need make any looking_for hoping would_like wants wanted need_to ideas idea way what which
same: same identical equal utni utna utne barabar unchanged not_change no_less not_shrink not_decreas* not_drop
    not_go_down does_not_shrink kam_nahi no_difference still similar same_amount just_as_much not_smaller not_less
    not_lower same_vram same_memory same_footprint jitna_hi no_smaller exactly_as_much as_much_as
    not_lower_than_before same_as_before just_like same_like as_before
collapse: collaps* drop* falls_off cliff plummet* tank* decay* degrad* gir* slow* nosedive* dhim* halv* stall* falls
    fall fell half drops breaks break worse nosediv* sinks dives gir_ja* collapses
cliff: cliff jump* suddenly abrupt* step_change achanak goes_from sharp* discontinu* threshold sudden*
grows: linear* proportional* twice_as_long grow* increas* double* badh* scales_with multipl* n_times half_speed_each
    goes_up twice_long dugna proportion* requests_x n_x times_single_time times_number sum_of proportional scales
    multiplies worse_with rises_with increases_with grows_with higher_with more_users badhate times_as_long n_fold
    rises steep* rises_steeply jitne utna_zyada utna_time multiply n_times_longer sums_up adds_up stacks sum sums
promise: advertis* promis* claim* expected expect docs_say paper blog_post supposed dawa ummeed hoped marketing
    announced theoretical* benchmark_says wada wade vada bola_tha kaha_tha supposedly rated stated quoted
    benchmarks_show readme_says data_sheet datasheet spec_sheet table published official hona_chahiye chahiye
    advertised_as on_paper benchmark_page theoretically nvidia_says website_says leaderboard
factor: #_x #_times #_guna #_fold x
equal: no_faster same_as_with barabar same_speed not_faster as_fast_as not_any_faster same_as comparable equal
    identical no_better ek_jaisi ek_jaisa equally on_par at_par neck utna_hi same_speed_as jitni_hi jitna_hi ek_jitni
    ek_jitna utni utna
spike: spik* stall* stutter* freez* hiccup* pause* jitter* ruk_jat* atak_atak ruk_ja* hang* interrupt* blocked jerky
    halts choppy ruk ruka ruke rukti rukta jump* jumps surge* block blocks blocking hitch* wobbl* uneven irregular
    atakti atakta thamti tham_ja* laggy bursts burst arrive_in_bursts ruk_ruk bunches clumps atak sab_atak lump*
    freezes wait_behind waits_behind rukne stops_for stops_when explod* pauses halt* lag lags
differs: twice differ* different double* more fewer larger mismatch* does_not_match not_match match_nahi not_agree
    do_not_agree not_equal zyada kam discrepan* not_add_up several_times does_not_add inconsistent not_correspond
    times_expected not_give not_fit_together not_explain not_reconcile
compare: vs versus compared where tulna than while se gives comparison against gap difference antar farak
    compared_with comparing benchmark* ahead_of than_vllm
toofew: only just merely barely sirf bas measured hardly measly paltry
time: time latency waqt der long total_time single_time wall_time duration finish*
overtake: catch* overtak* pull*_ahead ahead takes_over takes_lead aage nikal_jat* barabar crosses crossover surpass*
    ties win* outperform* beats better
regress: slower_than_before regression regressed
unchanged: unchanged flat constant same stays_same identical hardly_changes barely_changes hardly_any_change
    same_value equal constant_at stuck_at stagnates stagnant
speed-up: speed_up speed_this_up speed_it_up speed_things_up make_it_faster make_this_faster accelerate tez_karun
    tez_kaise tez_karna faster_inference increase_throughput improve_throughput improve_performance improve_speed
    improve_latency reduce_latency more_tok more_speed more_throughput better_performance better_throughput boost
    speed_badh* badhaun badhaye throughput_badh* latency_kam latency_ghata* squeeze more_out faster_decoding
    faster_generation faster_responses quicker_answers lower_latency lower_ttft higher_speed better_speed
    better_latency maximum_speed optimi*
token-tiny: less_than_1_token less_than_1_tok below_1_token under_1_token below_1_tok under_1_tok not_even_1_token
    seconds_per_token s_per_token s_token sec_per_token seconds_token minutes_per_token 1_token_every second_per_token
    token_per_minute tokens_per_minute ek_ek_token
shortof: far_from short_of nowhere_near below falls_short not_reach* only less_than far_less instead
catch: catch* overtak* pull*_ahead aage surpass*
seconds: several_seconds many_seconds few_seconds kai_second
change: slower worse dropped halved fell became_slow* slowed less_than_before dhima_ho* slow_ho* gir_gay* ghat_gay*
    kam_ho*
smooth: smooth* snappy quick* fast fluent* fluid tez instant* responsive
little: marginal* slight* hardly barely just only sirf bas negligible minor modest tiny khaas little not_significant
    insignificant not_noticeable hardly_any few_percent
nomore: not_increase not_grow not_go_up not_rise not_scale not_improve not_get_higher no_more_tokens
    no_more_throughput no_more_tok no_further stays_same stays_flat remains_same same_total total_same flat plateau*
    saturat* tops_out peaks levels_off leveled_off brings_nothing adds_nothing gives_nothing nothing_more nahi_badhta
    nahi_badhti nahi_badha same_throughput same_tokens utni_hi utna_hi stagnat* nothing_gained nothing_gain
    no_advantage no_more_speed kuch_nahi_milta kuch_nahi_mila koi_fayda koi_farak change_nothing changes_nothing
    changed_nothing kuch_nahi_badal* no_difference makes_no_difference stop_growing stops_growing stop_increasing
    stops_increasing stops_scaling stop_scaling stops_rising wahi_rehta wahi_rehti qps_wahi speed_wahi throughput_wahi
ceiling: then_no_more and_no_more then_not_more tops_out saturat* peaks levels_off plateau* maxes_out hits_wall
    hits_ceiling reaches_ceiling ceiling never_more_than flat_from flat_after flat_beyond not_higher stop_growing
    stops_growing stop_increasing stops_increasing stops_scaling stop_scaling stops_rising
both: both dono
jump: jump* doubl* halv* half double drops
dominate: dominat* most_of majority spent spend spends zyada_time sabse_zyada bottleneck* takes_longer longer_than
    grows grow* limit* slow expensive heavy hog*
anygain: any_acceleration any_speedup any_gain any_benefit any_improvement any_faster any_advantage any_uplift
later: later afterwards afterward then subsequent next_ones second_one baad_sab baad_theek baad_sahi baad_normal
    baad_tez phir_normal phir_theek following_ones normal warm rest_fine steady once_warm others_fine dusri_baar
    dusri_bar second_time 2_time second_call then_normal then_fine then_fast
worse: worse weaker weak lose loses lags behind
beyond: #_bad beyond past above #_ke_baad over more_than
as-fast: as_fast_as as_quick_as just_as_fast just_as_quick
good: accha acha achha better best sahi faster
jitne: jitne jitna jitni
mismatch: not_match mismatch* not_as_in not_agree falls_short
whole: total aggregate overall whole altogether sum
results: result* number* figure* score* value*
not-worth: not_worth no_worth was_not_worth
"""
