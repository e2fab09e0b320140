//! From rows to what is shown: everything around several projects is fetched in one go, then put together without a database.
//! A list of fifty projects asks as many questions as a single one.

use std::collections::{BTreeMap, HashMap, HashSet};

use planwright_domain::access::{self, Action};
use planwright_domain::ids::{CalendarId, ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::{CalendarSource, Methodology, ScheduleConflictKind};
use planwright_domain::{Clock, Role};
use planwright_plan::containers::{Layer, ProjectFields, ProjectRow, Settings, inheritance};
use planwright_plan::people::{self, UserSummary};
use planwright_plan::schedule::queries::StoredConflict;
use planwright_plan::standing::{Standing, standings};
use planwright_store::Read;
use planwright_web::{Actor, ApiError, ApiResult, Resource};
use serde_json::Value as Json;

use super::model::{Project, ProjectDetail, ScheduleConflict, SurfaceVisibility};
use super::queries;
use crate::settings::{EffectiveCalendar, ShownSettings, calendars_in_short};

/// What a project shows as long as nobody hides it.
const EVERYTHING: SurfaceVisibility =
    SurfaceVisibility { reporting: true, time_tracking: true, baselines: true, monte_carlo: true };

/// Everything around several projects.
struct Surroundings {
    workspace: Settings,
    programs: HashMap<ProgramId, Layer>,
    calendars: HashMap<CalendarId, EffectiveCalendar>,
    leads: HashMap<UserId, UserSummary>,
    members: HashMap<ProjectId, i64>,
    standings: HashMap<ProjectId, Standing>,
    roles: HashMap<ProjectId, Role>,
    pins: HashSet<ProjectId>,
}

impl Surroundings {
    async fn of(db: &dyn Read, clock: &Clock, caller: &Actor, rows: &[ProjectRow]) -> ApiResult<Self> {
        let ids: Vec<ProjectId> = rows.iter().map(|row| row.id).collect();
        let workspace = inheritance::of_workspace(db).await?;
        let above: HashSet<ProgramId> = rows.iter().filter_map(|row| row.written.program_id).collect();
        let programs = inheritance::program_layers(db, above).await?;
        let own = rows.iter().map(|row| row.written.calendar_id);
        let of_programs = programs.values().map(|layer| layer.calendar_id);
        let calendars: HashSet<CalendarId> =
            own.chain(of_programs).chain([workspace.calendar_id]).flatten().collect();
        let calendars = calendars_in_short(db, calendars).await?;
        let leads: HashSet<UserId> = rows.iter().filter_map(|row| row.written.lead_id).collect();
        Ok(Self {
            workspace,
            programs,
            calendars: calendars.into_iter().map(|calendar| (calendar.id, calendar)).collect(),
            leads: people::in_short(db, caller, leads).await?,
            members: queries::member_counts(db, ids.clone()).await?,
            standings: standings(db, &ids, clock.today()).await?,
            roles: queries::roles_in(db, caller.id, ids.clone()).await?,
            pins: queries::pinned(db, caller.id, ids).await?,
        })
    }

    /// What a project would inherit, and what is in force in it.
    fn settings(&self, written: &ProjectFields) -> (Settings, Settings) {
        let layer = written.program_id.and_then(|program| self.programs.get(&program));
        let inherited = match layer {
            Some(layer) => self.workspace.under(layer, CalendarSource::Program),
            None => self.workspace.clone(),
        };
        let effective = inherited.under(&written.layer(), CalendarSource::Project);
        (inherited, effective)
    }

    fn show(&self, row: ProjectRow) -> Project {
        let ProjectRow { id, archived_at, archived_by, server_version, written, .. } = row;
        let (inherited, effective) = self.settings(&written);
        let standing = self.standings.get(&id).cloned().unwrap_or_default();
        let role = self.roles.get(&id).copied();
        let may_author = role.is_some_and(|role| access::allows(Action::AuthorPlan, role));
        let lead_detail = written.lead_id.and_then(|lead| self.leads.get(&lead).cloned());
        let calendar = effective.calendar_id.and_then(|calendar| self.calendars.get(&calendar).cloned());
        Project {
            id,
            server_version,
            effective_calendar: calendar,
            calendar_source: effective.calendar_source,
            lead_detail,
            agile_features: effective.methodology != Methodology::Waterfall,
            settings: ShownSettings::of(&written.overrides, &inherited, &effective),
            default_member_role_label: written.default_member_role.project_label(),
            effective_surface_visibility: surfaces(&written),
            inherited_surface_visibility: EVERYTHING,
            member_count: self.members.get(&id).copied().unwrap_or(0),
            percent_complete: standing.percent_complete.map(|percent| (percent * 100.0).round() / 100.0),
            open_task_count: standing.open_task_count,
            is_pinned: self.pins.contains(&id),
            overdue_count: standing.overdue_count,
            at_risk_count: standing.at_risk_count,
            my_role: role,
            my_role_label: role.map(Role::project_label),
            can_author: may_author && archived_at.is_none(),
            is_archived: archived_at.is_some(),
            archived_at,
            archived_by,
            name: written.name,
            description: written.description,
            start_date: written.start_date,
            status_date: written.status_date,
            calendar: written.calendar_id,
            lag_calendar: written.lag_calendar,
            code: written.code,
            health: written.health,
            visibility: written.visibility,
            timezone: written.timezone,
            default_view: written.default_view,
            lead: written.lead_id,
            estimation_mode: written.estimation_mode,
            methodology: written.methodology,
            board_cadence: written.board_cadence,
            stale_task_threshold_days: written.stale_task_threshold_days,
            end_date_shift_threshold_days: written.end_date_shift_threshold_days,
            prioritization_model: written.prioritization_model,
            default_member_role: written.default_member_role,
            show_reporting: written.show_reporting,
            show_time_tracking: written.show_time_tracking,
            show_baselines: written.show_baselines,
            show_monte_carlo: written.show_monte_carlo,
            program: written.program_id,
            lifecycle: written.lifecycle,
            draft_started_at: written.draft_started_at,
        }
    }
}

fn surfaces(written: &ProjectFields) -> SurfaceVisibility {
    SurfaceVisibility {
        reporting: written.show_reporting.unwrap_or(EVERYTHING.reporting),
        time_tracking: written.show_time_tracking.unwrap_or(EVERYTHING.time_tracking),
        baselines: written.show_baselines.unwrap_or(EVERYTHING.baselines),
        monte_carlo: written.show_monte_carlo.unwrap_or(EVERYTHING.monte_carlo),
    }
}

/// Several projects as their caller sees them, in the order of the rows.
pub async fn shown(
    db: &dyn Read,
    clock: &Clock,
    caller: &Actor,
    rows: Vec<ProjectRow>,
) -> ApiResult<Vec<Project>> {
    let around = Surroundings::of(db, clock, caller, &rows).await?;
    Ok(rows.into_iter().map(|row| around.show(row)).collect())
}

/// One project as its caller sees it.
pub async fn one(db: &dyn Read, clock: &Clock, caller: &Actor, id: ProjectId) -> ApiResult<Project> {
    let row = ProjectRow::find(db, id.0).await?.ok_or_else(ApiError::not_found)?;
    shown(db, clock, caller, vec![row]).await?.pop().ok_or_else(ApiError::not_found)
}

/// One project with what only its own page shows.
pub async fn detail(db: &dyn Read, clock: &Clock, caller: &Actor, id: ProjectId) -> ApiResult<ProjectDetail> {
    let row = ProjectRow::find(db, id.0).await?.ok_or_else(ApiError::not_found)?;
    let is_sample = row.written.is_sample;
    let aside = queries::aside(db, id).await?;
    let my_facets = queries::facets(db, id, caller.id).await?;
    let schedule_conflicts = conflicts(db, aside.conflicts).await?;
    let project = shown(db, clock, caller, vec![row]).await?.pop().ok_or_else(ApiError::not_found)?;
    let program_detail = project.program.map(|program| {
        BTreeMap::from([
            ("id", program.to_string()),
            ("name", aside.program_name.unwrap_or_default()),
            ("code", aside.program_code.unwrap_or_default()),
        ])
    });
    Ok(ProjectDetail {
        unresolved_assignee_count: aside.unresolved,
        start_floor: project.status_date.map_or(project.start_date, |day| day.max(project.start_date)),
        schedule_conflicts,
        recalculated_at: aside.recalculated_at,
        is_sample,
        program_detail,
        my_facets,
        project,
    })
}

/// The promised dates that the last recalculation could not keep, the earliest first.
async fn conflicts(db: &dyn Read, stored: Option<Json>) -> ApiResult<Vec<ScheduleConflict>> {
    let stored = stored.map(serde_json::from_value::<Vec<StoredConflict>>).transpose();
    let mut stored = stored.map_err(|error| ApiError::unexpected(error.into()))?.unwrap_or_default();
    stored.sort_by_key(|conflict| (conflict.wanted, conflict.task_id));
    let ids: Vec<TaskId> = stored.iter().map(|conflict| conflict.task_id).collect();
    let rows = queries::constrained(db, &ids).await?;
    let of_task: HashMap<TaskId, _> = rows.into_iter().map(|(id, name, kind)| (id, (name, kind))).collect();
    let shown = stored.into_iter().filter_map(|StoredConflict { task_id, kind, wanted, expected }| {
        let (name, constraint_type) = of_task.get(&task_id)?.clone();
        let constraint_type = constraint_type.filter(|_| kind != ScheduleConflictKind::Deadline);
        let days = (expected - wanted).num_days();
        Some(ScheduleConflict { task_id, name, kind, constraint_type, wanted, expected, days })
    });
    Ok(shown.collect())
}
