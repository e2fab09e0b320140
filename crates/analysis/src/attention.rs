//! `/api/v1/projects/{id}/attention/`: what needs somebody's attention in a project, at most three of each kind, the most
//! severe first. Each kind is a section of its own: one that breaks leaves the others whole.

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::person::display_name;
use planwright_plan::schedule::network::{date, day};
use planwright_store::{Read, Result, row, sql};
use planwright_web::{ApiResult, App, Gathered, Gathering, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

/// How many of each kind are shown.
const MOST: i64 = 3;

/// How many days before its start a task should have somebody.
const APPROACHING_DAYS: i32 = 7;

/// The routes of this file.
pub(crate) fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/attention/",
        show,
        says("What needs attention in a project, at most three of each kind."),
    )
}

/// How much something matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The end of the project moves.
    Critical,
    /// Somebody should decide something soon.
    Warning,
    /// It is good to know.
    Info,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttentionKind {
    /// A critical task should have ended, or cannot meet its dates.
    CriticalTaskLate,
    /// A task starts within seven days, and nobody does it.
    UnassignedApproaching,
    /// A task ends later than the active baseline says.
    BaselineDrift,
    /// On the day a task starts, somebody who does it has more work than time.
    Overallocation,
}

/// Something that needs attention.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AttentionItem {
    pub severity: Severity,
    #[serde(rename = "type")]
    pub kind: AttentionKind,
    pub task_id: TaskId,
    pub task_name: String,
    /// Who does the task; for too much work, whose work it is. Null for nobody.
    pub assignee_name: Option<String>,
    /// The day that this is about.
    pub date: Option<NaiveDate>,
    /// What is wrong, in a sentence.
    pub detail: String,
    /// Where people look at it, from the root of the site.
    pub link_target: String,
}

/// What needs attention.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProjectAttention {
    /// The most severe first, and within the same severity by day.
    pub items: Vec<AttentionItem>,
}

row! {
    struct LateRow {
        task_id: TaskId,
        name: String,
        day: Option<i32>,
        kept: Option<NaiveDate>,
        total_float: Option<i32>,
        who: Option<String>,
        first_name: Option<String>,
        last_name: Option<String>,
        load: Option<i64>,
    }
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Gathered<ProjectAttention>> {
    let (db, project, today) = (&app.db, scope.project, day(app.clock.today()).0);
    let mut gathering = Gathering::default();
    let late = gathering.section("critical_task_late", late(db, project, today).await);
    let unassigned = gathering.section("unassigned_approaching", unassigned(db, project, today).await);
    let drifted = gathering.section("baseline_drift", drifted(db, project).await);
    let overloaded = gathering.section("overallocation", overloaded(db, project, today).await);
    let late = late.into_iter().map(|row| row.late(project, today));
    let unassigned = unassigned.into_iter().map(|row| row.unassigned(project, today));
    let drifted = drifted.into_iter().map(|row| row.drifted(project));
    let overloaded = overloaded.into_iter().map(|row| row.overloaded(project));
    let mut items: Vec<_> = late.chain(unassigned).chain(drifted).chain(overloaded).collect();
    items.sort_by_key(|item| (item.severity, item.date, item.kind, item.task_id));
    Ok(gathering.answer(ProjectAttention { items }))
}

impl LateRow {
    fn item(
        self,
        project: ProjectId,
        severity: Severity,
        kind: AttentionKind,
        detail: String,
    ) -> AttentionItem {
        let name = |first: Option<String>, last: Option<String>, who: String| {
            display_name(&first.unwrap_or_default(), &last.unwrap_or_default(), &who)
        };
        AttentionItem {
            severity,
            kind,
            link_target: format!("/projects/{project}/tasks/{}", self.task_id),
            task_id: self.task_id,
            task_name: self.name,
            assignee_name: self.who.map(|who| name(self.first_name, self.last_name, who)),
            date: self.day.and_then(date),
            detail,
        }
    }

    fn late(self, project: ProjectId, today: i32) -> AttentionItem {
        let behind = self.day.map_or(0, |day| today - day).max(0);
        let detail = match behind {
            0 => format!("It is {} later than its dates allow.", days(-self.total_float.unwrap_or_default())),
            behind => format!("It should have ended {} ago.", days(behind)),
        };
        self.item(project, Severity::Critical, AttentionKind::CriticalTaskLate, detail)
    }

    fn unassigned(self, project: ProjectId, today: i32) -> AttentionItem {
        let detail = match self.day.map_or(0, |day| day - today) {
            0 => "It starts today, and nobody does it.".to_owned(),
            ahead => format!("It starts in {}, and nobody does it.", days(ahead)),
        };
        self.item(project, Severity::Warning, AttentionKind::UnassignedApproaching, detail)
    }

    fn drifted(self, project: ProjectId) -> AttentionItem {
        let kept = self.kept.map_or(0, |kept| day(kept).0);
        let later = self.day.map_or(0, |day| day - kept);
        let detail = format!("It ends {} later than the baseline says.", days(later));
        self.item(project, Severity::Warning, AttentionKind::BaselineDrift, detail)
    }

    fn overloaded(self, project: ProjectId) -> AttentionItem {
        let load = self.load.unwrap_or_default();
        let detail = format!("On this day they have {load} % of the work that fits.");
        self.item(project, Severity::Info, AttentionKind::Overallocation, detail)
    }
}

fn days(count: i32) -> String {
    if count == 1 { "1 day".to_owned() } else { format!("{count} days") }
}

/// The select list of a [`LateRow`] of a task, with the day and two more columns.
fn columns(day: &str, kept: &str) -> String {
    format!(
        "SELECT t.id AS task_id, t.name, {day} AS day, {kept} AS kept, s.total_float, u.username AS who, u.first_name,
            u.last_name, CAST(NULL AS BIGINT) AS load
         FROM tasks t JOIN task_schedule s ON s.task_id = t.id LEFT JOIN users u ON u.id = t.assignee_id"
    )
}

const OPEN: &str =
    "t.project_id = :project AND t.deletion_id IS NULL AND NOT s.is_phase AND t.status <> 'COMPLETE'
     AND t.status <> 'BACKLOG'";

/// Critical tasks that should have ended, or that miss a date, the latest first.
async fn late(db: &dyn Read, project: ProjectId, today: i32) -> Result<Vec<LateRow>> {
    let select = format!(
        "{} WHERE {OPEN} AND s.is_critical AND (s.early_finish < :today OR s.total_float < 0)
         ORDER BY s.early_finish, s.total_float, t.id LIMIT :most",
        columns("s.early_finish", "CAST(NULL AS DATE)")
    );
    db.all(sql!(select, project = project, today = today, most = MOST)).await
}

/// Tasks that start soon and that nobody does, the first to start first.
async fn unassigned(db: &dyn Read, project: ProjectId, today: i32) -> Result<Vec<LateRow>> {
    let select = format!(
        "{} WHERE {OPEN} AND NOT t.is_milestone AND t.actual_start IS NULL AND t.assignee_id IS NULL
           AND s.scheduled_start >= :today AND s.scheduled_start <= :last
           AND NOT EXISTS (SELECT 1 FROM task_resources a WHERE a.task_id = t.id AND a.deletion_id IS NULL)
         ORDER BY s.scheduled_start, t.id LIMIT :most",
        columns("s.scheduled_start", "CAST(NULL AS DATE)")
    );
    let last = today + APPROACHING_DAYS;
    db.all(sql!(select, project = project, today = today, last = last, most = MOST)).await
}

/// Tasks that end later than the active baseline says, those that drifted most first.
async fn drifted(db: &dyn Read, project: ProjectId) -> Result<Vec<LateRow>> {
    let select = format!(
        "{} JOIN baseline_tasks k ON k.task_id = t.id AND k.finish_date IS NOT NULL
         JOIN baselines b ON b.id = k.baseline_id AND b.is_active AND b.deletion_id IS NULL AND b.project_id = :project
         WHERE {OPEN} AND s.early_finish IS NOT NULL",
        columns("s.early_finish", "k.finish_date")
    );
    let mut rows: Vec<LateRow> = db.all(sql!(select, project = project)).await?;
    let drift = |row: &LateRow| row.day.zip(row.kept).map_or(0, |(end, kept)| end - day(kept).0);
    rows.retain(|row| drift(row) > 0);
    rows.sort_by_key(|row| (-drift(row), row.task_id));
    rows.truncate(MOST as usize);
    Ok(rows)
}

/// Allocations at whose start a resource has more work than time, over the tasks of all projects; the first day first.
async fn overloaded(db: &dyn Read, project: ProjectId, today: i32) -> Result<Vec<LateRow>> {
    let select = format!(
        "SELECT x.task_id, x.name, x.day, CAST(NULL AS DATE) AS kept, CAST(NULL AS INTEGER) AS total_float,
            x.who, CAST(NULL AS TEXT) AS first_name, CAST(NULL AS TEXT) AS last_name,
            x.used * 100 / x.max_units AS load
         FROM (SELECT t.id AS task_id, t.name, s.scheduled_start AS day, r.name AS who, r.max_units,
                (SELECT CAST(SUM(o.units) AS BIGINT) FROM task_resources o JOIN tasks w ON w.id = o.task_id AND w.deletion_id IS NULL
                    JOIN projects p ON p.id = w.project_id AND p.deletion_id IS NULL
                    JOIN task_schedule d ON d.task_id = w.id
                 WHERE o.resource_id = r.id AND o.deletion_id IS NULL AND w.status <> 'COMPLETE' AND w.status <> 'BACKLOG'
                   AND d.scheduled_start <= s.scheduled_start AND d.early_finish >= s.scheduled_start) AS used
            FROM tasks t JOIN task_schedule s ON s.task_id = t.id
            JOIN task_resources a ON a.task_id = t.id AND a.deletion_id IS NULL
            JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL AND r.max_units > 0
            WHERE {OPEN} AND s.early_finish >= :today) AS x
         WHERE x.used > x.max_units ORDER BY x.day, x.task_id, x.who LIMIT :most"
    );
    db.all(sql!(select, project = project, today = today, most = MOST)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_day_is_not_written_as_several() {
        assert_eq!((days(1).as_str(), days(4).as_str()), ("1 day", "4 days"));
    }

    #[test]
    fn the_most_severe_comes_first() {
        assert!(Severity::Critical < Severity::Warning && Severity::Warning < Severity::Info);
    }
}
