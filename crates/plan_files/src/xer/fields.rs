//! The columns of XER that need no word in a list of losses: those that are read, and those that P6 computes, or keeps for
//! its own database. Source: the tables of files of P6 versions 7 to 22.

/// The tables that are looked at, with the columns that need no word, parted by blanks.
const KNOWN: [(&str, &str); 9] = [
    (
        "PROJECT",
        "proj_id proj_short_name plan_start_date plan_end_date last_recalc_date scd_end_date clndr_id export_flag guid \
         orig_proj_id source_proj_id base_type_id last_baseline_update_date sum_base_proj_id sum_data_date sum_only_flag \
         sum_assign_level last_tasksum_date fcst_start_date add_date add_by_name last_fin_dates_id last_level_date \
         last_schedule_date last_checksum checkout_flag checkout_date checkout_user_id project_flag control_updates_flag \
         cr_external_key history_interval history_level fiscal_start wbs_max_sum_level step_complete_flag \
         allow_complete_flag rsrc_multi_assign_flag rsrc_self_add_flag rsrc_role_match_flag allow_neg_act_flag \
         task_code_base task_code_step task_code_prefix task_code_prefix_flag priority_num critical_path_type \
         critical_drtn_hr_cnt strgy_priority_num def_complete_pct_type def_cost_per_qty def_duration_type \
         def_qty_type def_rate_type def_rollup_dates_flag def_task_type act_pct_link_flag act_this_per_link_flag \
         add_act_remain_flag batch_sum_flag cost_qty_recalc_flag name_sep_char chng_eff_cmp_pct_flag \
         ts_rsrc_vw_compl_asgn_flag ts_rsrc_vw_inact_actv_flag ts_rsrc_mark_act_finish_flag \
         ts_rsrc_vw_compl_asgn_flag use_project_baseline_flag rem_target_link_flag reset_planned_flag \
         trsrcsum_loc sumtrsrc_loc px_enable_publication_flag px_last_update_date px_priority intg_proj_type \
         apply_actuals_date acct_id matrix_id rsrc_id hist_interval",
    ),
    (
        "PROJWBS",
        "wbs_id proj_id obs_id seq_num est_wt proj_node_flag sum_data_flag status_code wbs_short_name wbs_name \
         phase_id parent_wbs_id ev_user_pct ev_etc_user_value ev_compute_type ev_etc_compute_type guid tmpl_guid \
         plan_open_state status_reviewer",
    ),
    (
        "TASK",
        "task_id proj_id wbs_id clndr_id phys_complete_pct rev_fdbk_flag est_wt lock_plan_flag auto_compute_act_flag \
         complete_pct_type task_type duration_type status_code task_code task_name rsrc_id total_float_hr_cnt \
         free_float_hr_cnt remain_drtn_hr_cnt target_drtn_hr_cnt act_start_date act_end_date late_start_date \
         late_end_date early_start_date early_end_date restart_date reend_date target_start_date target_end_date \
         rem_late_start_date rem_late_end_date cstr_type cstr_date cstr_type2 cstr_date2 priority_type suspend_date \
         resume_date expect_end_date float_path float_path_order guid tmpl_guid driving_path_flag create_date \
         create_user update_date update_user review_type review_end_date control_updates_flag crt_path_num \
         act_this_per_work_qty act_this_per_equip_qty",
    ),
    (
        "TASKPRED",
        "task_pred_id task_id pred_task_id proj_id pred_proj_id pred_type lag_hr_cnt float_path aref arls",
    ),
    (
        "RSRC",
        "rsrc_id parent_rsrc_id clndr_id rsrc_seq_num rsrc_short_name rsrc_name email_addr rsrc_title_name rsrc_type \
         def_qty_per_hr active_flag guid auto_compute_act_flag def_cost_qty_link_flag curr_id unit_id load_tasks_flag \
         level_flag last_checksum timesheet_flag user_id shift_id ts_approve_user_id xfer_notstart_day_cnt \
         xfer_complete_day_cnt",
    ),
    ("RSRCRATE", "rsrc_rate_id rsrc_id max_qty_per_hr cost_per_qty start_date shift_period_id rate_type"),
    (
        "TASKRSRC",
        "taskrsrc_id task_id proj_id rsrc_id role_id acct_id target_qty_per_hr remain_qty_per_hr target_qty remain_qty \
         act_reg_qty target_cost target_start_date target_end_date act_start_date act_end_date restart_date reend_date \
         rem_late_start_date rem_late_end_date rsrc_type guid create_date create_user cost_qty_link_flag pend_complete_pct \
         cost_per_qty_source_type cost_per_qty rollup_dates_flag wbs_id skill_level remain_cost remain_crv target_crv \
         actual_crv relag_drtn_hr_cnt ts_pend_act_end_flag prior_ts_act_reg_qty prior_ts_act_ot_qty \
         has_rsrchours taskrsrc_sum_id",
    ),
    (
        "CALENDAR",
        "clndr_id default_flag clndr_name proj_id base_clndr_id last_chng_date clndr_type day_hr_cnt week_hr_cnt \
         month_hr_cnt year_hr_cnt rsrc_private clndr_data",
    ),
    (
        "ACTVCODE",
        "actv_code_id parent_actv_code_id actv_code_type_id actv_code_name short_name seq_num total_assignments",
    ),
];

/// The columns of a table that need no word. `None` for a table whose columns nobody counts.
pub(super) fn known(table: &str) -> Option<Vec<&'static str>> {
    let (_, columns) = KNOWN.iter().find(|(name, _)| *name == table)?;
    Some(columns.split_ascii_whitespace().collect())
}

/// The tables that are looked at.
pub(super) fn tables() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|(name, _)| *name)
}
