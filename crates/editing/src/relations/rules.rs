//! Which tasks may be related, and what of a relation may change: pure decisions.
//! Whether there is such a relation already is a question for `queries.rs`.

use planwright_plan::dependencies::model::LinkEnd;
use planwright_plan::dependencies::rules::share_a_program;
use planwright_web::{ApiError, ApiResult, Problems};

use super::model::{PatchedTaskRelationRequest, RelationRow};

/// Why two tasks cannot be related.
pub const NO_TASK: &str = "There is no such task.";

/// Both ends, if the caller may know of them; what cannot be read is treated as what is not there.
pub fn readable(source: Option<LinkEnd>, target: Option<LinkEnd>) -> ApiResult<(LinkEnd, LinkEnd)> {
    let (source, target) = (source.filter(LinkEnd::is_readable), target.filter(LinkEnd::is_readable));
    match (source, target) {
        (Some(source), Some(target)) => Ok((source, target)),
        (None, None) => Err(ApiError::not_found()),
        (None, Some(_)) => Err(ApiError::invalid_field("source", NO_TASK)),
        (Some(_), None) => Err(ApiError::invalid_field("target", NO_TASK)),
    }
}

/// Refuses two tasks that cannot be related, whoever asks.
pub fn relatable(source: &LinkEnd, target: &LinkEnd) -> ApiResult<()> {
    match () {
        () if source.id == target.id => {
            Err(ApiError::invalid_field("target", "A task cannot be related to itself.")
                .with_code("self_reference"))
        }
        () if source.project_id != target.project_id && !share_a_program(source, target) => {
            Err(coded("cross_program_relation"))
        }
        () if source.archived || target.archived => {
            Err(ApiError::forbidden("The project is archived and cannot be changed."))
        }
        () => Ok(()),
    }
}

/// A refusal whose text is its code.
pub fn coded(code: &str) -> ApiError {
    ApiError::bad_request(code).with_code(code)
}

/// The relation with the wanted note; other fields may be sent as they are, and not otherwise.
pub fn changed(row: &RelationRow, request: PatchedTaskRelationRequest) -> ApiResult<RelationRow> {
    let mut problems = Problems::default();
    let other = [
        ("source", request.source.given().is_some_and(|source| source != row.source_id)),
        ("target", request.target.given().is_some_and(|target| target != row.target_id)),
        ("relation_type", request.relation_type.given().is_some_and(|kind| kind != row.relation_type)),
    ];
    for (field, _) in other.into_iter().filter(|(_, differs)| *differs) {
        problems.say(field, "This cannot be changed. Delete the relation and add a new one.");
    }
    problems.check()?;
    let mut changed = row.clone();
    request.note.write_to(&mut changed.note);
    Ok(changed)
}
