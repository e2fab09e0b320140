//! Files of Microsoft Project as they are read.

use planwright_domain::words::DependencyType;

use super::*;
use crate::Computed;

fn file(text: &str) -> PlanFile {
    read(text.as_bytes(), NaiveDate::from_ymd_opt(2026, 1, 5).unwrap()).unwrap()
}

const SMALL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
    <Project xmlns="http://schemas.microsoft.com/project"><Title>House</Title>
    <StartDate>2026-01-05T08:00:00</StartDate><CalendarUID>3</CalendarUID><MinutesPerDay>480</MinutesPerDay>
    <Calendars>
      <Calendar><UID>1</UID><Name>Standard</Name><BaseCalendarUID>-1</BaseCalendarUID><WeekDays>
        <WeekDay><DayType>1</DayType><DayWorking>0</DayWorking></WeekDay>
        <WeekDay><DayType>7</DayType><DayWorking>1</DayWorking></WeekDay></WeekDays></Calendar>
      <Calendar><UID>3</UID><Name>Site</Name><BaseCalendarUID>1</BaseCalendarUID><Exceptions>
        <Exception><TimePeriod><FromDate>2026-01-06T00:00:00</FromDate><ToDate>2026-01-06T23:59:00</ToDate></TimePeriod>
        <Name>Epiphany</Name><Type>1</Type><DayWorking>0</DayWorking></Exception></Exceptions></Calendar>
      <Calendar><UID>9</UID><Name>Unused</Name></Calendar>
    </Calendars>
    <Tasks>
      <Task><UID>0</UID><ID>0</ID><Name>House</Name><OutlineLevel>0</OutlineLevel><Summary>1</Summary></Task>
      <Task><UID>7</UID><ID>1</ID><Name>Ground</Name><OutlineLevel>1</OutlineLevel><Summary>1</Summary><Duration>PT40H0M0S</Duration></Task>
      <Task><UID>8</UID><ID>2</ID><Name>Dig</Name><OutlineLevel>2</OutlineLevel><Duration>PT20H0M0S</Duration>
        <ConstraintType>4</ConstraintType><ConstraintDate>2026-01-07T08:00:00</ConstraintDate><Priority>700</Priority>
        <Start>2026-01-07T08:00:00</Start><Finish>2026-01-09T12:00:00</Finish>
        <Baseline><Number>0</Number><Start>2026-01-05T08:00:00</Start><Finish>2026-01-08T17:00:00</Finish><Duration>PT24H0M0S</Duration></Baseline></Task>
      <Task><UID>9</UID><ID>3</ID><Name>Ready</Name><OutlineLevel>1</OutlineLevel><Duration>PT0H0M0S</Duration><Milestone>1</Milestone>
        <PredecessorLink><PredecessorUID>8</PredecessorUID><Type>1</Type><LinkLag>9600</LinkLag><LagFormat>7</LagFormat></PredecessorLink>
        <PredecessorLink><PredecessorUID>99</PredecessorUID><Type>1</Type></PredecessorLink></Task>
    </Tasks>
    <Resources><Resource><UID>1</UID><Name>Crew</Name><Type>1</Type><MaxUnits>2</MaxUnits></Resource></Resources>
    <Assignments><Assignment><TaskUID>8</TaskUID><ResourceUID>1</ResourceUID><Units>0.5</Units></Assignment></Assignments>
    </Project>"#;

#[test]
fn rows_links_calendars_and_assignments_are_read_and_losses_are_named() {
    let read = file(SMALL);
    let project = &read.document.projects[0];
    let rows: Vec<_> =
        project.tasks.iter().map(|t| (t.wbs_path.as_str(), t.name.as_str(), t.duration)).collect();
    assert_eq!(rows, [("1", "Ground", 5), ("1.1", "Dig", 3), ("2", "Ready", 0)]);
    assert_eq!(project.dependencies.len(), 1);
    assert_eq!(
        (project.dependencies[0].kind, project.dependencies[0].lag),
        (DependencyType::FinishToStart, 2)
    );
    assert_eq!(project.tasks[1].assignments[0].units, 0.5);
    assert_eq!(project.baselines[0].tasks[0].duration, Some(3));
    let calendar = &read.document.calendars[0];
    // Monday to Friday and, from the base calendar, Saturday.
    assert_eq!((read.document.calendars.len(), calendar.working_days), (1, 63));
    assert_eq!(calendar.exceptions[0].description, "Epiphany");
    let lost: Vec<&str> = read.losses.0.iter().map(|loss| loss.field.as_str()).collect();
    assert_eq!(lost, ["Priority", "Duration", "PredecessorLink"]);
    let finish = read.dates["1.1"].1;
    assert_eq!(finish, NaiveDate::from_ymd_opt(2026, 1, 9));
}

#[test]
fn what_was_written_is_read_again_as_it_was() {
    let first = file(SMALL);
    let written = crate::mspdi::write(&first.document, &Computed::new()).unwrap();
    let again = file(std::str::from_utf8(&written.content).unwrap());
    assert!(written.losses.0.is_empty(), "{:?}", written.losses);
    assert_eq!(again.document, first.document);
    assert!(again.losses.0.is_empty(), "{:?}", again.losses);
}

#[test]
fn lags_that_all_count_every_day_stay_what_they_are() {
    let elapsed =
        SMALL.replace("<LinkLag>9600</LinkLag><LagFormat>7", "<LinkLag>43200</LinkLag><LagFormat>8");
    let first = file(&elapsed);
    let project = &first.document.projects[0];
    assert_eq!((project.lag_calendar, project.dependencies[0].lag), (Some(LagCalendar::Elapsed), 3));
    let written = crate::mspdi::write(&first.document, &Computed::new()).unwrap();
    assert_eq!(file(std::str::from_utf8(&written.content).unwrap()).document, first.document);
}

#[test]
fn what_is_wrong_or_has_no_place_is_named() {
    let odd = SMALL
        .replace("<Duration>PT20H0M0S</Duration>", "<Duration>-PT20H0M0S</Duration><PercentComplete>500</PercentComplete><PhysicalPercentComplete>30</PhysicalPercentComplete><ActualCost>0</ActualCost><ExtendedAttribute><Value>7</Value></ExtendedAttribute>")
        .replace("<UID>7</UID>", "<UID>9</UID>")
        .replace("<PredecessorUID>8</PredecessorUID><Type>1</Type>", "<PredecessorUID>8</PredecessorUID><Type>9</Type>")
        .replace("<MaxUnits>2</MaxUnits>", "<MaxUnits>2</MaxUnits><StandardRate>50</StandardRate><OvertimeRate>75</OvertimeRate>")
        .replace("<ResourceUID>1</ResourceUID>", "<ResourceUID>5</ResourceUID>")
        .replace("<Title>House</Title>", "<Title>House</Title><Manager>Ann</Manager>");
    let read = file(&odd);
    assert_eq!(read.document.resources[0].hourly_rate, Some(50.0));
    let lost: Vec<String> = read.losses.0.into_iter().map(|loss| loss.field).collect();
    for field in [
        "Duration",
        "PercentComplete",
        "PhysicalPercentComplete",
        "ExtendedAttribute",
        "UID",
        "Type",
        "Resource.OvertimeRate",
        "Assignment",
        "Project.Manager",
    ] {
        assert!(lost.iter().any(|known| known == field), "{field} is missing in {lost:?}");
    }
    assert!(!lost.contains(&"ActualCost".to_owned()));
}

#[test]
fn work_that_is_interrupted_is_named_with_its_row() {
    let part = |day: u32, work: &str| {
        format!(
            "<TimephasedData><Type>1</Type><UID>4</UID><Start>2026-01-{day:02}T08:00:00</Start><Finish>2026-01-{day:02}T16:00:00</Finish><Unit>2</Unit><Value>{work}</Value></TimephasedData>"
        )
    };
    let parts = [part(7, "PT8H0M0S"), part(8, "PT0H0M0S"), part(9, "PT8H0M0S")].concat();
    let broken =
        SMALL.replace("<Units>0.5</Units>", &format!("<UID>4</UID><Units>0.5</Units>{parts}")).replace(
            "<Milestone>1</Milestone>",
            "<Stop>2026-01-09T16:00:00</Stop><Resume>2026-01-13T08:00:00</Resume>",
        );
    let losses = file(&broken).losses.0;
    let found = losses.iter().find(|loss| loss.field == "Split").unwrap();
    assert_eq!(found.rows, ["2 Dig", "3 Ready"]);
    let parts = losses.iter().find(|loss| loss.field == "Assignment.TimephasedData").unwrap();
    assert_eq!(parts.rows, ["2 Dig"]);
    assert!(
        file(&broken.replace("2026-01-13T", "2026-01-12T"))
            .losses
            .0
            .iter()
            .any(|loss| loss.rows == ["2 Dig", "3 Ready"]),
        "Saturday is worked"
    );
    assert!(file(SMALL).losses.0.iter().all(|loss| loss.field != "Split"));
}

#[test]
fn a_task_keeps_its_own_calendar_there_and_back() {
    let own = SMALL
        .replace("<Priority>700</Priority>", "<CalendarUID>9</CalendarUID>")
        .replace("<PredecessorUID>99</PredecessorUID>", "<PredecessorUID>7</PredecessorUID>")
        .replace("PT20H0M0S", "PT24H0M0S")
        .replace("<Name>Ready</Name>", "<Name>Ready</Name><CalendarUID>3</CalendarUID>");
    let first = file(&own);
    let tasks = &first.document.projects[0].tasks;
    let calendars: Vec<_> = tasks.iter().map(|task| task.calendar.as_deref()).collect();
    assert_eq!(calendars, [None, Some("unused"), None], "that of the project says nothing");
    assert!(first.losses.0.is_empty(), "{:?}", first.losses);
    let written = crate::mspdi::write(&first.document, &Computed::new()).unwrap();
    assert!(written.losses.0.is_empty(), "{:?}", written.losses);
    assert_eq!(file(std::str::from_utf8(&written.content).unwrap()).document, first.document);

    let lost = file(&own.replace("<CalendarUID>9</CalendarUID>", "<CalendarUID>77</CalendarUID>")).losses.0;
    assert_eq!((lost[0].field.as_str(), &lost[0].rows[..]), ("CalendarUID", &["2 Dig".to_owned()][..]));
}

#[test]
fn a_binary_file_says_how_to_get_the_other_form() {
    let refusal = read(&[0xd0, 0xcf, 0x11, 0xe0, 1], NaiveDate::MIN).unwrap_err();
    assert!(refusal.0.contains("XML Format"));
}

#[test]
fn a_finish_at_midnight_is_the_end_of_the_day_before() {
    let dates = "<Start>2026-01-07T08:00:00</Start><Finish>2026-01-09T12:00:00</Finish>";
    let night = SMALL.replace(
        dates,
        "<Start>2026-01-07T00:00:00</Start><Finish>2026-01-09T00:00:00</Finish><ActualStart>2026-01-07T00:00:00</ActualStart><ActualFinish>2026-01-09T00:00:00</ActualFinish>",
    );
    let night = night.replace(
        "2026-01-08T17:00:00</Finish><Duration>PT24H",
        "2026-01-08T00:00:00</Finish><Duration>PT24H",
    );
    let night = night.replace(
        "<Milestone>1</Milestone>",
        "<Milestone>1</Milestone><Start>2026-01-09T00:00:00</Start><Finish>2026-01-09T00:00:00</Finish>",
    );
    let read = file(&night);
    let day = |day| NaiveDate::from_ymd_opt(2026, 1, day);
    assert_eq!(read.dates["1.1"], (day(7), day(8)));
    let project = &read.document.projects[0];
    assert_eq!((project.tasks[1].actual_start, project.tasks[1].actual_finish), (day(7), day(8)));
    assert_eq!(project.baselines[0].tasks[0].finish, day(7));
    assert_eq!(read.dates["2"], (day(8), day(8)), "what has no length is done when its predecessor is");
    let days = file(&SMALL.replace("2026-01-09T12:00:00", "2026-01-09"));
    assert_eq!(days.dates["1.1"].1, day(9), "a day without a time is that day");
}

#[test]
fn codes_baselines_without_dates_and_calendars_that_do_not_count_are_named() {
    let odd = SMALL
        .replace(
            "<Name>Dig</Name>",
            "<Name>Dig</Name><WBS>ALPHA.7</WBS><IgnoreResourceCalendar>1</IgnoreResourceCalendar>",
        )
        .replace("<Name>Ready</Name>", "<Name>Ready</Name><WBS>2</WBS>")
        .replace(
            "<Start>2026-01-05T08:00:00</Start><Finish>2026-01-08T17:00:00</Finish><Duration>PT24H",
            "<Duration>PT24H",
        );
    let read = file(&odd);
    let rows =
        |field: &str| read.losses.0.iter().find(|loss| loss.field == field).map(|loss| loss.rows.clone());
    for field in ["WBS", "IgnoreResourceCalendar", "Baseline"] {
        assert_eq!(rows(field), Some(vec!["2 Dig".to_owned()]), "{field}");
    }
    assert!(read.document.projects[0].baselines.is_empty());
}

#[test]
fn a_remaining_duration_gives_a_percentage_without_noise() {
    let begun = SMALL.replace(
        "<Duration>PT20H0M0S</Duration>",
        "<Duration>PT24H0M0S</Duration><RemainingDuration>PT16H0M0S</RemainingDuration><PercentComplete>33</PercentComplete>",
    );
    assert_eq!(file(&begun).document.projects[0].tasks[1].percent_complete.to_string(), "33.3334");
}

#[test]
fn names_that_are_cut_are_named() {
    let long = "n".repeat(300);
    let text = format!(
        "<Project><Title>{long}</Title><Tasks><Task><UID>1</UID><ID>1</ID><Name>Dig</Name></Task></Tasks>\
         <Resources><Resource><UID>1</UID><ID>1</ID><Type>1</Type><Name>{long}</Name><Group>{long}</Group>\
         </Resource></Resources></Project>"
    );
    let plan = file(&text);
    let resource = &plan.document.resources[0];
    assert_eq!((resource.name.chars().count(), resource.job_role.chars().count()), (255, 120));
    let cut = plan.losses.0.iter().filter(|loss| loss.reason.starts_with("Names are cut after"));
    let cut: Vec<_> = cut.map(|loss| (loss.field.as_str(), loss.reason.as_str())).collect();
    let [most, least] = ["Names are cut after 255 characters.", "Names are cut after 120 characters."];
    assert_eq!(cut, [("Name", most), ("Resource", most), ("Resource", least)]);
}
