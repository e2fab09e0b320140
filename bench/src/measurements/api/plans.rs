//! The plans of the benchmark: generated documents, imported through the interface. Rows and links depend only on the
//! size, so every run measures the same plans.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::session::{Session, list, text};

/// A phase and its 24 tasks.
const PHASE: usize = 25;
/// Tasks of a phase that follow one another; three more stand beside them.
const RUN: usize = 20;
/// The last task of a phase waits for all others of it.
const GATE: usize = 24;
/// So many chains of phases go on side by side.
const CHAINS: usize = 8;
/// The most tasks of a project.
const MOST_ROWS: usize = 20_000;
/// The most tasks and links of a document.
const MOST_PARTS: usize = 100_000;
const START: &str = "2026-01-05";

/// Every plan of the bench.
pub(crate) struct Plans {
    /// One project of 10 000 rows.
    pub(crate) large: Project,
    /// One project of 10 000 rows, the first half of them done.
    pub(crate) half_done: Project,
    /// One project of 1 000 rows.
    pub(crate) small: Project,
    /// The same with three-point estimates on every task.
    pub(crate) simulated: Project,
    /// The id of a program of five linked projects of 1 000 rows each.
    pub(crate) program: String,
    /// The id of a program of twenty independent projects of 1 000 rows each.
    pub(crate) wide: String,
    /// Five independent projects of 5 000 rows each.
    pub(crate) growing: Vec<Project>,
}

/// A project that was imported.
pub(crate) struct Project {
    /// Its id.
    pub(crate) id: String,
    /// How many rows it came with, phases included.
    pub(crate) rows: usize,
}

/// What a program is made of.
struct Shape {
    slug: &'static str,
    projects: usize,
    rows: usize,
    /// Each project waits for the one before it.
    linked: bool,
    estimated: bool,
    /// How many of its first rows are done.
    done: usize,
}

impl Plans {
    /// Imports all of them; each must be there by the given moment.
    pub(crate) fn make(session: &mut Session, until: Instant) -> Result<Self> {
        let alone = |slug, rows| Shape { slug, projects: 1, rows, linked: false, estimated: false, done: 0 };
        let five = |slug, rows, linked| Shape { slug, projects: 5, rows, linked, estimated: false, done: 0 };
        let simulated = Shape { estimated: true, ..alone("simulated", 1_000) };
        let (_, large) = import(session, &alone("large", 10_000), until)?;
        let half_done = Shape { done: 5_000, ..alone("half-done", 10_000) };
        let (_, half_done) = import(session, &half_done, until)?;
        let (_, small) = import(session, &alone("small", 1_000), until)?;
        let (_, simulated) = import(session, &simulated, until)?;
        let (program, _) = import(session, &five("program", 1_000, true), until)?;
        let wide =
            Shape { slug: "wide", projects: 20, rows: 1_000, linked: false, estimated: false, done: 0 };
        let (wide, _) = import(session, &wide, until)?;
        let (_, growing) = import(session, &five("growing", 5_000, false), until)?;
        let (large, half_done) = (only(large)?, only(half_done)?);
        let (small, simulated) = (only(small)?, only(simulated)?);
        Ok(Self { large, half_done, small, simulated, program, wide, growing })
    }
}

impl Project {
    /// The last row.
    pub(crate) fn last_row(&self) -> usize {
        self.rows - 1
    }

    /// A row that few others depend on and that may take longer without moving the finish: the middle one of
    /// the three that stand beside the run of the last phase.
    pub(crate) fn side_row(&self) -> usize {
        self.rows - PHASE + RUN + 2
    }

    /// The address of a page of its tasks, in the order that a list has without a wish.
    pub(crate) fn page(&self, number: usize, size: usize) -> String {
        format!("/api/v1/tasks/?project={}&page_size={size}&page={number}", self.id)
    }

    /// The task at a row, counted from zero in the order of the outline.
    pub(crate) fn task(&self, session: &mut Session, row: usize) -> Result<Value> {
        let answer = session.get(&format!("{}&ordering=wbs_path", self.page(row + 1, 1)))?;
        let task = list(&answer, "results")?.first().context("the page is empty")?.clone();
        let (found, wanted) = (text(&task, "wbs_path")?, path(row));
        if found != wanted {
            bail!("row {row} is at {found}, not at {wanted}");
        }
        Ok(task)
    }

    /// The ids of tasks among its first 500 rows, phases left out.
    pub(crate) fn some_tasks(&self, session: &mut Session) -> Result<Vec<String>> {
        let answer = session.get(&format!("{}&ordering=wbs_path", self.page(1, 500)))?;
        let tasks = list(&answer, "results")?.iter().filter(|task| task["is_phase"] == false);
        tasks.map(|task| Ok(text(task, "id")?.to_owned())).collect()
    }
}

fn only(projects: Vec<Project>) -> Result<Project> {
    projects.into_iter().next().context("the import made no project")
}

/// Sends the document, follows the import to its end and looks up what it made.
fn import(session: &mut Session, shape: &Shape, until: Instant) -> Result<(String, Vec<Project>)> {
    let accepted = session.post("/api/v1/programs/import/", &document(shape), 202)?;
    let program = text(&accepted, "program_id")?.to_owned();
    let follow = format!("/api/v1/programs/{program}/import/jobs/{}/", text(&accepted, "import_request_id")?);
    let left = until.saturating_duration_since(Instant::now());
    session.follow(&follow, left).with_context(|| format!("could not import {}", shape.slug))?;
    let listed = session.get(&format!("/api/v1/programs/{program}/projects/"))?;
    let listed = listed.as_array().context("the projects of a program are no list")?;
    if listed.len() != shape.projects {
        bail!("the import of {} made {} projects", shape.slug, listed.len());
    }
    let made = |project: &Value| -> Result<Project> {
        Ok(Project { id: text(project, "id")?.to_owned(), rows: shape.rows })
    };
    Ok((program, listed.iter().map(made).collect::<Result<_>>()?))
}

/// A document with so many rows, under a code of its own. It has no more rows in a project, and no more links, than a document
/// may have.
pub(crate) fn document_of(rows: usize) -> Value {
    let projects = rows.div_ceil(MOST_ROWS);
    let each = rows / projects;
    let shape = Shape { slug: "imported", projects, rows: each, linked: false, estimated: false, done: 0 };
    let mut document = document(&shape);
    document["program"]["slug"] = json!(format!("imported-{rows}"));
    for project in document["projects"].as_array_mut().into_iter().flatten() {
        if let Some(links) = project["dependencies"].as_array_mut() {
            links.truncate((MOST_PARTS - rows) / projects);
        }
    }
    document
}

fn document(shape: &Shape) -> Value {
    let projects: Vec<Value> = (0..shape.projects).map(|number| project(shape, number)).collect();
    json!({
        "schema_version": "2.0",
        "program": {"slug": shape.slug, "name": shape.slug, "methodology": "WATERFALL"},
        "projects": projects,
    })
}

fn project(shape: &Shape, number: usize) -> Value {
    let rows: Vec<Value> = (0..shape.rows).map(|row| task(row, shape)).collect();
    let mut links: Vec<Value> = links(shape.rows)
        .into_iter()
        .map(|(from, to, lag)| {
            json!({"predecessor": path(from), "successor": path(to), "dep_type": "FS", "lag": lag})
        })
        .collect();
    if shape.linked && number > 0 {
        let end = format!("part-{number}:{}", path(shape.rows - 1));
        links.push(json!({"predecessor": end, "successor": path(1), "dep_type": "FS"}));
    }
    json!({
        "slug": format!("part-{}", number + 1),
        "name": format!("{} {}", shape.slug, number + 1),
        "methodology": "WATERFALL",
        "start_date": START,
        "lag_calendar": "successor",
        "tasks": rows,
        "dependencies": links,
    })
}

fn task(row: usize, shape: &Shape) -> Value {
    let path = path(row);
    if row.is_multiple_of(PHASE) {
        return json!({"wbs_path": path, "name": format!("Phase {path}")});
    }
    let days = 1 + (row / PHASE + row) % 3;
    let mut task = json!({"wbs_path": path, "name": format!("Task {path}"), "duration": days});
    if shape.estimated {
        task["estimate"] = json!({"optimistic": days, "most_likely": days + 1, "pessimistic": days + 3});
    }
    if row < shape.done {
        // From January to May, in the first 25 days of each month: three days later is a day of the same month.
        let day = row * 125 / shape.done;
        let date = |later: usize| format!("2026-{:02}-{:02}", 1 + day / 25, 1 + day % 25 + later);
        task["status"] = json!("COMPLETE");
        task["actual_start"] = json!(date(0));
        task["actual_finish"] = json!(date(days));
    }
    task
}

/// Where a row stands in the outline.
fn path(row: usize) -> String {
    match (row / PHASE + 1, row % PHASE) {
        (phase, 0) => phase.to_string(),
        (phase, place) => format!("{phase}.{place}"),
    }
}

/// All links as predecessor, successor and lag: chains of phases that all begin after the very first task.
fn links(rows: usize) -> Vec<(usize, usize, i64)> {
    let mut links = Vec::new();
    for phase in 0..rows / PHASE {
        let at = |place: usize| phase * PHASE + place;
        match phase.checked_sub(CHAINS) {
            Some(before) => links.push((before * PHASE + GATE, at(1), 0)),
            None if phase > 0 => links.push((1, at(1), 0)),
            None => {}
        }
        links.extend((2..=RUN).map(|place| (at(place - 1), at(place), 0)));
        // These never decide a date, as most links of a grown plan do not.
        links.extend((6..=RUN).step_by(2).map(|place| (at(place - 5), at(place), 2)));
        links.push((at(1), at(RUN + 1), 0));
        links.extend((RUN + 2..=GATE).map(|place| (at(place - 1), at(place), 0)));
        links.push((at(RUN), at(GATE), 0));
    }
    links
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_task_follows_the_first_and_links_lead_forward() {
        let mut reached = HashSet::from([1]);
        for (from, to, _) in links(1_000) {
            assert!(from < to && to < 1_000);
        }
        loop {
            let before = reached.len();
            for (from, to, _) in links(1_000) {
                if reached.contains(&from) {
                    reached.insert(to);
                }
            }
            if reached.len() == before {
                break;
            }
        }
        assert_eq!(reached.len(), 1_000 / PHASE * GATE);
    }

    #[test]
    fn rows_have_their_places_in_the_outline() {
        let project = Project { id: String::new(), rows: 10_000 };
        assert_eq!([0, 1, 24, 25, 26].map(path), ["1", "1.1", "1.24", "2", "2.1"]);
        assert_eq!(path(project.last_row()), "400.24");
        assert_eq!(path(project.side_row()), "400.22");
    }

    #[test]
    fn a_document_of_many_rows_stays_below_the_largest_import() {
        let shape =
            Shape { slug: "growing", projects: 5, rows: 5_000, linked: false, estimated: false, done: 0 };
        let text = document(&shape).to_string();
        assert!(text.len() < 5 * 1024 * 1024, "{}", text.len());
    }
}
