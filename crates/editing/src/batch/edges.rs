//! The edges of a batch: links between rows of the plan, those among them that the same request made.
//! What may be linked, and what closes a circle, is decided by the commands of links.

use std::collections::HashSet;

use planwright_domain::ids::TaskId;
use planwright_domain::words::DependencyType;
use planwright_plan::dependencies::commands;
use planwright_plan::dependencies::model::NewLink;
use planwright_plan::dependencies::rules::Refusal;
use planwright_plan::schedule::PlanLock;
use planwright_plan::tasks::write::many::{Fault, Verdict};
use planwright_plan::tasks::write::{self, Board};
use planwright_store::Tx;
use planwright_web::input::{Lenient, Patch};
use planwright_web::{ApiResult, Grant, Problem, Problems};
use uuid::Uuid;

use super::model::{
    TaskBulkDependencyApplied, TaskBulkDependencyRequest, TaskBulkDependencyResult, TaskBulkProblemEntry,
};

/// Circles longer than this are named once, not for each of their links.
const LONG_CIRCLE: usize = 50;

/// Makes the links of a batch; the rows are written by now.
pub(super) async fn write(
    tx: &mut Tx,
    lock: &mut PlanLock,
    grant: &Grant,
    requests: Vec<TaskBulkDependencyRequest>,
) -> ApiResult<TaskBulkDependencyResult> {
    let mut result = TaskBulkDependencyResult::default();
    if requests.is_empty() {
        return Ok(result);
    }
    let mut links: Vec<(usize, NewLink)> = Vec::with_capacity(requests.len());
    for (index, request) in requests.iter().enumerate() {
        match link(request) {
            Ok(link) => links.push((index, link)),
            Err(fault) => result.rejected.push(entry(index, fault)),
        }
    }
    let ends: HashSet<TaskId> =
        links.iter().flat_map(|(_, link)| [link.predecessor, link.successor]).collect();
    let project = grant.project()?;
    let found = write::queries::whereabouts(tx, &ends.into_iter().collect::<Vec<_>>()).await?;
    let is_here = |task: &TaskId| found.get(task).is_some_and(|row| row.project_id == project);
    let (links, elsewhere): (Vec<_>, Vec<_>) =
        links.into_iter().partition(|(_, link)| is_here(&link.predecessor) || is_here(&link.successor));
    let unresolved = Refusal::Unseen;
    for (index, _) in elsewhere {
        result.rejected.push(entry(index, Fault::of(unresolved.code(), unresolved.message())));
    }
    let wanted: Vec<NewLink> = links.iter().map(|(_, link)| *link).collect();
    let outcomes = commands::create_many(tx, lock, grant.actor.id, &wanted, Board::EachRow).await?;
    let mut named = HashSet::new();
    for ((index, _), outcome) in links.into_iter().zip(outcomes) {
        match outcome {
            Ok(row) => result.applied.push(TaskBulkDependencyApplied {
                index,
                id: row.id,
                predecessor: row.predecessor_id,
                successor: row.successor_id,
                pending_acceptance: row.pending_acceptance,
            }),
            Err(refusal) => {
                let mut refused = entry(index, Fault::of(refusal.code(), refusal.message()));
                refused.offending = circle(&refusal, &mut named);
                result.rejected.push(refused);
            }
        }
    }
    result.rejected.sort_by_key(|row| row.index);
    Ok(result)
}

/// The tasks on the circle that a link would close.
fn circle(refusal: &Refusal, named: &mut HashSet<Vec<TaskId>>) -> Option<Vec<TaskId>> {
    let Refusal::Cyclic(steps) = refusal else { return None };
    let tasks: Vec<TaskId> = steps.iter().map(|step| step.id).collect();
    let is_new = named.insert(tasks.clone());
    (is_new || tasks.len() <= LONG_CIRCLE).then_some(tasks)
}

fn entry(index: usize, fault: Fault) -> TaskBulkProblemEntry {
    let Fault { code, message, errors, .. } = fault;
    TaskBulkProblemEntry { index, id: None, code, message, errors, offending: None }
}

/// The link that was asked for.
fn link(request: &TaskBulkDependencyRequest) -> Verdict<NewLink> {
    if !matches!(request.id.as_given(), None | Some(Lenient(Ok(None)))) {
        return Err(invalid("id", Problem::says("Not allowed. The server creates the ids of links.")));
    }
    let end = |field: &str, sent: &Lenient<Uuid>| match &sent.0 {
        Ok(id) => Ok(TaskId(*id)),
        Err(_) => Err(Fault::of("malformed_id", format!("{field}: The id is not a UUID."))),
    };
    let (predecessor, successor) =
        (end("predecessor", &request.predecessor)?, end("successor", &request.successor)?);
    Ok(NewLink {
        predecessor,
        successor,
        dep_type: sent("dep_type", &request.dep_type)?.unwrap_or(DependencyType::FinishToStart),
        lag: sent("lag", &request.lag)?.map_or(0, i64::from),
    })
}

fn sent<T: Clone>(field: &str, value: &Patch<Lenient<T>>) -> Verdict<Option<T>> {
    match value.as_given() {
        None => Ok(None),
        Some(Lenient(Ok(value))) => Ok(Some(value.clone())),
        Some(Lenient(Err(problem))) => Err(invalid(field, problem.clone())),
    }
}

fn invalid(field: &str, problem: Problem) -> Fault {
    let mut problems = Problems::default();
    problems.add(field, problem);
    Fault::invalid(problems)
}

#[cfg(test)]
mod tests {
    use planwright_web::input::Input;
    use serde_json::{Value as Json, json};

    use super::*;

    fn asked(value: Json) -> Result<NewLink, &'static str> {
        let Json::Object(object) = value else { panic!("tests send objects") };
        link(&TaskBulkDependencyRequest::read(&object).unwrap()).map_err(|fault| fault.code)
    }

    #[test]
    fn a_link_is_read_and_every_wrong_part_of_it_has_its_code() {
        let (a, b) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let plain = asked(json!({"predecessor": a, "successor": b, "id": null})).unwrap();
        assert_eq!((plain.dep_type, plain.lag), (DependencyType::FinishToStart, 0));
        assert_eq!(asked(json!({"predecessor": a})), Err("malformed_id"));
        assert_eq!(asked(json!({"predecessor": 5, "successor": b})), Err("malformed_id"));
        assert_eq!(asked(json!({"predecessor": a, "successor": b, "id": a})), Err("invalid"));
        assert_eq!(asked(json!({"predecessor": a, "successor": b, "dep_type": "XX"})), Err("invalid"));
        assert_eq!(asked(json!({"predecessor": a, "successor": b, "lag": 40_000})), Err("invalid"));
    }
}
