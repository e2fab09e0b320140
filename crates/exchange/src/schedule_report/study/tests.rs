//! Looks at a small plan, in either format, as text and as JSON.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use chrono::NaiveDate;

use super::*;
use crate::schedule_report::{Format, Watch, simple_line};

const PLAN: &str = r#"{"schema_version": "2.0",
    "program": {"slug": "p", "name": "P", "methodology": "WATERFALL"},
    "projects": [{"slug": "one", "name": "One", "methodology": "WATERFALL", "start_date": "2026-01-05",
        "tasks": [
            {"wbs_path": "1", "name": "Dig", "duration": 5, "estimate": {"optimistic": 4, "most_likely": 5, "pessimistic": 9}},
            {"wbs_path": "2", "name": "Order", "duration": 2},
            {"wbs_path": "3", "name": "Build", "duration": 3}],
        "dependencies": [
            {"predecessor": "1", "successor": "3", "dep_type": "FS"},
            {"predecessor": "2", "successor": "3", "dep_type": "FS"}]}]}"#;

fn look(studies: &[Study]) -> Result<String, Rejection> {
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
    study(PLAN.as_bytes(), &Options { runs: 200, ..Options::on(today) }, studies)
}

#[test]
fn the_predecessor_that_binds_is_named_and_the_other_one_has_slack() {
    let text = look(&[Study::Explain("3".into())]).unwrap();
    let binding = "binds     2026-01-12 – 2026-01-14  FS from 1 Dig: it ends on Fri 2026-01-09; +0 working days, 2 calendar days off";
    assert!(text.contains(binding), "{text}");
    let other = "3 d off   2026-01-07 – 2026-01-09  FS from 2 Order: it ends on Tue 2026-01-06; +0 working days, 0 calendar days off";
    assert!(text.contains(other), "{text}");
}

#[test]
fn a_change_within_the_float_moves_nothing_and_one_day_more_moves_the_finish() {
    let within = look(&[Study::WhatIf("2".into(), Change::By(3))]).unwrap();
    assert!(within.contains("finish 2026-01-14 → 2026-01-14"), "{within}");
    let beyond = look(&[Study::WhatIf("one:2".into(), Change::By(4))]).unwrap();
    assert!(beyond.contains("finish 2026-01-14 → 2026-01-15"), "{beyond}");
}

#[test]
fn chains_bars_checks_and_curve_name_every_row_they_speak_of() {
    let text =
        look(&[Study::FloatPaths { count: 2, to: None }, Study::Gantt, Study::Health, Study::Curve]).unwrap();
    assert!(text.contains("1. float 0 d\n       1 Dig\n       3 Build"), "{text}");
    assert!(text.contains("2. float 3 d\n       2 Order\n       → 3 Build"), "{text}");
    assert!(
        text.contains("3 Build") && text.contains("critical path test") && text.contains("100.0 %"),
        "{text}"
    );
}

#[test]
fn as_json_every_look_is_an_object_with_the_same_numbers() {
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
    let options = Options { runs: 200, json: true, ..Options::on(today) };
    let studies = [
        Study::Explain("3".into()),
        Study::FloatPaths { count: 2, to: None },
        Study::Health,
        Study::WhatIf("2".into(), Change::By(4)),
        Study::Gantt,
        Study::Curve,
    ];
    let text = study(PLAN.as_bytes(), &options, &studies).unwrap();
    let told: Value = serde_json::from_str(&text).unwrap();
    let of = |index: usize, name: &str| {
        assert_eq!(told["studies"][index]["study"], name);
        told["studies"][index].clone()
    };
    let first = of(0, "explain")["early"][0].clone();
    assert_eq!((&first["task"], &first["binds"]), (&json!("one:1"), &json!(true)));
    let paths = of(1, "float_paths")["chains"][0]["paths"].clone();
    assert_eq!(paths[1], json!({"float": 3, "tasks": ["one:2"], "joins": "one:3"}));
    let resources = of(2, "health")["checks"][9].clone();
    assert_eq!(resources["verdict"], "not_assessed");
    assert_eq!(resources["missing"], "there is no information on which rows have resources");
    assert_eq!(of(3, "what_if")["finish"], json!({"before": "2026-01-14", "after": "2026-01-15"}));
    assert_eq!(of(4, "gantt")["bars"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        of(5, "curve")["points"]
            .as_array()
            .and_then(|points| points.last())
            .map(|last| last["share"].clone()),
        Some(json!(1.0))
    );
}

#[test]
fn what_holds_the_finish_up_is_told_as_text_and_as_json() {
    // Dig holds the finish up by the three days that Order has to spare; Build by all of its own.
    let studies = [Study::Drag, Study::NearCritical(3), Study::LongestPath("3".into())];
    let text = look(&studies).unwrap();
    assert!(text.contains("     3 d  1 Dig\n     3 d  3 Build"), "{text}");
    assert!(text.contains("     3 d  2 Order"), "{text}");
    assert!(text.contains("The longest path to 3 Build\n  1 Dig\n  3 Build"), "{text}");
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
    let options = Options { runs: 0, json: true, ..Options::on(today) };
    let told: Value = serde_json::from_str(&study(PLAN.as_bytes(), &options, &studies).unwrap()).unwrap();
    let studies = &told["studies"];
    assert_eq!(studies[0]["projects"][0]["drags"][0], json!({"task": "one:1", "days": 3}));
    assert_eq!(studies[1]["projects"][0]["tasks"], json!([{"task": "one:2", "float": 3}]));
    assert_eq!(studies[2]["tasks"], json!(["one:1", "one:3"]));
}

#[test]
fn a_simulation_tells_of_all_its_runs() {
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
    let told = Arc::new(AtomicU32::new(0));
    let sum = told.clone();
    let watch = Watch::by(move |runs| {
        sum.fetch_add(runs, Ordering::Relaxed);
    });
    let options = Options { runs: 2_500, watch, ..Options::on(today) };
    study(PLAN.as_bytes(), &options, &[Study::WhatIf("1".into(), Change::By(1)), Study::Curve]).unwrap();
    assert_eq!(told.load(Ordering::Relaxed), 3 * 2_500);
}

#[test]
fn a_baseline_and_assignments_are_assessed() {
    let plan = PLAN
        .replace(r#""start_date": "2026-01-05","#, r#""start_date": "2026-01-05", "status_date": "2026-01-12",
            "baselines": [{"name": "B", "is_active": true, "tasks": [{"task": "1", "finish": "2026-01-09"}]}],"#);
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
    let text = study(plan.as_bytes(), &Options::on(today), &[Study::Health]).unwrap();
    assert!(text.contains("FAILED       missed work                 100.0 %  (at most 5 %"), "{text}");
    assert!(text.contains("not assessed resources                   there is no information"), "{text}");
}

#[test]
fn a_task_may_be_named_by_what_people_call_it() {
    let by_name = look(&[Study::Explain("build".into())]).unwrap();
    assert_eq!(by_name, look(&[Study::Explain("3".into())]).unwrap());
}

#[test]
fn a_task_that_is_not_there_is_named() {
    assert!(look(&[Study::Explain("9".into())]).unwrap_err().to_string().contains("the path or the name 9"));
}

/// The same plan in the simple format, with what only that can say.
const SIMPLE: &str = r#"{"name": "Yard", "start": "2026-01-05",
    "calendars": {"six": {"working_days": 63}},
    "tasks": [
        {"id": "P", "name": "Phase"},
        {"id": "1", "name": "Dig\n\u001b[2J", "duration": 5, "parent": "P", "estimate": [4, 5, 9]},
        {"id": "2", "name": "注文", "duration": 2, "calendar": "six", "deadline": "2026-01-08"},
        {"id": "3", "name": "Build", "duration": 3, "constraint": ["FNLT", "2026-01-13"]},
        {"id": "0", "name": "Done", "duration": 1, "actual_start": "2026-01-05", "actual_finish": "2026-01-05"}],
    "deps": [{"pred": "P", "succ": "3"}, {"pred": "2", "succ": "3", "lag": 1}],
    "simulation": {"risks": [{"id": "flood", "probability": 0.5, "impacts": [{"task": "2", "days": [3, 4, 5]}]}]}}"#;

fn simple(options: Options) -> Options {
    Options { format: Format::Simple, ..options }
}

fn on_monday() -> Options {
    Options { runs: 200, ..Options::on(NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default()) }
}

fn look_simple(studies: &[Study]) -> Result<String, Rejection> {
    study(SIMPLE.as_bytes(), &simple(on_monday()), studies)
}

#[test]
fn every_look_works_for_the_simple_format_too() {
    let studies = [
        Study::Explain("3".into()),
        Study::FloatPaths { count: 9, to: None },
        Study::FloatPaths { count: 9, to: Some("2".into()) },
        Study::Health,
        Study::WhatIf("2".into(), Change::To(9)),
        Study::Gantt,
        Study::Curve,
    ];
    let text = look_simple(&studies).unwrap();
    let through =
        "FS from P Phase, there 1 Dig  [2J: it ends on Fri 2026-01-09; +0 working days, 2 calendar days off";
    assert!(text.contains(through), "{text}");
    assert!(text.contains("constraint Tue 2026-01-13"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(text.contains("Chains that lead to 2 注文"), "{text}");
    assert!(text.contains("9 instead of 2\n  finish 2026-01-14 → 2026-01-20\n  P50"), "{text}");
    let json = Options { json: true, ..simple(on_monday()) };
    let told: Value = serde_json::from_str(&study(SIMPLE.as_bytes(), &json, &studies).unwrap()).unwrap();
    let bound = &told["studies"][0]["early"][0];
    assert_eq!((&bound["leaf"], &bound["calendar_days_off"]), (&json!("1"), &json!(2)));
    assert_eq!(bound["link"], json!({"type": "FS", "lag": 0, "lag_unit": "working"}));
    let one_line = simple_line(SIMPLE, &json, &studies).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&one_line).unwrap(), told);
}

#[test]
fn a_summary_names_the_rows_that_decide_its_dates() {
    let text = look_simple(&[Study::Explain("P".into())]).unwrap();
    assert!(text.contains("early finish 2026-01-09  1 Dig"), "{text}");
    assert!(text.contains("total float          -1  1 Dig"), "{text}");
}

#[test]
fn what_cannot_change_anything_is_refused_with_the_reason() {
    let why = |task: &str| look_simple(&[Study::WhatIf(task.into(), Change::By(5))]).unwrap_err().to_string();
    assert!(why("P").contains("P Phase is a summary"), "{}", why("P"));
    assert!(why("0").contains("0 Done is complete"), "{}", why("0"));
    let to = |task: &str| Study::FloatPaths { count: 1, to: Some(task.into()) };
    assert!(look_simple(&[to("0")]).unwrap_err().to_string().contains("is complete"));
    let cut = look_simple(&[Study::WhatIf("3".into(), Change::By(-50))]).unwrap();
    assert!(cut.contains("-47 days are less than possible; reduced to 0"), "{cut}");
}

#[test]
fn without_runs_dates_answer_alone_and_no_curve_is_drawn() {
    let options = Options { runs: 0, ..simple(on_monday()) };
    let told = study(SIMPLE.as_bytes(), &options, &[Study::WhatIf("1".into(), Change::By(1))]).unwrap();
    assert!(told.contains("finish 2026-01-14 → 2026-01-15") && !told.contains("P80"), "{told}");
    assert!(study(SIMPLE.as_bytes(), &options, &[Study::Curve]).unwrap_err().to_string().contains("runs"));
}

#[test]
fn charts_fit_the_terminal_and_say_nothing_twice() {
    for width in [80, 44, 200] {
        let options = Options { width, runs: 2_000, ..simple(on_monday()) };
        let text = study(SIMPLE.as_bytes(), &options, &[Study::Gantt, Study::Curve]).unwrap();
        let columns = |line: &str| crate::schedule_report::terminal::width(line);
        assert!(text.lines().all(|line| columns(line) <= width), "{text}");
        let bar = |name: &str| {
            let line = text.lines().find(|line| line.contains(name)).expect("a row");
            columns(&line[..line.find(['=', '#', '-']).expect("a bar")])
        };
        assert_eq!(bar("2 注文"), bar("1 Dig"), "{text}");
        let dates: Vec<&str> = text.lines().filter(|line| line.contains(" %")).collect();
        let mut once = dates.clone();
        once.dedup();
        assert_eq!(dates, once, "{text}");
    }
}

#[test]
fn a_change_in_a_program_is_told_of_the_project_too() {
    let plan = r#"{"start": "2026-01-05", "projects": {"p": {}, "q": {}}, "tasks": [
        {"id": "1", "project": "p", "duration": 2}, {"id": "2", "project": "q", "duration": 5}]}"#;
    let look = [Study::WhatIf("1".into(), Change::By(1)), Study::FloatPaths { count: 5, to: None }];
    let text = study(plan.as_bytes(), &simple(on_monday()), &look).unwrap();
    assert!(text.contains("p: finish 2026-01-06 → 2026-01-07"), "{text}");
    assert!(text.contains("program finish 2026-01-09 → 2026-01-09"), "{text}");
    assert!(text.contains("Chains that lead to the finish of q"), "{text}");
}
