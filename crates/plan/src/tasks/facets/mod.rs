//! What tasks show of other tables, a file for each kind. One statement reads them all for a whole page; each of its rows
//! says what kind it is. Nothing here writes.

pub mod allocations;
pub mod baselines;
pub mod blockers;
pub mod criteria;
pub mod fields;
pub mod labels;
pub mod logged;
pub mod notes;
pub mod people;
pub mod predecessors;
pub mod recurrence;
pub mod relations;
pub mod risks;

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Utc};
use planwright_domain::ids::*;
use planwright_store::value::list;
use planwright_store::{FromValue, Read, Result, Sql, StoreError, Value, row, sql};
use uuid::Uuid;

use self::baselines::BaselineDates;
use self::logged::Logged;
use self::predecessors::Preceded;
use self::risks::RisksOn;
use super::criteria::Criteria;
use super::model::{BlockingTask, TaskAssignment, TaskLabelChip, TaskRow, TaskScopeChange};
use super::rules;
use super::write::TaskRecord;
use crate::sprints::{MilestoneRollup, milestones, scope};

/// What the tasks of one page show of other tables.
#[derive(Debug, Default)]
pub struct Facets {
    /// The labels of each task.
    pub labels: HashMap<TaskId, Vec<TaskLabelChip>>,
    /// Its allocations.
    pub allocations: HashMap<TaskId, Vec<TaskAssignment>>,
    /// Its predecessors, counted.
    pub predecessors: HashMap<TaskId, Preceded>,
    /// Its live risks, counted.
    pub risks: HashMap<TaskId, RisksOn>,
    /// The tasks that take part in an informational relation.
    pub related: HashSet<TaskId>,
    /// What a baseline kept of each task.
    pub baseline: HashMap<TaskId, BaselineDates>,
    /// The names of those who blocked tasks.
    pub usernames: HashMap<UserId, String>,
    /// The templates that a rule makes tasks from.
    pub recurring: HashSet<TaskId>,
    /// The tasks that block others.
    pub blockers: HashMap<TaskId, BlockingTask>,
    /// The minutes that the caller has logged.
    pub logged: HashMap<TaskId, Logged>,
    /// The acceptance criteria of each task, counted.
    pub criteria: HashMap<TaskId, Criteria>,
    /// What each task says in the fields of its project, by the ids of the fields.
    pub fields: HashMap<TaskId, serde_json::Map<String, serde_json::Value>>,
    /// When somebody wrote a note on each task last.
    pub latest_notes: HashMap<TaskId, DateTime<Utc>>,
    /// The projects in which the caller is Product Owner.
    pub product_owner_of: HashSet<ProjectId>,
    /// What came into running sprints with each task.
    pub scope_changes: HashMap<TaskId, Vec<TaskScopeChange>>,
    /// How far milestones are that sprints aim at.
    pub rollups: HashMap<TaskId, MilestoneRollup>,
}

/// One kind of facet: where its rows come from, and what stands in which column. Columns that say nothing are NULL.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    kind: &'static str,
    /// The id of what the row belongs to.
    of: &'static str,
    id: &'static str,
    name: &'static str,
    code: &'static str,
    word: &'static str,
    number: &'static str,
    other: &'static str,
    start: &'static str,
    finish: &'static str,
    at: &'static str,
    from: &'static str,
}

impl Branch {
    const BARE: Self = Self {
        kind: "",
        of: "",
        id: "CAST(NULL AS UUID)",
        name: "CAST(NULL AS TEXT)",
        code: "CAST(NULL AS TEXT)",
        word: "CAST(NULL AS TEXT)",
        number: "CAST(NULL AS BIGINT)",
        other: "CAST(NULL AS BIGINT)",
        start: "CAST(NULL AS DATE)",
        finish: "CAST(NULL AS DATE)",
        at: "CAST(NULL AS TIMESTAMPTZ)",
        from: "",
    };

    fn select(&self) -> String {
        let Self { kind, of, id, name, code, word, number, other, start, finish, at, from } = self;
        format!(
            "SELECT '{kind}' AS kind, {of} AS of_id, {id} AS id, {name} AS name, {code} AS code, {word} AS word,
                {number} AS number, {other} AS other, {start} AS start, {finish} AS finish, {at} AS at FROM {from}"
        )
    }
}

row! {
    /// A row of any kind.
    pub(super) struct Piece {
        kind: String,
        of_id: Uuid,
        id: Value,
        name: Value,
        code: Value,
        word: Value,
        number: Value,
        other: Value,
        start: Value,
        finish: Value,
        at: Value,
    }
}

/// The statement for all facets that these rows can have.
fn statement(me: UserId, rows: &[TaskRow], baseline: Option<BaselineId>) -> Sql {
    let written = || rows.iter().map(|row| &row.written);
    let tasks = list(written().map(|row| row.id));
    let mut named: Vec<UserId> = written().filter_map(|row| row.blocked_by_id).collect();
    // Whoever is mentioned in a reason reads it, so the name of the caller is asked for.
    named.extend(written().any(|row| row.blocked_reason.contains('@')).then_some(me));
    let blocking: Vec<TaskId> = written().filter_map(|row| row.blocking_task_id).collect();
    let projects: BTreeSet<ProjectId> = written().map(|row| row.project_id).collect();
    let has_phases = rows.iter().filter_map(|row| row.computed.as_ref()).any(|computed| computed.is_phase);
    let kept = if baseline.is_some() { baselines::ONE } else { baselines::ACTIVE };
    let mut branches = vec![
        labels::LABELS,
        allocations::ALLOCATIONS,
        predecessors::PREDECESSORS,
        risks::RISKS,
        relations::SOURCES,
        relations::TARGETS,
        criteria::CRITERIA,
        fields::FIELDS,
        notes::NOTES,
        kept,
        if has_phases { logged::UP_TO_PHASES } else { logged::ON_TASKS },
    ];
    branches.extend(written().any(|row| row.is_recurring).then_some(recurrence::RULES));
    branches.extend(written().any(rules::refined_by_product_owners).then_some(people::OWNED));
    branches.extend((!named.is_empty()).then_some(people::USERNAMES));
    branches.extend((!blocking.is_empty()).then_some(blockers::BLOCKERS));
    let selects: Vec<String> = branches.iter().map(Branch::select).collect();
    let text = format!("{} ORDER BY number, name, id", selects.join(" UNION ALL "));
    sql!(text, tasks = tasks, me = me, people = list(named), blocking = list(blocking))
        .bind("baseline", baseline)
        .bind("projects", list(projects))
}

impl Facets {
    /// Reads what a page of tasks shows, for the eyes of `me`: of one baseline, or of each project's active one.
    pub async fn of(
        db: &dyn Read,
        me: UserId,
        rows: &[TaskRow],
        baseline: Option<BaselineId>,
    ) -> Result<Self> {
        let mut facets = Self::default();
        if rows.is_empty() {
            return Ok(facets);
        }
        for piece in db.all::<Piece>(statement(me, rows, baseline)).await? {
            facets.add(piece)?;
        }
        facets.add_sprints(db, rows).await?;
        Ok(facets)
    }

    /// What sprints say of tasks; asked only of tasks in a sprint and of milestones.
    async fn add_sprints(&mut self, db: &dyn Read, rows: &[TaskRow]) -> Result<()> {
        let which = |is_asked: fn(&TaskRecord) -> bool| -> Vec<TaskId> {
            rows.iter().map(|row| &row.written).filter(|row| is_asked(row)).map(|row| row.id).collect()
        };
        for change in scope::of_tasks(db, &which(|row| row.sprint_id.is_some())).await? {
            self.scope_changes.entry(change.task_id).or_default().push(change.into());
        }
        self.rollups = milestones::rollups(db, &which(|row| row.is_milestone)).await?;
        Ok(())
    }

    fn add(&mut self, piece: Piece) -> Result<()> {
        let task = TaskId(piece.of_id);
        match piece.kind.as_str() {
            "label" => self.labels.entry(task).or_default().push(labels::chip(piece)?),
            "allocation" => self.allocations.entry(task).or_default().push(allocations::shown(piece)?),
            "predecessors" => drop(self.predecessors.insert(task, predecessors::counted(piece)?)),
            "risks" => drop(self.risks.insert(task, risks::counted(piece)?)),
            "criteria" => drop(self.criteria.insert(task, criteria::counted(piece)?)),
            "field" => {
                let (field, value) = fields::said(piece)?;
                self.fields.entry(task).or_default().insert(field.to_string(), value);
            }
            "note" => drop(self.latest_notes.insert(task, FromValue::from_value(piece.at)?)),
            "relation" => drop(self.related.insert(task)),
            "baseline" => drop(self.baseline.insert(task, baselines::dates(piece)?)),
            "logged" => drop(self.logged.insert(task, logged::summed(piece)?)),
            "recurrence" => drop(self.recurring.insert(task)),
            "owned" => drop(self.product_owner_of.insert(ProjectId(piece.of_id))),
            "person" => drop(self.usernames.insert(UserId(piece.of_id), people::username(piece)?)),
            "blocker" => drop(self.blockers.insert(task, blockers::shown(piece)?)),
            other => return Err(StoreError::Unexpected(anyhow::anyhow!("a facet is of the kind {other}"))),
        }
        Ok(())
    }
}
