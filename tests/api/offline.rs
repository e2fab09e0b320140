//! Offline clients: a copy of a project that follows it by pulls, and what a client sends that was offline.

use std::collections::BTreeMap;

use planwright_store::Read;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, listed, task_path, text};

/// A copy of what a person sees, kept by pulls alone.
pub(crate) struct Copy {
    path: String,
    since: i64,
    pub(crate) rows: BTreeMap<String, BTreeMap<String, Value>>,
}

impl Copy {
    /// A copy that has read nothing yet.
    pub(crate) fn of(path: &str) -> Self {
        Self { path: path.to_owned(), since: 0, rows: BTreeMap::new() }
    }

    /// Where the next pull starts.
    pub(crate) fn since(&self) -> i64 {
        self.since
    }

    /// Pulls to the last page; answers with how many rows came.
    pub(crate) async fn pull(&mut self, person: &Person<'_>, size: usize) -> usize {
        let (mut cursor, mut seen) = (String::new(), 0);
        loop {
            let path = format!("{}?since={}&page_size={size}{cursor}", self.path, self.since);
            let page = person.get(&path).await.expect(200);
            if cursor.is_empty() && page["is_full"] == true {
                self.rows.clear();
            }
            seen += self.take(&page["changes"]);
            if page["has_more"] == false {
                assert!(page["next_cursor"].is_null());
                self.since = page["timestamp"].as_i64().unwrap();
                return seen;
            }
            cursor = format!("&cursor={}", text(&page["next_cursor"]));
        }
    }

    fn take(&mut self, changes: &Value) -> usize {
        let mut seen = 0;
        for (name, lists) in changes.as_object().unwrap() {
            let rows = self.rows.entry(name.clone()).or_default();
            assert_eq!(lists["created"], json!([]));
            for row in lists["updated"].as_array().unwrap() {
                rows.insert(text(&row["id"]).to_owned(), row.clone());
                seen += 1;
            }
            for id in lists["deleted"].as_array().unwrap() {
                rows.remove(text(id));
                seen += 1;
            }
        }
        seen
    }

    /// Fails unless the copy has what a client has that reads everything now.
    pub(crate) async fn is_up_to_date(&mut self, person: &Person<'_>) {
        self.pull(person, 1000).await;
        let mut fresh = Copy::of(&self.path);
        fresh.pull(person, 7).await;
        for (name, rows) in &fresh.rows {
            assert_eq!(self.rows.get(name), Some(rows), "{name} of {}", self.path);
        }
    }

    fn row(&self, collection: &str, id: &str) -> &Value {
        &self.rows[collection][id]
    }
}

/// A batch of changes of tasks.
fn batch(number: u128, tasks: Value) -> Value {
    json!({"client_batch_id": uuid::Uuid::from_u128(number), "changes": {"tasks": tasks}})
}

fn id(number: u128) -> String {
    uuid::Uuid::from_u128(0xf00d_0000 + number).to_string()
}

both_engines! {
    async fn a_copy_follows_the_plan_by_pulls_alone(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 2).await, site.task("Pour", 3).await);
        let mut copy = Copy::of(&site.at("sync/"));
        copy.pull(&site.owner, 1000).await;
        assert_eq!(copy.rows.len(), 15, "every collection is named: {:?}", copy.rows.keys());
        assert_eq!(copy.row("tasks", &dig)["name"], "Dig");
        assert_eq!(copy.row("tasks", &pour)["early_start"], "2026-01-05");
        assert_eq!(copy.pull(&site.owner, 1000).await, 0, "nothing has changed");
        site.link(&dig, &pour).await;
        copy.pull(&site.owner, 1000).await;
        assert_eq!(copy.row("tasks", &pour)["early_start"], "2026-01-07", "dates that moved are changes");
        let label = site.owner.post(&site.at("labels/"), json!({"name": "Wet", "color": "blue"})).await.expect(201).id();
        let labels = site.at(&format!("tasks/{dig}/labels/"));
        site.owner.post(&labels, json!({"label_id": label})).await.expect(200);
        copy.pull(&site.owner, 1000).await;
        assert_eq!(copy.row("tasks", &dig)["label_ids"], json!([label]));
        site.owner.delete(&site.at(&format!("labels/{label}/"))).await.expect(204);
        copy.is_up_to_date(&site.owner).await;
        let relation = json!({"source": dig, "target": pour});
        site.owner.post("/api/v1/task-relations/", relation).await.expect(201);
        copy.is_up_to_date(&site.owner).await;
        site.owner.delete(&task_path(&dig)).await.expect(204);
        copy.is_up_to_date(&site.owner).await;
        assert!(copy.rows["dependencies"].is_empty() && !copy.rows["tasks"].contains_key(&dig));
        assert!(copy.rows["task_relations"].is_empty(), "a relation goes with its task");
        site.owner.post(&format!("{}restore/", task_path(&dig)), json!({})).await.expect(200);
        copy.is_up_to_date(&site.owner).await;
        assert_eq!(copy.rows["task_relations"].len(), 1, "and it comes back");
    }

    async fn a_pull_is_read_in_pages_up_to_what_there_was_on_the_first(app: &TestApp) {
        let site = Site::new(app).await;
        for number in 0..10 {
            site.task(&format!("Row {number}"), 1).await;
        }
        let first = site.owner.get(&format!("{}?page_size=4", site.at("sync/"))).await.expect(200);
        let cursor = text(&first["next_cursor"]).to_owned();
        let (mut copy, mut rest) = (Copy::of(&site.at("sync/")), Copy::of(&site.at("sync/")));
        copy.take(&first["changes"]);
        let late = site.task("Late", 1).await;
        let mut next = format!("?page_size=4&cursor={cursor}");
        loop {
            let page = site.owner.get(&format!("{}{next}", site.at("sync/"))).await.expect(200);
            assert_eq!(page["timestamp"], first["timestamp"]);
            copy.take(&page["changes"]);
            if page["has_more"] == false { break; }
            next = format!("?page_size=4&cursor={}", text(&page["next_cursor"]));
        }
        assert!(!copy.rows["tasks"].contains_key(&late), "what came later comes with the next pull");
        copy.since = first["timestamp"].as_i64().unwrap();
        copy.is_up_to_date(&site.owner).await;
        assert!(copy.rows["tasks"].contains_key(&late));
        rest.pull(&site.owner, 1).await;
        assert_eq!(rest.rows, copy.rows);
    }

    async fn a_cursor_is_of_use_to_one_person_and_for_one_project_only(app: &TestApp) {
        let site = Site::new(app).await;
        for number in 0..3 {
            site.task(&format!("Row {number}"), 1).await;
        }
        let mara = site.person("mara", 100).await;
        let path = site.at("sync/");
        let page = site.owner.get(&format!("{path}?page_size=1")).await.expect(200);
        let next = format!("?cursor={}", text(&page["next_cursor"]));
        site.owner.get(&format!("{path}{next}")).await.expect(200);
        mara.get(&format!("{path}{next}")).await.expect(400);
        let other = app.project(&site.owner, "Tower").await;
        site.owner.get(&format!("/api/v1/projects/{other}/sync/{next}")).await.expect(400);
        for wrong in ["since=x", "since=-1", "cursor=x", "page_size=0", "page_size=x"] {
            site.owner.get(&format!("{path}?{wrong}")).await.expect(400);
        }
        app.person("stranger").await.get(&path).await.expect(404);
    }

    async fn a_client_whose_watermark_is_not_known_reads_everything(app: &TestApp) {
        let site = Site::new(app).await;
        site.task("Dig", 2).await;
        for since in [7_i64, 9_000_000_000] {
            let page = site.owner.get(&format!("{}?since={since}", site.at("sync/"))).await.expect(200);
            assert_eq!((&page["is_full"], page["changes"]["tasks"]["updated"].as_array().unwrap().len()), (&json!(true), 1));
        }
    }

    async fn what_a_team_keeps_to_itself_comes_and_goes_with_the_role(app: &TestApp) {
        let site = Site::new(app).await;
        let vera = site.person("vera", 1).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        site.begin(&sprint).await;
        site.close(&sprint).await;
        let retro = format!("/api/v1/sprints/{sprint}/retro/");
        let said = json!({"notes": "We were slow", "action_items": [{"text": "Measure first"}]});
        site.owner.post(&retro, said).await.expect(200);
        let mut copy = Copy::of(&site.at("sync/"));
        copy.pull(&vera, 1000).await;
        let notes = |copy: &Copy| copy.rows["sprint_retros"].values().next().map(|row| row["notes"].clone());
        assert_eq!((notes(&copy), copy.rows["retro_action_items"].len()), (Some(Value::Null), 0));
        let members = listed(&site.owner.get(&site.at("members/")).await.expect(200));
        let row = members.iter().find(|row| row["user"] == json!(vera.id)).unwrap();
        let member = site.at(&format!("members/{}/", text(&row["id"])));
        site.owner.patch(&member, json!({"role": 100})).await.expect(200);
        copy.pull(&vera, 1000).await;
        assert_eq!((notes(&copy), copy.rows["retro_action_items"].len()), (Some(json!("We were slow")), 1));
        site.owner.patch(&member, json!({"role": 1})).await.expect(200);
        copy.is_up_to_date(&vera).await;
        assert_eq!((notes(&copy), copy.rows["retro_action_items"].len()), (Some(Value::Null), 0));
    }

    async fn a_cursor_goes_on_with_the_rights_of_now(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        site.begin(&sprint).await;
        site.close(&sprint).await;
        let said = json!({"notes": "We were slow", "action_items": [{"text": "Measure first"}]});
        site.owner.post(&format!("/api/v1/sprints/{sprint}/retro/"), said).await.expect(200);
        let first = mara.get(&format!("{}?page_size=1", site.at("sync/"))).await.expect(200);
        let rest = format!("{}?page_size=5000&cursor={}", site.at("sync/"), text(&first["next_cursor"]));
        assert!(mara.get(&rest).await.expect(200).text.contains("We were slow"));
        let members = listed(&site.owner.get(&site.at("members/")).await.expect(200));
        let row = members.iter().find(|row| row["user"] == json!(mara.id)).unwrap();
        let member = site.at(&format!("members/{}/", text(&row["id"])));
        site.owner.patch(&member, json!({"role": 1})).await.expect(200);
        let page = mara.get(&rest).await.expect(200);
        assert!(!page.text.contains("We were slow") && !page.text.contains("Measure first"), "{}", page.text);
    }

    async fn the_programs_of_a_person_come_and_go_with_their_place_in_them(app: &TestApp) {
        let owner = app.person("ona").await;
        let mara = app.person("mara").await;
        let program = owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        let other = mara.post("/api/v1/programs/", json!({"name": "Village"})).await.expect(201).id();
        let mut copy = Copy::of("/api/v1/sync/user/programs/");
        copy.pull(&mara, 1000).await;
        assert_eq!(copy.rows["programs"].keys().collect::<Vec<_>>(), [&other]);
        let members = format!("/api/v1/programs/{program}/members/");
        let place = owner.post(&members, json!({"user": mara.id, "role": 100})).await.expect(201).id();
        copy.is_up_to_date(&mara).await;
        assert_eq!((copy.rows["programs"].len(), copy.rows["program_memberships"].len()), (2, 3));
        owner.patch(&format!("/api/v1/programs/{program}/"), json!({"name": "Town"})).await.expect(200);
        assert_eq!(copy.pull(&mara, 1000).await, 1);
        assert_eq!(copy.row("programs", &program)["name"], "Town");
        owner.delete(&format!("{members}{place}/")).await.expect(204);
        copy.is_up_to_date(&mara).await;
        assert_eq!((copy.rows["programs"].len(), copy.rows["program_memberships"].len()), (1, 1));
    }

    async fn a_batch_is_written_once_and_told_of_once(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 2).await, site.task("Pour", 3).await);
        let mut copy = Copy::of(&site.at("sync/"));
        copy.pull(&site.owner, 1000).await;
        site.hush().await;
        let asked = batch(1, json!({
            "created": [{"id": id(1), "name": "Paint", "duration": 2, "wbs_path": "9"}],
            "updated": [{"id": dig, "duration": 4, "server_version": 1}],
            "deleted": [pour],
        }));
        let answer = site.owner.post(&site.at("sync/"), asked.clone()).await.expect(200);
        assert_eq!(answer["applied"]["tasks"], json!({
            "created": [{"id": id(1), "server_version": 1}],
            "updated": [{"id": dig, "server_version": 2}],
            "deleted": [pour],
        }));
        assert_eq!((&answer["conflicts"], &answer["skipped"]), (&json!({"tasks": []}), &json!([])));
        let board: Vec<String> = site.announced().await.into_iter().map(|(name, _)| name).filter(|name| name.starts_with("task")).collect();
        assert_eq!(board.iter().filter(|name| *name == "tasks_bulk_mutated").count(), 1, "{board:?}");
        let again = site.owner.post(&site.at("sync/"), asked.clone()).await.expect(200);
        assert_eq!(again.json, answer.json, "the same batch is not written again");
        assert_eq!((answer.header("idempotent-replay"), again.header("idempotent-replay")), ("", "true"));
        copy.is_up_to_date(&site.owner).await;
        assert_eq!(copy.row("tasks", &dig)["early_finish"], "2026-01-08");
        assert_eq!(copy.row("tasks", &id(1))["name"], "Paint");
        assert!(!copy.rows["tasks"].contains_key(&pour));
        let mara = site.person("mara", 100).await;
        let of_mara = mara.post(&site.at("sync/"), batch(1, json!({"created": [{"id": id(2), "name": "Wash"}]}))).await.expect(200);
        assert_eq!(of_mara["applied"]["tasks"]["created"][0]["id"], id(2), "a batch belongs to its person");
    }

    async fn a_row_that_arrived_before_is_deleted_when_it_comes_as_new_and_deleted(app: &TestApp) {
        let site = Site::new(app).await;
        let sync = site.at("sync/");
        let dig = site.task("Dig", 2).await;
        let (lost, never) = (id(1), id(2));
        site.owner.post(&sync, batch(1, json!({"created": [{"id": lost, "name": "Paint"}]}))).await.expect(200);
        let both = json!({"created": [{"id": lost, "name": "Paint it"}, {"id": never, "name": "Wash"}], "deleted": [lost, never]});
        let answer = site.owner.post(&sync, batch(2, both)).await.expect(200);
        assert_eq!((&answer["applied"]["tasks"]["deleted"], &answer["skipped"]), (&json!([lost, never]), &json!([])));
        site.owner.get(&task_path(&lost)).await.expect(404);
        let mara = site.person("mara", 100).await;
        let foreign = batch(3, json!({"created": [{"id": dig, "name": "Mine"}], "deleted": [dig]}));
        mara.post(&sync, foreign).await.expect(403);
        assert_eq!(site.read(&dig).await["name"], "Dig");
    }

    async fn a_row_in_the_trash_is_told_apart_from_one_that_never_was(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 2).await;
        site.owner.delete(&task_path(&dig)).await.expect(204);
        let late = batch(1, json!({"updated": [{"id": dig, "name": "Late"}], "deleted": [id(9)]}));
        let answer = site.owner.post(&site.at("sync/"), late).await.expect(200);
        let skipped = json!([{"id": dig, "reason": "tombstoned"}, {"id": id(9), "reason": "not_found"}]);
        assert_eq!(answer["skipped"], skipped);
    }

    async fn names_that_no_task_has_are_told_or_refused(app: &TestApp) {
        let site = Site::new(app).await;
        let row = |number| json!({"id": id(number), "name": "Paint", "plannedStart": "2026-02-02", "server_version": 1});
        let lenient = site.owner.lenient();
        let told = lenient.post(&site.at("sync/"), batch(1, json!({"created": [row(1)]}))).await.expect(200);
        assert_eq!(told.header("x-svc-ignored-fields"), "changes.tasks.created.0.plannedStart");
        let strict = site.owner.with_header("prefer", "handling=strict");
        strict.post(&site.at("sync/"), batch(2, json!({"created": [row(2)]}))).await.expect(400);
        let wish = json!({"operations": [{"op": "create", "id": id(3), "data": {"name": "Paint", "bogus": 1}}]});
        let bulk = site.at("tasks/bulk/");
        strict.post(&bulk, wish.clone()).await.expect(400);
        assert_eq!(lenient.post(&bulk, wish).await.expect(207).header("x-svc-ignored-fields"), "operations.0.data.bogus");
        assert_eq!(site.tasks().await.len(), 2);
    }

    async fn one_wrong_row_leaves_everything_as_it_was(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 2).await;
        let wrong = batch(1, json!({"created": [{"id": id(1), "name": "Paint"}, {"id": id(2), "name": "", "duration": -1}], "deleted": [dig]}));
        let refused = site.owner.post(&site.at("sync/"), wrong).await.expect(400);
        let rows = &refused["changes"]["tasks"]["created"];
        assert_eq!((&rows[0], rows[1]["name"].is_array(), rows[1]["duration"].is_array()), (&json!({}), true, true));
        assert_eq!(site.tasks().await.len(), 1);
        let right = batch(1, json!({"created": [{"id": id(1), "name": "Paint"}]}));
        site.owner.post(&site.at("sync/"), right).await.expect(200);
        assert_eq!(site.tasks().await.len(), 2, "a refused batch can be sent again under its id");
    }

    async fn an_id_of_another_project_is_a_conflict_and_others_are_passed_over(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 2).await;
        let other = app.project(&site.owner, "Tower").await;
        let sync = format!("/api/v1/projects/{other}/sync/");
        let refused = site.owner.post(&sync, batch(1, json!({"created": [{"id": dig, "name": "Mine"}]}))).await.expect(409);
        assert!(refused["detail"].is_string() && refused.json.get("code").is_none());
        let passed = site.owner.post(&sync, batch(2, json!({"updated": [{"id": dig, "name": "Mine"}], "deleted": [id(9)]}))).await.expect(200);
        assert_eq!(passed["applied"]["tasks"], json!({"created": [], "updated": [], "deleted": []}));
        assert_eq!(passed["skipped"].as_array().unwrap().len(), 2);
        assert_eq!(site.read(&dig).await["name"], "Dig");
        site.owner.delete(&task_path(&dig)).await.expect(204);
        let gone = site.owner.post(&site.at("sync/"), batch(3, json!({"created": [{"id": dig, "name": "Back"}]}))).await.expect(200);
        assert_eq!(gone["skipped"], json!([{"id": dig, "reason": "tombstoned"}]));
    }

    async fn edits_of_different_fields_are_merged_and_edits_of_the_same_are_shown(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 300).await;
        let (dig, pour) = (site.task("Dig", 2).await, site.task("Pour", 3).await);
        let mut copy = Copy::of(&site.at("sync/"));
        copy.pull(&mara, 1000).await;
        let pulled = copy.since;
        for task in [&dig, &pour] {
            site.change(task, json!({"name": "Changed", "notes": "By Ona"})).await;
        }
        let mut asked = batch(1, json!({"updated": [{"id": dig, "duration": 5}, {"id": pour, "name": "Mine"}]}));
        asked["last_pulled_at"] = json!(pulled);
        let answer = mara.post(&site.at("sync/"), asked).await.expect(200);
        assert_eq!(answer["applied"]["tasks"]["updated"], json!([{"id": dig, "server_version": 3}]));
        let conflict = &answer["conflicts"]["tasks"][0];
        assert_eq!((text(&conflict["id"]), text(&conflict["code"])), (pour.as_str(), "sync_conflict"));
        assert_eq!((&conflict["conflict_fields"], &conflict["server_value"], &conflict["client_value"]),
            (&json!(["name"]), &json!({"name": "Changed"}), &json!({"name": "Mine"})));
        assert_eq!(site.read(&pour).await["name"], "Changed");
        let mut forgotten = batch(9, json!({"updated": [{"id": pour, "name": "Mine"}, {"id": dig, "duration": 5}]}));
        forgotten["last_pulled_at"] = json!(99_999_999);
        let answer = mara.post(&site.at("sync/"), forgotten).await.expect(200);
        let conflicts = answer["conflicts"]["tasks"].as_array().unwrap();
        assert_eq!((conflicts.len(), &conflicts[0]["ambiguous"]), (1, &json!(true)), "{}", answer.text);
        assert_eq!(site.read(&pour).await["name"], "Changed", "what others wrote since nobody knows when is not lost");
        let mut own = batch(2, json!({"updated": [{"id": dig, "duration": 6}]}));
        own["last_pulled_at"] = json!(pulled);
        let answer = mara.post(&site.at("sync/"), own).await.expect(200);
        assert_eq!(answer["applied"]["tasks"]["updated"].as_array().unwrap().len(), 1, "nobody is in conflict with themselves");
        assert_eq!(answer["timestamp"], json!(pulled), "a pull from there brings the rows with their dates");
    }

    async fn who_may_not_write_the_plan_may_not_send_changes(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 2).await;
        let (vera, mara) = (site.person("vera", 1).await, site.person("mara", 100).await);
        let change = batch(1, json!({"updated": [{"id": dig, "name": "Mine"}]}));
        vera.post(&site.at("sync/"), change.clone()).await.expect(403);
        app.person("stranger").await.post(&site.at("sync/"), change.clone()).await.expect(404);
        site.change(&dig, json!({"assignee": site.owner.id})).await;
        mara.post(&site.at("sync/"), change.clone()).await.expect(403);
        site.owner.post(&site.at("archive/"), json!({})).await.expect(200);
        site.owner.post(&site.at("sync/"), change).await.expect(403);
        site.owner.get(&site.at("sync/")).await.expect(200);
        for wrong in [json!({}), json!({"client_batch_id": "x", "changes": {}}), json!({"client_batch_id": id(1), "changes": 5})] {
            assert!(matches!(site.owner.post(&site.at("sync/"), wrong).await.status, 400 | 403));
        }
    }
}

/// Tables whose rows a pull contains, by themselves or within another row.
const PULLED: [&str; 19] = [
    "calendar_exceptions",
    "calendars",
    "dependencies",
    "labels",
    "program_members",
    "programs",
    "project_members",
    "projects",
    "recurrence_rules",
    "retro_actions",
    "retros",
    "risks",
    "sprints",
    "task_links",
    "task_relations",
    "task_schedule",
    "task_suggestions",
    "tasks",
    "time_entries",
];

/// Tables with numbers of changes that no collection of the contract contains, and why a client can do without them.
const NOT_PULLED: [(&str, &[&str]); 6] = [
    (
        "a screen for them needs the server",
        &[
            "board_configs",
            "board_views",
            "ceremonies",
            "custom_fields",
            "decision_policies",
            "guardrail_policies",
            "mention_groups",
            "phase_gate_configs",
            "poker_sessions",
            "retro_items",
            "share_links",
            "external_stakeholders",
            "git_automations",
        ],
    ),
    ("people talk about tasks online", &["task_comments", "task_notes", "risk_comments"]),
    ("files stay on the server", &["task_attachments"]),
    (
        "figures that the server keeps",
        &[
            "baselines",
            "ceiling_proposals",
            "slip_conflicts",
            "sprint_scope_changes",
            "sprint_task_outcomes",
            "velocity_suggestions",
            "acceptance_criteria",
            "backlog_items",
        ],
    ),
    (
        "the catalogue of people and what they are allocated to",
        &[
            "project_resources",
            "resource_skills",
            "resources",
            "skills",
            "task_resources",
            "task_skill_requirements",
            "team_members",
            "teams",
        ],
    ),
    (
        "what belongs to the workspace or to one person",
        &[
            "mail_settings",
            "sign_in_policy",
            "sso_providers",
            "timers",
            "timesheets",
            "workspace_groups",
            "workspace_invites",
        ],
    ),
];

both_engines! {
    async fn every_table_whose_changes_are_numbered_is_pulled_or_says_why_not(app: &TestApp) {
        let columns: Vec<(String, String, String, bool)> = {
            let rows = app.app.db.rows(app.app.db.engine().schema_listing()).await.unwrap();
            rows.typed().unwrap()
        };
        let numbered: Vec<&str> = columns.iter().filter(|(_, column, ..)| column == "change_number").map(|(table, ..)| table.as_str()).collect();
        let mut known: Vec<&str> = NOT_PULLED.iter().flat_map(|(_, tables)| tables.iter().copied()).chain(PULLED).collect();
        known.sort_unstable();
        assert_eq!(numbered, known);
    }
}
