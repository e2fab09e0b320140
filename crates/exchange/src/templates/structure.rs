//! The frozen structure of a project: rows, links, how they are governed and delivered. It has no dates, no people,
//! no estimates and no progress.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::words::{
    DeliveryMode, DependencyType, GovernanceClass, LagCalendar, Methodology, TaskType,
};
use planwright_plan_files::seed::TaskReference;
use planwright_plan_files::seed::model::{Dependency, Document, Program, Project, SchemaVersion, Task};
use planwright_plan_files::seed::outline::{Outline, compare_paths};
use planwright_store::{FromValue, Result as StoreResult, StoreError, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The most rows that a template may have.
pub(super) const MOST_ROWS: usize = 2_000;
/// The slug of the project that a structure becomes.
const HOME: &str = "template";

/// A structure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Structure {
    /// The version of this form, 1.
    pub(super) version: u8,
    /// When it was taken.
    pub(super) extracted_at: DateTime<Utc>,
    /// How the project was run.
    pub(super) methodology: Methodology,
    /// How many days its sprints had.
    pub(super) sprint_length_days: Option<i64>,
    /// The rows, in the order of the outline.
    pub(super) tasks: Vec<FrozenRow>,
    /// The links between them.
    pub(super) dependencies: Vec<FrozenLink>,
}

/// A row of a structure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FrozenRow {
    /// How links name it.
    pub(super) r#ref: String,
    pub(super) name: String,
    pub(super) wbs_path: String,
    pub(super) duration: u32,
    pub(super) is_milestone: bool,
    pub(super) delivery_mode: Option<DeliveryMode>,
    pub(super) governance_class: Option<GovernanceClass>,
    pub(super) r#type: TaskType,
    pub(super) is_subtask: bool,
    pub(super) notes: String,
}

/// A link of a structure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FrozenLink {
    pub(super) predecessor: String,
    pub(super) successor: String,
    pub(super) dep_type: DependencyType,
    pub(super) lag: i32,
}

/// What a structure holds, in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TemplateCounts {
    /// All rows.
    pub task_count: usize,
    /// Rows with rows below them.
    pub phase_count: usize,
    /// Milestones that are governed strictly.
    pub gate_count: usize,
    /// All milestones.
    pub milestone_count: usize,
    /// Links.
    pub dependency_count: usize,
    /// How the project was run.
    pub methodology: Methodology,
    /// What it holds, in words.
    pub carries: Vec<String>,
}

impl FromValue for TemplateCounts {
    fn from_value(value: Value) -> StoreResult<Self> {
        let kept = Json::from_value(value)?;
        serde_json::from_value(kept).map_err(|error| StoreError::Unexpected(error.into()))
    }
}

/// Why a project cannot be a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unfit {
    #[error("The project has no tasks.")]
    Empty,
    #[error("A template may have at most 2000 rows.")]
    TooLarge,
}

impl Structure {
    /// The structure of the first project of a document. Rows at the paths of recurring work stay behind.
    pub(super) fn of(
        document: &Document,
        recurring: &HashSet<String>,
        now: DateTime<Utc>,
    ) -> Result<Self, Unfit> {
        let Some(project) = document.projects.first() else { return Err(Unfit::Empty) };
        let mut tasks: Vec<&Task> =
            project.tasks.iter().filter(|task| !recurring.contains(&task.wbs_path)).collect();
        tasks.sort_by(|left, right| compare_paths(&left.wbs_path, &right.wbs_path));
        match tasks.len() {
            0 => return Err(Unfit::Empty),
            many if many > MOST_ROWS => return Err(Unfit::TooLarge),
            _ => {}
        }
        let row = |task: &&Task| FrozenRow {
            r#ref: task.wbs_path.clone(),
            name: task.name.clone(),
            wbs_path: task.wbs_path.clone(),
            duration: task.duration,
            is_milestone: task.is_milestone,
            delivery_mode: task.delivery_mode,
            governance_class: task.governance_class,
            r#type: task.kind,
            is_subtask: task.is_subtask,
            notes: task.notes.clone(),
        };
        let there: HashSet<&str> = tasks.iter().map(|task| task.wbs_path.as_str()).collect();
        let is_here =
            |end: &TaskReference| end.project == project.slug && there.contains(end.wbs_path.as_str());
        let links =
            project.dependencies.iter().filter(|link| is_here(&link.predecessor) && is_here(&link.successor));
        let dependencies = links.map(|link| FrozenLink {
            predecessor: link.predecessor.wbs_path.clone(),
            successor: link.successor.wbs_path.clone(),
            dep_type: link.kind,
            lag: link.lag,
        });
        let sprint = project.sprints.iter().max_by_key(|sprint| sprint.start_date);
        Ok(Self {
            version: 1,
            extracted_at: now,
            methodology: project.methodology,
            sprint_length_days: sprint.map(|sprint| (sprint.finish_date - sprint.start_date).num_days() + 1),
            tasks: tasks.iter().map(row).collect(),
            dependencies: dependencies.collect(),
        })
    }

    /// The structure as a document, for a project that is run in a way of its own.
    pub(super) fn document(&self, methodology: Methodology, today: NaiveDate) -> Document {
        let task = |row: &FrozenRow| Task {
            wbs_path: row.wbs_path.clone(),
            name: row.name.clone(),
            kind: row.r#type,
            is_milestone: row.is_milestone,
            is_subtask: row.is_subtask,
            duration: row.duration,
            notes: row.notes.clone(),
            delivery_mode: row.delivery_mode,
            governance_class: row.governance_class,
            ..Task::default()
        };
        let link = |link: &FrozenLink| Dependency {
            predecessor: TaskReference::new(HOME, &link.predecessor),
            successor: TaskReference::new(HOME, &link.successor),
            kind: link.dep_type,
            lag: link.lag,
        };
        let project = Project {
            slug: HOME.to_owned(),
            name: HOME.to_owned(),
            methodology,
            start_date: today,
            lag_calendar: Some(LagCalendar::Successor),
            tasks: self.tasks.iter().map(task).collect(),
            dependencies: self.dependencies.iter().map(link).collect(),
            ..Project::default()
        };
        Document {
            schema_version: SchemaVersion::default(),
            program: Program { slug: HOME.to_owned(), name: HOME.to_owned(), ..Program::default() },
            accounts: Vec::new(),
            calendars: Vec::new(),
            resources: Vec::new(),
            projects: vec![project],
            risks: Vec::new(),
            events: Vec::new(),
        }
    }

    /// What it holds, in numbers.
    pub(super) fn counts(&self) -> TemplateCounts {
        let outline = Outline::of(self.tasks.iter().map(|row| row.wbs_path.as_str()));
        let milestones = || self.tasks.iter().filter(|row| row.is_milestone);
        let gate = |row: &&FrozenRow| row.governance_class == Some(GovernanceClass::Gated);
        let phase_count = (0..self.tasks.len()).filter(|at| outline.has_children(*at)).count();
        let (gate_count, milestone_count) = (milestones().filter(gate).count(), milestones().count());
        let has_notes = self.tasks.iter().any(|row| !row.notes.is_empty());
        let carries = [
            ("phases", phase_count > 0),
            ("gates", gate_count > 0),
            ("milestones", milestone_count > 0),
            ("dependencies", !self.dependencies.is_empty()),
            ("durations", true),
            ("notes", has_notes),
            ("sprint_length", self.sprint_length_days.is_some()),
        ];
        TemplateCounts {
            task_count: self.tasks.len(),
            phase_count,
            gate_count,
            milestone_count,
            dependency_count: self.dependencies.len(),
            methodology: self.methodology,
            carries: carries
                .iter()
                .filter(|(_, is_there)| *is_there)
                .map(|(word, _)| (*word).to_owned())
                .collect(),
        }
    }
}
