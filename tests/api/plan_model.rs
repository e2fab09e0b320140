//! Random edits of a plan by eight people, one after another against a model and all at once against its invariants.
//! At the end the stored plan must be what the model says and what a fresh computation gives.

use std::collections::{BTreeMap, BTreeSet};

use planwright_testkit::{Answer, Person, TestApp, both_engines};
use serde_json::{Value, json};

use crate::site::{LINKS, Site, TASKS, check_outline, task_path, text};

/// A small deterministic generator (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }
}

/// What was written on a row.
#[derive(Clone)]
struct Row {
    name: String,
    duration: i64,
    parent: Option<String>,
}

/// A row in the trash and the links that went with it.
#[derive(Clone)]
struct Deleted {
    id: String,
    row: Row,
    links: BTreeSet<(String, String)>,
}

/// The plan as the edits should have made it.
#[derive(Clone, Default)]
struct Model {
    rows: BTreeMap<String, Row>,
    order: BTreeMap<Option<String>, Vec<String>>,
    links: BTreeSet<(String, String)>,
    trash: Vec<Deleted>,
}

impl Model {
    fn ids(&self) -> Vec<String> {
        self.rows.keys().cloned().collect()
    }

    fn siblings(&mut self, parent: &Option<String>) -> &mut Vec<String> {
        self.order.entry(parent.clone()).or_default()
    }

    fn children(&self, id: &str) -> Vec<String> {
        self.order.get(&Some(id.to_owned())).cloned().unwrap_or_default()
    }

    fn leaves(&self) -> Vec<String> {
        self.ids().into_iter().filter(|id| self.children(id).is_empty()).collect()
    }

    fn is_below(&self, id: &str, above: &str) -> bool {
        let mut at = Some(id.to_owned());
        while let Some(row) = at {
            if row == above {
                return true;
            }
            at = self.rows[&row].parent.clone();
        }
        false
    }

    fn add(&mut self, id: &str, row: Row) {
        self.siblings(&row.parent).push(id.to_owned());
        self.rows.insert(id.to_owned(), row);
    }

    fn take(&mut self, id: &str) -> usize {
        let parent = self.rows[id].parent.clone();
        let siblings = self.siblings(&parent);
        let place = siblings.iter().position(|row| row == id).expect("a row is among its siblings");
        siblings.remove(place);
        place
    }

    fn put(&mut self, id: &str, parent: Option<String>, place: Option<usize>) {
        let siblings = self.siblings(&parent);
        let place = place.unwrap_or(siblings.len());
        siblings.insert(place, id.to_owned());
        self.rows.get_mut(id).expect("the row is there").parent = parent;
    }

    fn go(&mut self, id: &str, parent: Option<String>) {
        self.take(id);
        self.put(id, parent, None);
    }

    fn previous(&self, id: &str) -> Option<String> {
        let siblings = &self.order[&self.rows[id].parent];
        let place = siblings.iter().position(|row| row == id)?;
        place.checked_sub(1).map(|before| siblings[before].clone())
    }

    fn outdent(&mut self, id: &str) {
        let parent = self.rows[id].parent.clone().expect("a row at the top is not outdented");
        let above = self.rows[&parent].parent.clone();
        let place = self.take(id);
        let followers = self.siblings(&Some(parent.clone())).split_off(place);
        let after =
            self.siblings(&above).iter().position(|row| *row == parent).expect("the parent has a place");
        self.put(id, above, Some(after + 1));
        for follower in followers {
            self.siblings(&Some(id.to_owned())).push(follower.clone());
            self.rows.get_mut(&follower).expect("the row is there").parent = Some(id.to_owned());
        }
    }

    fn delete(&mut self, id: &str) {
        self.take(id);
        let row = self.rows.remove(id).expect("the row is there");
        let touches = |link: &(String, String)| link.0 == id || link.1 == id;
        let gone: BTreeSet<_> = self.links.iter().filter(|link| touches(link)).cloned().collect();
        self.links.retain(|link| !touches(link));
        self.trash.push(Deleted { id: id.to_owned(), row, links: gone });
    }

    /// Whether the model would wait for itself after a change. A row begins after its parent begins and ends before
    /// its parent ends; what a link leads to begins after what it comes from has ended.
    fn waits_for_itself_after(&self, change: impl FnOnce(&mut Model)) -> bool {
        let mut changed = self.clone();
        change(&mut changed);
        let mut after: BTreeMap<(&str, bool), Vec<(&str, bool)>> = BTreeMap::new();
        for (id, row) in &changed.rows {
            let id = id.as_str();
            after.entry((id, false)).or_default().push((id, true));
            if let Some(parent) = row.parent.as_deref() {
                after.entry((parent, false)).or_default().push((id, false));
                after.entry((id, true)).or_default().push((parent, true));
            }
        }
        for (from, to) in &changed.links {
            after.entry((from.as_str(), true)).or_default().push((to.as_str(), false));
        }
        let mut waiting: BTreeMap<(&str, bool), usize> = BTreeMap::new();
        for next in after.values().flatten() {
            *waiting.entry(*next).or_default() += 1;
        }
        let mut free: Vec<(&str, bool)> =
            after.keys().filter(|moment| !waiting.contains_key(*moment)).copied().collect();
        while let Some(moment) = free.pop() {
            for next in after.get(&moment).into_iter().flatten() {
                let left = waiting.get_mut(next).expect("it was counted");
                *left -= 1;
                if *left == 0 {
                    free.push(*next);
                }
            }
        }
        waiting.values().any(|left| *left > 0)
    }

    /// Outline number and name of every row, in order.
    fn outline(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.walk(&None, "", &mut lines);
        lines
    }

    fn walk(&self, parent: &Option<String>, above: &str, lines: &mut Vec<String>) {
        for (at, id) in self.order.get(parent).into_iter().flatten().enumerate() {
            let number = format!("{above}{}", at + 1);
            lines.push(format!("{number} {}", self.rows[id].name));
            self.walk(&Some(id.clone()), &format!("{number}."), lines);
        }
    }
}

/// The links between the tasks of the site.
async fn links(site: &Site<'_>) -> BTreeSet<(String, String)> {
    let list = site.owner.get(&format!("{LINKS}?project={}&page_size=500", site.project)).await.expect(200);
    assert!(list["next"].is_null(), "the model is small");
    let end = |link: &Value, field: &str| text(&link[field]).to_owned();
    list.results().iter().map(|link| (end(link, "predecessor"), end(link, "successor"))).collect()
}

/// A fresh computation changes nothing.
async fn settled(site: &Site<'_>) {
    let before = site.tasks().await;
    check_outline(&before);
    site.owner.post(&site.at("schedule/"), json!({})).await.expect(202);
    site.app.run_jobs().await;
    let after = site.tasks().await;
    for (stored, fresh) in before.iter().zip(&after) {
        assert_eq!(stored, fresh, "the stored row on the left, computed afresh on the right");
    }
    assert_eq!(before.len(), after.len());
}

/// The stored plan is the plan of the model.
async fn agrees(site: &Site<'_>, model: &Model, trail: &[String]) {
    let recent = || trail[trail.len().saturating_sub(12)..].join("\n");
    let tasks = site.tasks().await;
    check_outline(&tasks);
    let line = |task: &Value| format!("{} {}", text(&task["wbs_path"]), text(&task["name"]));
    assert_eq!(tasks.iter().map(line).collect::<Vec<_>>(), model.outline(), "after\n{}", recent());
    for task in &tasks {
        let row = &model.rows[text(&task["id"])];
        assert_eq!(task["parent_id"].as_str(), row.parent.as_deref(), "{task} after\n{}", recent());
        let own = if task["is_phase"] == true { &task["own_estimate"] } else { &task["duration"] };
        assert_eq!(*own, row.duration, "{task} after\n{}", recent());
    }
    assert_eq!(links(site).await, model.links, "after\n{}", recent());
}

/// The edits, each with the weight of its places in this list.
const EDITS: [&str; 14] = [
    "create", "create", "child", "rename", "duration", "duration", "link", "link", "unlink", "indent",
    "outdent", "reparent", "delete", "restore",
];

/// One edit by one person, and its effect on the model; returns what was done.
#[expect(clippy::too_many_lines, reason = "it is one list of what people do, an arm each")]
async fn step(site: &Site<'_>, who: &Person<'_>, model: &mut Model, dice: &mut Dice, turn: usize) -> String {
    let edit = EDITS[dice.below(EDITS.len())];
    let (ids, leaves) = (model.ids(), model.leaves());
    let one = dice.pick(&ids).cloned();
    let Some(id) = one.filter(|_| edit != "create") else {
        return add(site, who, model, None, turn, 1 + dice.below(5) as i64).await;
    };
    let move_path = |way: &str| site.at(&format!("tasks/{id}/{way}/"));
    let answer = match edit {
        "child" => return add(site, who, model, Some(id), turn, 1 + dice.below(5) as i64).await,
        "rename" => {
            let name = format!("N{turn}");
            let answer = who.patch(&task_path(&id), json!({"name": name})).await.expect(200);
            model.rows.get_mut(&id).expect("it is there").name = name;
            answer
        }
        "duration" => {
            let Some(leaf) = dice.pick(&leaves).cloned() else { return "nothing".to_owned() };
            let duration = 1 + dice.below(9) as i64;
            let answer = who.patch(&task_path(&leaf), json!({"duration": duration})).await.expect(200);
            model.rows.get_mut(&leaf).expect("it is there").duration = duration;
            answer
        }
        "link" => {
            let other = dice.pick(&ids).cloned().expect("there is one");
            let answer = who.post(LINKS, json!({"predecessor": id, "successor": other})).await;
            let link = (id.clone(), other);
            let cyclic = model.waits_for_itself_after(|model| {
                model.links.insert(link.clone());
            });
            expect(&answer, !cyclic && !model.links.contains(&link));
            if answer.status == 201 {
                model.links.insert(link);
            }
            answer
        }
        "unlink" => return unlink(site, who, model, dice).await,
        "indent" => {
            let before = model.previous(&id);
            let answer = who.post(&move_path("indent"), json!({})).await;
            let go = |model: &mut Model| model.go(&id, before.clone());
            expect(&answer, before.is_some() && !model.waits_for_itself_after(go));
            if answer.status == 200 {
                go(model);
            }
            answer
        }
        "outdent" => {
            let answer = who.post(&move_path("outdent"), json!({})).await;
            let inside = model.rows[&id].parent.is_some();
            expect(&answer, inside && !model.waits_for_itself_after(|model| model.outdent(&id)));
            if answer.status == 200 {
                model.outdent(&id);
            }
            answer
        }
        "reparent" => {
            let parent = dice.pick(&ids).cloned().filter(|_| dice.below(4) > 0);
            let answer = who.post(&move_path("reparent"), json!({"new_parent_id": parent})).await;
            let below_itself = parent.as_ref().is_some_and(|parent| model.is_below(parent, &id));
            let stays = model.rows[&id].parent == parent;
            let go = |model: &mut Model| model.go(&id, parent.clone());
            expect(&answer, !below_itself && (stays || !model.waits_for_itself_after(go)));
            if answer.status == 200 && !stays {
                go(model);
            }
            answer
        }
        "delete" => {
            let Some(leaf) = dice.pick(&leaves).cloned() else { return "nothing".to_owned() };
            let answer = who.delete(&task_path(&leaf)).await.expect(204);
            model.delete(&leaf);
            answer
        }
        _ => return restore(site, who, model, dice).await,
    };
    format!("{} {edit} {id}: {}", who.name, answer.status)
}

/// A request succeeds exactly when the model says that it can.
fn expect(answer: &Answer, can: bool) {
    let fine = if can { [200, 201] } else { [400, 409] };
    assert!(fine.contains(&answer.status), "{can}, and {answer:?}");
}

async fn add(
    site: &Site<'_>,
    who: &Person<'_>,
    model: &mut Model,
    parent: Option<String>,
    turn: usize,
    duration: i64,
) -> String {
    let name = format!("T{turn}");
    let mut request = site.with_project(json!({"name": name, "duration": duration}));
    if let Some(parent) = &parent {
        request["parent_id"] = json!(parent);
    }
    let id = who.post(TASKS, request).await.expect(201).id();
    let trail = format!("{} create {id} under {parent:?}", who.name);
    model.add(&id, Row { name, duration, parent });
    trail
}

async fn unlink(site: &Site<'_>, who: &Person<'_>, model: &mut Model, dice: &mut Dice) -> String {
    let list = site.owner.get(&format!("{LINKS}?project={}&page_size=500", site.project)).await.expect(200);
    let Some(link) = dice.pick(list.results()) else { return "nothing".to_owned() };
    who.delete(&format!("{LINKS}{}/", text(&link["id"]))).await.expect(204);
    model.links.remove(&(text(&link["predecessor"]).to_owned(), text(&link["successor"]).to_owned()));
    format!("{} unlink {}", who.name, text(&link["id"]))
}

/// Restores a row whose parent is there; where among its siblings it comes back is the server's choice.
async fn restore(site: &Site<'_>, who: &Person<'_>, model: &mut Model, dice: &mut Dice) -> String {
    let can = |gone: &Deleted| gone.row.parent.as_ref().is_none_or(|parent| model.rows.contains_key(parent));
    let places: Vec<usize> = (0..model.trash.len()).filter(|at| can(&model.trash[*at])).collect();
    let Some(place) = dice.pick(&places).copied() else { return "nothing".to_owned() };
    let id = model.trash[place].id.clone();
    let answer = who.post(&format!("{}restore/", task_path(&id)), json!({})).await.expect(200);
    let Deleted { row, links: taken, .. } = model.trash.remove(place);
    let last = text(&answer["wbs_path"]).rsplit('.').next().and_then(|number| number.parse::<usize>().ok());
    let parent = row.parent.clone();
    model.rows.insert(id.clone(), row);
    model.put(&id, parent, last.map(|number| number - 1));
    let lives =
        |link: &(String, String)| model.rows.contains_key(&link.0) && model.rows.contains_key(&link.1);
    let back: Vec<(String, String)> = taken.into_iter().filter(lives).collect();
    if model.waits_for_itself_after(|model| model.links.extend(back.clone())) {
        // Rows have moved meanwhile so that not all links fit; which of them stay out is the server's choice.
        let stored = links(site).await;
        model.links.extend(back.into_iter().filter(|link| stored.contains(link)));
        assert!(!model.waits_for_itself_after(|_| ()), "a restore has closed a cycle");
    } else {
        model.links.extend(back);
    }
    format!("{} restore {id}", who.name)
}

/// Eight managers of the site.
async fn eight<'a>(site: &Site<'a>) -> Vec<Person<'a>> {
    let mut people = Vec::new();
    for name in ["ada", "bea", "cid", "dan", "eve", "fay", "gil", "hal"] {
        people.push(site.person(name, 300).await);
    }
    people
}

/// Plays a seed: edits in random order, each by one of eight people, compared with the model now and then.
async fn play(app: &TestApp, seed: u64) {
    let site = Site::new(app).await;
    let people = eight(&site).await;
    let (mut dice, mut model, mut trail) = (Dice(seed), Model::default(), Vec::new());
    for turn in 0..150 {
        let who = &people[dice.below(people.len())];
        trail.push(step(&site, who, &mut model, &mut dice, turn).await);
        if turn % 5 == 4 {
            agrees(&site, &model, &trail).await;
        }
    }
    settled(&site).await;
}

both_engines! {
    async fn random_edits_one_after_another_make_the_plan_that_the_model_says(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        play(app, 0x9E37_79B9_7F4A_7C15).await;
    }

    async fn other_random_edits_do_so_as_well(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        play(app, 0xD1B5_4A32_D192_ED03).await;
    }

    async fn eight_people_at_once_leave_a_sound_plan_behind(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let site = Site::new(app).await;
        let people = eight(&site).await;
        let mut dice = Dice(0xA076_1D64_78BD_642F);
        for at in 0..6 {
            site.task(&format!("T{at}"), 2).await;
        }
        let mut gone: Vec<String> = Vec::new();
        for round in 0..12 {
            let known: Vec<String> = site.tasks().await.iter().map(|task| text(&task["id"]).to_owned()).collect();
            let requests: Vec<Wish> = (0..8).map(|at| Wish::random(&site, &known, &gone, &mut dice, round * 8 + at)).collect();
            let send = async |at: usize| requests[at].send(&people[at]).await;
            let (a, b, c, d, e, f, g, h) =
                tokio::join!(send(0), send(1), send(2), send(3), send(4), send(5), send(6), send(7));
            for (request, answer) in requests.iter().zip([a, b, c, d, e, f, g, h]) {
                let fine = [200, 201, 204, 400, 404, 409].contains(&answer.status);
                assert!(fine, "{}: {} {}", request.path, answer.status, answer.text);
                if answer.status == 204 && request.path.starts_with(TASKS) {
                    gone.extend(request.path.split('/').rev().nth(1).map(str::to_owned));
                }
            }
            check_outline(&site.tasks().await);
        }
        settled(&site).await;
        let live: BTreeSet<String> = site.tasks().await.iter().map(|task| text(&task["id"]).to_owned()).collect();
        assert!(!live.is_empty());
        for (from, to) in links(&site).await {
            assert!(live.contains(&from) && live.contains(&to), "a link leads to a row that is gone");
        }
    }
}

/// A request that somebody will send without knowing what the others do.
struct Wish {
    method: http::Method,
    path: String,
    body: Option<Value>,
}

impl Wish {
    fn random(site: &Site<'_>, known: &[String], gone: &[String], dice: &mut Dice, turn: usize) -> Self {
        let edit = EDITS[dice.below(EDITS.len())];
        let id = dice.pick(known).cloned().unwrap_or_default();
        let other = dice.pick(known).cloned().unwrap_or_default();
        let days = 1 + dice.below(9);
        let (method, path, body) = match edit {
            "create" => (
                "POST",
                TASKS.to_owned(),
                site.with_project(json!({"name": format!("T{turn}"), "duration": days})),
            ),
            "child" => {
                let child = json!({"name": format!("T{turn}"), "duration": days, "parent_id": id});
                ("POST", TASKS.to_owned(), site.with_project(child))
            }
            "rename" => ("PATCH", task_path(&id), json!({"name": format!("N{turn}")})),
            "duration" => ("PATCH", task_path(&id), json!({"duration": days})),
            "link" | "unlink" => ("POST", LINKS.to_owned(), json!({"predecessor": id, "successor": other})),
            "indent" | "outdent" => ("POST", site.at(&format!("tasks/{id}/{edit}/")), json!({})),
            "reparent" => {
                ("POST", site.at(&format!("tasks/{id}/reparent/")), json!({"new_parent_id": other}))
            }
            "delete" => ("DELETE", task_path(&id), Value::Null),
            _ => {
                let back = dice.pick(gone).cloned().unwrap_or(id);
                ("POST", format!("{}restore/", task_path(&back)), json!({}))
            }
        };
        let method = method.parse().expect("a method");
        Self { method, path, body: Some(body).filter(|body| !body.is_null()) }
    }

    async fn send(&self, who: &Person<'_>) -> Answer {
        who.send(self.method.clone(), &self.path, self.body.clone()).await
    }
}
