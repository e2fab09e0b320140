//! From a document to what the plan takes in: references become places, words become those of the domain.
//! The document has been checked, so every reference leads somewhere; what has no table goes to `leftovers.rs`.

mod around;
mod project;
mod task;

use std::collections::HashMap;

use planwright_domain::ids::UserId;
use planwright_domain::words as domain;
use planwright_plan::containers::NewProgram;
use planwright_plan::import::model::*;
use planwright_plan_files::seed::model::{Calendar, Document, Resource};
use planwright_plan_files::seed::{TaskReference, model};

use super::overrides;

/// Who brings a document in: the only person its accounts can stand for.
#[derive(Clone, Debug)]
pub(crate) struct Importer {
    /// Who it is.
    pub(crate) id: UserId,
    /// The user name.
    pub(crate) username: String,
}

/// Where everything of a document is, by name.
pub(crate) struct Places<'d> {
    document: &'d Document,
    projects: HashMap<&'d str, usize>,
    tasks: Vec<HashMap<&'d str, usize>>,
    calendars: HashMap<&'d str, usize>,
    resources: HashMap<&'d str, usize>,
    people: HashMap<&'d str, UserId>,
}

fn places<'d>(names: impl Iterator<Item = &'d str>) -> HashMap<&'d str, usize> {
    names.enumerate().map(|(place, name)| (name, place)).collect()
}

impl<'d> Places<'d> {
    /// The places of a document, for whoever brings it in.
    pub(crate) fn of(document: &'d Document, importer: &Importer) -> Self {
        let own = document.accounts.iter().filter(|account| account.username == importer.username);
        let tasks = |project: &'d model::Project| places(project.tasks.iter().map(|t| t.wbs_path.as_str()));
        Self {
            document,
            projects: places(document.projects.iter().map(|project| project.slug.as_str())),
            tasks: document.projects.iter().map(tasks).collect(),
            calendars: places(document.calendars.iter().map(|calendar| calendar.slug.as_str())),
            resources: places(document.resources.iter().map(|resource| resource.slug.as_str())),
            people: own.map(|account| (account.slug.as_str(), importer.id)).collect(),
        }
    }

    /// The place of a project.
    pub(crate) fn project(&self, slug: &str) -> Option<usize> {
        self.projects.get(slug).copied()
    }

    /// The place of a task.
    pub(crate) fn task(&self, reference: &TaskReference) -> Option<TaskAt> {
        let project = self.project(&reference.project)?;
        self.task_in(project, &reference.wbs_path).map(|task| TaskAt { project, task })
    }

    fn task_in(&self, project: usize, path: &str) -> Option<usize> {
        self.tasks[project].get(path).copied()
    }

    fn calendar(&self, slug: Option<&str>) -> Option<usize> {
        slug.and_then(|slug| self.calendars.get(slug).copied())
    }

    fn resource(&self, slug: &str) -> Option<usize> {
        self.resources.get(slug).copied()
    }

    /// The person that an account stands for; the importer or nobody.
    pub(crate) fn person(&self, account: Option<&str>) -> Option<UserId> {
        account.and_then(|slug| self.people.get(slug).copied())
    }
}

/// The program of a document, as it is created before anything is inside.
pub(crate) fn program_fields(document: &Document, importer: &Importer) -> NewProgram {
    let program = &document.program;
    let settings = &program.settings;
    let (policies, usual) = (&program.policies, NewProgram::named(program.name.clone()));
    NewProgram {
        code: program.slug.clone(),
        description: program.description.clone(),
        methodology: program.methodology,
        color: program.color.clone(),
        lead_id: Places::of(document, importer).person(program.lead.as_deref()),
        risk_slip_propagation: policies.slip_propagation.unwrap_or(usual.risk_slip_propagation),
        risk_escalation_days: policies.escalation_days.unwrap_or(usual.risk_escalation_days),
        rollup_aggregation_policy: policies.aggregation.unwrap_or(usual.rollup_aggregation_policy),
        health: settings.health.unwrap_or(usual.health),
        visibility: settings.visibility.unwrap_or(usual.visibility),
        target_date: settings.target_date,
        overrides: overrides::to_columns(&settings.overrides),
        rollup_enabled_kpis: policies.figures.as_ref().map(|figures| serde_json::json!(figures)),
        ..usual
    }
}

/// Everything inside the program.
pub(crate) fn subtree(places: &Places<'_>) -> Subtree {
    let document = places.document;
    let mut projects: Vec<ImportedProject> =
        (0..document.projects.len()).map(|place| project::project(places, place)).collect();
    let roster = project::rosters(places);
    for ((project, written), working) in projects.iter_mut().zip(&document.projects).zip(roster) {
        project.roster = around::roster(places, written.roster.as_deref(), &working);
    }
    if let Some(first) = projects.first_mut() {
        first.risks.extend(document.risks.iter().map(|risk| project::risk(places, risk)));
    }
    Subtree {
        calendars: document.calendars.iter().map(calendar).collect(),
        resources: document.resources.iter().map(|one| resource(places, one)).collect(),
        projects,
        links: document.projects.iter().flat_map(|project| task::links(places, project)).collect(),
        relations: document.projects.iter().flat_map(|project| task::relations(places, project)).collect(),
    }
}

/// The same of a file of another program, which says no time zones.
pub(crate) fn subtree_of_file(places: &Places<'_>) -> Subtree {
    let mut plan = subtree(places);
    plan.calendars.iter_mut().for_each(|calendar| calendar.timezone = None);
    plan
}

fn calendar(calendar: &Calendar) -> ImportedCalendar {
    let exceptions = calendar.exceptions.iter().map(|exception| ImportedException {
        start: exception.start,
        end: exception.end,
        description: exception.description.clone(),
        working: exception.working,
    });
    ImportedCalendar {
        name: calendar.name.clone(),
        working_days: calendar.working_days.into(),
        hours_per_day: calendar.hours_per_day,
        timezone: Some(calendar.timezone.clone()),
        exceptions: exceptions.collect(),
    }
}

fn resource(places: &Places<'_>, resource: &Resource) -> ImportedResource {
    ImportedResource {
        name: resource.name.clone(),
        email: resource.email.clone().unwrap_or_default(),
        job_role: resource.job_role.clone(),
        max_units: hundredths(resource.max_units),
        calendar: places.calendar(resource.calendar.as_deref()),
        user: places.person(resource.account.as_deref()),
        kind: resource.kind.unwrap_or(domain::ResourceKind::Person),
        skills: resource.skills.iter().map(around::skill).collect(),
        hourly_rate: resource.hourly_rate.map(money),
    }
}

/// Units as storage counts them; a share too small to count is still one.
fn hundredths(units: f64) -> i64 {
    ((units * 100.0).round() as i64).max(1)
}

/// Money as storage counts it.
fn money(amount: f64) -> i64 {
    (amount * 100.0).round() as i64
}

/// How rows are governed and delivered where nobody says so.
pub(super) fn usual_modes(
    methodology: domain::Methodology,
) -> (domain::GovernanceClass, domain::DeliveryMode) {
    match methodology {
        domain::Methodology::Waterfall => (domain::GovernanceClass::Gated, domain::DeliveryMode::Waterfall),
        domain::Methodology::Agile => (domain::GovernanceClass::Flow, domain::DeliveryMode::Scrum),
        domain::Methodology::Hybrid => (domain::GovernanceClass::Flow, domain::DeliveryMode::Waterfall),
    }
}
