//! `/api/v1/projects/{id}/overview/` and `status-summary/`: where one project stands, on a page and in a line. What it shows
//! of the pace of a team is what everybody may see.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, RiskId, SprintId, TaskId};
use planwright_domain::words::{Health, Lifecycle, RiskStatus, TaskStatus};
use planwright_engine::Calendar;
use planwright_plan::containers::ProjectRow;
use planwright_plan::schedule::calendars::working_days;
use planwright_plan::schedule::network::date;
use planwright_store::{Read, Result, record, row, sql};
use planwright_web::{ApiResult, App, Gathered, Gathering, Item, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use crate::standing::bands::{health_band, schedule_performance, word};
use crate::standing::{SIMULATED, Standing, standings};
use crate::working_days::WorkingDays;

/// How many milestones and risks the page shows.
const EACH: i64 = 5;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/projects/{id}/overview/",
            overview,
            says("Where a project stands: schedule, progress, milestones, risks, forecast, sprint.")
                .agent_surface(),
        )
        .get(
            "/api/v1/projects/{id}/status-summary/",
            summary,
            says("Where a project stands, in a few figures."),
        )
}

/// Where a project stands, in a few figures.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct StatusSummary {
    /// `on_track`, `at_risk`, `critical`, or `unknown` for a project without tasks.
    pub health_band: String,
    /// Done tasks for each task that was to be done by today.
    pub schedule_performance: Option<f64>,
    /// 0 to 100, weighted by duration.
    pub percent_complete: Option<f64>,
    pub task_count: i64,
    pub open_task_count: i64,
    pub complete_count: i64,
    /// Open tasks whose last day is over.
    pub overdue_count: i64,
    /// Open tasks with little float.
    pub at_risk_count: i64,
    /// Open tasks on the critical path.
    pub critical_count: i64,
    /// The last day of the plan.
    pub finish_date: Option<NaiveDate>,
    /// The last day of the active baseline.
    pub baseline_finish_date: Option<NaiveDate>,
    /// By how many days the plan ends later than the baseline.
    pub finish_delta_days: Option<i64>,
    /// The same in working days of the project.
    pub finish_delta_working_days: Option<i64>,
}

/// The project as its page shows it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OverviewProject {
    pub id: ProjectId,
    pub name: String,
    pub code: String,
    /// What a person said about its health.
    pub health: Health,
    pub lifecycle: Lifecycle,
    pub start_date: NaiveDate,
    pub status_date: Option<NaiveDate>,
    pub member_count: i64,
}

/// A milestone that is still to come.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OverviewMilestone {
    pub id: TaskId,
    pub name: String,
    pub status: TaskStatus,
    pub finish_date: Option<NaiveDate>,
    pub baseline_finish_date: Option<NaiveDate>,
    /// By how many days it is later than in the baseline.
    pub finish_delta_days: Option<i64>,
    /// The same in working days of the project.
    pub finish_delta_working_days: Option<i64>,
    pub is_critical: bool,
    /// How likely it is met, in percent, by the newest simulation.
    pub confidence: Option<f64>,
}

record! {
    /// A risk that is open or worked on.
    #[derive(JsonSchema)]
    pub struct OverviewRisk {
        pub id: RiskId,
        pub title: String,
        pub status: RiskStatus,
        /// Probability times impact.
        pub severity: i64,
    }
}

/// The risks that are open or worked on.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct OverviewRisks {
    pub open_count: i64,
    pub max_severity: Option<i64>,
    /// The worst of them.
    pub worst: Vec<OverviewRisk>,
}

row! {
    /// When the work is done by the newest simulation.
    #[derive(Serialize, JsonSchema)]
    pub struct OverviewForecast {
        pub p50: Option<NaiveDate>,
        pub p80: Option<NaiveDate>,
        pub p95: Option<NaiveDate>,
        pub captured_at: DateTime<Utc>,
    }
}

row! {
    /// The sprint that runs.
    #[derive(Serialize, JsonSchema)]
    pub struct OverviewSprint {
        pub id: SprintId,
        pub name: String,
        pub goal: String,
        pub start_date: NaiveDate,
        pub finish_date: NaiveDate,
    }
}

/// Where a project stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectOverview {
    pub project: OverviewProject,
    pub status: StatusSummary,
    /// The next milestones.
    pub milestones: Vec<OverviewMilestone>,
    pub risks: OverviewRisks,
    pub forecast: Option<OverviewForecast>,
    pub sprint: Option<OverviewSprint>,
}

async fn overview(
    State(app): State<App>,
    item: Item<ProjectRow, may::ReadProject>,
) -> ApiResult<Gathered<ProjectOverview>> {
    let (db, id, row) = (&app.db, item.row.id, item.row);
    let mut gathering = Gathering::default();
    let (calendar, standing, counted, coming, risks, simulated, running) = tokio::join!(
        working_days(db, id),
        standing(&app, id),
        members(db, id),
        milestones(db, id),
        risks(db, id),
        forecast(db, id),
        sprint(db, id),
    );
    let calendar = gathering.section("calendar", calendar);
    let status = gathering
        .section("status", standing.map(|standing| summed(&standing, row.written.health, &calendar)));
    let member_count = gathering.section("members", counted);
    let milestones = gathering.section("milestones", coming);
    let milestones = milestones.into_iter().map(|row| row.shown(&calendar)).collect();
    let risks = gathering.section("risks", risks);
    let forecast = gathering.section("forecast", simulated);
    let sprint = gathering.section("sprint", running);
    let project = OverviewProject {
        id,
        name: row.written.name,
        code: row.written.code,
        health: row.written.health,
        lifecycle: row.written.lifecycle,
        start_date: row.written.start_date,
        status_date: row.written.status_date,
        member_count,
    };
    Ok(gathering.answer(ProjectOverview { project, status, milestones, risks, forecast, sprint }))
}

async fn summary(
    State(app): State<App>,
    item: Item<ProjectRow, may::ReadProject>,
) -> ApiResult<Gathered<StatusSummary>> {
    let mut gathering = Gathering::default();
    let id = item.row.id;
    let (calendar, standing) = tokio::join!(working_days(&app.db, id), standing(&app, id));
    let calendar = gathering.section("calendar", calendar);
    let standing = gathering.section("status", standing);
    Ok(gathering.answer(summed(&standing, item.row.written.health, &calendar)))
}

async fn standing(app: &App, project: ProjectId) -> Result<Standing> {
    let mut counted = standings(&app.db, &[project], app.clock.today()).await?;
    Ok(counted.remove(&project).unwrap_or_default())
}

/// By how many days, and by how many working days, something is later than in the baseline.
fn deltas(calendar: &Calendar, now: Option<NaiveDate>, then: Option<NaiveDate>) -> [Option<i64>; 2] {
    let both = now.zip(then);
    let working = |(now, then)| WorkingDays::spanning(calendar, [then, now]).between(then, now);
    [both.map(|(now, then)| (now - then).num_days()), both.map(working)]
}

/// The figures of a project.
fn summed(standing: &Standing, health: Health, calendar: &Calendar) -> StatusSummary {
    let rounded = |number: f64, steps: f64| (number * steps).round() / steps;
    let [finish_delta_days, finish_delta_working_days] =
        deltas(calendar, standing.finish, standing.baseline_finish);
    StatusSummary {
        health_band: word(health_band(health, standing)).to_owned(),
        schedule_performance: schedule_performance(standing).map(|index| rounded(index, 1000.0)),
        percent_complete: standing.percent_complete.map(|percent| rounded(percent, 100.0)),
        task_count: standing.task_count,
        open_task_count: standing.open_task_count,
        complete_count: standing.complete_count,
        overdue_count: standing.overdue_count,
        at_risk_count: standing.at_risk_count,
        critical_count: standing.critical_count,
        finish_date: standing.finish,
        baseline_finish_date: standing.baseline_finish,
        finish_delta_days,
        finish_delta_working_days,
    }
}

/// How many people belong to a project.
async fn members(db: &dyn Read, project: ProjectId) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM project_members WHERE project_id = :project AND deletion_id IS NULL";
    db.count(sql!(select, project = project)).await
}

row! {
    struct MilestoneRow {
        id: TaskId,
        name: String,
        status: TaskStatus,
        finish_day: Option<i32>,
        baseline_finish: Option<NaiveDate>,
        is_critical: Option<bool>,
        confidence: Option<f64>,
    }
}

/// The next open milestones of a project, by their day.
async fn milestones(db: &dyn Read, project: ProjectId) -> Result<Vec<MilestoneRow>> {
    let select = format!(
        "SELECT t.id, t.name, t.status, s.early_finish AS finish_day, k.finish_date AS baseline_finish, s.is_critical,
            c.confidence
         FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         LEFT JOIN milestone_chances c ON c.task_id = t.id
         LEFT JOIN baselines b ON b.project_id = t.project_id AND b.is_active AND b.deletion_id IS NULL
         LEFT JOIN baseline_tasks k ON k.baseline_id = b.id AND k.task_id = t.id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND t.is_milestone AND t.status <> 'COMPLETE'
         ORDER BY s.early_finish ASC NULLS LAST, t.short_id, t.id LIMIT {EACH}"
    );
    db.all(sql!(select, project = project)).await
}

impl MilestoneRow {
    fn shown(self, calendar: &Calendar) -> OverviewMilestone {
        let finish_date = self.finish_day.and_then(date);
        let [finish_delta_days, finish_delta_working_days] =
            deltas(calendar, finish_date, self.baseline_finish);
        OverviewMilestone {
            id: self.id,
            name: self.name,
            status: self.status,
            finish_date,
            baseline_finish_date: self.baseline_finish,
            finish_delta_days,
            finish_delta_working_days,
            is_critical: self.is_critical.unwrap_or_default(),
            confidence: self.confidence,
        }
    }
}

record! {
    /// One of the worst risks, with how many there are.
    struct CountedRisk {
        open_count: i64,
    }
    and risk: OverviewRisk
}

/// The risks of a project that are open or worked on: how many, and the worst.
async fn risks(db: &dyn Read, project: ProjectId) -> Result<OverviewRisks> {
    let select = format!(
        "SELECT COUNT(*) OVER () AS open_count, r.id, r.title, r.status, r.probability * r.impact AS severity
         FROM risks r WHERE r.project_id = :project AND r.deletion_id IS NULL AND r.status IN ('OPEN', 'MITIGATING')
         ORDER BY severity DESC, r.short_id, r.id LIMIT {EACH}"
    );
    let rows: Vec<CountedRisk> = db.all(sql!(select, project = project)).await?;
    let open_count = rows.first().map_or(0, |row| row.open_count);
    let worst: Vec<OverviewRisk> = rows.into_iter().map(|row| row.risk).collect();
    Ok(OverviewRisks { open_count, max_severity: worst.first().map(|risk| risk.severity), worst })
}

/// The newest simulation of a project, or the newest forecast that was written down with one, whichever is newer.
async fn forecast(db: &dyn Read, project: ProjectId) -> Result<Option<OverviewForecast>> {
    let select = format!(
        "SELECT f.p50, f.p80, f.p95, f.captured_at FROM {SIMULATED}
         WHERE f.project_id = :project ORDER BY f.captured_at DESC, f.p80 DESC LIMIT 1"
    );
    db.maybe(sql!(select, project = project)).await
}

/// The sprint of a project that runs.
async fn sprint(db: &dyn Read, project: ProjectId) -> Result<Option<OverviewSprint>> {
    let select = "SELECT s.id, s.name, s.goal, s.start_date, s.finish_date FROM sprints s
         WHERE s.project_id = :project AND s.state = 'ACTIVE' AND s.deletion_id IS NULL
         ORDER BY s.start_date, s.id LIMIT 1";
    db.maybe(sql!(select, project = project)).await
}
