//! Files of other programs through the HTTP interface: tables, Microsoft Project, Jira; followed, reported, taken back,
//! and written again.

use chrono::Duration;
use planwright_testkit::{Answer, Person, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, text};

/// A file with other fields as a form.
pub(crate) fn form(filename: &str, content: &str, fields: &[(&str, &str)]) -> (String, String) {
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    let kind = match filename.rsplit('.').next() {
        Some("csv") => "text/csv",
        Some("pdf") => "application/pdf",
        Some("html") => "text/html",
        _ => "application/xml",
    };
    body += &format!(
        "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{filename}\"\r\nContent-Type: {kind}\r\n\r\n{content}\r\n--edge--\r\n"
    );
    ("multipart/form-data; boundary=edge".to_owned(), body)
}

async fn send(
    person: &Person<'_>,
    path: &str,
    filename: &str,
    content: &str,
    fields: &[(&str, &str)],
) -> Answer {
    let (media_type, body) = form(filename, content, fields);
    person.post_raw(path, &media_type, body).await
}

/// The import of a project with that id, as the list shows it.
async fn import_of(site: &Site<'_>, id: &str) -> Value {
    let list = site.owner.get(&site.at("imports/")).await.expect(200);
    list.results().iter().find(|row| text(&row["id"]) == id).cloned().unwrap_or_default()
}

const TABLE: &str = "ID,WBS,Task Name,Duration,Start,Predecessors,Resource,Tags,Colour\n\
    a,1,Ground,,,,,,red\n\
    b,1.1,Dig,3d,13/01/2026,,\"Crew[50%]\",\"wet, deep\",\n\
    c,1.2,Pour,2,,bFS+1d,Crew,WET,\n\
    d,2,Ready,0,,c,,,\n\
    e,9.1,Orphan,1,,,,,\n\
    f,3,Wrong,soon,,,,,\n";

const PLAN: &str = r#"<?xml version="1.0"?><Project xmlns="http://schemas.microsoft.com/project"><Title>Mill</Title>
    <StartDate>2026-01-05T08:00:00</StartDate><CalendarUID>1</CalendarUID><MinutesPerDay>480</MinutesPerDay>
    <Calendars><Calendar><UID>1</UID><Name>Mill week</Name><WeekDays>
      <WeekDay><DayType>7</DayType><DayWorking>1</DayWorking></WeekDay></WeekDays></Calendar></Calendars>
    <Tasks>
      <Task><UID>1</UID><ID>1</ID><Name>Wheel</Name><OutlineLevel>1</OutlineLevel><Duration>PT48H0M0S</Duration>
        <Start>2026-01-05T08:00:00</Start><Finish>2026-01-12T17:00:00</Finish><Deadline>2026-01-09T17:00:00</Deadline>
        <Baseline><Number>0</Number><Start>2026-01-05T08:00:00</Start><Finish>2026-01-10T17:00:00</Finish></Baseline></Task>
      <Task><UID>2</UID><ID>2</ID><Name>Roof</Name><OutlineLevel>1</OutlineLevel><Duration>PT16H0M0S</Duration><Cost>5</Cost>
        <PredecessorLink><PredecessorUID>1</PredecessorUID><Type>1</Type></PredecessorLink></Task>
      <Task><UID>3</UID><ID>3</ID><Name>Back</Name><OutlineLevel>1</OutlineLevel><Duration>PT8H0M0S</Duration>
        <PredecessorLink><PredecessorUID>4</PredecessorUID><Type>1</Type></PredecessorLink></Task>
      <Task><UID>4</UID><ID>4</ID><Name>Forth</Name><OutlineLevel>1</OutlineLevel><Duration>PT8H0M0S</Duration>
        <PredecessorLink><PredecessorUID>3</PredecessorUID><Type>1</Type></PredecessorLink></Task>
    </Tasks></Project>"#;

/// A phase that waits for a permit, a milestone that only ended, and a row on a calendar of its own.
const HELD: &str = r#"<?xml version="1.0"?><Project xmlns="http://schemas.microsoft.com/project"><Title>Quay</Title>
    <StartDate>2026-01-05T08:00:00</StartDate><CalendarUID>1</CalendarUID><MinutesPerDay>480</MinutesPerDay>
    <Calendars><Calendar><UID>1</UID><Name>Quay week</Name><WeekDays>
      <WeekDay><DayType>7</DayType><DayWorking>0</DayWorking></WeekDay></WeekDays></Calendar>
      <Calendar><UID>2</UID><Name>Every day</Name><WeekDays>
      <WeekDay><DayType>1</DayType><DayWorking>1</DayWorking></WeekDay>
      <WeekDay><DayType>7</DayType><DayWorking>1</DayWorking></WeekDay></WeekDays></Calendar></Calendars>
    <Tasks>
      <Task><UID>1</UID><ID>1</ID><Name>Permit</Name><OutlineLevel>1</OutlineLevel><Duration>PT80H0M0S</Duration></Task>
      <Task><UID>2</UID><ID>2</ID><Name>Works</Name><OutlineLevel>1</OutlineLevel><Summary>1</Summary>
        <PredecessorLink><PredecessorUID>1</PredecessorUID><Type>1</Type></PredecessorLink></Task>
      <Task><UID>3</UID><ID>3</ID><Name>Dredge</Name><OutlineLevel>2</OutlineLevel><Duration>PT16H0M0S</Duration>
        <Start>2026-01-21T08:00:00</Start><Finish>2026-01-22T17:00:00</Finish></Task>
      <Task><UID>4</UID><ID>4</ID><Name>Leave</Name><OutlineLevel>1</OutlineLevel><Duration>PT0H0M0S</Duration>
        <Milestone>1</Milestone><PercentComplete>100</PercentComplete><ActualFinish>2026-01-09T17:00:00</ActualFinish>
        <Start>2026-01-08T17:00:00</Start><Finish>2026-01-08T17:00:00</Finish></Task>
      <Task><UID>5</UID><ID>5</ID><Name>Cure</Name><OutlineLevel>1</OutlineLevel><Duration>PT24H0M0S</Duration>
        <CalendarUID>2</CalendarUID><Start>2026-01-05T00:00:00</Start><Finish>2026-01-06T00:00:00</Finish></Task>
    </Tasks></Project>"#;

/// A small file of Primavera.
const ACTIVITIES: &str = "ERMHDR\t19.12\t2026-01-05\n\
    %T\tPROJECT\n%F\tproj_id\tproj_short_name\tplan_start_date\n%R\t1\tMILL\t2026-01-05 08:00\n\
    %T\tCALENDAR\n%F\tclndr_id\tclndr_name\tday_hr_cnt\n%R\t5\tMill week\t8\n\
    %T\tPROJWBS\n%F\twbs_id\tproj_id\tproj_node_flag\twbs_name\tparent_wbs_id\n%R\t10\t1\tY\tThe mill\t\n%R\t11\t1\tN\tGround\t10\n\
    %T\tTASK\n%F\ttask_id\tproj_id\twbs_id\tclndr_id\ttask_type\ttask_code\ttask_name\ttarget_drtn_hr_cnt\tremain_drtn_hr_cnt\tearly_start_date\tearly_end_date\tcstr_type\tcstr_date\n\
    %R\t1\t1\t11\t5\tTT_Task\tA10\tDig\t24\t24\t2026-01-05 08:00\t2026-01-08 16:00\tCS_MSOA\t2026-01-06 08:00\n\
    %R\t2\t1\t11\t5\tTT_FinMile\tA20\tReady\t0\t0\t\t\t\t\n\
    %T\tTASKPRED\n%F\ttask_id\tpred_task_id\tpred_type\tlag_hr_cnt\n%R\t2\t1\tPR_FS\t16\n\
    %T\tTASKPROC\n%F\tproc_id\n%R\t1\n%E\n";

both_engines! {
    async fn a_project_comes_from_primavera_and_goes_back(app: &TestApp) {
        let site = Site::new(app).await;
        let queued = send(&site.owner, "/api/v1/projects/import/primavera/", "mill.xer", ACTIVITIES, &[]).await.expect(202);
        app.run_jobs().await;
        let project = text(&queued["project_id"]);
        let shown = site.owner.get(&format!("/api/v1/projects/{project}/")).await.expect(200);
        assert_eq!((text(&shown["name"]), text(&shown["lag_calendar"])), ("The mill", "predecessor"));
        let imports = site.owner.get(&format!("/api/v1/projects/{project}/imports/")).await.expect(200);
        let import = &imports.results()[0];
        assert_eq!((text(&import["status"]), text(&import["kind"])), ("done", "primavera"), "{}", imports.text);
        let summary = &import["summary"];
        assert_eq!(summary["losses"][0]["field"], "TASKPROC");
        assert_eq!(summary["date_differences"][0]["name"], "Dig", "{summary}");
        let tasks = site.owner.get(&format!("/api/v1/tasks/?project={project}&ordering=wbs_path")).await.expect(200);
        let rows: Vec<_> = tasks.results().iter().map(|row| (text(&row["wbs_path"]), text(&row["early_finish"]))).collect();
        assert_eq!(rows, [("1", "2026-01-12"), ("1.1", "2026-01-08"), ("1.2", "2026-01-12")]);
        assert_eq!(text(&tasks.results()[1]["source_kind"]), "primavera_import");

        let file = site.owner.get(&format!("/api/v1/projects/{project}/export/primavera.xer")).await.expect(200);
        assert!(file.header("content-disposition").ends_with(".xer\""));
        assert!(file.text.starts_with("ERMHDR") && file.text.contains("CS_MSOA\t2026-01-06 08:00"), "{}", file.text);
        // The whole body is the file as well, and so is a form that names no boundary.
        for media_type in ["application/octet-stream", "multipart/form-data"] {
            let again = site.owner.post_raw(&site.at("import/primavera/"), media_type, file.text.clone()).await.expect(202);
            app.run_jobs().await;
            let import = import_of(&site, text(&again["import_request_id"])).await;
            assert_eq!((&import["summary"]["losses"], &import["summary"]["tasks_created"]), (&json!([]), &json!(3)));
        }
        let written = site.owner.get(&site.at("export/primavera.xer")).await.expect(200);
        let same = site.owner.get(&site.at("export/primavera.xer")).await.expect(200);
        assert_eq!(written.text, same.text);
        let refused = site.owner.post_raw(&site.at("import/primavera/"), "application/octet-stream", "PK").await.expect(400);
        assert!(text(&refused["file"][0]).contains("no XER file"), "{}", refused.text);
    }

    async fn a_table_is_tried_imported_and_taken_back_but_for_what_people_changed(app: &TestApp) {
        let site = Site::new(app).await;
        let preview = send(&site.owner, &site.at("import/csv/preview/"), "plan.csv", TABLE, &[]).await.expect(200);
        assert_eq!((&preview["row_count"], &preview["parked_row_count"]), (&json!(6), &json!(2)));
        assert_eq!(preview["date_order"], json!({
            "order": "dmy", "source": "proven", "evidence": ["13/01/2026"], "is_ambiguous": false,
        }));
        let columns = preview["columns"].as_array().unwrap();
        assert_eq!(columns[2], json!({"index": 2, "header": "Task Name", "field": "name", "confidence": "exact"}));
        assert_eq!(columns[8]["confidence"], "none");
        assert_eq!(preview["row_errors"].as_array().unwrap().len(), 2);
        assert!(site.tasks().await.is_empty(), "a preview keeps nothing");
        let already = site.task("There already", 1).await;
        site.hush().await;

        let queued = send(&site.owner, &site.at("import/csv/"), "plan.csv", TABLE, &[]).await.expect(202);
        let id = text(&queued["import_request_id"]).to_owned();
        assert_eq!(queued["status"], "pending");
        app.run_jobs().await;
        let one = site.at(&format!("import/csv/{id}/"));
        let done = site.owner.get(&one).await.expect(200);
        assert_eq!((text(&done["status"]), text(&done["kind"])), ("done", "csv"), "{}", done.text);
        let summary = &done["summary"];
        assert_eq!(summary["tasks_created"], 7);
        assert_eq!(summary["dependencies_created"], 2);
        assert_eq!(summary["parked_row_count"], 2);
        let outline = site.outline().await;
        assert_eq!(outline, [
            "1 There already", "2 Ground", "2.1 Dig", "2.2 Pour", "3 Ready", "4 Rows to review", "4.1 Orphan", "4.2 Wrong",
        ]);
        let tasks = site.tasks().await;
        let named = |name: &str| tasks.iter().find(|task| task["name"] == name).unwrap().clone();
        let (dig, pour) = (named("Dig"), named("Pour"));
        assert_eq!((text(&dig["early_start"]), text(&dig["early_finish"])), ("2026-01-13", "2026-01-15"));
        assert_eq!(text(&pour["early_start"]), "2026-01-19", "one working day of lag and a weekend");
        assert_eq!((text(&dig["source_kind"]), text(&dig["source_id"])), ("csv_import", id.as_str()));
        let history = site.owner.get(&site.at(&format!("tasks/{}/history/", text(&dig["id"])))).await.expect(200);
        assert!(history.text.contains("created"), "{}", history.text);

        site.change(text(&pour["id"]), json!({"notes": "Mine now"})).await;
        let undo = format!("{one}undo/");
        site.hush().await;
        let undone = site.owner.post(&undo, json!({})).await.expect(200);
        let names = site.announced_names().await;
        let count = |wanted: &str| names.iter().filter(|name| *name == wanted).count();
        assert_eq!((count("tasks_bulk_mutated"), count("task.deleted"), count("task_deleted")), (1, 6, 0));
        assert_eq!((text(&undone["status"]), &undone["undo"]), ("undone", &json!({"deleted": 6, "kept": 1})));
        let left: Vec<String> = site.tasks().await.iter().map(|task| text(&task["name"]).to_owned()).collect();
        assert_eq!(left, ["There already", "Pour"]);
        site.owner.post(&undo, json!({})).await.expect(400);
        site.read(&already).await;
    }

    async fn what_somebody_says_of_columns_and_dates_holds(app: &TestApp) {
        let site = Site::new(app).await;
        let table = "Titel;Beginn\nGraben;05/02/2026\n";
        let preview = site.at("import/csv/preview/");
        let refused = send(&site.owner, &preview, "plan.csv", table, &[]).await.expect(400);
        assert!(text(&refused["file"][0]).contains("Titel, Beginn"), "{}", refused.text);
        let map = r#"{"Titel": "name", "Beginn": "planned_start"}"#;
        let fields = [("column_map", map), ("date_order", "dmy")];
        let read = send(&site.owner, &preview, "plan.csv", table, &fields).await.expect(200);
        assert_eq!((&read["columns"][0]["confidence"], &read["date_order"]["source"]), (&json!("override"), &json!("said")));
        let unknown = send(&site.owner, &preview, "plan.csv", table, &[("date_order", "ymd")]).await.expect(400);
        assert!(unknown["date_order"].is_array());
        send(&site.owner, &site.at("import/csv/"), "plan.csv", table, &fields).await.expect(202);
        app.run_jobs().await;
        assert_eq!(text(&site.tasks().await[0]["planned_start"]), "2026-02-05");
    }

    async fn a_date_that_differs_says_which_link_of_a_phase_fact_or_calendar_holds_it(app: &TestApp) {
        let site = Site::new(app).await;
        let queued = send(&site.owner, "/api/v1/projects/import/msproject/", "quay.xml", HELD, &[]).await.expect(202);
        app.run_jobs().await;
        let imports = site.owner.get(&format!("/api/v1/projects/{}/imports/", text(&queued["project_id"]))).await.expect(200);
        let differences = imports.results()[0]["summary"]["date_differences"].as_array().unwrap().clone();
        let said: Vec<_> = differences.iter().map(|one| (text(&one["name"]), text(&one["reason"]))).collect();
        assert_eq!(
            said,
            [
                ("Dredge", "It stands in \"Works\", which follows \"Permit\"."),
                ("Leave", "It ended on 2026-01-09, as recorded, and has no actual start."),
                (
                    "Cure",
                    "It starts when the project starts, on its first working day. It starts as in the file; its days are counted on its own calendar \"Every day\"."
                ),
            ]
        );
        let cured = &differences[2];
        assert_eq!((text(&cured["file_finish"]), text(&cured["finish"])), ("2026-01-05", "2026-01-07"), "{cured}");
    }

    async fn a_project_comes_from_microsoft_project_with_its_calendar_and_a_list_of_what_was_lost(app: &TestApp) {
        let site = Site::new(app).await;
        let queued = send(&site.owner, "/api/v1/projects/import/msproject/", "mill.xml", PLAN, &[]).await.expect(202);
        app.run_jobs().await;
        let project = text(&queued["project_id"]);
        let shown = site.owner.get(&format!("/api/v1/projects/{project}/")).await.expect(200);
        assert_eq!((text(&shown["name"]), text(&shown["effective_calendar"]["name"])), ("Mill", "Mill week"));
        let imports = site.owner.get(&format!("/api/v1/projects/{project}/imports/")).await.expect(200);
        let import = &imports.results()[0];
        assert_eq!((text(&import["status"]), text(&import["kind"])), ("done", "msproject"), "{}", imports.text);
        let summary = &import["summary"];
        assert_eq!((&summary["tasks_created"], &summary["dependencies_created"]), (&json!(4), &json!(1)));
        let losses = summary["losses"].as_array().unwrap();
        let lost: Vec<&str> = losses.iter().map(|loss| text(&loss["field"])).collect();
        assert_eq!(lost, ["Cost", "predecessors"]);
        assert_eq!(losses[1]["count"], 2, "both links of the cycle");
        // Six days from Monday, and Saturday is worked: our plan finishes two days before that of the file.
        let differences = summary["date_differences"].as_array().unwrap();
        assert_eq!(differences.len(), 1);
        assert_eq!((text(&differences[0]["name"]), &differences[0]["finish_difference_days"]), ("Wheel", &json!(-2)));
        assert_eq!(differences[0]["start_difference_days"], 0);
        assert!(text(&differences[0]["reason"]).contains("starts as in the file"), "{}", differences[0]);
        let baselines = site.owner.get(&format!("/api/v1/projects/{project}/baselines/")).await.expect(200);
        assert_eq!(baselines.results().len(), 1);

        let file = site.owner.get(&format!("/api/v1/projects/{project}/export/msproject.xml")).await.expect(200);
        assert_eq!(file.header("content-type"), "application/xml");
        assert!(file.text.contains("<Name>Wheel</Name>") && file.text.contains("<Deadline>2026-01-09T"), "{}", file.text);
        let again = send(&site.owner, &site.at("import/msproject/"), "mill.xml", &file.text, &[]).await.expect(202);
        app.run_jobs().await;
        let import = import_of(&site, text(&again["import_request_id"])).await;
        assert_eq!(import["summary"]["losses"], json!([]));
        assert_eq!(import["summary"]["tasks_created"], 4);
        let third = send(&site.owner, &site.at("import/msproject/"), "mill.xml", &file.text, &[]).await.expect(202);
        app.run_jobs().await;
        let losses = import_of(&site, text(&third["import_request_id"])).await["summary"]["losses"].clone();
        assert_eq!((losses.as_array().unwrap().len(), &losses[0]["field"], &losses[0]["rows"]), (1, &json!("baselines"), &json!(["Baseline"])));
        let table = site.owner.get(&format!("/api/v1/projects/{project}/export/tasks.csv")).await.expect(200);
        assert!(table.text.contains(",Roof,2,"), "{}", table.text);
    }

    async fn as_many_days_are_left_as_the_file_of_another_program_says(app: &TestApp) {
        let site = Site::new(app).await;
        let rows = [(3, 66, 1), (7, 14, 6), (30, 96, 1)].map(|(days, percent, left)| format!(
            "<Task><UID>{days}</UID><ID>{days}</ID><Name>Of {days}</Name><OutlineLevel>1</OutlineLevel><Duration>PT{}H0M0S</Duration>\
             <PercentComplete>{percent}</PercentComplete><RemainingDuration>PT{}H0M0S</RemainingDuration>\
             <ActualStart>2026-01-05T08:00:00</ActualStart></Task>", days * 8, left * 8));
        let plan = format!(
            "<?xml version=\"1.0\"?><Project xmlns=\"http://schemas.microsoft.com/project\"><StartDate>2026-01-05T08:00:00</StartDate>\
             <MinutesPerDay>480</MinutesPerDay><Tasks>{}</Tasks></Project>", rows.concat());
        let queued = send(&site.owner, &site.at("import/msproject/"), "a.xml", &plan, &[]).await.expect(202);
        app.run_jobs().await;
        let import = import_of(&site, text(&queued["import_request_id"])).await;
        assert_eq!((text(&import["status"]), &import["summary"]["losses"]), ("done", &json!([])), "{import}");
        let tasks = site.owner.get(&format!("/api/v1/tasks/?project={}&ordering=wbs_path", site.project)).await.expect(200);
        let left: Vec<_> = tasks.results().iter().map(|row| (&row["duration"], &row["remaining_duration"], &row["percent_complete"])).collect();
        assert_eq!(left, [(&json!(3), &json!(1), &json!(66.6667)), (&json!(7), &json!(6), &json!(14.2858)), (&json!(30), &json!(1), &json!(96.6667))]);
    }

    async fn the_preview_of_a_plan_says_what_would_come_in_and_keeps_nothing(app: &TestApp) {
        let owner = app.person("owner").await;
        let path = "/api/v1/projects/import/preview/";
        let late = PLAN.replace("<Finish>2026-01-12T17:00:00</Finish>", "<Finish>2026-01-14T17:00:00</Finish>");
        let preview = send(&owner, path, "mill.xml", &late, &[]).await.expect(200);
        assert_eq!((text(&preview["kind"]), text(&preview["name"])), ("msproject", "Mill"), "{}", preview.text);
        assert_eq!(preview["first_rows"][0]["name"], "Wheel");
        let apart = &preview["date_differences"][0];
        assert_eq!((&apart["finish"], &apart["file_finish"]), (&preview["first_rows"][0]["finish"], &json!("2026-01-14")));
        let queued = send(&owner, "/api/v1/projects/import/msproject/", "mill.xml", &late, &[]).await.expect(202);
        app.run_jobs().await;
        let imports = owner.get(&format!("/api/v1/projects/{}/imports/", text(&queued["project_id"]))).await.expect(200);
        let summary = &imports.results()[0]["summary"];
        assert_eq!((&preview["task_count"], &preview["dependency_count"]), (&summary["tasks_created"], &summary["dependencies_created"]));
        assert_eq!((&preview["losses"], &preview["date_difference_count"]), (&summary["losses"], &summary["date_difference_count"]));
        assert_eq!(apart["finish_difference_days"], summary["date_differences"][0]["finish_difference_days"]);
        app.later(Duration::minutes(1));
        let wrong = send(&owner, path, "a.csv", TABLE, &[]).await.expect(400);
        assert!(text(&wrong["file"][0]).contains("Primavera"), "{}", wrong.text);
        let cut = send(&owner, path, "a.xer", "ERMHDR\t8.0\n", &[]).await.expect(400);
        assert!(text(&cut["file"][0]).contains("no tasks"), "{}", cut.text);
        let issues = r#"<rss><channel><item><key>A-1</key><summary>Dig</summary></item></channel></rss>"#;
        let issues = send(&owner, path, "a.xml", issues, &[]).await.expect(200);
        assert_eq!((text(&issues["kind"]), &issues["task_count"]), ("jira", &json!(1)));
        let projects = owner.get("/api/v1/projects/").await.expect(200);
        assert_eq!(projects.results().len(), 1, "only the import made a project");
    }

    async fn imports_at_the_same_time_share_the_calendar_of_their_file(app: &TestApp) {
        let owner = app.person("owner").await;
        let one = || send(&owner, "/api/v1/projects/import/msproject/", "mill.xml", PLAN, &[]);
        let (first, second, third, fourth) = tokio::join!(one(), one(), one(), one());
        for answer in [first, second, third, fourth] {
            answer.expect(202);
        }
        tokio::join!(app.run_jobs(), app.run_jobs());
        let calendars = owner.get("/api/v1/calendars/?page_size=100").await.expect(200);
        let weeks = calendars.results().iter().filter(|one| text(&one["name"]).starts_with("Mill week")).count();
        assert_eq!(weeks, 1, "{}", calendars.text);
    }

    async fn a_table_has_its_preview_before_there_is_a_project(app: &TestApp) {
        let site = Site::new(app).await;
        let stranger = app.person("stranger").await;
        let beside = send(&site.owner, &site.at("import/csv/preview/"), "a.csv", TABLE, &[]).await.expect(200);
        let path = "/api/v1/projects/import/csv/preview/";
        let alone = send(&stranger, path, "a.csv", TABLE, &[]).await.expect(200);
        assert_eq!(alone.text, beside.text);
        let refused = send(&stranger, path, "a.csv", TABLE, &[("date_order", "dd")]).await.expect(400);
        assert!(text(&refused["date_order"][0]).contains("Choose from"), "{}", refused.text);
        assert!(stranger.get("/api/v1/projects/").await.expect(200).results().is_empty());
    }

    async fn issues_of_jira_come_in_and_can_be_taken_back(app: &TestApp) {
        let site = Site::new(app).await;
        let issues = r#"<rss><channel><item><key>A-1</key><summary>Dig</summary><status>Done</status></item></channel></rss>"#;
        let queued = send(&site.owner, &site.at("import/jira/"), "a.xml", issues, &[]).await.expect(202);
        app.run_jobs().await;
        let id = text(&queued["import_request_id"]);
        let task = &site.tasks().await[0];
        assert_eq!((text(&task["source_kind"]), text(&task["status"])), ("jira_import", "COMPLETE"));
        // It is no table, so the way of tables does not know it.
        site.owner.get(&site.at(&format!("import/csv/{id}/"))).await.expect(404);
        site.owner.post(&site.at(&format!("import/csv/{id}/undo/")), json!({})).await.expect(404);
        let undone = site.owner.post(&site.at(&format!("imports/{id}/undo/")), json!({})).await.expect(200);
        assert_eq!(undone["undo"]["deleted"], 1);
    }

    async fn files_that_are_no_plan_are_refused_and_nothing_is_kept(app: &TestApp) {
        let site = Site::new(app).await;
        let bomb = "<!DOCTYPE a [<!ENTITY b \"c\">]><Project>&b;</Project>";
        for (path, content, expected) in [
            ("import/csv/", "", "empty"),
            ("import/csv/", "Colour\nred\n", "No column"),
            ("import/csv/", "PK\u{3}\u{4}rest", "unpacked"),
            ("import/msproject/", "<Project></Project>", "no tasks"),
            ("import/msproject/", bomb, "document type"),
            ("import/msproject/", "<html></html>", "must be Project"),
            ("import/jira/", "<rss><channel></channel></rss>", "no tasks"),
        ] {
            app.later(Duration::minutes(1));
            let refused = send(&site.owner, &site.at(path), "x", content, &[]).await.expect(400);
            assert!(text(&refused["file"][0]).contains(expected), "{path}: {}", refused.text);
        }
        app.later(Duration::minutes(1));
        site.owner.post(&site.at("import/csv/"), json!({})).await.expect(415);
        let missing = site.owner.post_raw(&site.at("import/csv/"), "multipart/form-data; boundary=e", "--e--\r\n").await;
        assert!(missing.expect(400)["file"].is_array());
        assert!(site.owner.get(&site.at("imports/")).await.expect(200).results().is_empty());
    }

    async fn tasks_go_out_as_a_workbook_and_come_in_as_the_same_plan(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("=SUM(A1)", 3).await;
        site.owner.patch(&format!("/api/v1/tasks/{dig}/"), json!({"status": "COMPLETE"})).await.expect(200);
        site.task("Pour", 2).await;
        let book = site.owner.get(&site.at("export/tasks.xlsx")).await.expect(200);
        assert_eq!(book.header("content-type"), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
        assert!(book.header("content-disposition").ends_with(".xlsx\""));
        let other = site.app.project(&site.owner, "Copy").await.to_string();
        let mut body = b"--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.xlsx\"\r\n\r\n".to_vec();
        body.extend(&book.bytes);
        body.extend(b"\r\n--edge--\r\n");
        let path = format!("/api/v1/projects/{other}/import/csv/");
        site.owner.post_raw(&path, "multipart/form-data; boundary=edge", body).await.expect(202);
        app.run_jobs().await;
        let imports = site.owner.get(&format!("/api/v1/projects/{other}/imports/")).await.expect(200);
        assert_eq!((text(&imports.results()[0]["status"]), &imports.results()[0]["summary"]["losses"]), ("done", &json!([])), "{}", imports.text);
        let tasks = site.owner.get(&format!("/api/v1/tasks/?project={other}&ordering=wbs_path")).await.expect(200);
        let shown: Vec<_> = tasks.results().iter().map(|row| (text(&row["name"]), text(&row["status"]), &row["duration"])).collect();
        assert_eq!(shown, [("=SUM(A1)", "COMPLETE", &json!(3)), ("Pour", "NOT_STARTED", &json!(2))]);
    }

    async fn what_a_file_does_not_carry_is_told_before_it_is_written(app: &TestApp) {
        let site = Site::new(app).await;
        site.create(json!({"name": "Dig", "duration": 3, "deadline": "2026-02-02"})).await;
        let lost = async |format: &str| {
            let answer = site.owner.get(&site.at(&format!("export/losses/?format={format}"))).await.expect(200);
            answer["losses"].as_array().unwrap().iter().map(|loss| text(&loss["field"]).to_owned()).collect::<Vec<_>>()
        };
        for format in ["csv", "xlsx"] {
            assert!(lost(format).await.contains(&"deadline".to_owned()), "{format}");
        }
        assert!(!lost("msproject").await.contains(&"deadline".to_owned()));
        // It is written as a constraint.
        assert_eq!(lost("primavera").await, ["deadline"]);
        assert_eq!(lost("msproject").await, Vec::<String>::new(), "nothing that nobody set is named");
        site.create(json!({"name": "Pour", "duration": 1, "planned_start": "2026-02-02"})).await;
        assert_eq!(lost("msproject").await, ["planned_start"]);
        assert_eq!(lost("primavera").await, ["planned_start", "deadline"]);
        let refused = site.owner.get(&site.at("export/losses/?format=mpp")).await.expect(400);
        assert!(text(&refused["format"][0]).starts_with("Choose from"));
        app.person("otto").await.get(&site.at("export/losses/?format=csv")).await.expect(404);
    }

    async fn a_file_above_its_ceiling_is_refused_in_one_wording(app: &TestApp,
        "CSV_IMPORT_MAX_UPLOAD_MB" = "1.5", "CSV_IMPORT_MAX_ROWS" = "3", "MSPROJECT_IMPORT_MAX_ROWS" = "2",
        "JIRA_IMPORT_MAX_UPLOAD_MB" = "0.25", "SEED_IMPORT_MAX_ROWS" = "1") {
        let site = Site::new(app).await;
        let large = format!("Name\n{}", "x".repeat(1_600_000));
        for path in ["import/csv/", "import/csv/preview/"] {
            let refused = send(&site.owner, &site.at(path), "a.csv", &large, &[]).await.expect(413);
            assert_eq!(text(&refused["detail"]), "The file may have at most 1.5 MB.", "{}", refused.text);
        }
        let long = send(&site.owner, &site.at("import/csv/"), "a.csv", "Name\na\nb\nc\nd\n", &[]).await.expect(400);
        assert_eq!(text(&long["file"][0]), "The file may have at most 3 rows.");
        let long = send(&site.owner, &site.at("import/msproject/"), "a.xml", PLAN, &[]).await.expect(400);
        assert_eq!(text(&long["file"][0]), "The file may have at most 2 rows.");
        let large = format!("<rss>{}</rss>", " ".repeat(400_000));
        let refused = send(&site.owner, &site.at("import/jira/"), "a.xml", &large, &[]).await.expect(413);
        assert!(text(&refused["detail"]).contains("KB"), "{}", refused.text);
        let task = |path: &str| json!({"wbs_path": path, "name": "Dig"});
        let document = json!({"schema_version": "2.1", "program": {"slug": "p", "name": "P", "methodology": "WATERFALL"},
            "projects": [{"slug": "a", "name": "A", "methodology": "WATERFALL", "start_date": "2026-01-05", "tasks": [task("1"), task("2")]}]});
        let refused = site.owner.post("/api/v1/programs/import/", document).await.expect(400);
        assert_eq!(refused["detail"], json!(["$.projects: The file may have at most 1 rows."]));
        assert!(site.owner.get(&site.at("imports/")).await.expect(200).results().is_empty());
    }

    async fn only_those_who_manage_the_plan_bring_files_in(app: &TestApp) {
        let site = Site::new(app).await;
        let table = "Name\nDig\n";
        for (name, role, status) in [("vera", 1, 403), ("mara", 100, 403), ("rosa", 200, 403), ("pia", 300, 202)] {
            let person = site.person(name, role).await;
            send(&person, &site.at("import/csv/"), "plan.csv", table, &[]).await.expect(status);
            person.get(&site.at("imports/")).await.expect(200);
            person.get(&site.at("export/msproject.xml")).await.expect(200);
        }
        let outsider = app.person("otto").await;
        send(&outsider, &site.at("import/csv/"), "plan.csv", table, &[]).await.expect(404);
        outsider.get(&site.at("imports/")).await.expect(404);
        outsider.get("/api/v1/import-templates/csv/").await.expect(200);
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Mills"})).await.expect(201).id();
        let path = "/api/v1/projects/import/msproject/";
        let refused = send(&outsider, path, "mill.xml", PLAN, &[("program", &program)]).await.expect(400);
        assert!(refused["program"].is_array(), "{}", refused.text);
        send(&site.owner, path, "mill.xml", PLAN, &[("program", &program)]).await.expect(202);
    }

    async fn whoever_lost_the_right_since_brings_nothing_in(app: &TestApp) {
        let site = Site::new(app).await;
        let manager = site.person("pia", 300).await;
        let queued = send(&manager, &site.at("import/csv/"), "plan.csv", "Name\nDig\n", &[]).await.expect(202);
        let members = site.owner.get(&site.at("members/")).await.expect(200);
        let row = members.json.as_array().unwrap().iter().find(|row| row["role"] == 300).unwrap().clone();
        site.owner.patch(&site.at(&format!("members/{}/", text(&row["id"]))), json!({"role": 1})).await.expect(200);
        app.run_jobs().await;
        let import = import_of(&site, text(&queued["import_request_id"])).await;
        assert_eq!(text(&import["status"]), "dead");
        assert!(!text(&import["error_detail"]).is_empty());
        assert!(site.tasks().await.is_empty());
    }
}
