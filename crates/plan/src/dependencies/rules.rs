//! What may be linked, by whom, and whether the other project has to consent: pure decisions over both ends.
//! Whether a link leads back to itself is decided in `cycle.rs`.

use std::sync::Arc;

use planwright_web::{ApiError, ApiResult};
use serde_json::json;

use super::model::{CycleStep, DependencyRow, LinkEnd, PatchedDependencyRequest};
use crate::span;

/// How a link comes to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consent {
    /// It stays within one project, where nobody else is asked.
    NotNeeded,
    /// Its maker manages links in the successor's project too.
    Given,
    /// The successor's project has yet to accept it.
    Pending,
}

/// Why a link is not made.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Neither end is there for the caller's eyes.
    Unseen,
    /// The end in that field is not there, or not for the caller's eyes.
    UnknownEnd(&'static str),
    /// The caller manages links in neither project.
    RankTooLow,
    /// One of the projects is archived.
    Archived,
    /// A task would follow itself.
    SelfReference(CycleStep),
    /// The ends are in projects that share no program.
    Apart,
    /// There is such a link already.
    Duplicate,
    /// With its lag the plan would span too many days.
    TooLong,
    /// It would lead back to where it comes from, along these rows.
    Cyclic(Arc<[CycleStep]>),
}

/// A link that passed validation, or why it is not made.
pub type Outcome<T> = Result<T, Refusal>;

/// The text of a rank that is too low, the same wherever links are refused.
pub const RANK_TOO_LOW: &str = "You do not have permission to perform this action.";

impl Refusal {
    /// The code of a refused row where many links are written at once.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unseen | Self::UnknownEnd(_) => "unresolved_endpoint",
            Self::RankTooLow | Self::Archived => "forbidden",
            Self::SelfReference(_) => "self_reference",
            Self::Apart | Self::TooLong => "invalid",
            Self::Duplicate => "conflict",
            Self::Cyclic(_) => "cyclic_dependency",
        }
    }

    /// What is wrong, for people.
    pub fn message(&self) -> &'static str {
        match self {
            Self::Unseen | Self::UnknownEnd(_) => "There is no such task.",
            Self::RankTooLow => RANK_TOO_LOW,
            Self::Archived => "The project is archived and cannot be changed.",
            Self::SelfReference(_) => "A task cannot be its own predecessor.",
            Self::Apart => {
                "Tasks can only be linked within one project or between two projects of one program."
            }
            Self::Duplicate => "These tasks already have a link of this type.",
            Self::TooLong => span::TOO_LONG,
            Self::Cyclic(_) => "The link would close a cycle.",
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.message();
        match refusal {
            Refusal::Unseen => Self::not_found(),
            Refusal::UnknownEnd(field) => Self::invalid_field(field, message),
            Refusal::RankTooLow | Refusal::Archived => Self::forbidden(message),
            Refusal::Apart => Self::invalid_field("successor", message),
            Refusal::TooLong => Self::invalid_field("lag", message),
            Refusal::Duplicate => {
                Self::invalid_field("non_field_errors", message).with_code("duplicate_dependency")
            }
            Refusal::SelfReference(step) => cyclic(&[step.clone(), step]),
            Refusal::Cyclic(steps) => cyclic(&steps),
        }
    }
}

/// A cycle of more rows than this is not written out in the sentence; `cycle` has all of them.
const MOST_NAMED_STEPS: usize = 10;

fn cyclic(steps: &[CycleStep]) -> ApiError {
    let name = |step: &'_ CycleStep| match step.name.is_empty() {
        true => "a task of another project".to_owned(),
        false => step.name.clone(),
    };
    let mut names: Vec<String> = steps.iter().take(MOST_NAMED_STEPS).map(name).collect();
    if steps.len() > MOST_NAMED_STEPS {
        names.push("…".to_owned());
    }
    let detail = format!("The tasks would wait for each other: {}.", names.join(" → "));
    ApiError::bad_request(detail).with_code("cyclic_dependency").with("cycle", json!(steps))
}

/// Whether a caller may link two tasks, and whose consent that takes.
///
/// What cannot be read is treated as what is not there, and the rank comes before any question about the projects.
pub fn consent(predecessor: Option<&LinkEnd>, successor: Option<&LinkEnd>) -> Outcome<Consent> {
    let readable = |end: Option<&'_ LinkEnd>| end.is_some_and(LinkEnd::is_readable);
    let (from, to) = match (predecessor, successor) {
        (Some(from), Some(to)) if from.is_readable() && to.is_readable() => (from, to),
        _ if readable(predecessor) => return Err(Refusal::UnknownEnd("successor")),
        _ if readable(successor) => return Err(Refusal::UnknownEnd("predecessor")),
        _ => return Err(Refusal::Unseen),
    };
    may_write(from, to)?;
    if from.id == to.id {
        let step = CycleStep { id: from.id, name: from.name.clone(), hex_id: from.short_id.clone() };
        return Err(Refusal::SelfReference(step));
    }
    match () {
        () if from.project_id == to.project_id => Ok(Consent::NotNeeded),
        () if !share_a_program(from, to) => Err(Refusal::Apart),
        () if to.is_managed() => Ok(Consent::Given),
        () => Ok(Consent::Pending),
    }
}

/// Whether two projects may be tied together at all.
pub fn share_a_program(from: &LinkEnd, to: &LinkEnd) -> bool {
    from.program_id.is_some() && from.program_id == to.program_id
}

/// Whether a caller may change or delete a link: who manages links at either end, while neither project is archived.
pub fn may_write(from: &LinkEnd, to: &LinkEnd) -> Outcome<()> {
    match () {
        () if !from.is_managed() && !to.is_managed() => Err(Refusal::RankTooLow),
        () if from.archived || to.archived => Err(Refusal::Archived),
        () => Ok(()),
    }
}

/// Whether a caller may accept or reject a link: who manages links in the successor's project, while it waits.
pub fn may_decide(row: &DependencyRow, from: &LinkEnd, to: &LinkEnd) -> ApiResult<()> {
    if !to.is_managed() {
        return Err(Refusal::RankTooLow.into());
    }
    may_write(from, to)?;
    match row.pending_acceptance {
        true => Ok(()),
        false => {
            Err(ApiError::bad_request("The link does not wait for acceptance.").with_code("not_pending"))
        }
    }
}

/// The link with the wanted fields changed.
pub fn changed(row: &DependencyRow, request: PatchedDependencyRequest) -> DependencyRow {
    let mut changed = row.clone();
    request.predecessor.write_to(&mut changed.predecessor_id);
    request.successor.write_to(&mut changed.successor_id);
    request.dep_type.write_to(&mut changed.dep_type);
    request.lag.write_to(&mut changed.lag);
    changed
}

#[cfg(test)]
mod tests {
    use planwright_domain::Role;
    use planwright_domain::ids::{ProgramId, ProjectId, TaskId};
    use uuid::Uuid;

    use super::*;

    fn end(task: u128, project: u128, program: Option<u128>, role: Option<Role>) -> LinkEnd {
        LinkEnd {
            id: TaskId(Uuid::from_u128(task)),
            name: "Dig".into(),
            short_id: "1".into(),
            project_id: ProjectId(Uuid::from_u128(project)),
            program_id: program.map(|program| ProgramId(Uuid::from_u128(program))),
            archived: false,
            role,
            in_program: false,
        }
    }

    fn code(outcome: Outcome<Consent>) -> String {
        match outcome {
            Ok(consent) => format!("{consent:?}"),
            Err(Refusal::UnknownEnd(field)) => format!("unknown {field}"),
            Err(refusal) => format!("{refusal:?}"),
        }
    }

    #[test]
    fn the_other_project_is_asked_unless_its_links_are_the_makers_too() {
        let (scheduler, member) = (Some(Role::ResourceManager), Some(Role::Member));
        let across = |from, to| code(consent(Some(&end(1, 1, Some(9), from)), Some(&end(2, 2, Some(9), to))));
        assert_eq!(across(scheduler, scheduler), "Given");
        assert_eq!(across(scheduler, member), "Pending");
        assert_eq!(across(member, scheduler), "Given");
        assert_eq!(across(member, member), "RankTooLow");
        assert_eq!(across(scheduler, None), "unknown successor");
        assert_eq!(across(None, None), "Unseen");
    }

    #[test]
    fn the_rank_is_looked_at_before_the_projects_are_compared() {
        let apart = |role| code(consent(Some(&end(1, 1, Some(8), role)), Some(&end(2, 2, None, role))));
        assert_eq!(apart(Some(Role::Member)), "RankTooLow");
        assert_eq!(apart(Some(Role::Owner)), "Apart");
    }

    #[test]
    fn members_of_a_program_know_of_its_tasks_and_an_archived_side_refuses() {
        let from = end(1, 1, Some(9), Some(Role::Owner));
        let mut to = LinkEnd { in_program: true, ..end(2, 2, Some(9), None) };
        assert_eq!(code(consent(Some(&from), Some(&to))), "Pending");
        to.archived = true;
        assert_eq!(code(consent(Some(&from), Some(&to))), "Archived");
    }
}
