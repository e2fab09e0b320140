//! Tables as they are read.

use super::*;
use crate::table::cells::tests::packed;

fn table(text: &str) -> TableRead {
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
    read(text.as_bytes(), &TableOptions::default(), today).unwrap()
}

fn rows(read: &TableRead) -> Vec<(&str, &str)> {
    let tasks = &read.plan.document.projects[0].tasks;
    tasks.iter().map(|task| (task.wbs_path.as_str(), task.name.as_str())).collect()
}

#[test]
fn rows_stand_by_their_outline_numbers_and_links_by_the_names_of_rows() {
    let read = table(
        "ID;WBS;Name;Duration;Start;Predecessors;Resource\n\
         a;1;Site;;;;\nb;1.1;Dig;3d;13.01.2026;;Ann[50%], Bob\nc;1.2;Pour;2;;a1;\nd;2;Done;0;;bFS+2d;\n",
    );
    assert_eq!(rows(&read), [("1", "Site"), ("1.1", "Dig"), ("2", "Done"), ("3", REVIEW), ("3.1", "Pour"),]);
    let project = &read.plan.document.projects[0];
    assert_eq!(project.dependencies.len(), 1);
    assert_eq!(project.dependencies[0].lag, 2);
    assert_eq!(project.tasks[1].assignments.len(), 2);
    assert!(project.tasks[2].is_milestone);
    assert_eq!((read.rows, read.parked, read.problems.len()), (4, 1, 1));
    assert_eq!((read.problems[0].row, read.problems[0].field), (4, "predecessors"));
    assert!(project.tasks[4].notes.contains("a1"));
}

#[test]
fn a_row_that_stands_below_nothing_is_parked_with_all_below_it() {
    let read = table("WBS,Name\n1,A\n3.1,B\n3.1.1,C\n1,D\n");
    assert_eq!(rows(&read), [("1", "A"), ("2", REVIEW), ("2.1", "B"), ("2.2", "C"), ("2.3", "D")]);
    assert_eq!(read.parked, 3);
}

#[test]
fn without_ids_a_number_names_a_row_and_dates_give_a_duration() {
    let read = table("Name,Start,Finish,Predecessors\nA,2026-01-05,2026-01-13,\nB,,,1SS+1w\n");
    let project = &read.plan.document.projects[0];
    assert_eq!(project.tasks[0].duration, 7);
    assert_eq!(project.dependencies[0].lag, 5);
    assert_eq!(read.parked, 0);
}

#[test]
fn columns_and_cells_that_nobody_reads_and_doubled_ids_are_named() {
    let read = table("ID,Name,Title,Colour\n1,A,Other,red\n1,B,,,more\n2,C,,,\n");
    let lost: Vec<_> = read.plan.losses.0.iter().map(|loss| (loss.field.as_str(), loss.count)).collect();
    assert_eq!(lost, [("Title", 1), ("Colour", 1), ("Cells", 1), ("external_id", 2)]);
}

#[test]
fn shares_are_known_by_numbers_up_to_one_that_are_not_all_none() {
    let table = |cells: &[&str]| Table {
        head: vec!["Done".into()],
        rows: cells.iter().map(|cell| (2, vec![(*cell).to_owned()])).collect(),
        is_workbook: true,
        valueless: Default::default(),
        losses: Losses::default(),
    };
    assert!(has_shares(&table(&["0", "0.5", "1", ""]), Some(0)));
    assert!(has_shares(&table(&["0.5", "half", "#N/A"]), Some(0)), "what is no number says nothing");
    assert!(has_shares(&table(&["0", "1"]), Some(0)), "whoever writes percentages so has done all of it");
    for others in [&["0", "0"][..], &["0.5", "50"], &["half"], &[]] {
        assert!(!has_shares(&table(others), Some(0)), "{others:?}");
    }
}

#[test]
fn a_table_without_names_says_what_its_head_is() {
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
    let refusal = read(b"Colour,Size\nred,3\n", &TableOptions::default(), today).unwrap_err();
    assert!(refusal.0.contains("Colour, Size"), "{refusal}");
}

#[test]
fn a_column_map_with_an_unknown_field_changes_nothing() {
    let map = [("duration", "durations"), ("note", "")]
        .map(|(header, field)| (header.to_owned(), field.to_owned()));
    let options = TableOptions { columns: map.into(), ..TableOptions::default() };
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
    let read = read(b"foo,name,duration,note\nA,Dig,3,dry\n", &options, today).unwrap();
    assert_eq!(read.plan.document.projects[0].tasks[0].duration, 3);
    let lost: Vec<&str> = read.plan.losses.0.iter().map(|loss| loss.field.as_str()).collect();
    assert_eq!(lost, ["foo"], "what was left out on purpose is no loss");
}

#[test]
fn one_resource_is_assigned_once_and_a_share_that_is_none_parks_the_row() {
    let read = table("name,resource\nDig,Ann[50%];Ann[20%]\nPour,Bo[0%]\nDry,\"Cy[999999%]\"\n");
    let project = &read.plan.document.projects[0];
    let units: Vec<Vec<f64>> = project
        .tasks
        .iter()
        .map(|task| task.assignments.iter().map(|one| (one.units * 100.0).round() / 100.0).collect())
        .collect();
    assert_eq!(units, [vec![0.7], vec![99.99], vec![], vec![]]);
    assert_eq!((read.parked, read.problems.len()), (1, 1));
    let lost: Vec<&str> = read.plan.losses.0.iter().map(|loss| loss.field.as_str()).collect();
    assert_eq!(lost, ["Assignment", "Units"]);
    assert!(read.plan.document.resources.iter().all(|one| !one.name.contains('[')), "no share is a name");
}

#[test]
fn cells_of_a_workbook_without_a_value_are_parked_and_no_row_of_them_vanishes() {
    let text =
        |place: &str, text: &str| format!(r#"<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>"#);
    let rows = format!(
        r##"<row r="1">{}{}</row><row r="2">{}<c r="B2" t="e"><v>#DIV/0!</v></c></row><row r="3">{}<c r="B3"><f>2+3</f></c></row><row r="4"><c r="B4"><f>1/0</f></c></row>"##,
        text("A1", "name"),
        text("B1", "duration"),
        text("A2", "Dig"),
        text("A3", "Pour"),
    );
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
    let read = read(&packed(&rows), &TableOptions::default(), today).unwrap();
    assert_eq!((read.rows, read.parked), (3, 3), "{:?}", read.problems);
    let said: Vec<&str> = read.problems.iter().map(|problem| problem.message.as_str()).collect();
    let is_said = |part: &str| said.iter().any(|message| message.contains(part));
    assert!(is_said("#DIV/0!") && is_said("=2+3") && is_said("=1/0"), "{said:?}");
}

#[test]
fn the_plan_that_microsoft_project_writes_as_a_table_is_read_with_its_outline() {
    let read = table(
        "ID\tActive\tTask Mode\tName\tDuration\tStart\tFinish\tPredecessors\tOutline Level\n\
         1\tYes\tAuto Scheduled\tSite\t5 days\tJanuary 5, 2026 8:00 AM\tJanuary 16, 2026 5:00 PM\t\t1\n\
         2\tYes\tAuto Scheduled\tDig\t5 days\tJanuary 5, 2026 8:00 AM\tJanuary 9, 2026 5:00 PM\t\t2\n\
         3\tYes\tAuto Scheduled\tPour\t1 wk\tJanuary 12, 2026 8:00 AM\tJanuary 16, 2026 5:00 PM\t2\t2\n",
    );
    assert_eq!(rows(&read), [("1", "Site"), ("1.1", "Dig"), ("1.2", "Pour")]);
    assert_eq!((read.parked, read.problems.len()), (0, 0), "{:?}", read.problems);
    let tasks = &read.plan.document.projects[0].tasks;
    assert_eq!(tasks[1].planned_start, NaiveDate::from_ymd_opt(2026, 1, 5));
    let lost = &read.plan.losses.0;
    let mode = lost.iter().find(|loss| loss.field == "Task Mode").unwrap();
    assert_eq!(mode.reason, "No field is read from this column.");
}

#[test]
fn dates_of_primavera_are_read_with_their_marks() {
    let read = table(
        "Activity ID,Activity Name,Start,Finish\nA1,Dig,05-Jan-26,09-Jan-26 A\nA2,Pour,12-Jan-26*,16-Jan-26\n",
    );
    let starts: Vec<_> = read.plan.document.projects[0].tasks.iter().map(|task| task.planned_start).collect();
    assert_eq!(starts, [NaiveDate::from_ymd_opt(2026, 1, 5), NaiveDate::from_ymd_opt(2026, 1, 12)]);
    assert_eq!(read.parked, 0);
    let marks: Vec<_> = read.plan.losses.0.iter().map(|loss| (loss.field.as_str(), loss.count)).collect();
    assert_eq!(marks, [("planned_finish", 1), ("planned_start", 1)]);
}

#[test]
fn levels_make_the_outline_and_a_row_that_is_parked_takes_those_below_it_along() {
    let from_nothing = table("Name,Outline Level\nA,0\nB,1\nC,2\nD,1\n");
    assert_eq!(rows(&from_nothing), [("1", "A"), ("1.1", "B"), ("1.1.1", "C"), ("1.2", "D")]);
    let parked = table("Name,Level of row,Outline Level,Duration\nA,,1,\nB,,2,soon\nC,,3,\nD,,2,\nE,,x,\n");
    let names: Vec<&str> = rows(&parked).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["A", "D", REVIEW, "B", "C", "E"]);
    let said: Vec<(&str, &str)> =
        parked.problems.iter().map(|problem| (problem.field, problem.message.as_str())).collect();
    assert_eq!(
        said,
        [
            ("duration", "\"soon\" is not a duration."),
            ("outline_level", "\"x\" is not a level of the outline."),
            ("outline_level", "The row that it stands below is to be reviewed."),
        ]
    );
    let both = table("WBS,Outline Level,Name\n1,1,A\n1.1,2,B\n1.2,1,C\n1.3,7,D\n");
    assert_eq!(rows(&both)[3], ("1.3", "D"), "the number counts");
    assert_eq!(both.plan.losses.0[0].rows, ["line 5"], "1 is the second level counted from 0");
}

#[test]
fn lags_in_percent_and_of_all_time_are_read_and_named() {
    let read = table(
        "ID,Name,Duration,Predecessors\n1,Dig,4,\n2,Pour,2 edays,1FS+50%\n3,Dry,1,1FS+2 edays\n4,Paint,1,1FS+2x\n",
    );
    let project = &read.plan.document.projects[0];
    assert_eq!(project.dependencies.iter().map(|link| link.lag).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(project.tasks[1].duration, 2);
    let lost: Vec<(&str, &str)> =
        read.plan.losses.0.iter().map(|loss| (loss.field.as_str(), loss.reason.as_str())).collect();
    assert_eq!(
        lost,
        [
            ("duration", "Elapsed days were turned into working days, five for seven."),
            ("predecessors", "A lag in percent was turned into days of the predecessor's duration."),
            ("predecessors", "An elapsed lag was turned into working days, five for seven."),
            ("predecessors", "A lag of parts of a day was rounded to whole days."),
        ]
    );
    assert_eq!(read.problems[0].message, "\"1FS+2x\" is no link that can be read.", "the row 1 is there");
    let named = table("ID,Name,Predecessors\nC+x,Dig,\nb,Pour,C+x\n");
    assert_eq!((named.parked, named.plan.document.projects[0].dependencies.len()), (0, 1));
}
