//! What has to be known to validate writes of tasks: gathered in a few statements for one write or five hundred.
//! Nothing is decided here; `validate.rs` does, without a database.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};
use futures_util::future::BoxFuture;
use planwright_domain::Role;
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_engine::Calendar;
use planwright_store::{Result, Tx};
use planwright_web::actor::Credential;
use planwright_web::grant::facets_of;
use planwright_web::{Actor, Grant};

use super::queries::{self, Family, ProjectFacts, Shown, SprintFacts, TaskFacts};
use super::record::TaskRecord;
use super::request::PatchedTaskRequest;
use super::validate::PlannedWrite;
use super::{Announcer, Board};
use crate::containers::Settings;
use crate::containers::inheritance::in_force;
use crate::guardrails::{self, Levels};
use crate::schedule::calendars::{self, working_days};
use crate::span;
use crate::sprints::MilestoneRollup;
use crate::sprints::milestones::rollups;
use crate::tasks::criteria::{self, Criteria};

/// Who writes.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The person.
    pub id: UserId,
    /// The name they sign in with.
    pub username: String,
    /// Where the write comes from, as events tell it.
    pub source: String,
    /// Whether it is a machine with a token of the project or its program.
    pub is_machine: bool,
    /// Their rank in the project.
    pub role: Role,
    /// Whether they are a Product Owner of its default team.
    pub is_product_owner: bool,
}

impl Caller {
    /// Whether they manage the project.
    pub fn manages(&self) -> bool {
        self.role >= Role::ProjectManager
    }

    /// Whether they shape its backlog.
    pub fn shapes_backlog(&self) -> bool {
        self.manages() || self.is_product_owner
    }
}

/// A write before it is validated.
#[derive(Clone, Copy, Debug)]
pub struct RequestedWrite<'a> {
    /// The row as it stands; a fresh one when it is created.
    pub before: &'a TaskRecord,
    /// Whether it is created.
    pub is_new: bool,
    /// What is to become of it.
    pub request: &'a PatchedTaskRequest,
}

/// Everything that judging a set of writes in one project needs.
#[derive(Debug)]
pub struct WriteContext {
    /// The project.
    pub project: ProjectFacts,
    /// What is in force in it; only when a write asks for it.
    pub settings: Option<Settings>,
    /// Who writes.
    pub caller: Caller,
    /// The instant of the write.
    pub now: DateTime<Utc>,
    /// Its day.
    pub today: NaiveDate,
    /// Those of the named people who are members.
    pub members: HashSet<UserId>,
    /// The named sprints, and those that the rows are in.
    pub sprints: HashMap<SprintId, SprintFacts>,
    /// The named tasks.
    pub tasks: HashMap<TaskId, TaskFacts>,
    /// Who stands below the rows.
    pub families: HashMap<TaskId, Family>,
    /// What the engine says of the rows.
    pub shown: HashMap<TaskId, Shown>,
    /// How far those of the rows are that a live sprint aims at.
    pub targeted: HashMap<TaskId, MilestoneRollup>,
    /// Those of the named resources that are on the roster.
    pub roster: HashSet<ResourceId>,
    /// The acceptance criteria of the rows that are to be ready, counted.
    pub criteria: HashMap<TaskId, Criteria>,
    /// What the rows are allocated already, in hundredths; only when a write asks for it.
    pub allocated: HashMap<(TaskId, ResourceId), i64>,
    /// The working days of the project; only when a write asks for it.
    pub calendar: Option<Calendar>,
    /// The named calendars, and those that the rows are worked on when a write asks for working days.
    pub calendars: HashMap<CalendarId, Calendar>,
    /// How strictly sprints are guarded; only when a row is, or is to be, in one.
    pub levels: Option<Levels>,
    /// What all durations and lags add up to; only when a long duration is written.
    pub total_duration: Option<i64>,
}

impl WriteContext {
    /// Gathers what the writes name.
    pub fn gather<'a>(
        tx: &'a Tx,
        project: ProjectId,
        actor: &'a Actor,
        role: Role,
        writes: &'a [RequestedWrite<'a>],
    ) -> BoxFuture<'a, Result<Self>> {
        Box::pin(async move {
            let named = Named::by(writes);
            let (facts, settings, calendar, total_duration, levels, facets) = tokio::try_join!(
                queries::project_facts(tx, project),
                when(named.settings, in_force(tx, project)),
                when(named.calendar, working_days(tx, project)),
                when(named.days > span::LONG_DAYS, span::total(tx, project)),
                when(!named.sprints.is_empty(), guardrails::levels_of(tx, project)),
                when(role < Role::ProjectManager, facets_of(tx, project, actor.id)),
            )?;
            let (members, sprints, tasks, families, shown, targeted, roster, criteria, allocated, calendars) =
                tokio::try_join!(
                    crate::people::members_among(tx, project, named.people),
                    queries::live_sprints(tx, project, &named.sprints),
                    queries::facts(tx, project, named.tasks),
                    queries::families(tx, &named.rows),
                    queries::shown(tx, &named.rows),
                    rollups(tx, &named.milestones),
                    queries::roster(tx, project, named.resources),
                    criteria::counts(tx, &named.ready),
                    queries::allocated(tx, &named.allocated),
                    calendars::live(tx, &named.calendars),
                )?;
            let (id, username, source) = (actor.id, actor.username.clone(), actor.source.clone());
            Ok(Self {
                caller: Caller {
                    id,
                    username,
                    source,
                    is_machine: matches!(actor.credential, Credential::ContainerToken { .. }),
                    role,
                    is_product_owner: facets.unwrap_or_default().is_product_owner,
                },
                now: tx.now(),
                today: tx.now().date_naive(),
                calendar,
                calendars: calendars.into_iter().collect(),
                project: facts,
                settings,
                members,
                sprints,
                tasks,
                families,
                shown,
                targeted,
                roster,
                criteria,
                allocated,
                levels,
                total_duration,
            })
        })
    }

    /// What is known of a project and who writes in it, for a write that names nothing else.
    pub async fn bare(tx: &Tx, grant: &Grant) -> Result<Self> {
        Self::gather(tx, grant.project()?, &grant.actor, grant.role, &[]).await
    }

    /// Notes a write that was validated, so that the next ones of the same batch see what it did.
    pub fn note(&mut self, planned: &PlannedWrite) {
        let PlannedWrite { before, after, is_new, .. } = planned;
        if let Some(total) = &mut self.total_duration {
            *total += after.duration - if *is_new { 0 } else { before.duration };
        }
        if *is_new {
            self.grow(after.parent_id, 1, i64::from(!after.is_subtask));
            let facts = TaskFacts {
                id: after.id,
                r#type: after.r#type,
                parent_id: after.parent_id,
                has_place: after.has_place,
                is_subtask: after.is_subtask,
                is_recurring: false,
                is_milestone: after.is_milestone,
                governance_class: after.governance_class,
                sprint_id: after.sprint_id,
                sprint_pending: after.sprint_pending,
                structural_children: 0,
            };
            self.tasks.insert(after.id, facts);
        } else if let Some(facts) = self.tasks.get_mut(&after.id) {
            facts.r#type = after.r#type;
            facts.is_milestone = after.is_milestone;
            facts.governance_class = after.governance_class;
            facts.sprint_id = after.sprint_id;
        }
    }

    /// Notes that a row of the batch goes: its rows move up, its drawer subtasks go with it.
    pub fn note_gone(&mut self, row: &TaskRecord, drawer: &[TaskId]) {
        let lifted = self.family(row.id).structural;
        self.grow(row.parent_id, lifted - 1, lifted - i64::from(!row.is_subtask));
        for gone in drawer.iter().chain([&row.id]) {
            self.tasks.remove(gone);
        }
    }

    fn grow(&mut self, parent: Option<TaskId>, children: i64, structural: i64) {
        let Some(parent) = parent else { return };
        let family = self.families.entry(parent).or_default();
        family.children += children;
        family.structural += structural;
        if let Some(facts) = self.tasks.get_mut(&parent) {
            facts.structural_children += structural;
        }
    }

    /// The working days of a row: those of its own calendar, or of the project.
    pub fn calendar_of(&self, row: &TaskRecord) -> Calendar {
        let own = row.calendar_id.and_then(|id| self.calendars.get(&id));
        own.or(self.calendar.as_ref()).cloned().unwrap_or_default()
    }

    /// To whom a write is told.
    pub fn announcer(&self, board: Board) -> Announcer<'_> {
        Announcer { project: self.project.id, program: self.project.program_id, caller: &self.caller, board }
    }

    /// Who stands below a row.
    pub fn family(&self, task: TaskId) -> Family {
        self.families.get(&task).copied().unwrap_or_default()
    }

    /// Whether the caller may edit a row (facts-scheduling, permission primitives).
    pub fn may_edit(&self, row: &TaskRecord) -> bool {
        let role = self.caller.role;
        let own = role == Role::Member && row.assignee_id == Some(self.caller.id);
        let refines = self.caller.is_product_owner && matches!(row.r#type, TaskType::Epic | TaskType::Story);
        self.caller.manages() || own || (refines && role != Role::ResourceManager)
    }

    /// Whether the caller may delete a row: like editing, without what a Product Owner may.
    pub fn may_delete(&self, row: &TaskRecord) -> bool {
        let own = self.caller.role == Role::Member && row.assignee_id == Some(self.caller.id);
        self.caller.manages() || own
    }
}

/// Asks only when that is needed. Several of these that are joined are on their way at once.
async fn when<T>(is_needed: bool, asked: impl Future<Output = Result<T>>) -> Result<Option<T>> {
    if is_needed { asked.await.map(Some) } else { Ok(None) }
}

/// What a set of writes names.
#[derive(Default)]
struct Named {
    rows: Vec<TaskId>,
    milestones: Vec<TaskId>,
    people: Vec<UserId>,
    sprints: Vec<SprintId>,
    tasks: Vec<TaskId>,
    resources: Vec<ResourceId>,
    ready: Vec<TaskId>,
    allocated: Vec<TaskId>,
    calendars: Vec<CalendarId>,
    settings: bool,
    calendar: bool,
    days: i64,
}

impl Named {
    fn by(writes: &[RequestedWrite<'_>]) -> Self {
        let mut named = Self::default();
        for RequestedWrite { before, is_new, request } in writes {
            match is_new {
                true => named.settings = true,
                false => named.rows.push(before.id),
            }
            if before.is_milestone && !is_new {
                named.milestones.push(before.id);
            }
            named.people.extend(request.assignee.as_given().copied().flatten());
            named.sprints.extend(request.sprint.as_given().copied().flatten());
            named.sprints.extend(before.sprint_id);
            named.tasks.extend(request.blocking_task.as_given().copied().flatten());
            named.tasks.extend(request.parent_epic.as_given().copied().flatten());
            named.tasks.extend(before.parent_id.filter(|_| *is_new));
            named
                .resources
                .extend(request.owners.as_given().into_iter().flatten().map(|owner| owner.resource));
            named.settings |= request.duration.is_given() || request.planned_finish.is_given();
            named.calendar |= request.planned_finish.is_given() || !named.sprints.is_empty();
            named.calendars.extend(request.calendar.as_given().copied().flatten());
            named.calendars.extend(before.calendar_id.filter(|_| named.calendar));
            named.days += request.duration.as_given().map_or(0, |days| days.0);
            if request.dor.as_given() == Some(&Readiness::Ready) && !is_new {
                named.ready.push(before.id);
            }
            if request.owners.is_given() && !is_new {
                named.allocated.push(before.id);
            }
        }
        named
    }
}
