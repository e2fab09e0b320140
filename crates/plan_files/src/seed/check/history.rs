//! Whether risks and events speak of things that the document holds.

use planwright_domain::words::EventAction;

use super::names::{Names, duplicates};
use crate::seed::model::{Document, Event, Risk};
use crate::seed::problems::{Problems, quoted};
use crate::seed::references::{TaskReference, split};

/// Checks the risks of the object at `at`.
pub(super) fn risks(risks: &[Risk], at: &str, names: &Names<'_>, problems: &mut Problems) {
    let list = format!("{at}.risks");
    duplicates(risks.iter().map(|risk| risk.slug.as_str()), &list, ".slug", problems);
    for (place, risk) in risks.iter().enumerate() {
        let at = format!("{list}[{place}]");
        if let Some(owner) = &risk.owner {
            names.account(owner, &format!("{at}.owner"), problems);
        }
        for (row, task) in risk.tasks.iter().enumerate() {
            names.row(task, &format!("{at}.tasks[{row}]"), problems);
        }
    }
}

/// Checks the events. The target of a task event must be a task, that of a sprint's start and end a sprint; in a
/// document with a single project the reference need not name it. Other targets may be anything.
pub(super) fn events(document: &Document, names: &Names<'_>, problems: &mut Problems) {
    let home = match document.projects.as_slice() {
        [only] => Some(only.slug.as_str()),
        _ => None,
    };
    for (place, event) in document.events.iter().enumerate() {
        let at = format!("$.events[{place}]");
        for (key, account) in [("actor", &event.actor), ("assignee", &event.assignee)] {
            if let Some(account) = account {
                names.account(account, &format!("{at}.{key}"), problems);
            }
        }
        target(event, &format!("{at}.target"), home, names, problems);
    }
}

fn target(event: &Event, at: &str, home: Option<&str>, names: &Names<'_>, problems: &mut Problems) {
    use EventAction::*;
    let wants_task = matches!(
        event.action,
        TaskStatus | TaskAssign | TaskEstimate | TaskPoints | TaskComment | TaskCriterionMet
    );
    let wants_sprint = matches!(event.action, SprintActivate | SprintClose);
    if !wants_task && !wants_sprint {
        return;
    }
    let Some(written) = &event.target else {
        problems.add(at, "is required");
        return;
    };
    let (project, name) = split(written);
    let Some(project) = project.or(home) else {
        problems.add(at, format_args!("must name its project, such as project-slug:{}", quoted(name)));
        return;
    };
    if wants_task {
        names.row(&TaskReference::new(project, name), at, problems);
    } else if !names.has_sprint(project, name) {
        problems.add(at, format_args!("no sprint is called {}", quoted(written)));
    }
}
