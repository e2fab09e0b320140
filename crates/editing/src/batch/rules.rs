//! Pure decisions of a batch: at what an operation aims, what is skipped, and how a refusal reads in a row.
//! What a row may be is validated by the write core of tasks.

use std::collections::{HashMap, HashSet};

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::words::{BatchOp, DeliveryMode};
use planwright_plan::tasks::write::queries::Whereabouts;
use planwright_plan::tasks::write::{PatchedTaskRequest, TaskRecord, TaskRequest};
use planwright_web::input::{Input, Patch};
use planwright_web::schema::JsonObject;
use planwright_web::{ApiError, ApiResult, Problems};
use serde_json::Value as Json;
use uuid::Uuid;

use super::model::TaskBulkItemRequest;

/// A row or link that passed validation, or why it is not written.
pub type Verdict<T> = Result<T, Fault>;

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

/// The ids that operations name, before anything is asked.
///
/// # Errors
/// 400 when one is named twice.
pub fn named(operations: &[TaskBulkItemRequest]) -> ApiResult<Vec<TaskId>> {
    let mut seen = HashSet::new();
    let given = operations.iter().filter_map(|operation| operation.id.as_given());
    let ids: Vec<TaskId> = given.filter_map(|id| id.0.clone().ok().flatten()).map(TaskId).collect();
    match ids.iter().find(|id| !seen.insert(**id)) {
        Some(twice) => {
            Err(ApiError::invalid_field("operations", format!("{twice} is named more than once.")))
        }
        None => Ok(ids),
    }
}

/// At what an operation aims, given where the rows that were named are.
pub fn aim(
    operation: &TaskBulkItemRequest,
    project: ProjectId,
    found: &HashMap<TaskId, Whereabouts>,
) -> Verdict<Aim> {
    let id = match operation.id.as_given().map(|id| &id.0) {
        None | Some(Ok(None)) => None,
        Some(Ok(Some(id))) => Some(TaskId(*id)),
        Some(Err(_)) => return Err(Fault::of("malformed_id", "The id is not a UUID.")),
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
fn data(operation: &TaskBulkItemRequest) -> Verdict<JsonObject> {
    let mut data = match operation.data.as_given().map(|data| &data.0) {
        None => JsonObject::new(),
        Some(Ok(data)) => data.clone(),
        Some(Err(problem)) => {
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
pub fn new_task(operation: &TaskBulkItemRequest, project: ProjectId) -> Verdict<TaskRequest> {
    let mut data = data(operation)?;
    let is_id = |parent: &Json| parent.as_str().is_some_and(|text| Uuid::try_parse(text).is_ok());
    if data.get("parent_id").is_some_and(|parent| !parent.is_null() && !is_id(parent)) {
        return Err(Fault::of("malformed_id", "parent_id: The id is not a UUID."));
    }
    data.insert("project".to_owned(), Json::String(project.to_string()));
    TaskRequest::read(&data).map_err(Fault::invalid)
}

/// Some fields of a task.
pub fn changes(operation: &TaskBulkItemRequest) -> Verdict<PatchedTaskRequest> {
    PatchedTaskRequest::read(&data(operation)?).map_err(Fault::invalid)
}

/// Refuses a change that would put a row elsewhere. A row that is created again stands where it was moved meanwhile.
pub fn stays_in_place(operation: &TaskBulkItemRequest, row: &TaskRecord) -> Verdict<()> {
    let data = operation.data.as_given().and_then(|data| data.0.as_ref().ok());
    let Some(wanted) = data.and_then(|data| data.get("parent_id")) else { return Ok(()) };
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

    fn operation(value: Json) -> TaskBulkItemRequest {
        let Json::Object(object) = value else { panic!("tests send objects") };
        TaskBulkItemRequest::read(&object).unwrap()
    }

    fn found(id: u128, project: u128, is_gone: bool) -> HashMap<TaskId, Whereabouts> {
        let (id, project_id) = (TaskId(Uuid::from_u128(id)), ProjectId(Uuid::from_u128(project)));
        let deletion_id = is_gone.then_some(DeletionId(Uuid::nil()));
        HashMap::from([(id, Whereabouts { id, project_id, deletion_id })])
    }

    fn verdict(op: &str, project: u128, is_gone: bool) -> String {
        let asked = operation(json!({"op": op, "id": Uuid::from_u128(7)}));
        match aim(&asked, HERE, &found(7, project, is_gone)) {
            Ok(Aim::Create(_)) => "create".into(),
            Ok(Aim::Change(_)) => "change".into(),
            Ok(Aim::Delete(_)) => "delete".into(),
            Err(fault) => fault.code.into(),
        }
    }

    #[test]
    fn where_a_row_is_decides_what_an_operation_aims_at() {
        assert_eq!(verdict("create", 1, false), "change");
        assert_eq!(verdict("create", 1, true), "tombstoned");
        for is_gone in [false, true] {
            assert_eq!(verdict("create", 2, is_gone), "id_unavailable");
            assert_eq!(verdict("update", 2, is_gone), "not_found");
        }
        assert_eq!(verdict("update", 1, false), "change");
        assert_eq!(verdict("delete", 1, false), "delete");
        assert_eq!(verdict("delete", 1, true), "not_found");
        let fresh = operation(json!({"op": "create", "id": Uuid::from_u128(9)}));
        assert_eq!(aim(&fresh, HERE, &HashMap::new()), Ok(Aim::Create(Some(TaskId(Uuid::from_u128(9))))));
    }

    #[test]
    fn an_id_that_is_none_or_missing_is_told_apart() {
        let code = |value| aim(&operation(value), HERE, &HashMap::new()).unwrap_err().code;
        assert_eq!(code(json!({"op": "create", "id": "seven"})), "malformed_id");
        assert_eq!(code(json!({"op": "update", "id": 7})), "malformed_id");
        assert_eq!(code(json!({"op": "delete"})), "invalid");
        assert_eq!(code(json!({"op": "update", "id": null})), "invalid");
    }

    #[test]
    fn an_id_that_is_named_twice_fails_the_request_however_it_is_spelled() {
        let twice =
            [json!("0197A000-0000-7000-8000-000000000001"), json!("0197a000-0000-7000-8000-000000000001")];
        let operations = twice.map(|id| operation(json!({"op": "create", "id": id})));
        assert_eq!(named(&operations).unwrap_err().status(), 400);
        let unnamed = [operation(json!({"op": "create"})), operation(json!({"op": "create", "id": null}))];
        assert!(named(&unnamed).unwrap().is_empty());
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
        let asked = json!({"op": "create", "data": {"name": "A", "project": "x", "id": 5, "wbs_path": "1"}});
        assert_eq!(new_task(&operation(asked), HERE).unwrap().project, HERE);
        let bad = |data: Json| new_task(&operation(json!({"op": "create", "data": data})), HERE).unwrap_err();
        assert_eq!(bad(json!({"name": "A", "parent_id": "x"})).code, "malformed_id");
        assert_eq!(bad(json!({"duration": -1})).code, "invalid");
        assert_eq!(bad(json!(["name"])).code, "invalid");
    }
}
