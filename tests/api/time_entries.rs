//! Minutes on tasks: how they are logged, changed and added up, and what is refused.
//! That nobody sees those of others is walked over the whole interface in `time_seen.rs`.

use chrono::Duration;
use futures_util::future::join;
use planwright_store::sql;
use planwright_testkit::{Person, both_engines};
use planwright_time_tracking::personal_data;
use serde_json::{Value, json};

use crate::site::{Site, task_path, text};

const OWN: &str = "/api/v1/me/time-entries/";
const PROFILE: &str = "/api/v1/auth/me/profile/";

/// Where time is logged on a task.
pub(crate) fn log(task: &str) -> String {
    format!("{}time-entries/", task_path(task))
}

fn one(id: &str) -> String {
    format!("{OWN}{id}/")
}

async fn minutes_of(person: &Person<'_>, task: &str) -> (Value, Value) {
    let task = person.get(&task_path(task)).await.expect(200);
    (task["logged_minutes"].clone(), task["can_log_time"].clone())
}

both_engines! {
    async fn minutes_are_logged_listed_changed_and_deleted(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let task = site.task("Survey", 3).await;
        let first = mara.post(&log(&task), json!({"minutes": 30})).await.expect(201);
        assert_eq!(
            (&first["task"], &first["user"], &first["entry_date"], &first["note"], &first["source"]),
            (&json!(task), &json!(mara.id), &json!("2026-01-05"), &json!(""), &json!("manual"))
        );
        let second = json!({"minutes": 1440, "entry_date": "2026-01-02", "note": " dug "});
        let second = mara.post(&log(&task), second).await.expect(201);
        let listed = mara.get(&log(&task)).await.expect(200);
        assert_eq!(listed["total_logged_minutes"], 1470);
        assert_eq!(crate::site::ids(&listed["results"]), [first.id(), second.id()], "newest first");
        assert_eq!(listed["results"][1], second.json);
        let changed = mara.patch(&one(&first.id()), json!({"minutes": 45, "note": "twice"})).await.expect(200);
        assert_eq!((&changed["minutes"], &changed["server_version"]), (&json!(45), &json!(2)));
        assert_eq!(changed.header("etag"), "\"v2\"");
        mara.delete(&one(&second.id())).await.expect(204);
        assert_eq!(mara.get(&log(&task)).await.expect(200)["total_logged_minutes"], 45);
        mara.delete(&one(&second.id())).await.expect(404);
        mara.patch(&one(&second.id()), json!({"minutes": 1})).await.expect(404);
    }

    async fn what_cannot_be_logged_is_named(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        let made = site.owner.post(&log(&task), json!({"minutes": 5})).await.expect(201).id();
        let minutes = [json!(0), json!(1441), json!(-5), json!(1.5), json!("soon"), json!(null)];
        let days = ["2026-01-06", "2025-11-05", "2026-02-30", "9999-12-31", "0001-01-01"];
        let bodies = minutes.into_iter().map(|minutes| ("minutes", json!({"minutes": minutes})));
        let bodies = bodies.chain(days.map(|day| ("entry_date", json!({"minutes": 5, "entry_date": day}))));
        let long = json!({"minutes": 5, "note": "x".repeat(501)});
        for (field, body) in bodies.chain([("note", long)]) {
            for answer in [site.owner.post(&log(&task), body.clone()).await, site.owner.patch(&one(&made), body.clone()).await] {
                assert!(answer.status == 400 && answer[field].is_array(), "{body}: {} {}", answer.status, answer.text);
            }
        }
        site.owner.post(&log(&task), json!({})).await.expect(400);
        site.owner.post(&log(&task), json!({"minutes": 5, "user": site.owner.id})).await.expect(400);
        let oldest = json!({"minutes": 5, "entry_date": "2025-11-06"});
        site.owner.post(&log(&task), oldest).await.expect(201);
    }

    async fn how_far_back_time_is_logged_is_a_setting(app: &TestApp, "TIMETRACKING_BACKDATE_DAYS" = "1") {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        let on = |day: &str| json!({"minutes": 5, "entry_date": day});
        site.owner.post(&log(&task), on("2026-01-04")).await.expect(201);
        site.owner.post(&log(&task), on("2026-01-03")).await.expect(400);
    }

    async fn a_member_logs_and_a_viewer_and_an_outsider_do_not(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        for (name, rank, status) in [("vera", 1, 403), ("mara", 100, 201), ("rita", 200, 201), ("pia", 300, 201)] {
            let person = site.person(name, rank).await;
            person.post(&log(&task), json!({"minutes": 5})).await.expect(status);
            assert_eq!(minutes_of(&person, &task).await.1, json!(status == 201));
            let own = if status == 201 { 5 } else { 0 };
            assert_eq!(person.get(&log(&task)).await.expect(200)["total_logged_minutes"], own);
        }
        let outsider = app.person("otto").await;
        outsider.get(&log(&task)).await.expect(404);
        outsider.post(&log(&task), json!({"minutes": 5})).await.expect(404);
                site.owner.post(&site.at("archive/"), json!({})).await.expect(200);
        site.owner.post(&log(&task), json!({"minutes": 5})).await.expect(403);
        assert_eq!(minutes_of(&site.owner, &task).await.1, false);
    }

    async fn only_their_author_finds_minutes_whatever_the_rank(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let admin = app.admin().await;
        let task = site.task("Survey", 3).await;
        let entry = one(&mara.post(&log(&task), json!({"minutes": 30})).await.expect(201).id());
        for other in [&site.owner, &admin] {
            other.patch(&entry, json!({"minutes": 1})).await.expect(404);
            other.patch(&entry, json!({"minutes": 0})).await.expect(404);
            other.delete(&entry).await.expect(404);
        }
        let listed = site.owner.get(&log(&task)).await.expect(200);
        assert_eq!((&listed["results"], &listed["total_logged_minutes"]), (&json!([]), &json!(0)));
        assert_eq!(mara.get(&log(&task)).await.expect(200)["total_logged_minutes"], 30);
    }

    async fn a_phase_takes_no_time_and_shows_what_its_reader_logged_below_it(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let top = site.task("Build", 3).await;
        mara.post(&log(&top), json!({"minutes": 7})).await.expect(201);
        let phase = site.under(&top, "Walls", 3).await;
        let leaf = site.under(&phase, "Dig", 3).await;
        let refused = mara.post(&log(&phase), json!({"minutes": 5})).await.expect(400);
        assert_eq!(refused["code"], "time_log_on_phase");
        mara.post(&log(&leaf), json!({"minutes": 20})).await.expect(201);
        mara.post(&log(&leaf), json!({"minutes": 1})).await.expect(201);
        site.owner.post(&log(&leaf), json!({"minutes": 400})).await.expect(201);
        for (task, minutes, may_log) in [(&top, 28, false), (&phase, 21, false), (&leaf, 21, true)] {
            assert_eq!(minutes_of(&mara, task).await, (json!(minutes), json!(may_log)));
            let listed = mara.get(&format!("/api/v1/tasks/?project={}", site.project)).await.expect(200);
            let row = listed.results().iter().find(|row| row["id"] == **task).unwrap();
            assert_eq!(row["logged_minutes"], minutes);
        }
        assert_eq!(minutes_of(&site.owner, &top).await.0, 400);
        let aside = site.create(json!({"name": "Check", "parent_id": leaf, "is_subtask": true})).await;
        assert_eq!(aside["is_subtask"], true);
        mara.post(&log(&aside.id()), json!({"minutes": 100})).await.expect(201);
        assert_eq!(minutes_of(&mara, &leaf).await, (json!(21), json!(true)), "a subtask makes no phase");
        assert_eq!(minutes_of(&mara, &top).await.0, 128);
        site.owner.delete(&task_path(&leaf)).await.expect(204);
        assert_eq!(minutes_of(&mara, &top).await.0, 7);
    }

    async fn a_week_adds_up_by_day_and_by_task(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 3).await, site.task("Pour", 3).await);
        app.later(Duration::days(2));
        let mut owner = app.known(site.owner.id, "ona");
        owner.sign_in_again().await;
        for (task, day, minutes) in [(&dig, "07", 10), (&dig, "07", 5), (&pour, "07", 1), (&dig, "05", 100), (&dig, "04", 900)] {
            let day = if day == "04" { "2026-01-04".to_owned() } else { format!("2026-01-{day}") };
            owner.post(&log(task), json!({"minutes": minutes, "entry_date": day})).await.expect(201);
        }
        let week = owner.get(OWN).await.expect(200);
        assert_eq!(week["totals"], json!({
            "by_day": {"2026-01-05": 100, "2026-01-07": 16},
            "by_cell": {format!("{dig}|2026-01-05"): 100, format!("{dig}|2026-01-07"): 15, format!("{pour}|2026-01-07"): 1},
            "today_minutes": 16, "week_minutes": 116,
        }));
        let row = &week["results"][0];
        assert_eq!((&row["task_name"], &row["project_name"], &row["project"]), (&json!("Pour"), &json!("Bridge"), &json!(site.project)));
        assert!(row.get("user").is_none() && !text(&row["task_short_id"]).is_empty(), "{row}");
        assert_eq!(week["submission"], json!({"week_start": "2026-01-05", "submitted": false, "submitted_at": null}));
        let last = owner.get(&format!("{OWN}?from=2025-12-29&to=2026-01-04")).await.expect(200);
        assert_eq!((&last["totals"]["week_minutes"], &last["totals"]["today_minutes"]), (&json!(900), &json!(0)));
        for wrong in ["?from=2026-01-05", "?to=2026-01-05", "?from=2026-01-06&to=2026-01-05", "?from=x&to=y", "?from=0001-01-01&to=9999-12-31"] {
            owner.get(&format!("{OWN}{wrong}")).await.expect(400);
        }
        owner.get(&format!("{OWN}?from=0001-01-01&to=0001-01-01")).await.expect(200);
        owner.get(&format!("{OWN}?from=9999-12-31&to=9999-12-31")).await.expect(200);
    }

    async fn a_day_is_one_of_the_persons_time_zone(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        let mut nell = site.person("nell", 100).await;
        nell.patch(PROFILE, json!({"timezone": "America/New_York"})).await.expect(200);
        // Clocks go forward on 8 March at 07:00 UTC: 04:30 UTC is 23:30 before, and 00:30 after.
        let mut logged = Vec::new();
        for hours in [61 * 24 + 20, 24, 24] {
            app.later(Duration::hours(hours) + Duration::minutes(if hours > 24 { 30 } else { 0 }));
            nell.sign_in_again().await;
            let entry = nell.post(&log(&task), json!({"minutes": 10})).await.expect(201);
            let week = nell.get(OWN).await.expect(200);
            logged.push((text(&entry["entry_date"]).to_owned(), week["totals"]["week_minutes"].clone(), week["totals"]["today_minutes"].clone()));
        }
        let day = |day: &str, week: i64| (day.to_owned(), json!(week), json!(10));
        assert_eq!(logged, [day("2026-03-07", 10), day("2026-03-09", 10), day("2026-03-10", 20)]);
        nell.post(&log(&task), json!({"minutes": 10, "entry_date": "2026-03-11"})).await.expect(400);
        nell.patch(PROFILE, json!({"timezone": "Pacific/Kiritimati"})).await.expect(200);
        nell.post(&log(&task), json!({"minutes": 10, "entry_date": "2026-03-11"})).await.expect(400);
        app.later(Duration::hours(6));
        nell.sign_in_again().await;
        nell.post(&log(&task), json!({"minutes": 10, "entry_date": "2026-03-11"})).await.expect(201);
    }

    async fn minutes_stay_with_whoever_leaves_and_names_do_not(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = app.person("mara").await;
        let membership = site.owner.let_in(&site.at(""), &mara, planwright_domain::Role::Member).await;
        let task = site.task("Survey", 3).await;
        let entry = mara.post(&log(&task), json!({"minutes": 30})).await.expect(201);
        site.owner.delete(&site.at(&format!("members/{membership}/"))).await.expect(204);
        mara.get(&log(&task)).await.expect(404);
        let week = mara.get(OWN).await.expect(200);
        assert_eq!(week["totals"]["week_minutes"], 30);
        assert!(!week.text.contains("Survey") && !week.text.contains("Bridge"), "{}", week.text);
        mara.patch(&one(&entry.id()), json!({"minutes": 20})).await.expect(200);
        mara.delete(&one(&entry.id())).await.expect(204);
    }

    async fn of_two_changes_at_once_from_the_same_version_one_is_refused(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        let entry = site.owner.post(&log(&task), json!({"minutes": 1})).await.expect(201);
        for round in 1..=5 {
            let seen = site.owner.with_header("if-match", &format!("\"v{round}\""));
            let path = one(&entry.id());
            let (a, b) = join(seen.patch(&path, json!({"minutes": round * 2})), seen.patch(&path, json!({"minutes": round * 2 + 1}))).await;
            let mut statuses = [a.status, b.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 412], "{} {}", a.text, b.text);
        }
    }

    async fn minutes_have_a_history_of_no_project_a_number_and_no_event(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        site.hush().await;
        let entry = site.owner.post(&log(&task), json!({"minutes": 1})).await.expect(201);
        site.owner.patch(&one(&entry.id()), json!({"minutes": 2})).await.expect(200);
        site.owner.delete(&one(&entry.id())).await.expect(204);
        assert_eq!(site.announced_names().await, Vec::<String>::new());
        let kept = "SELECT COUNT(*) FROM history WHERE entity = 'time_entry' AND project_id IS NULL AND program_id IS NULL";
        assert_eq!(app.app.db.count(sql!(kept)).await.unwrap(), 3);
        let numbered = "SELECT COUNT(*) FROM time_entries WHERE change_number > 1 AND deletion_id IS NOT NULL AND server_version = 3";
        assert_eq!(app.app.db.count(sql!(numbered)).await.unwrap(), 1);
    }

    async fn what_is_kept_of_a_person_can_be_handed_over_and_erased_and_others_keep_theirs(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let task = site.task("Survey", 3).await;
        for person in [&mara, &site.owner] {
            let gone = person.post(&log(&task), json!({"minutes": 5, "note": "gone"})).await.expect(201);
            person.delete(&one(&gone.id())).await.expect(204);
            person.post(&log(&task), json!({"minutes": 6, "note": "kept"})).await.expect(201);
            person.post("/api/v1/me/timer/start", json!({"task": task})).await.expect(201);
            person.post("/api/v1/me/timesheets/2026-01-05/submit", json!({})).await.expect(200);
        }
        let db = &app.app.db;
        let kept = json!(personal_data::of(db, mara.id).await.unwrap());
        let notes: Vec<&str> = kept["entries"].as_array().unwrap().iter().map(|row| text(&row["note"])).collect();
        assert_eq!(notes, ["gone", "kept"]);
        assert_eq!((&kept["timer"]["task"], &kept["timesheets"][0]["week_start"]), (&json!(task), &json!("2026-01-05")));
        assert_eq!(personal_data::erase(db, mara.id).await.unwrap(), 4);
        let none = json!({"entries": [], "timer": null, "timesheets": []});
        assert_eq!(json!(personal_data::of(db, mara.id).await.unwrap()), none);
        let left = async |table: &str, column: &str, person: &Person<'_>| {
            let which = "entity IN ('time_entry', 'timer', 'timesheet')";
            let count = format!("SELECT COUNT(*) FROM {table} WHERE {which} AND {column} = :person");
            db.count(sql!(count, person = person.id)).await.unwrap()
        };
        assert_eq!((left("history", "actor_id", &mara).await, left("deletions", "actor_id", &mara).await), (0, 0));
        assert_eq!((left("history", "actor_id", &site.owner).await, left("deletions", "actor_id", &site.owner).await), (5, 1));
        assert_eq!(site.owner.get(&log(&task)).await.expect(200)["total_logged_minutes"], 6);
        assert_eq!(personal_data::erase(db, mara.id).await.unwrap(), 0);
    }
}
