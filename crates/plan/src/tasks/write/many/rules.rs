//! Pure decisions about many writes: at what an operation aims, what is skipped, and how a refusal reads in a row.
//! What a row may be is validated by the write core of tasks.

use std::collections::{HashMap, HashSet};

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::words::{BatchOp, DeliveryMode};
use planwright_web::input::{Input, Patch};
use planwright_web::schema::JsonObject;
use planwright_web::{ApiError, ApiResult, Problem, Problems};
use serde_json::Value as Json;
use uuid::Uuid;

use super::super::queries::Whereabouts;
use super::super::{PatchedTaskRequest, TaskRecord, TaskRequest};

/// A row or link that passed validation, or why it is not written.
pub type Verdict<T> = Result<T, Fault>;

/// One of many writes.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What is to happen.
    pub op: BatchOp,
    /// The task. A new task may have an id from the client.
    pub id: Result<Option<Uuid>, Problem>,
    /// The fields of the task.
    pub data: Result<JsonObject, Problem>,
    /// Whether the caller knows what they changed themselves since the base version.
    pub knows_own_changes: bool,
}

/// Why a row or link is not written.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// For programs.
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// The errors of each field.
    pub errors: Option<JsonObject>,
    /// Whether there was nothing to do, rather than something wrong.
    pub is_skip: bool,
}

impl Fault {
    /// A refusal.
    pub fn of(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), errors: None, is_skip: false }
    }

    /// A row that is passed over.
    pub fn skip(code: &'static str, message: impl Into<String>) -> Self {
        Self { is_skip: true, ..Self::of(code, message) }
    }

    /// A refusal of fields.
    pub fn invalid(problems: Problems) -> Self {
        let errors = problems.into_json();
        Self { errors: Some(errors.clone()), ..Self::of("invalid", in_words(&errors)) }
    }

    /// The row that an answer to a single write would be; what concerns no row fails the whole request.
    pub fn from_error(error: ApiError) -> ApiResult<Self> {
        let code = match error.status() {
            400 => "invalid",
            403 => "forbidden",
            404 => "not_found",
            409 | 412 => "conflict",
            _ => return Err(error),
        };
        let body = error.body().clone();
        let errors = (code == "invalid" || code == "conflict").then(|| body.clone());
        Ok(Self { errors, ..Self::of(code, in_words(&body)) })
    }
}

/// What is wrong, as one sentence for each field: `field: text`.
fn in_words(body: &JsonObject) -> String {
    if let Some(Json::String(detail)) = body.get("detail") {
        return detail.clone();
    }
    let mut sentences = Vec::new();
    body.iter().filter(|(field, _)| *field != "code").for_each(|(field, said)| {
        collect(field, said, &mut sentences);
    });
    sentences.join(" ")
}

fn collect(field: &str, said: &Json, sentences: &mut Vec<String>) {
    match said {
        Json::String(text) => sentences.push(format!("{field}: {text}")),
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                match item {
                    Json::Object(_) => collect(&format!("{field}.{at}"), item, sentences),
                    item => collect(field, item, sentences),
                }
            }
        }
        Json::Object(inner) => {
            inner.iter().for_each(|(name, item)| collect(&format!("{field}.{name}"), item, sentences));
        }
        _ => {}
    }
}

/// At what an operation aims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A new row, under an id of its own if it brought one.
    Create(Option<TaskId>),
    /// A row that is there.
    Change(TaskId),
    /// A row that is there.
    Delete(TaskId),
}

impl Operation {
    /// The id that was sent, if it is a valid id.
    pub fn sent(&self) -> Option<Uuid> {
        self.id.as_ref().ok().copied().flatten()
    }
}

/// The ids that operations name, or the one that is named twice.
pub fn named(operations: &[Operation]) -> Result<Vec<TaskId>, TaskId> {
    let mut seen = HashSet::new();
    let ids: Vec<TaskId> = operations.iter().filter_map(Operation::sent).map(TaskId).collect();
    match ids.iter().find(|id| !seen.insert(**id)) {
        Some(twice) => Err(*twice),
        None => Ok(ids),
    }
}

/// At what an operation aims, given where the rows that were named are.
pub fn aim(operation: &Operation, project: ProjectId, found: &HashMap<TaskId, Whereabouts>) -> Verdict<Aim> {
    let id = match &operation.id {
        Ok(id) => id.map(TaskId),
        Err(_) => return Err(Fault::of("malformed_id", "The id is not a UUID.")),
    };
    let place = id.and_then(|id| found.get(&id));
    let here = place.filter(|place| place.project_id == project);
    match (operation.op, id, here) {
        (BatchOp::Create, None, _) => Ok(Aim::Create(None)),
        (BatchOp::Create, Some(_), Some(row)) if row.deletion_id.is_some() => Err(tombstoned()),
        (BatchOp::Create, Some(id), Some(_)) => Ok(Aim::Change(id)),
        (BatchOp::Create, Some(id), None) if place.is_none() => Ok(Aim::Create(Some(id))),
        (BatchOp::Create, Some(_), None) => Err(Fault::of("id_unavailable", "The id cannot be used.")),
        (_, None, _) => Err(Fault::of("invalid", "id: This field is required.")),
        (op, Some(id), Some(row)) if row.deletion_id.is_none() => match op {
            BatchOp::Delete => Ok(Aim::Delete(id)),
            _ => Ok(Aim::Change(id)),
        },
        (_, Some(_), _) => Err(not_found()),
    }
}

/// A new row under the id of one that was deleted.
pub fn tombstoned() -> Fault {
    Fault::skip("tombstoned", "This task was deleted.")
}

/// A row that is not there, or was elsewhere all the time.
pub fn not_found() -> Fault {
    Fault::of("not_found", "There is no such task in the project.")
}

/// What an operation says of its task; what belongs to the server is passed over.
fn data(operation: &Operation) -> Verdict<JsonObject> {
    let mut data = match &operation.data {
        Ok(data) => data.clone(),
        Err(problem) => {
            let mut problems = Problems::default();
            problems.add("data", problem.clone());
            return Err(Fault::invalid(problems));
        }
    };
    for field in ["id", "project", "wbs_path"] {
        data.remove(field);
    }
    Ok(data)
}

/// The fields of a new task.
pub fn new_task(operation: &Operation, project: ProjectId) -> Verdict<TaskRequest> {
    let mut data = data(operation)?;
    let is_id = |parent: &Json| parent.as_str().is_some_and(|text| Uuid::try_parse(text).is_ok());
    if data.get("parent_id").is_some_and(|parent| !parent.is_null() && !is_id(parent)) {
        return Err(Fault::of("malformed_id", "parent_id: The id is not a UUID."));
    }
    data.insert("project".to_owned(), Json::String(project.to_string()));
    TaskRequest::read(&data).map_err(Fault::invalid)
}

/// Some fields of a task.
pub fn changes(operation: &Operation) -> Verdict<PatchedTaskRequest> {
    PatchedTaskRequest::read(&data(operation)?).map_err(Fault::invalid)
}

/// Refuses a change that would put a row elsewhere. A row that is created again stands where it was moved meanwhile.
pub fn stays_in_place(operation: &Operation, row: &TaskRecord) -> Verdict<()> {
    let Some(wanted) = operation.data.as_ref().ok().and_then(|data| data.get("parent_id")) else {
        return Ok(());
    };
    let is_there = match wanted {
        Json::Null => row.parent_id.is_none(),
        Json::String(text) => {
            Uuid::try_parse(text).ok().map(TaskId) == row.parent_id && row.parent_id.is_some()
        }
        _ => false,
    };
    if is_there || operation.op == BatchOp::Create {
        return Ok(());
    }
    let mut problems = Problems::default();
    problems.say("parent_id", "An existing row can only be moved with the outline routes.");
    Err(Fault::invalid(problems))
}

/// A write that asks for nothing.
pub fn no_changes() -> Verdict<PatchedTaskRequest> {
    PatchedTaskRequest::read(&JsonObject::new()).map_err(Fault::invalid)
}

/// Whether a write would take a milestone's delivery away without saying that it is to be none any more.
pub fn crosses_gate(row: &TaskRecord, request: &PatchedTaskRequest) -> bool {
    let other = matches!(&request.delivery_mode, Patch::Set(mode) if *mode != DeliveryMode::Milestone);
    row.is_milestone && other && !request.is_milestone.is_given()
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::DeletionId;
    use serde_json::json;

    use super::*;

    const HERE: ProjectId = ProjectId(Uuid::from_u128(1));

    fn operation(op: BatchOp, id: Option<Uuid>, data: Json) -> Operation {
        let data = match data {
            Json::Object(data) => Ok(data),
            _ => Err(Problem::says("Not an object.")),
        };
        Operation { op, id: Ok(id), data, knows_own_changes: false }
    }

    fn found(id: u128, project: u128, is_gone: bool) -> HashMap<TaskId, Whereabouts> {
        let (id, project_id) = (TaskId(Uuid::from_u128(id)), ProjectId(Uuid::from_u128(project)));
        let deletion_id = is_gone.then_some(DeletionId(Uuid::nil()));
        HashMap::from([(id, Whereabouts { id, project_id, deletion_id })])
    }

    fn verdict(op: BatchOp, project: u128, is_gone: bool) -> String {
        let asked = operation(op, Some(Uuid::from_u128(7)), json!({}));
        match aim(&asked, HERE, &found(7, project, is_gone)) {
            Ok(Aim::Create(_)) => "create".into(),
            Ok(Aim::Change(_)) => "change".into(),
            Ok(Aim::Delete(_)) => "delete".into(),
            Err(fault) => fault.code.into(),
        }
    }

    #[test]
    fn where_a_row_is_decides_what_an_operation_aims_at() {
        assert_eq!(verdict(BatchOp::Create, 1, false), "change");
        assert_eq!(verdict(BatchOp::Create, 1, true), "tombstoned");
        for is_gone in [false, true] {
            assert_eq!(verdict(BatchOp::Create, 2, is_gone), "id_unavailable");
            assert_eq!(verdict(BatchOp::Update, 2, is_gone), "not_found");
        }
        assert_eq!(verdict(BatchOp::Update, 1, false), "change");
        assert_eq!(verdict(BatchOp::Delete, 1, false), "delete");
        assert_eq!(verdict(BatchOp::Delete, 1, true), "not_found");
        let fresh = operation(BatchOp::Create, Some(Uuid::from_u128(9)), json!({}));
        assert_eq!(aim(&fresh, HERE, &HashMap::new()), Ok(Aim::Create(Some(TaskId(Uuid::from_u128(9))))));
    }

    #[test]
    fn an_id_that_is_none_or_missing_is_told_apart() {
        let code = |op, id| {
            let asked = Operation { id, ..operation(op, None, json!({})) };
            aim(&asked, HERE, &HashMap::new()).unwrap_err().code
        };
        assert_eq!(code(BatchOp::Create, Err(Problem::says("Not a UUID."))), "malformed_id");
        assert_eq!(code(BatchOp::Delete, Ok(None)), "invalid");
    }

    #[test]
    fn an_id_that_is_named_twice_is_found() {
        let id = Some(Uuid::from_u128(8));
        let twice = [BatchOp::Create, BatchOp::Update].map(|op| operation(op, id, json!({})));
        assert_eq!(named(&twice), Err(TaskId(Uuid::from_u128(8))));
        let unnamed = [(); 2].map(|()| operation(BatchOp::Create, None, json!({})));
        assert_eq!(named(&unnamed), Ok(Vec::new()));
    }

    #[test]
    fn what_is_wrong_with_fields_reads_as_one_sentence_each() {
        let body =
            json!({"name": ["May not be blank."], "owners": [{}, {"units": ["Too much."]}], "code": "c"});
        let Json::Object(body) = body else { unreachable!() };
        assert_eq!(in_words(&body), "name: May not be blank. owners.1.units: Too much.");
        let fault = Fault::from_error(ApiError::forbidden("Not you.")).unwrap();
        assert_eq!((fault.code, fault.message.as_str(), fault.errors), ("forbidden", "Not you.", None));
        assert!(Fault::from_error(ApiError::unavailable("Away.")).is_err(), "that is no fault of a row");
    }

    #[test]
    fn data_passes_over_what_the_server_decides() {
        let asked = json!({"name": "A", "project": "x", "id": 5, "wbs_path": "1"});
        assert_eq!(new_task(&operation(BatchOp::Create, None, asked), HERE).unwrap().project, HERE);
        let bad = |data: Json| new_task(&operation(BatchOp::Create, None, data), HERE).unwrap_err();
        assert_eq!(bad(json!({"name": "A", "parent_id": "x"})).code, "malformed_id");
        assert_eq!(bad(json!({"duration": -1})).code, "invalid");
        assert_eq!(bad(json!(["name"])).code, "invalid");
    }
}
