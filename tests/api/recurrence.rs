//! Tasks that come back: attaching a rule, what it makes, and taking it away.

use chrono::Duration;
use planwright_domain::Role;
use planwright_store::sql;
use planwright_testkit::{Person, TestApp, both_engines};
use serde_json::{Value as Json, json};

use crate::bridges::Bridges;
use crate::site::task_path;
use crate::sprints::two_weeks;

const ALL: &str = "/api/v1/recurrence-rules/";

async fn tasks(person: &Person<'_>, plan: &Bridges) -> Vec<Json> {
    let path = format!("/api/v1/tasks/?project={}&page_size=500", plan.project);
    person.get(&path).await.expect(200).results().clone()
}

/// The planned starts of the rows without a place in the outline, in order.
async fn made(person: &Person<'_>, plan: &Bridges) -> Vec<String> {
    let rows = tasks(person, plan).await;
    let made = rows.iter().filter(|row| row["wbs_path"].is_null());
    let mut days: Vec<String> = made.map(|row| row["planned_start"].as_str().unwrap().to_owned()).collect();
    days.sort();
    days
}

async fn later(app: &TestApp, person: &mut Person<'_>, by: Duration) {
    app.later(by);
    app.run_jobs().await;
    person.sign_in_again().await;
}

both_engines! {
    async fn a_template_leaves_the_schedule_and_returns_when_its_rule_goes(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let rule = owner.post(ALL, json!({"task": plan.task, "frequency": "WEEKLY", "weekdays": 1})).await.expect(201);
        assert_eq!((&rule["interval"], &rule["time_of_day"], &rule["end_type"]), (&json!(1), &json!("09:00:00"), &json!("NEVER")));
        let template = owner.get(&format!("/api/v1/tasks/{}/", plan.task)).await.expect(200);
        assert_eq!((&template["early_start"], &template["server_version"]), (&Json::Null, &json!(2)));
        let drawing = tasks(&owner, &plan).await.into_iter().find(|row| row["name"] == "Drawing").unwrap();
        assert_eq!(drawing["early_start"], "2026-01-05");
        owner.post(ALL, json!({"task": plan.task})).await.expect(400);
        owner.delete(&format!("{ALL}{}/", rule.id())).await.expect(204);
        owner.get(&format!("{ALL}{}/", rule.id())).await.expect(404);
        let back = owner.get(&format!("/api/v1/tasks/{}/", plan.task)).await.expect(200);
        assert_eq!((&back["early_start"], &back["server_version"]), (&json!("2026-01-05"), &json!(3)));
        owner.post(ALL, json!({"task": plan.task})).await.expect(201);
    }

    async fn tasks_are_made_two_weeks_ahead_and_once_for_each_day(app: &TestApp) {
        let mut owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let rule = owner.post(ALL, json!({"task": plan.task, "frequency": "WEEKLY", "weekdays": 0b10001})).await.expect(201);
        app.run_jobs().await;
        assert_eq!(made(&owner, &plan).await, ["2026-01-05", "2026-01-09", "2026-01-12", "2026-01-16", "2026-01-19"]);
        let one = tasks(&owner, &plan).await.into_iter().find(|row| row["wbs_path"].is_null()).unwrap();
        assert_eq!((&one["name"], &one["status"], &one["duration"]), (&json!("Survey"), &json!("NOT_STARTED"), &json!(3)));
        assert_eq!((&one["early_start"], &one["source_kind"]), (&Json::Null, &json!("hand")));
        assert!(one["short_id"].as_str().unwrap() > "00000002");
        let shown = owner.get(&format!("{ALL}{}/", rule.id())).await.expect(200);
        assert_eq!((&shown["generated_through"], &shown["occurrence_count"]), (&json!("2026-01-19"), &json!(5)));
        assert_eq!(shown["server_version"], 1);
        later(app, &mut owner, Duration::hours(2)).await;
        assert_eq!(made(&owner, &plan).await.len(), 5);
        later(app, &mut owner, Duration::days(4)).await;
        assert_eq!(made(&owner, &plan).await.len(), 6);
        // Days that pass while nobody works are not made up for.
        later(app, &mut owner, Duration::days(60)).await;
        let days = made(&owner, &plan).await;
        assert_eq!((days[5].as_str(), days[6].as_str()), ("2026-01-23", "2026-03-13"));
    }

    async fn another_pattern_makes_what_is_missing_and_keeps_what_is_there(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let request = json!({"task": plan.task, "frequency": "DAILY", "interval": 7, "end_type": "ON_DATE", "end_date": "2026-01-14"});
        let rule = owner.post(ALL, request).await.expect(201);
        app.run_jobs().await;
        assert_eq!(made(&owner, &plan).await, ["2026-01-05", "2026-01-12"]);
        let path = format!("{ALL}{}/", rule.id());
        let changed = owner.patch(&path, json!({"interval": 3})).await.expect(200);
        assert_eq!((&changed["server_version"], &changed["generated_through"]), (&json!(2), &Json::Null));
        app.run_jobs().await;
        assert_eq!(made(&owner, &plan).await, ["2026-01-05", "2026-01-08", "2026-01-11", "2026-01-12", "2026-01-14"]);
        // A new rule on the same template repeats no day.
        owner.delete(&path).await.expect(204);
        owner.post(ALL, json!({"task": plan.task, "frequency": "DAILY", "interval": 3, "end_type": "AFTER_N", "end_count": 1})).await.expect(201);
        app.run_jobs().await;
        assert_eq!(made(&owner, &plan).await.len(), 6);
        let rules: i64 = app.app.db.count(sql!("SELECT COUNT(*) FROM recurrence_rules")).await.unwrap();
        assert_eq!(rules, 2);
    }

    async fn what_a_rule_lacks_or_cannot_have_is_named(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::with(app, &owner, &[("Large thing", "epic")]).await;
        let refused = async |request: Json, field: &str| {
            let answer = owner.post(ALL, request).await.expect(400);
            assert!(answer[field].is_array(), "{field}: {}", answer.text);
        };
        let task = &plan.task;
        refused(json!({}), "task").await;
        refused(json!({"task": crate::served::NOWHERE}), "task").await;
        refused(json!({"task": task, "frequency": "WEEKLY"}), "weekdays").await;
        refused(json!({"task": task, "frequency": "MONTHLY"}), "day_of_month").await;
        refused(json!({"task": task, "end_type": "ON_DATE"}), "end_date").await;
        refused(json!({"task": task, "end_type": "AFTER_N"}), "end_count").await;
        refused(json!({"task": task, "timezone": "Moon/Base"}), "timezone").await;
        refused(json!({"task": task, "time_of_day": "noon"}), "time_of_day").await;
        refused(json!({"task": task, "interval": 0}), "interval").await;
        let epic = tasks(&owner, &plan).await.into_iter().find(|row| row["type"] == "epic").unwrap();
        refused(json!({"task": epic["id"]}), "task").await;
        let rule = owner.post(ALL, json!({"task": task, "time_of_day": "7:30"})).await.expect(201);
        assert_eq!(rule["time_of_day"], "07:30:00");
        let moved = owner.patch(&format!("{ALL}{}/", rule.id()), json!({"task": epic["id"]})).await.expect(400);
        assert!(moved["task"].is_array());
    }

    async fn what_stands_in_a_sprint_comes_back_unless_a_guardrail_blocks_it(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let sprints = format!("/api/v1/projects/{}/sprints/", plan.project);
        let sprint = owner.post(&sprints, two_weeks("First")).await.expect(201).id();
        owner.patch(&task_path(&plan.task), json!({"sprint": sprint})).await.expect(200);
        let policy = format!("/api/v1/projects/{}/guardrail-policy/", plan.project);
        owner.patch(&policy, json!({"levels": {"recurring_in_sprint": "block"}})).await.expect(200);
        let refused = owner.post(ALL, json!({"task": plan.task})).await.expect(400);
        assert_eq!((&refused["code"], &refused["rule"]), (&json!("guardrail_blocked"), &json!("recurring_in_sprint")));
        assert_eq!(refused["suggested_action"], "remove_from_sprint");
        owner.patch(&policy, json!({"levels": {"recurring_in_sprint": "warn"}})).await.expect(200);
        owner.post(ALL, json!({"task": plan.task})).await.expect(201);
    }

    async fn members_read_rules_and_resource_managers_write_them(app: &TestApp) {
        let owner = app.person("owner").await;
        let (member, scheduler, outsider) =
            (app.person("member").await, app.person("scheduler").await, app.person("outsider").await);
        let plan = Bridges::of(app, &owner).await;
        plan.let_in(&owner, &member, Role::Member).await;
        plan.let_in(&owner, &scheduler, Role::ResourceManager).await;
        let request = json!({"task": plan.task, "frequency": "CUSTOM", "day_of_month": 31});
        member.post(ALL, request.clone()).await.expect(403);
        outsider.post(ALL, request.clone()).await.expect(400);
        let rule = scheduler.post(ALL, request).await.expect(201);
        let path = format!("{ALL}{}/", rule.id());
        assert_eq!(member.get(&path).await.expect(200)["day_of_month"], 31);
        assert_eq!(member.get(&format!("{ALL}?task={}", plan.task)).await.expect(200)["count"], 1);
        assert_eq!(member.get(&format!("{ALL}?project={}", crate::served::NOWHERE)).await.expect(200)["count"], 0);
        member.patch(&path, json!({"interval": 2})).await.expect(403);
        member.delete(&path).await.expect(403);
        outsider.get(&path).await.expect(404);
        outsider.delete(&path).await.expect(404);
        assert_eq!(outsider.get(ALL).await.expect(200)["count"], 0);
        let written = scheduler.put(&path, json!({"task": plan.task, "interval": 2})).await.expect(200);
        assert_eq!(written.header("etag"), "\"v2\"");
        scheduler.with_header("if-match", "\"v1\"").delete(&path).await.expect(412);
        owner.delete(&format!("/api/v1/projects/{}/", plan.project)).await.expect(204);
        scheduler.get(&path).await.expect(404);
    }
}
