//! From rows to what is shown: everything around several programs is fetched in one go, then put together without a database.

use std::collections::{HashMap, HashSet};

use planwright_domain::Role;
use planwright_domain::ids::{CalendarId, ProgramId, UserId};
use planwright_domain::kpis;
use planwright_domain::words::CalendarSource;
use planwright_plan::containers::{ProgramRow, Settings, inheritance};
use planwright_plan::people::{self, UserSummary};
use planwright_store::Read;
use planwright_web::{Actor, ApiError, ApiResult, Resource};

use super::model::Program;
use super::queries;
use crate::settings::{EffectiveCalendar, ShownSettings, calendars_in_short};

/// Everything around several programs.
struct Surroundings {
    workspace: Settings,
    calendars: HashMap<CalendarId, EffectiveCalendar>,
    leads: HashMap<UserId, UserSummary>,
    members: HashMap<ProgramId, i64>,
    projects: HashMap<ProgramId, i64>,
    roles: HashMap<ProgramId, Role>,
    pins: HashSet<ProgramId>,
}

impl Surroundings {
    async fn of(db: &dyn Read, caller: &Actor, rows: &[ProgramRow]) -> ApiResult<Self> {
        let ids: Vec<ProgramId> = rows.iter().map(|row| row.id).collect();
        let workspace = inheritance::of_workspace(db).await?;
        let own = rows.iter().map(|row| row.written.calendar_id);
        let calendars: HashSet<CalendarId> = own.chain([workspace.calendar_id]).flatten().collect();
        let calendars = calendars_in_short(db, calendars).await?;
        let leads: HashSet<UserId> = rows.iter().filter_map(|row| row.written.lead_id).collect();
        Ok(Self {
            workspace,
            calendars: calendars.into_iter().map(|calendar| (calendar.id, calendar)).collect(),
            leads: people::in_short(db, caller, leads).await?,
            members: queries::member_counts(db, ids.clone()).await?,
            projects: queries::project_counts(db, caller, ids.clone()).await?,
            roles: queries::roles_in(db, caller.id, ids.clone()).await?,
            pins: queries::pinned(db, caller.id, ids).await?,
        })
    }

    fn calendar(&self, id: Option<CalendarId>) -> Option<EffectiveCalendar> {
        id.and_then(|id| self.calendars.get(&id).cloned())
    }

    fn show(&self, row: ProgramRow) -> Program {
        let written = row.written;
        let effective = self.workspace.under(&written.layer(), CalendarSource::Program);
        let role = self.roles.get(&row.id).copied();
        Program {
            id: row.id,
            server_version: row.server_version,
            settings: ShownSettings::of(&written.overrides, &self.workspace, &effective),
            calendar: written.calendar_id,
            effective_calendar: self.calendar(effective.calendar_id),
            inherited_calendar: self.calendar(self.workspace.calendar_id),
            calendar_source: effective.calendar_source,
            rollup_enabled_kpis: kpis::enabled(written.rollup_enabled_kpis.as_ref(), written.methodology),
            lead_detail: written.lead_id.and_then(|lead| self.leads.get(&lead).cloned()),
            my_role: role,
            my_role_label: role.map(Role::program_label),
            is_pinned: self.pins.contains(&row.id),
            project_count: self.projects.get(&row.id).copied().unwrap_or(0),
            member_count: self.members.get(&row.id).copied().unwrap_or(0),
            is_closed: row.closed_at.is_some(),
            closed_at: row.closed_at,
            closed_by: row.closed_by,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
            name: written.name,
            description: written.description,
            code: written.code,
            methodology: written.methodology,
            risk_slip_propagation: written.risk_slip_propagation,
            risk_escalation_days: written.risk_escalation_days,
            rollup_aggregation_policy: written.rollup_aggregation_policy,
            health: written.health,
            target_date: written.target_date,
            visibility: written.visibility,
            color: written.color,
            lead: written.lead_id,
            is_sample: written.is_sample,
        }
    }
}

/// Several programs as their caller sees them, in the order of the rows.
pub async fn shown(db: &dyn Read, caller: &Actor, rows: Vec<ProgramRow>) -> ApiResult<Vec<Program>> {
    let around = Surroundings::of(db, caller, &rows).await?;
    Ok(rows.into_iter().map(|row| around.show(row)).collect())
}

/// One program as its caller sees it.
pub async fn one(db: &dyn Read, caller: &Actor, id: ProgramId) -> ApiResult<Program> {
    let row = ProgramRow::find(db, id.0).await?.ok_or_else(ApiError::not_found)?;
    shown(db, caller, vec![row]).await?.pop().ok_or_else(ApiError::not_found)
}
