//! A file of several projects and everything that such files hold.

use planwright_domain::words::DependencyType;

use super::*;

fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 1, day).unwrap()
}

/// A table of a file, its columns and values parted by a bar.
fn table(name: &str, rows: &[&str]) -> String {
    let lines = rows
        .iter()
        .enumerate()
        .map(|(at, row)| format!("{}\t{}\n", if at == 0 { "%F" } else { "%R" }, row.replace('|', "\t")));
    format!("%T\t{name}\n{}", lines.collect::<String>())
}

fn file() -> String {
    [
        "ERMHDR\t19.12\n".to_owned(),
        table("PROJECT", &[
            "proj_id|proj_short_name|plan_start_date|last_recalc_date",
            "1|TOWER|2026-01-05 08:00|2026-01-07 17:00",
            "2|OLD||",
        ]),
        table("SCHEDOPTIONS", &["proj_id|sched_calendar_on_relationship_lag", "1|rcal_24Hour"]),
        table("CALENDAR", &["clndr_id|clndr_name|day_hr_cnt", "5|Ten hours|10", "6|Other|8"]),
        table("PROJWBS", &[
            "wbs_id|proj_id|proj_node_flag|seq_num|wbs_name|parent_wbs_id",
            "10|1|Y|0|The tower|",
            "11|1|N|2|Upper works|10",
            "12|1|N|1|Ground works|10",
            "13|1|N|3|Nothing|10",
            "14|1|N|3|Round|15",
            "15|1|N|3|And round|14",
        ]),
        table("TASK", &[
            "task_id|proj_id|wbs_id|clndr_id|task_type|status_code|task_code|task_name|target_drtn_hr_cnt|remain_drtn_hr_cnt|act_start_date|act_end_date|cstr_type|cstr_date|cstr_type2|cstr_date2",
            "1|1|12|5|TT_Task|TK_Active|A10|Dig|40|10|2026-01-05 08:00||||",
            "2|1|12|5|TT_FinMile|TK_NotStart|A20|Ready|0|0||||||",
            "3|1|11|6|TT_Task|TK_NotStart|A5|Build|12|12|||CS_MSOA|2026-01-09 08:00|CS_MEOB|2026-02-01 00:00",
            "4|1|11|5|TT_LOE|TK_NotStart|A6|Manage|80|80||||||",
            "5|1|14|5|TT_Task|TK_NotStart|A7|Lost|10|10||||||",
            "6|1|12|5|TT_WBS|TK_NotStart|A8|Sum|10|10||||||",
            "9|2|10|5|TT_Task|TK_NotStart|B|Old|10|10||||||",
        ]),
        table("TASKPRED", &[
            "task_id|pred_task_id|pred_type|lag_hr_cnt",
            "2|1|PR_FF|48",
            "3|2|PR_FS|0",
            "3|9|PR_FS|0",
            "3|4|PR_FS|0",
        ]),
        table("TASKPROC", &["proc_id", "1"]),
        table("RSRC", &["rsrc_id|rsrc_name|rsrc_type|clndr_id", "7|Crew|RT_Labor|6", "8|Nobody|RT_Labor|"]),
        table("TASKRSRC", &["task_id|rsrc_id|target_qty_per_hr|target_cost", "1|7|2|500"]),
        table("ACTVCODE", &["actv_code_id|actv_code_name", "3|Wet"]),
        table("TASKACTV", &["task_id|actv_code_id", "1|3"]),
        table("TASKMEMO", &["task_id|task_memo", "1|<p>Mind &amp; care</p>"]),
        "%E\n".to_owned(),
    ]
    .concat()
}

#[test]
fn a_project_is_read_with_everything_that_a_plan_can_hold() {
    let read = read(file().as_bytes(), day(5)).unwrap();
    let project = &read.document.projects[0];
    let rows: Vec<_> =
        project.tasks.iter().map(|t| (t.wbs_path.as_str(), t.name.as_str(), t.duration)).collect();
    assert_eq!(
        rows,
        [
            ("1", "Ground works", 1),
            ("1.1", "Dig", 4),
            ("1.2", "Ready", 0),
            ("2", "Upper works", 1),
            ("2.1", "Build", 2),
            ("2.2", "Manage", 8),
            ("3", "Lost", 1),
        ]
    );
    let dig = &project.tasks[1];
    assert_eq!(
        (dig.percent_complete, dig.labels.as_slice(), dig.actual_start),
        (75.0, &["wet".to_owned()][..], Some(day(5)))
    );
    assert_eq!(dig.notes, "Activity A10\nMind & care");
    assert_eq!((dig.assignments[0].units, read.document.calendars.len()), (2.0, 2));
    let build = &project.tasks[4];
    assert_eq!(build.constraint, Some((ConstraintType::StartNoEarlierThan, Some(day(9)))));
    assert_eq!((build.calendar.as_deref(), dig.calendar.as_deref()), (Some("other"), None));
    assert_eq!(build.deadline, Some(day(31)), "midnight belongs to the day before");
    let links: Vec<_> = project.dependencies.iter().map(|link| (link.kind, link.lag)).collect();
    assert_eq!(links, [(DependencyType::FinishToFinish, 2), (DependencyType::FinishToStart, 0)]);
    assert_eq!((project.lag_calendar, project.status_date), (Some(LagCalendar::Elapsed), Some(day(8))));
    assert_eq!((project.name.as_str(), project.calendar.as_deref()), ("The tower", Some("ten-hours")));
}

#[test]
fn everything_that_is_not_carried_is_named() {
    let read = read(file().as_bytes(), day(5)).unwrap();
    let lost: Vec<(&str, usize)> =
        read.losses.0.iter().map(|loss| (loss.field.as_str(), loss.count)).collect();
    assert_eq!(
        lost,
        [
            ("TASKPROC", 1),
            ("PROJECT", 1),
            ("clndr_data", 2),
            ("TASK", 1),
            ("PROJWBS", 1),
            ("PROJWBS", 2),
            ("task_type", 1),
            ("target_drtn_hr_cnt", 1),
            ("task_type", 1),
            ("TASKPRED", 2),
            ("RSRC", 1),
            ("target_cost", 1),
        ]
    );
}

#[test]
fn wrong_values_and_columns_without_a_place_are_named() {
    let odd = file()
        .replace("PR_FF", "PR_ZZ")
        .replace("\t10\t10\t", "\tx\t-5\t")
        .replace("%R\t4\t1\t11", "%R\t4\t1\t99")
        .replace("%R\t3\t1\t11\t6", "%R\t1\t1\t11\t6")
        .replace("rsrc_type\tclndr_id", "ot_factor\tclndr_id")
        .replace("Ten hours\t10", "Ten hours\tNaN");
    let lost: Vec<String> =
        read(odd.as_bytes(), day(5)).unwrap().losses.0.into_iter().map(|loss| loss.field).collect();
    for field in ["TASK", "pred_type", "wbs_id", "day_hr_cnt", "RSRC.ot_factor"] {
        assert!(lost.iter().any(|known| known == field), "{field} is missing in {lost:?}");
    }
}

#[test]
fn a_cell_behind_the_last_column_is_named_with_its_row_and_an_empty_one_is_not() {
    let surplus = |more: &str| {
        let dig = "A10\tDig\t40\t10\t2026-01-05 08:00\t\t\t\t";
        let odd = file().replace(dig, &format!("{dig}{more}"));
        let losses = read(odd.as_bytes(), day(5)).unwrap().losses.0;
        losses.into_iter().find(|loss| loss.reason.starts_with("A row has more cells"))
    };
    let found = surplus("\t\textra").unwrap();
    assert_eq!((found.field.as_str(), found.count, &*found.rows), ("TASK", 1, &["A10".to_owned()][..]));
    assert_eq!(surplus("\tin its column\t "), None);
}

#[test]
fn work_that_is_interrupted_is_named_with_its_row() {
    let broken = file().replace("cstr_type2\tcstr_date2", "suspend_date\tresume_date").replace(
        "A10\tDig\t40\t10\t2026-01-05 08:00\t\t\t\t\n",
        "A10\tDig\t40\t10\t2026-01-05 08:00\t\t\t\t2026-01-06 08:00\t2026-01-08 08:00\n",
    );
    let losses = read(broken.as_bytes(), day(5)).unwrap().losses.0;
    let found = losses.iter().find(|loss| loss.field == "suspend_date").unwrap();
    assert!(found.rows.contains(&"A10 Dig".to_owned()), "{found:?}");
}

#[test]
fn the_plan_has_the_calendar_of_its_project_if_an_activity_has_it() {
    let own = file().replace("proj_id\tproj_short_name", "clndr_id\tproj_id\tproj_short_name");
    let own = own.replace("%R\t1\tTOWER", "%R\t6\t1\tTOWER").replace("%R\t2\tOLD", "%R\t\t2\tOLD");
    let project = &read(own.as_bytes(), day(5)).unwrap().document.projects[0];
    assert_eq!(project.calendar.as_deref(), Some("other"));
    let calendars: Vec<_> = project.tasks.iter().map(|task| task.calendar.as_deref()).collect();
    let ten = Some("ten-hours");
    assert_eq!(calendars, [None, ten, ten, None, None, ten, ten]);
    let none = own.replace("%R\t6\t1\tTOWER", "%R\t77\t1\tTOWER");
    let project = &read(none.as_bytes(), day(5)).unwrap().document.projects[0];
    assert_eq!(project.calendar.as_deref(), ten);
}

#[test]
fn a_file_that_was_cut_off_says_so() {
    let whole = file();
    let has_mark = |text: &str| {
        let losses = super::read(text.as_bytes(), day(5)).unwrap().losses.0;
        losses.iter().any(|loss| loss.field == "File")
    };
    assert!(!has_mark(&whole));
    assert!(has_mark(whole.split("%T\tTASKPRED").next().unwrap()));
}

#[test]
fn files_that_are_no_plan_are_refused() {
    let refusal = |text: &str| super::read(text.as_bytes(), day(5)).unwrap_err().0;
    assert!(refusal("PK").contains("no XER file"));
    assert!(refusal("ERMHDR\t1\n%E\n").contains("no tasks"));
}

/// A week of one day, and two exceptions that are on no day.
const CALENDAR: &str = "(0||CalendarData()((0||DaysOfWeek()((0||2()((0||0(s|08:00|f|16:00)())))))\
    (0||Exceptions()((0||0(d|99999999)())(0||1(d|abc)())))))";

#[test]
fn values_that_are_wrong_are_named() {
    let file = [
        "ERMHDR\t19.12\n".to_owned(),
        table("PROJECT", &["proj_id|proj_short_name|plan_start_date|last_recalc_date", "1|T|2026-01-05 08:00|31.12.2025"]),
        table("CALENDAR", &["clndr_id|clndr_name|clndr_data", "6|Blank|"]),
        format!("%R\t5\tDays\t{CALENDAR}\n"),
        table("TASK", &[
            "task_id|proj_id|clndr_id|task_type|status_code|task_code|task_name|target_drtn_hr_cnt|act_start_date|phys_complete_pct",
            "1|1|5|TT_X|ZZZ|A|Dig|8|05/01/2026|250",
            "2|1|6|TT_Task|TK_NotStart|B|Pour|8||much",
        ]),
        table("ACTVCODE", &["actv_code_id|actv_code_name", &format!("3|{}", "w".repeat(60))]),
        table("TASKACTV", &["task_id|actv_code_id", "1|3", "2|4"]),
        "%E\n".to_owned(),
    ]
    .concat();
    let read = read(file.as_bytes(), day(5)).unwrap();
    let fields: Vec<&str> = read.losses.0.iter().map(|loss| loss.field.as_str()).collect();
    for field in [
        "last_recalc_date",
        "act_start_date",
        "status_code",
        "task_type",
        "phys_complete_pct",
        "TASKACTV",
        "labels",
        "clndr_data",
    ] {
        assert!(fields.contains(&field), "{field}: {fields:?}");
    }
    let percentages = read.losses.0.iter().filter(|loss| loss.field == "phys_complete_pct").count();
    assert_eq!(percentages, 2, "{:?}", read.losses);
}

#[test]
fn a_finish_at_midnight_is_the_end_of_the_day_before() {
    let file = [
        "ERMHDR\t19.12\n".to_owned(),
        table("PROJECT", &["proj_id|proj_short_name|plan_start_date", "1|T|2026-01-05 00:00"]),
        table("TASK", &[
            "task_id|proj_id|task_type|status_code|task_code|task_name|target_drtn_hr_cnt|act_start_date|act_end_date|early_start_date|early_end_date",
            "1|1|TT_Task|TK_NotStart|A|Dig|72|||2026-01-05 00:00|2026-01-08 00:00",
            "2|1|TT_FinMile|TK_NotStart|B|Ready|0|||2026-01-08 00:00|2026-01-08 00:00",
            "3|1|TT_Task|TK_Complete|C|Pour|24|2026-01-05 00:00|2026-01-06 00:00||",
            "4|1|TT_Task|TK_NotStart|D|Dry|24|||2026-01-05|2026-01-05",
        ]),
        "%E\n".to_owned(),
    ]
    .concat();
    let read = read(file.as_bytes(), day(5)).unwrap();
    let dates = ["1", "2", "3", "4"].map(|path| read.dates[path]);
    let span = |start, finish| (Some(day(start)), Some(day(finish)));
    assert_eq!(dates, [span(5, 7), span(7, 7), span(5, 5), span(5, 5)]);
    let poured = &read.document.projects[0].tasks[2];
    assert_eq!((poured.actual_start, poured.actual_finish), span(5, 5));
}

#[test]
fn contradictions_and_what_stands_around_activities_are_named() {
    let file = [
        "ERMHDR\t19.12\n".to_owned(),
        table("PROJECT", &["proj_id|proj_short_name|plan_start_date", "1|T|2026-01-05 08:00"]),
        table("SCHEDOPTIONS", &["proj_id|sched_calendar_on_relationship_lag", "1|rcal_XX"]),
        table("TASK", &[
            "task_id|proj_id|task_type|status_code|task_code|task_name|target_drtn_hr_cnt|remain_drtn_hr_cnt|act_start_date|act_end_date|complete_pct_type|phys_complete_pct",
            "1|1|TT_Task|TK_NotStart|A|Dig|24|24|2026-01-05 08:00|||",
            "2|1|TT_Task|TK_Active|B|Pour|24|8||||",
            "3|1|TT_Task|TK_Active|C|Dry|24|0|2026-01-05 08:00|||",
            "4|1|TT_Task|TK_Complete|D|Paint|24|0|2026-01-05 08:00|||",
            "5|1|TT_Task|TK_Active|E|Wait|24|8|2026-01-05 08:00||CP_Phys|100",
            "6|1|TT_Mile|TK_Complete|F|Begun|0|0|2026-01-05 08:00|||",
        ]),
        table("RSRC", &["rsrc_id|rsrc_name|rsrc_type|parent_rsrc_id|active_flag", "7|Crew|RT_Labor|9|N"]),
        table("TASKRSRC", &["task_id|rsrc_id|role_id", "1|7|3"]),
        table("TASKMEMO", &["task_id|task_memo", "1|<p>Mind</p>", "99|Lost"]),
        "%E\n".to_owned(),
    ]
    .concat();
    let read = read(file.as_bytes(), day(5)).unwrap();
    let lost = |field: &str| {
        let of_field = read.losses.0.iter().filter(|loss| loss.field == field);
        of_field.flat_map(|loss| loss.rows.clone()).collect::<Vec<_>>()
    };
    assert_eq!(lost("status_code"), ["A Dig", "B Pour", "C Dry", "D Paint"]);
    assert_eq!(lost("phys_complete_pct"), ["E Wait"]);
    assert_eq!(
        (lost("RSRC.parent_rsrc_id"), lost("RSRC.active_flag")),
        (vec!["Crew".to_owned()], vec!["Crew".to_owned()])
    );
    assert_eq!(
        (lost("TASKRSRC.role_id"), lost("TASKMEMO")),
        (vec!["A Dig".to_owned()], vec!["activity 99".to_owned()])
    );
    assert!(read.losses.0.iter().any(|loss| loss.field == "sched_calendar_on_relationship_lag"));
}
