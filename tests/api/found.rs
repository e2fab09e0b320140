//! What people find of all their projects: search, My Work, and what needs attention. Each person finds only their own.

use planwright_domain::Role;
use planwright_store::Sql;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, text};

const SEARCH: &str = "/api/v1/me/search/";
const WORK: &str = "/api/v1/me/work/";

/// The titles that a person finds, in their order.
async fn titles(person: &Person<'_>, query: &str) -> Vec<String> {
    let answer = person.get(&format!("{SEARCH}?{query}")).await.expect(200);
    assert_eq!(answer["count"], answer.results().len());
    answer.results().iter().map(|row| text(&row["title"]).to_owned()).collect()
}

/// The names of the tasks that a search in the project finds.
async fn names(site: &Site<'_>, words: &str) -> Vec<String> {
    let answer = site
        .owner
        .get(&format!("/api/v1/tasks/search/?project={}&q={words}", site.project))
        .await
        .expect(200);
    answer.json.as_array().unwrap().iter().map(|row| text(&row["name"]).to_owned()).collect()
}

/// The names of what a person has to do.
async fn work(person: &Person<'_>, query: &str) -> Vec<String> {
    let answer = person.get(&format!("{WORK}{query}")).await.expect(200);
    answer.results().iter().map(|row| text(&row["name"]).to_owned()).collect()
}

/// A text as a value of a query.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

async fn break_table(site: &Site<'_>, table: &str) {
    site.app.write(Sql::new(format!("ALTER TABLE {table} RENAME TO {table}_gone"))).await;
}

both_engines! {
    async fn words_are_found_by_their_beginning_without_accents_and_with_one_wrong_letter(app: &TestApp) {
        let site = Site::new(app).await;
        site.create(json!({"name": "Café launch", "notes": "Bring étagères"})).await;
        site.create(json!({"name": "Relaunch"})).await;
        site.create(json!({"name": "Launch the boat"})).await;
        for (asked, expected) in [
            ("q=launch", vec!["Launch the boat", "Café launch"]),
            ("q=LAUN", vec!["Launch the boat", "Café launch"]),
            ("q=cafe", vec!["Café launch"]),
            ("q=caf%C3%A9%20laun", vec!["Café launch"]),
            ("q=cafe%CC%81", vec!["Café launch"]),
            ("q=lanuch", vec!["Café launch", "Launch the boat"]),
            ("q=launsh", vec!["Café launch", "Launch the boat"]),
            ("q=lauch", vec!["Café launch", "Launch the boat"]),
            ("q=etageres", vec!["Café launch"]),
            ("q=launsch-bot", vec![]),
            ("q=l", vec![]),
            ("q=%22)%20OR%20*", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(titles(&site.owner, asked).await, expected, "{asked}");
        }
        assert_eq!(names(&site, "laun").await, ["Café launch", "Launch the boat"]);
        assert_eq!(names(&site, "lanuch").await, ["Café launch", "Launch the boat"]);
        assert_eq!(names(&site, "elaunc").await, ["Relaunch"], "a text within a word is found if nothing else is");
        assert_eq!(names(&site, "").await, Vec::<String>::new());
        site.owner.get(&format!("{SEARCH}?q={}", "a".repeat(101))).await.expect(400);
        site.owner.get(&format!("{SEARCH}?q=launch&type=sprint")).await.expect(400);
    }

    async fn the_index_follows_changes_deletions_and_restorations(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Harbour", 2).await;
        assert_eq!(titles(&site.owner, "q=harbour").await, ["Harbour"]);
        site.change(&task, json!({"name": "Quay"})).await;
        assert_eq!(titles(&site.owner, "q=harbour").await, Vec::<String>::new());
        assert_eq!(titles(&site.owner, "q=quay").await, ["Quay"]);
        site.owner.delete(&format!("/api/v1/tasks/{task}/")).await.expect(204);
        assert_eq!(titles(&site.owner, "q=quay").await, Vec::<String>::new());
        site.owner.post(&format!("/api/v1/tasks/{task}/restore/"), json!({})).await.expect(200);
        assert_eq!(titles(&site.owner, "q=quay").await, ["Quay"]);
    }

    async fn everybody_finds_only_what_they_may_see(app: &TestApp) {
        let site = Site::new(app).await;
        let guest = site.person("vera", 1).await;
        let other = app.person("zoe").await;
        let elsewhere = app.project(&other, "Tunnel").await;
        other.post("/api/v1/tasks/", json!({"project": elsewhere, "name": "Secret survey"})).await.expect(201);
        let own = site.task("Open survey", 1).await;
        let program = other.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        let items = format!("/api/v1/programs/{program}/backlog-items/");
        other.post(&items, json!({"title": "Survey by drone", "item_type": "epic"})).await.expect(201);
        site.owner.post(&site.at(&format!("tasks/{own}/comments/")), json!({"body": "Bring theodolites"})).await.expect(201);
        for person in [&site.owner, &guest] {
            assert_eq!(titles(person, "q=survey").await, ["Open survey"]);
            assert_eq!(titles(person, "q=theodolite").await, ["Open survey"], "comments are searched");
            assert_eq!(titles(person, "q=surwey").await, ["Open survey"]);
        }
        assert_eq!(titles(&other, "q=survey").await, ["Survey by drone", "Secret survey"]);
        assert_eq!(titles(&other, "q=survey&type=epic").await, ["Survey by drone"]);
        assert_eq!(titles(&other, "q=survey&type=task,story").await, ["Secret survey"]);
        assert_eq!(titles(&other, "q=theodolite").await, Vec::<String>::new());
        assert_eq!(titles(&app.person("nobody").await, "q=survey").await, Vec::<String>::new());
        let kinds = other.get(&format!("{SEARCH}?q=survey")).await.expect(200);
        assert_eq!((&kinds["results"][0]["kind"], &kinds["results"][0]["program_name"]), (&json!("backlog_item"), &json!("City")));
        assert_eq!((&kinds["results"][1]["kind"], &kinds["results"][1]["project_name"]), (&json!("task"), &json!("Tunnel")));
        other.delete(&format!("/api/v1/projects/{elsewhere}/")).await.expect(204);
        assert_eq!(titles(&other, "q=survey").await, ["Survey by drone"]);
        other.let_in(&format!("/api/v1/programs/{program}/"), &guest, Role::Viewer).await;
        assert_eq!(titles(&guest, "q=survey").await, ["Survey by drone", "Open survey"]);
    }

    async fn a_page_of_results_links_to_the_next_one(app: &TestApp) {
        let site = Site::new(app).await;
        for number in 0..5 {
            site.task(&format!("Wall {number}"), 1).await;
        }
        let first = site.owner.get(&format!("{SEARCH}?q=wall&page_size=2")).await.expect(200);
        assert_eq!((&first["count"], &first["results"][1]["title"]), (&json!(5), &json!("Wall 1")));
        assert!(text(&first["next"]).contains("page=2"));
        site.owner.get(&format!("{SEARCH}?q=wall&page_size=2&page=4")).await.expect(404);
    }

    async fn my_work_holds_what_i_do_myself_or_by_allocation(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let own = site.create(json!({"name": "Own", "duration": 1, "assignee": mara.id, "story_points": 3})).await.id();
        let allocated = site.task("Allocated", 8).await;
        site.task("Of nobody", 1).await;
        site.create(json!({"name": "Waits", "assignee": mara.id, "status": "BACKLOG"})).await;
        site.create(json!({"name": "Done", "assignee": mara.id, "status": "COMPLETE"})).await;
        let resource = json!({"name": "Mara", "user": mara.id});
        let resource = app.admin().await.post("/api/v1/resources/", resource).await.expect(201).id();
        site.owner.post("/api/v1/task-resources/", json!({"task": allocated, "resource": resource})).await.expect(201);
        assert_eq!(work(&mara, "").await, ["Own", "Allocated"]);
        assert_eq!(work(&mara, "?ordering=name").await, ["Allocated", "Own"]);
        assert_eq!(work(&mara, "?search=OWN").await, ["Own"]);
        assert_eq!(work(&mara, "?limit=1&offset=1").await, ["Allocated"]);
        mara.get(&format!("{WORK}?ordering=secret")).await.expect(400);
        assert_eq!(work(&site.owner, "").await, Vec::<String>::new());
        let answer = mara.get(WORK).await.expect(200);
        assert_eq!((&answer["count"], &answer["due_today_count"]), (&json!(2), &json!(1)));
        let first = &answer["results"][0];
        assert_eq!((&first["due"], &first["due_source"], &first["group"]), (&json!("2026-01-05"), &json!("estimated"), &json!("today")));
        assert_eq!((&first["short_id_display"], &first["project_name"], &first["is_blocked"]), (&json!("T-1"), &json!("Bridge"), &json!(false)));
        assert_eq!(answer["results"][1]["group"], "upcoming");
        assert_eq!(answer["signals"]["schedule_health"]["open"], 2);
        assert!(mara.get(&format!("{WORK}?offset=1")).await.expect(200).json.get("signals").is_none());
        site.change(&own, json!({"deadline": "2026-02-02", "blocker_type": "vendor", "blocked_reason": "No crane"})).await;
        let answer = mara.get(WORK).await.expect(200);
        let first = &answer["results"][0];
        assert_eq!((&first["due"], &first["due_source"], &first["group"]), (&json!("2026-02-02"), &json!("planned"), &json!("upcoming")));
        assert_eq!((&first["is_blocked"], &first["blocked_reason"], &first["blocker_type"]), (&json!(true), &json!("No crane"), &json!("vendor")));
        let membership = site.owner.get(&site.at("members/")).await.expect(200);
        let rows = membership.json.as_array().unwrap().clone();
        let row = rows.iter().find(|row| row["user"] == json!(mara.id)).unwrap();
        site.owner.delete(&site.at(&format!("members/{}/", text(&row["id"])))).await.expect(204);
        assert_eq!(work(&mara, "").await, Vec::<String>::new(), "a project that one left shows nothing");
    }

    async fn letters_of_one_language_are_found_by_plain_ones_and_the_other_way_round(app: &TestApp) {
        let site = Site::new(app).await;
        for name in ["Łódź bridge", "Smørbrød stand", "Đorđe crane", "Große Straße", "Œuvre d'art", "Æther pump",
            "Þórshöfn quay", "Iğdır depot", "Ёлка market", "Ελλάδα office", "ﬁnal inspection", "Strasse two"] {
            site.create(json!({"name": name})).await;
        }
        for (asked, expected) in [
            ("lodz", vec!["Łódź bridge"]), ("ŁÓDŹ", vec!["Łódź bridge"]), ("lodx bridge", vec!["Łódź bridge"]),
            ("smorbrod", vec!["Smørbrød stand"]), ("smørbrod", vec!["Smørbrød stand"]), ("smorbrud", vec!["Smørbrød stand"]),
            ("dorde", vec!["Đorđe crane"]), ("đorde", vec!["Đorđe crane"]),
            ("grosse", vec!["Große Straße"]), ("GROSSE", vec!["Große Straße"]), ("große", vec!["Große Straße"]), ("grose", vec!["Große Straße"]),
            ("straße", vec!["Strasse two", "Große Straße"]), ("strasse", vec!["Strasse two", "Große Straße"]),
            ("oeuvre", vec!["Œuvre d'art"]), ("œuvre", vec!["Œuvre d'art"]), ("aether", vec!["Æther pump"]),
            ("thorshofn", vec!["Þórshöfn quay"]), ("igdir", vec!["Iğdır depot"]),
            ("елка", vec!["Ёлка market"]), ("ЁЛКА", vec!["Ёлка market"]), ("елкв", vec!["Ёлка market"]),
            ("ελλαδα", vec!["Ελλάδα office"]), ("Ελλάδα", vec!["Ελλάδα office"]), ("ελλαδο", vec!["Ελλάδα office"]),
            ("final", vec!["ﬁnal inspection"]), ("ﬁnal", vec!["ﬁnal inspection"]), ("finql", vec!["ﬁnal inspection"]),
        ] {
            assert_eq!(titles(&site.owner, &format!("q={}", encoded(asked))).await, expected, "{asked}");
            let mut own = names(&site, &encoded(asked)).await;
            own.sort();
            let mut expected = expected;
            expected.sort();
            assert_eq!(own, expected, "{asked} in the project");
        }
        let dig = site.task("Dig", 1).await;
        site.change(&dig, json!({"name": "Gdańsk, Wrocław"})).await;
        assert_eq!(titles(&site.owner, "q=wroclaw").await, ["Gdańsk, Wrocław"], "a change is found as well");
    }

    async fn a_section_that_breaks_is_named_and_the_others_are_whole(app: &TestApp) {
        let site = Site::new(app).await;
        site.create(json!({"name": "Own", "assignee": site.owner.id})).await;
        site.task("Of nobody", 1).await;
        break_table(&site, "retro_actions").await;
        let answer = site.owner.get(WORK).await.expect(503);
        assert_eq!((&answer["failed"], &answer["count"]), (&json!("retro_action_items"), &json!(1)));
        assert!(answer["signals"].is_object(), "{}", answer.text);
        break_table(&site, "baseline_tasks").await;
        let answer = site.owner.get(&site.at("attention/")).await.expect(503);
        assert_eq!((&answer["failed"], &answer["items"][0]["task_name"]), (&json!("baseline_drift"), &json!("Of nobody")));
        app.write(Sql::new("ALTER TABLE baseline_tasks_gone RENAME TO baseline_tasks")).await;
    }

    async fn each_section_that_cannot_be_read_is_named(app: &TestApp) {
        let site = Site::new(app).await;
        site.create(json!({"name": "Own", "assignee": site.owner.id})).await;
        for (table, of_work, of_attention) in [
            ("resources", "counts, results, active_sprints, signals", "overallocation"),
            ("task_resources", "counts, results, active_sprints, signals", "unassigned_approaching, overallocation"),
            ("task_schedule", "counts, results, active_sprints, signals",
                "critical_task_late, unassigned_approaching, baseline_drift, overallocation"),
            ("sprints", "counts, results, active_sprints, retro_action_items, signals", ""),
        ] {
            break_table(&site, table).await;
            let answer = site.owner.get(WORK).await.expect(503);
            assert_eq!((&answer["failed"], &answer["results"]), (&json!(of_work), &json!([])), "{table}");
            let attention = site.owner.get(&site.at("attention/")).await;
            assert_eq!(attention.status, if of_attention.is_empty() { 200 } else { 503 }, "{table}");
            assert_eq!(attention["failed"].as_str().unwrap_or_default(), of_attention, "{table}");
            site.app.write(Sql::new(format!("ALTER TABLE {table}_gone RENAME TO {table}"))).await;
        }
        assert!(site.owner.get(&format!("{WORK}?ordering=wrong")).await.expect(400)["ordering"].is_array());
        assert_eq!(work(&site.owner, "").await, ["Own"]);
    }

    async fn attention_is_drawn_to_what_is_late_unassigned_or_too_much(app: &TestApp) {
        let site = Site::new(app).await;
        let late = site.create(json!({"name": "Late", "duration": 5, "deadline": "2026-01-06", "assignee": site.owner.id})).await.id();
        let kinds = async || -> Vec<(Value, Value)> {
            let answer = site.owner.get(&site.at("attention/")).await.expect(200);
            let items = answer["items"].as_array().unwrap().clone();
            items.into_iter().map(|item| (item["type"].clone(), item["task_name"].clone())).collect()
        };
        assert_eq!(kinds().await, [(json!("critical_task_late"), json!("Late"))]);
        for number in 0..4 {
            site.task(&format!("Open {number}"), 1).await;
        }
        let found = kinds().await;
        assert_eq!(found.len(), 4, "at most three of each kind: {found:?}");
        assert_eq!(found[0].0, "critical_task_late");
        assert!(found[1..].iter().all(|(kind, _)| kind == "unassigned_approaching"), "{found:?}");
        let resource = site.owner.post("/api/v1/resources/", json!({"name": "Mara"})).await.expect(201).id();
        let busy = json!({"task": late, "resource": resource, "units": "1.50"});
        site.owner.post("/api/v1/task-resources/", busy).await.expect(201);
        let answer = site.owner.get(&site.at("attention/")).await.expect(200);
        let last = answer["items"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&last["type"], &last["severity"], &last["assignee_name"]), (&json!("overallocation"), &json!("info"), &json!("Mara")));
        assert_eq!(last["detail"], "On this day they have 150 % of the work that fits.");
        app.person("zoe").await.get(&site.at("attention/")).await.expect(404);
    }
}
