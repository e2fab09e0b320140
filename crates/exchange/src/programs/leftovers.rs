//! The parts of a document that have no table in the plan. They are stored with the program, so that an export contains them.
//! Where it speaks of parts of the plan it does so by their ids, since names and paths may change.

use std::collections::HashMap;

use planwright_domain::ids::{ProgramId, ProjectId, ResourceId, RiskId, SprintId, TaskId};
use planwright_domain::words::{EventAction, Withheld};
use planwright_plan::import::Built;
use planwright_plan_files::seed::TaskReference;
use planwright_plan_files::seed::model::{Account, Document, Event, ForecastHistory};
use planwright_plan_files::seed::references::split;
use planwright_store::{Read, Result, StoreError, Tx};
use serde::{Deserialize, Serialize};

use super::intake::Places;
use super::queries;

/// The leftovers of one import.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Leftovers {
    /// The order of the projects.
    pub(crate) projects: Vec<ProjectId>,
    /// People the document speaks of; most are nobody here.
    pub(crate) accounts: Vec<Account>,
    /// The account that leads the program.
    pub(crate) lead: Option<String>,
    /// The accounts that tasks are assigned to, where they stand for nobody.
    pub(crate) assignees: HashMap<TaskId, String>,
    /// The accounts that look after risks.
    pub(crate) owners: HashMap<RiskId, String>,
    /// The accounts of resources.
    pub(crate) resources: HashMap<ResourceId, String>,
    /// Names of board columns.
    pub(crate) board_columns: HashMap<ProjectId, Vec<String>>,
    /// How forecasts moved before the import.
    pub(crate) forecasts: HashMap<ProjectId, ForecastHistory>,
    /// What was missing in the document, because whoever exported it might not see it.
    pub(crate) withheld: HashMap<ProjectId, Vec<Withheld>>,
    /// What happened before the import.
    pub(crate) events: Vec<PastEvent>,
}

/// An event of the past and what it happened to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PastEvent {
    /// The event; its target is the text that was written.
    pub(crate) event: Event,
    /// What the text meant.
    pub(crate) target: Target,
}

impl PastEvent {
    fn is_of(&self, project: ProjectId) -> bool {
        self.target == Target::Project(project)
    }
}

/// What an event happened to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Target {
    /// Something that has no id here; its text is kept.
    Text,
    /// A whole project.
    Project(ProjectId),
    /// A task.
    Task(TaskId),
    /// A sprint.
    Sprint(SprintId),
    /// A risk.
    Risk(RiskId),
}

impl Leftovers {
    /// What is left of a document after everything else was built.
    pub(crate) fn of(document: &Document, places: &Places<'_>, built: &Built) -> Self {
        let mut left = Self {
            projects: built.projects.iter().map(|project| project.id).collect(),
            accounts: document.accounts.clone(),
            lead: document.program.lead.clone(),
            ..Self::default()
        };
        for (project, made) in document.projects.iter().zip(&built.projects) {
            if !project.board_columns.is_empty() {
                left.board_columns.insert(made.id, project.board_columns.clone());
            }
            if !project.withheld.is_empty() {
                left.withheld.insert(made.id, project.withheld.clone());
            }
            left.forecasts.extend(project.forecast_history.clone().map(|history| (made.id, history)));
            let assigned = project.tasks.iter().zip(&made.tasks);
            left.assignees.extend(assigned.filter_map(|(task, id)| Some((*id, task.assignee.clone()?))));
            let owned = project.risks.iter().zip(&made.risks);
            left.owners.extend(owned.filter_map(|(risk, id)| Some((*id, risk.owner.clone()?))));
        }
        let (shared, first) = (document.risks.iter(), document.projects.first().zip(built.projects.first()));
        let shared_ids = first.map_or(&[][..], |(project, made)| &made.risks[project.risks.len()..]);
        left.owners.extend(shared.zip(shared_ids).filter_map(|(risk, id)| Some((*id, risk.owner.clone()?))));
        let resources = document.resources.iter().zip(&built.resources);
        left.resources.extend(resources.filter_map(|(one, id)| Some((*id, one.account.clone()?))));
        let finder = Finder::of(document, places, built);
        let past = document
            .events
            .iter()
            .map(|event| PastEvent { target: finder.target(event), event: event.clone() });
        left.events = past.collect();
        left
    }

    /// What concerns one project alone, with the accounts that it names.
    pub(crate) fn only(mut self, project: ProjectId) -> Self {
        self.projects = vec![project];
        self.lead = None;
        // Whether a task or risk belongs to the project shows when it is looked up; events are told one by one.
        self.events
            .retain(|past| !matches!(past.target, Target::Text | Target::Project(_)) || past.is_of(project));
        self
    }

    /// The leftovers of a program; empty when it was not imported.
    pub(crate) async fn load(db: &dyn Read, program: Option<ProgramId>) -> Result<Self> {
        let Some(program) = program else { return Ok(Self::default()) };
        let Some(json) = queries::leftovers(db, program).await? else { return Ok(Self::default()) };
        serde_json::from_value(json).map_err(|error| StoreError::Unexpected(error.into()))
    }

    /// Keeps them.
    pub(crate) async fn save(&self, tx: &mut Tx, program: ProgramId) -> Result<()> {
        let json = serde_json::to_value(self).map_err(|error| StoreError::Unexpected(error.into()))?;
        queries::save_leftovers(tx, program, json).await
    }
}

/// Finds what the targets of events mean.
struct Finder<'a> {
    document: &'a Document,
    places: &'a Places<'a>,
    built: &'a Built,
    sprints: Names<'a, SprintId>,
    risks: Names<'a, RiskId>,
}

/// Slugs by project; a slug without its project means the first one of that name.
struct Names<'a, I>(HashMap<(Option<usize>, &'a str), I>);

impl<'a, I: Copy> Names<'a, I> {
    fn of(all: impl Iterator<Item = (usize, &'a str, I)>) -> Self {
        let mut names = HashMap::new();
        for (project, slug, id) in all {
            names.entry((Some(project), slug)).or_insert(id);
            names.entry((None, slug)).or_insert(id);
        }
        Self(names)
    }

    fn find(&self, places: &Places<'_>, text: &str) -> Option<I> {
        let (named, slug) = split(text);
        let project = named.map(|slug| places.project(slug));
        match project {
            Some(None) => None,
            Some(place) => self.0.get(&(place, slug)).copied(),
            None => self.0.get(&(None, slug)).copied(),
        }
    }
}

impl<'a> Finder<'a> {
    fn of(document: &'a Document, places: &'a Places<'a>, built: &'a Built) -> Self {
        let projects = || document.projects.iter().zip(&built.projects).enumerate();
        let sprints = projects().flat_map(|(place, (project, made))| {
            let named = project.sprints.iter().zip(&made.sprints);
            named.map(move |(sprint, id)| (place, sprint.slug.as_str(), *id))
        });
        let risks = projects().flat_map(|(place, (project, made))| {
            let shared = if place == 0 { document.risks.as_slice() } else { &[] };
            let named = project.risks.iter().chain(shared).zip(&made.risks);
            named.map(move |(risk, id)| (place, risk.slug.as_str(), *id))
        });
        Self { document, places, built, sprints: Names::of(sprints), risks: Names::of(risks) }
    }

    fn target(&self, event: &Event) -> Target {
        let Some(text) = event.target.as_deref() else { return Target::Text };
        let found = match event.action {
            EventAction::SprintActivate | EventAction::SprintClose => self.sprint(text),
            EventAction::RiskStatus => self.risk(text),
            EventAction::BaselineCapture => self.project(text),
            _ => self
                .task(text)
                .or_else(|| self.sprint(text))
                .or_else(|| self.risk(text))
                .or_else(|| self.project(text)),
        };
        found.unwrap_or(Target::Text)
    }

    fn task(&self, text: &str) -> Option<Target> {
        let (named, path) = split(text);
        let home = named.or(match self.document.projects.as_slice() {
            [only] => Some(only.slug.as_str()),
            _ => None,
        })?;
        self.places.task(&TaskReference::new(home, path)).map(|at| Target::Task(self.built.task(at)))
    }

    fn sprint(&self, text: &str) -> Option<Target> {
        self.sprints.find(self.places, text).map(Target::Sprint)
    }

    fn risk(&self, text: &str) -> Option<Target> {
        self.risks.find(self.places, text).map(Target::Risk)
    }

    fn project(&self, text: &str) -> Option<Target> {
        self.places.project(text).map(|place| Target::Project(self.built.projects[place].id))
    }
}
