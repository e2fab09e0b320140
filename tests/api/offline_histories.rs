//! Two people with copies that are offline most of the time, and one who is not: after any history all copies are the same
//! as the server, and what the server said it has written can be read there.

use std::collections::BTreeMap;

use planwright_testkit::{Person, TestApp, each_engine};
use serde_json::{Value, json};

use crate::kept_standings::Dice;
use crate::offline::Copy;
use crate::site::{Site, TASKS, listed, task_path, text};

/// Histories for each engine, unless `PLANWRIGHT_HISTORIES` says how many.
const HISTORIES: u64 = 6;
const STEPS: usize = 80;

/// What both people see alike.
const SHARED: [&str; 8] = [
    "tasks",
    "dependencies",
    "task_relations",
    "task_links",
    "task_recurrence_rules",
    "risks",
    "labels",
    "memberships",
];

/// Somebody with a copy and changes that were not sent yet.
struct Client<'a> {
    person: Person<'a>,
    copy: Copy,
    created: BTreeMap<String, Value>,
    updated: BTreeMap<String, Value>,
    deleted: Vec<String>,
    /// A batch whose answer was lost, and what it was.
    lost: Option<(Value, Value)>,
}

impl<'a> Client<'a> {
    fn new(person: Person<'a>, path: &str) -> Self {
        Self {
            person,
            copy: Copy::of(path),
            created: BTreeMap::new(),
            updated: BTreeMap::new(),
            deleted: Vec::new(),
            lost: None,
        }
    }

    /// Changes something without the server.
    fn edit(&mut self, dice: &mut Dice, ids: &mut u128) {
        let known: Vec<String> =
            self.copy.rows.get("tasks").map(|rows| rows.keys().cloned().collect()).unwrap_or_default();
        let number = dice.below(9);
        match (dice.below(6), dice.one_of(&known)) {
            (0, _) | (_, None) => {
                // Two clients come to the same ids now and then.
                *ids += (dice.below(4) > 0) as u128;
                let id = uuid::Uuid::from_u128(0xabc0_0000 + *ids).to_string();
                self.created.insert(
                    id.clone(),
                    json!({"id": id, "name": format!("New {number}"), "duration": number}),
                );
            }
            (1, Some(task)) => {
                let task = task.to_owned();
                self.updated.remove(&task);
                self.deleted.push(task);
            }
            (kind, Some(task)) => {
                let field = match kind {
                    2 => ("name", json!(format!("Name {number}"))),
                    3 => ("duration", json!(number)),
                    4 => ("notes", json!(format!("Note {number}"))),
                    _ => ("percent_complete", json!(number * 10)),
                };
                let row = self.updated.entry(task.to_owned()).or_insert_with(|| json!({"id": task}));
                row[field.0] = field.1;
            }
        }
        let deleted = self.deleted.clone();
        self.updated.retain(|id, _| !deleted.contains(id));
        self.deleted.sort();
        self.deleted.dedup();
    }

    /// Sends what was changed. The answer may get lost; then the same batch is sent again next time.
    async fn push(&mut self, site: &Site<'_>, dice: &mut Dice, batches: &mut u128) {
        let path = site.at("sync/");
        if let Some((batch, answer)) = self.lost.take() {
            let again = self.person.post(&path, batch).await;
            assert!(again.status == 403 || again.json == answer, "{} is not {answer}", again.text);
            return;
        }
        *batches += 1;
        let tasks = json!({
            "created": self.created.values().collect::<Vec<_>>(),
            "updated": self.updated.values().collect::<Vec<_>>(),
            "deleted": self.deleted,
        });
        let batch = json!({
            "client_batch_id": uuid::Uuid::from_u128(*batches),
            "last_pulled_at": self.copy.since(),
            "changes": {"tasks": tasks},
        });
        let answer = self.person.post(&path, batch.clone()).await;
        assert!(matches!(answer.status, 200 | 400 | 403), "{}: {}", answer.status, answer.text);
        if answer.status == 200 {
            self.check(site, &answer.json).await;
            if dice.below(4) == 0 {
                self.lost = Some((batch, answer.json));
            }
        }
        self.created.clear();
        self.updated.clear();
        self.deleted.clear();
    }

    /// What the server says it has written is there, every row is answered for, and a conflict shows both sides.
    async fn check(&self, site: &Site<'_>, answer: &Value) {
        let applied = &answer["applied"]["tasks"];
        let of = |list: &Value| {
            list.as_array().unwrap().iter().map(|row| text(&row["id"]).to_owned()).collect::<Vec<_>>()
        };
        let (created, updated) = (of(&applied["created"]), of(&applied["updated"]));
        let (conflicts, skipped) = (of(&answer["conflicts"]["tasks"]), of(&answer["skipped"]));
        let deleted = applied["deleted"].as_array().unwrap();
        let told = created.len() + updated.len() + conflicts.len() + skipped.len() + deleted.len();
        assert_eq!(told, self.created.len() + self.updated.len() + self.deleted.len(), "{answer}");
        for id in created.iter().chain(&updated) {
            let now = site.owner.get(&task_path(id)).await.expect(200);
            let sent = self.created.get(id).or(self.updated.get(id)).unwrap();
            for field in ["name", "notes"] {
                assert!(
                    sent.get(field).is_none_or(|value| now[field] == *value),
                    "{field} of {sent} is {}",
                    now[field]
                );
            }
        }
        for conflict in answer["conflicts"]["tasks"].as_array().unwrap() {
            assert!(!conflict["conflict_fields"].as_array().unwrap().is_empty(), "{conflict}");
        }
    }
}

/// Somebody who is online changes something as well.
async fn change_online(site: &Site<'_>, member: &str, dice: &mut Dice) {
    let tasks: Vec<String> = site.tasks().await.iter().map(|task| text(&task["id"]).to_owned()).collect();
    let number = dice.below(9);
    let one = dice.one_of(&tasks).unwrap_or_default().to_owned();
    let owner = &site.owner;
    match dice.below(8) {
        0 => drop(owner.post(TASKS, site.with_project(json!({"name": "Online", "duration": number}))).await),
        1 => drop(owner.delete(&task_path(&one)).await),
        2 => {
            let trash =
                owner.get(&format!("/api/v1/tasks/trash/?project={}", site.project)).await.expect(200);
            let gone: Vec<String> = listed(&trash).iter().map(|row| text(&row["id"]).to_owned()).collect();
            if let Some(back) = dice.one_of(&gone) {
                owner.post(&format!("{}restore/", task_path(back)), json!({})).await;
            }
        }
        3 => {
            let other = dice.one_of(&tasks).unwrap_or_default().to_owned();
            owner.post("/api/v1/dependencies/", json!({"predecessor": one, "successor": other})).await;
        }
        4 => {
            let role = [1, 100, 300][number % 3];
            owner.patch(&site.at(&format!("members/{member}/")), json!({"role": role})).await.expect(200);
        }
        5 => {
            let above = dice.one_of(&tasks).unwrap_or_default().to_owned();
            owner.post(&site.at(&format!("tasks/{one}/reparent/")), json!({"new_parent_id": above})).await;
        }
        _ => drop(
            owner
                .patch(&task_path(&one), json!({"name": format!("By Ona {number}"), "duration": number}))
                .await,
        ),
    }
}

/// Somebody who is online changes what hangs on a task.
async fn change_around_a_task(site: &Site<'_>, dice: &mut Dice) {
    let tasks: Vec<String> = site.tasks().await.iter().map(|task| text(&task["id"]).to_owned()).collect();
    let one = dice.one_of(&tasks).unwrap_or_default().to_owned();
    let other = dice.one_of(&tasks).unwrap_or_default().to_owned();
    let owner = &site.owner;
    match dice.below(5) {
        0 => drop(owner.post("/api/v1/task-relations/", json!({"source": one, "target": other})).await),
        1 => {
            let link = json!({"url": "https://example.com/plan"});
            owner.post(&site.at(&format!("tasks/{one}/links/")), link).await;
        }
        2 => {
            let risk = json!({"title": "Rain", "probability": 2, "impact": 3, "tasks": [one]});
            owner.post(&site.at("risks/"), risk).await;
        }
        3 => {
            let label = json!({"name": format!("Label {}", dice.below(1000)), "color": "blue"});
            let made = owner.post(&site.at("labels/"), label).await;
            owner.post(&site.at(&format!("tasks/{one}/labels/")), json!({"label_id": made["id"]})).await;
        }
        _ => drop(owner.post("/api/v1/recurrence-rules/", json!({"task": one, "frequency": "DAILY"})).await),
    }
}

async fn history(app: &TestApp, seed: u64) {
    let site = Site::new(app).await;
    for name in ["Dig", "Pour", "Paint"] {
        site.task(name, 2).await;
    }
    let path = site.at("sync/");
    let (mara, emil) = (site.person("mara", 300).await, site.person("emil", 300).await);
    let members = listed(&site.owner.get(&site.at("members/")).await.expect(200));
    let member = members
        .iter()
        .find(|row| row["user"] == json!(emil.id))
        .map(|row| text(&row["id"]).to_owned())
        .unwrap();
    let mut clients = [Client::new(mara, &path), Client::new(emil, &path)];
    let (mut dice, mut ids, mut batches) = (Dice(seed), 0, 0);
    for _ in 0..STEPS {
        let client = &mut clients[dice.below(2)];
        match dice.below(10) {
            8 | 9 => change_around_a_task(&site, &mut dice).await,
            0..3 => client.edit(&mut dice, &mut ids),
            3 | 4 => client.push(&site, &mut dice, &mut batches).await,
            5 => drop(client.copy.pull(&client.person, 1 + dice.below(9)).await),
            _ => change_online(&site, &member, &mut dice).await,
        }
    }
    for client in &mut clients {
        client.push(&site, &mut Dice(seed), &mut batches).await;
    }
    for client in &mut clients {
        client.copy.is_up_to_date(&client.person).await;
    }
    let [one, other] = &clients;
    for shared in SHARED {
        assert_eq!(one.copy.rows[shared], other.copy.rows[shared], "{shared} of history {seed}");
    }
}

each_engine! {
    async fn all_copies_are_the_same_after_any_history(engine: Engine) {
        let histories = std::env::var("PLANWRIGHT_HISTORIES").ok().and_then(|count| count.parse().ok()).unwrap_or(HISTORIES);
        for seed in 0..histories {
            let app = TestApp::start(engine).await;
            history(&app, 1 + seed * 7919).await;
            app.finish().await;
        }
    }
}
