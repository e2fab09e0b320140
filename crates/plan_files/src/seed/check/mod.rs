//! Whether the parts of a well-shaped document fit together: nothing twice, every reference leads somewhere, no
//! cycles, sums within limits. Runs only on documents without structural problems, so list positions are paths.

mod around;
mod cycles;
mod history;
mod names;
mod project;

use super::model::Document;
use super::problems::Problems;
use names::{Names, duplicates};

pub(super) use cycles::cut as cut_cycles;

const MAX_PARTS: usize = 100_000;

/// Notes everything that does not fit together.
pub(super) fn document(document: &Document, problems: &mut Problems) {
    all_but_cycles(document, problems);
    cycles::dependencies(document, &Names::of(document), problems);
}

/// The same without a look at cycles: who only schedules leaves their links out and says so.
pub(super) fn all_but_cycles(document: &Document, problems: &mut Problems) {
    let names = Names::of(document);
    shared(document, &names, problems);
    for (index, project) in document.projects.iter().enumerate() {
        project::project(project, &format!("$.projects[{index}]"), index, &names, problems);
    }
    history::risks(&document.risks, "$", &names, problems);
    history::events(document, &names, problems);
    sums(document, problems);
}

fn shared(document: &Document, names: &Names<'_>, problems: &mut Problems) {
    if let Some(lead) = &document.program.lead {
        names.account(lead, "$.program.lead", problems);
    }
    let accounts = &document.accounts;
    duplicates(accounts.iter().map(|account| account.slug.as_str()), "$.accounts", ".slug", problems);
    duplicates(accounts.iter().map(|account| account.username.as_str()), "$.accounts", ".username", problems);
    duplicates(document.calendars.iter().map(|c| c.slug.as_str()), "$.calendars", ".slug", problems);
    for (index, calendar) in document.calendars.iter().enumerate() {
        if calendar.working_days == 0 {
            problems.add(&format!("$.calendars[{index}].working_days"), "a calendar needs a working weekday");
        }
    }
    duplicates(document.resources.iter().map(|r| r.slug.as_str()), "$.resources", ".slug", problems);
    for (index, resource) in document.resources.iter().enumerate() {
        if let Some(calendar) = &resource.calendar {
            names.calendar(calendar, &format!("$.resources[{index}].calendar"), problems);
        }
        if let Some(account) = &resource.account {
            names.account(account, &format!("$.resources[{index}].account"), problems);
        }
    }
    for (index, resource) in document.resources.iter().enumerate() {
        around::skills(&resource.skills, &format!("$.resources[{index}].skills"), problems);
    }
    duplicates(document.projects.iter().map(|p| p.slug.as_str()), "$.projects", ".slug", problems);
}

fn sums(document: &Document, problems: &mut Problems) {
    let of_projects: usize = document
        .projects
        .iter()
        .map(|project| {
            let links: usize = project.tasks.iter().map(|task| task.links.len()).sum();
            project.tasks.len()
                + project.dependencies.len()
                + project.sprints.len()
                + project.risks.len()
                + links
        })
        .sum();
    let parts = of_projects + document.risks.len();
    if parts > MAX_PARTS {
        let message = "tasks, dependencies, sprints, risks and links must not exceed";
        problems.add("$", format_args!("{message} {MAX_PARTS} in all, not {parts}"));
    }
}
