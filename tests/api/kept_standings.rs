//! What is kept of where projects stand is what their rows say, after any history of writes, and a copy that follows by pulls
//! has what is there. Every test ends with the same comparison of what is kept; this one makes histories for it.

use planwright_domain::Role;
use planwright_domain::ids::ProjectId;
use planwright_store::sql;
use planwright_testkit::{Person, TestApp, both_engines, each_engine};
use serde_json::{Value, json};

use crate::offline::Copy;
use crate::site::{LINKS, Site, TASKS, task_path, text};

/// How many writes a history has.
const WRITES: usize = 150;

const STATUSES: [&str; 6] = ["NOT_STARTED", "IN_PROGRESS", "COMPLETE", "ON_HOLD", "BACKLOG", "COMPLETE"];

/// The days that are worked in a week.
const WEEKS: [i64; 6] = [31, 63, 127, 15, 7, 3];

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }

    pub(crate) fn one_of<'a>(&mut self, all: &'a [String]) -> Option<&'a str> {
        (!all.is_empty()).then(|| all[self.below(all.len())].as_str())
    }
}

/// The rows of a history, those that are gone included.
struct History<'a> {
    site: Site<'a>,
    admin: Person<'a>,
    dice: Dice,
    tasks: Vec<String>,
    gone: Vec<String>,
    parts: Vec<String>,
    calendar: String,
}

impl History<'_> {
    /// Writes something; whether it was taken.
    async fn write(&mut self) -> Option<(String, u16)> {
        let task = self.dice.one_of(&self.tasks)?.to_owned();
        let other = self.dice.one_of(&self.tasks)?.to_owned();
        let kind = self.dice.below(20);
        let number = self.dice.below(6);
        let (path, body) = match kind {
            0..9 => return self.write_row(kind, number, &task, &other).await,
            11..14 => return self.take_or_part(kind, task).await,
            15..19 => return self.write_around(kind, number).await,
            9 => (LINKS.to_owned(), json!({"predecessor": task, "successor": other})),
            10 => (
                self.site.at(&format!("tasks/{task}/reparent/")),
                json!({"new_parent_id": if number < 4 { json!(other) } else { Value::Null }}),
            ),
            14 => {
                let part = self.dice.one_of(&self.parts)?.to_owned();
                self.parts.retain(|one| *one != part);
                (format!("{}unsplit/", task_path(&part)), json!({}))
            }
            _ => (
                self.site.at("tasks/bulk/"),
                json!({"operations": [
                {"op": "update", "id": task, "data": {"percent_complete": number * 10}},
                {"op": "update", "id": other, "data": {"duration": number + 1}}]}),
            ),
        };
        let status = self.site.owner.post(&path, body).await.status;
        Some((path, status))
    }

    /// A new row, or other values of one.
    async fn write_row(
        &mut self,
        kind: usize,
        number: usize,
        task: &str,
        other: &str,
    ) -> Option<(String, u16)> {
        let owner = &self.site.owner;
        match kind {
            0..3 => {
                let parent = if number < 3 { json!(other) } else { Value::Null };
                let body = json!({"name": "Row", "duration": number, "is_milestone": number == 0, "parent_id": parent});
                let made = owner.post(TASKS, self.site.with_project(body)).await;
                if made.status == 201 {
                    self.tasks.push(made.id());
                }
                Some(("create".into(), made.status))
            }
            _ => {
                let body = match kind {
                    3 => json!({"duration": number + 1}),
                    4 => {
                        json!({"status": STATUSES[number]})
                    }
                    5 => json!({"percent_complete": number * 20}),
                    6 => json!({"name": format!("Row {number}"), "is_milestone": number == 5}),
                    7 => json!({"planned_start": format!("2026-01-{:02}", 5 + number)}),
                    _ => {
                        json!({"status": "COMPLETE", "actual_start": "2026-01-05", "actual_finish": format!("2026-01-{:02}", 6 + number)})
                    }
                };
                let changed = owner.patch(&task_path(task), body.clone()).await;
                Some((body.to_string(), changed.status))
            }
        }
    }

    /// Deletes a row, brings one back, or splits one.
    async fn take_or_part(&mut self, kind: usize, task: String) -> Option<(String, u16)> {
        let owner = &self.site.owner;
        match kind {
            11 => {
                let deleted = owner.delete(&task_path(&task)).await;
                if deleted.status == 204 {
                    self.tasks.retain(|one| *one != task);
                    self.gone.push(task);
                }
                Some(("delete".into(), deleted.status))
            }
            12 => {
                let back = self.dice.one_of(&self.gone)?.to_owned();
                let restored = owner.post(&format!("{}restore/", task_path(&back)), json!({})).await;
                if restored.status == 200 {
                    self.gone.retain(|one| *one != back);
                    self.tasks.push(back);
                }
                Some(("restore".into(), restored.status))
            }
            _ => {
                let split = owner.post(&format!("{}split/", task_path(&task)), json!({})).await;
                if split.status == 201 {
                    self.parts.push(split.id());
                }
                Some(("split".into(), split.status))
            }
        }
    }

    /// Baselines, and what the project and its calendar say.
    async fn write_around(&mut self, kind: usize, number: usize) -> Option<(String, u16)> {
        let owner = &self.site.owner;
        match kind {
            15 => {
                let made = owner.post(&self.site.at("baselines/"), json!({})).await;
                Some(match made.status {
                    201 if number < 5 => {
                        let activate = self.site.at(&format!("baselines/{}/activate/", made.id()));
                        ("activate".into(), owner.post(&activate, json!({})).await.status)
                    }
                    status => ("capture".into(), status),
                })
            }
            16 => {
                let all = owner.get(&self.site.at("baselines/")).await.expect(200);
                let active = all
                    .results()
                    .iter()
                    .find(|row| row["is_active"] == true)
                    .map(|row| text(&row["id"]).to_owned())?;
                let deleted = owner.delete(&self.site.at(&format!("baselines/{active}/"))).await;
                Some(("delete baseline".into(), deleted.status))
            }
            17 => {
                let body = match number {
                    0..2 => json!({"status_date": format!("2026-01-{:02}", 5 + number)}),
                    2 => json!({"calendar": self.calendar}),
                    3 => json!({"calendar": null}),
                    _ => json!({"name": format!("Bridge {number}"), "health": "AT_RISK"}),
                };
                let changed = owner.patch(&self.site.at(""), body.clone()).await;
                Some((body.to_string(), changed.status))
            }
            _ => {
                let calendar = format!("/api/v1/calendars/{}/", self.calendar);
                let changed = self.admin.patch(&calendar, json!({"working_days": WEEKS[number]})).await;
                Some(("calendar".into(), changed.status))
            }
        }
    }
}

async fn history(app: &TestApp, seed: u64) {
    let site = Site::new(app).await;
    let admin = app.admin().await;
    site.owner.let_in(&site.at(""), &admin, Role::from_rank(300).unwrap()).await;
    let calendar = admin.post("/api/v1/calendars/", json!({"name": "Shift"})).await.expect(201).id();
    let tasks = vec![site.task("Dig", 4).await, site.task("Pour", 3).await, site.task("Phase", 2).await];
    let mut history =
        History { site, admin, dice: Dice(seed), tasks, gone: Vec::new(), parts: Vec::new(), calendar };
    let (mut taken, mut copy) = (0, Copy::of(&history.site.at("sync/")));
    for _ in 0..WRITES {
        let Some((what, status)) = history.write().await else { continue };
        assert!(status < 500, "{what} answered {status}");
        taken += usize::from(status < 300);
        let kept = app.kept_standings().await;
        assert!(
            kept.iter().any(|id| id.to_string() == history.site.project),
            "nothing is kept after {what}: {status}"
        );
        if history.dice.below(4) == 0 {
            copy.pull(&history.site.owner, 40).await;
        }
        app.later(chrono::Duration::hours(5));
        history.site.owner.sign_in_again().await;
        history.admin.sign_in_again().await;
    }
    copy.is_up_to_date(&history.site.owner).await;
    assert!(taken > WRITES / 3, "only {taken} writes were taken");
}

each_engine! {
    async fn what_is_kept_is_what_the_rows_say_after_any_history(engine: Engine) {
        for seed in [17, 4711] {
            let app = TestApp::start(engine).await;
            history(&app, seed).await;
            app.finish().await;
        }
    }
}

both_engines! {
    async fn a_project_of_which_nothing_is_kept_is_counted_and_a_job_keeps_it(app: &TestApp) {
        let mut site = Site::new(app).await;
        let dig = site.task("Dig", 3).await;
        site.change(&dig, json!({"percent_complete": 50})).await;
        let summary = site.at("status-summary/");
        let kept = site.owner.get(&summary).await.expect(200).json;
        app.run_jobs().await;
        let project: ProjectId = site.project.parse().unwrap();
        for lost in ["standing = NULL", "standing_at = NULL", "standing = '{\"tasks\": 1}'"] {
            app.write(sql!(format!("UPDATE project_schedule SET {lost} WHERE project_id = :project"), project = project)).await;
            assert_eq!(site.owner.get(&summary).await.expect(200).json, kept, "{lost}");
        }
        app.write(sql!("UPDATE project_schedule SET standing = NULL WHERE project_id = :project", project = project)).await;
        assert!(app.kept_standings().await.is_empty());
        app.later(chrono::Duration::hours(2));
        site.owner.sign_in_again().await;
        app.run_jobs().await;
        assert_eq!(app.kept_standings().await, [project]);
        assert_eq!(site.owner.get(&summary).await.expect(200).json, kept);
    }

    async fn an_import_a_project_that_comes_back_and_a_plan_computed_by_a_job_are_kept(app: &TestApp, "SVC_INLINE_SCHEDULE_MAX_TASKS" = "3") {
        let site = Site::new(app).await;
        let mut tasks = Vec::new();
        for number in 0..5 {
            tasks.push(site.task(&format!("Row {number}"), 2).await);
        }
        // The dates wait for a job, and what is done counts at once.
        site.change(&tasks[0], json!({"status": "COMPLETE"})).await;
        assert!(app.kept_standings().await.is_empty());
        assert_eq!(site.owner.get(&site.at("status-summary/")).await.expect(200)["complete_count"], 1);
        app.run_jobs().await;
        assert_eq!(app.kept_standings().await.len(), 1);
        site.owner.delete(&site.at("")).await.expect(204);
        app.kept_standings().await;
        site.owner.post(&site.at("restore/"), json!({})).await.expect(200);
        app.run_jobs().await;
        assert_eq!(app.kept_standings().await.len(), 1);
        assert_eq!(site.owner.get(&site.at("status-summary/")).await.expect(200)["complete_count"], 1);
        let document = json!({"schema_version": "2.1", "program": {"slug": "city", "name": "City", "methodology": "WATERFALL"}, "projects": [{
            "slug": "tunnel", "name": "Tunnel", "methodology": "WATERFALL", "start_date": "2026-01-05", "tasks": [
                {"wbs_path": "1", "name": "Bore", "duration": 5, "status": "COMPLETE", "percent_complete": 100, "actual_start": "2026-01-05", "actual_finish": "2026-01-12"},
                {"wbs_path": "2", "name": "Line", "duration": 5}],
            "baselines": [{"name": "Promise", "is_active": true, "tasks": [{"task": "1", "start": "2026-01-05", "finish": "2026-01-09"}]}]}]});
        let imported = site.owner.post("/api/v1/programs/import/", document).await.expect(202);
        app.run_jobs().await;
        assert_eq!(app.kept_standings().await.len(), 2);
        let rollup = format!("/api/v1/programs/{}/rollup/", text(&imported["program_id"]));
        let config = rollup.replace("rollup/", "rollup-config/");
        site.owner.patch(&config, json!({"enabled_kpis": ["schedule_variance", "baseline_variance"]})).await.expect(200);
        let figures = site.owner.get(&rollup).await.expect(200)["kpis"].clone();
        assert_eq!((&figures["schedule_variance"]["value"], &figures["baseline_variance"]["available"]), (&json!(3.0), &json!(true)));
    }
}
