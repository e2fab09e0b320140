//! Decisions about a batch, without a database: which operations it means, and what their outcome is for the client.

use std::collections::{BTreeMap, HashMap, HashSet};

use planwright_domain::ids::TaskId;
use planwright_domain::words::{BatchOp, BatchOutcome};
use planwright_plan::tasks::write::many::{Entry, Fault, Operation, TaskFields};
use planwright_web::input::{Lenient, List, Patch};
use planwright_web::schema::JsonObject;
use planwright_web::{ApiError, ApiResult, Problem, Problems};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::model::{
    MOST, SyncUploadApplied, SyncUploadAppliedTasks, SyncUploadConflicts, SyncUploadRequestRequest,
    SyncUploadResponse, SyncUploadSkipped, SyncUploadedRow,
};

/// Why a row is passed over: it was deleted, or the project does not have it.
const TOMBSTONED: &str = "tombstoned";
const NOT_FOUND: &str = "not_found";

/// The lists of a batch, in the order in which they are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Created,
    Updated,
    Deleted,
}

impl Part {
    /// Its name in the request.
    const fn name(self) -> &'static str {
        match self {
            Part::Created => "created",
            Part::Updated => "updated",
            Part::Deleted => "deleted",
        }
    }
}

/// What is wrong with rows, by their list and their index there.
#[derive(Debug, Default)]
struct Faults(BTreeMap<(Part, usize), JsonObject>);

impl Faults {
    fn add(&mut self, place: (Part, usize), errors: JsonObject) {
        self.0.insert(place, errors);
    }

    fn say(&mut self, place: (Part, usize), field: &str, message: impl Into<String>) {
        let mut problems = Problems::default();
        problems.say(field, message);
        self.add(place, problems.into_json());
    }

    /// Nothing, or 400 with the problems nested as the request is.
    fn check(self) -> ApiResult<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let mut tasks = JsonObject::new();
        for ((part, index), errors) in self.0 {
            let items = tasks.entry(part.name()).or_insert_with(|| json!([]));
            let Json::Array(items) = items else { continue };
            items.resize(index, json!({}));
            items.push(Json::Object(errors));
        }
        let mut body = Problems::default();
        body.add(
            "changes",
            Problem::Said(JsonObject::from_iter([("tasks".to_owned(), Json::Object(tasks))])),
        );
        Err(ApiError::invalid(body))
    }
}

/// The operations of a batch, each with its place in the request.
#[derive(Debug)]
pub(super) struct Operations {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    id: Uuid,
    op: BatchOp,
    data: JsonObject,
    /// Its list and its index there.
    place: (Part, usize),
    /// Whether the server found out which version it is based on.
    is_base_found: bool,
    /// Whether it is deleted and was new in the same batch, so that the server may never have had it.
    may_be_unknown: bool,
}

impl Row {
    fn new(id: Uuid, op: BatchOp, data: JsonObject, place: (Part, usize)) -> Self {
        Self { id, op, data, place, is_base_found: false, may_be_unknown: false }
    }
}

/// Reads the operations of a batch: new rows first, then changes, then deletions. A row that is both new and changed is one
/// operation.
///
/// # Errors
/// 400 that names every row without a valid id, or that the batch is too large.
pub(super) fn operations(request: &SyncUploadRequestRequest) -> ApiResult<Operations> {
    let Some(tasks) = request.changes.tasks.as_given() else {
        return Ok(Operations { rows: Vec::new() });
    };
    let mut faults = Faults::default();
    let created = objects(BatchOp::Create, Part::Created, &tasks.created, &mut faults);
    let updated = objects(BatchOp::Update, Part::Updated, &tasks.updated, &mut faults);
    let deleted = deletions(&tasks.deleted, &mut faults);
    for list in [&created, &updated, &deleted] {
        note_doubled(list, &mut faults);
    }
    faults.check()?;
    let created = parents_first(created);
    if created.len() + updated.len() + deleted.len() > MOST {
        return Err(ApiError::invalid_field("changes", format!("A batch may have at most {MOST} rows.")));
    }
    Ok(merged(created, updated, deleted))
}

fn objects(
    op: BatchOp,
    part: Part,
    rows: &Patch<List<Lenient<TaskFields>, 0, MOST>>,
    faults: &mut Faults,
) -> Vec<Row> {
    let rows = rows.as_given().map(|rows| rows.0.as_slice()).unwrap_or_default();
    let id = |row: &JsonObject| row.get("id").and_then(Json::as_str).and_then(|id| id.parse::<Uuid>().ok());
    let mut read = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let place = (part, index);
        match row.0.as_ref().map(|TaskFields(row)| (row, id(row))) {
            Err(_) => faults.say(place, "non_field_errors", "A row must be an object."),
            Ok((_, None)) => faults.say(place, "id", "A row needs an id that is a UUID."),
            Ok((row, Some(id))) => read.push(Row::new(id, op, row.clone(), place)),
        }
    }
    read
}

fn deletions(ids: &Patch<List<Lenient<Uuid>, 0, MOST>>, faults: &mut Faults) -> Vec<Row> {
    let ids = ids.as_given().map(|ids| ids.0.as_slice()).unwrap_or_default();
    let mut read = Vec::with_capacity(ids.len());
    for (index, id) in ids.iter().enumerate() {
        let place = (Part::Deleted, index);
        match &id.0 {
            Err(_) => faults.say(place, "id", "Not a valid UUID."),
            Ok(id) => read.push(Row::new(*id, BatchOp::Delete, JsonObject::new(), place)),
        }
    }
    read
}

fn note_doubled(rows: &[Row], faults: &mut Faults) {
    let mut seen = HashSet::new();
    for row in rows.iter().filter(|row| !seen.insert(row.id)) {
        faults.say(row.place, "id", format!("{} is named more than once.", row.id));
    }
}

/// New rows so that each comes after its parent, and otherwise in the order in which they were sent.
fn parents_first(rows: Vec<Row>) -> Vec<Row> {
    let places: HashMap<Uuid, usize> = rows.iter().enumerate().map(|(at, row)| (row.id, at)).collect();
    let parent = |row: &Row| row.data.get("parent_id")?.as_str()?.parse::<Uuid>().ok();
    let above: Vec<Option<usize>> =
        rows.iter().map(|row| parent(row).and_then(|id| places.get(&id)).copied()).collect();
    let mut rows: Vec<Option<Row>> = rows.into_iter().map(Some).collect();
    let mut is_met = vec![false; rows.len()];
    let mut sorted = Vec::with_capacity(rows.len());
    for first in 0..rows.len() {
        let (mut chain, mut next) = (Vec::new(), Some(first));
        while let Some(at) = next.filter(|at| !std::mem::replace(&mut is_met[*at], true)) {
            chain.push(at);
            next = above[at];
        }
        sorted.extend(chain.into_iter().rev().filter_map(|at| rows[at].take()));
    }
    sorted
}

/// One operation for each row, in the order of the lists.
fn merged(created: Vec<Row>, updated: Vec<Row>, deleted: Vec<Row>) -> Operations {
    let mut rows = created;
    for change in updated {
        match rows.iter_mut().find(|row| row.id == change.id) {
            Some(row) => row.data.extend(change.data),
            None => rows.push(change),
        }
    }
    for mut deletion in deleted {
        if let Some(index) = rows.iter().position(|row| row.id == deletion.id) {
            deletion.may_be_unknown = rows.remove(index).op == BatchOp::Create;
        }
        rows.push(deletion);
    }
    Operations { rows }
}

impl Operations {
    /// The rows that do not say which version they are based on.
    pub(super) fn without_base(&self) -> Vec<Uuid> {
        let changes = self.rows.iter().filter(|row| row.op != BatchOp::Delete);
        changes.filter(|row| base(&row.data).is_none()).map(|row| row.id).collect()
    }

    /// Says of such rows which version they are based on.
    pub(super) fn set_bases(&mut self, bases: &HashMap<Uuid, i64>) {
        for row in self.rows.iter_mut().filter(|row| base(&row.data).is_none()) {
            if let Some(version) = bases.get(&row.id) {
                row.data.insert("base_version".to_owned(), json!(version));
                row.is_base_found = true;
            }
        }
    }

    /// What the commands of tasks are asked to do.
    pub(super) fn in_order(&self) -> Vec<Operation> {
        let operation = |row: &Row| {
            let mut data = row.data.clone();
            let version = base(&data).filter(|_| row.op != BatchOp::Delete);
            data.remove("server_version");
            if let Some(version) = version {
                data.insert("base_version".to_owned(), version);
            }
            Operation {
                op: row.op,
                id: Ok(Some(row.id)),
                data: Ok(data),
                knows_own_changes: row.is_base_found,
            }
        };
        self.rows.iter().map(operation).collect()
    }
}

/// The version that a row says it is based on.
fn base(data: &JsonObject) -> Option<Json> {
    let said = |field: &str| data.get(field).filter(|value| !value.is_null()).cloned();
    said("base_version").or_else(|| said("server_version"))
}

/// What became of each row.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    created: Vec<Uuid>,
    updated: Vec<Uuid>,
    deleted: Vec<Uuid>,
    conflicts: Vec<BTreeMap<String, Json>>,
    skipped: Vec<SyncUploadSkipped>,
}

/// Sorts what became of the rows. Whatever the client cannot repair by pulling again fails the whole batch.
///
/// # Errors
/// 400 and 403 as for a single write, by the place of the row; 409 if an id belongs to another project.
pub(super) fn outcome(entries: Vec<Entry>, operations: &Operations) -> ApiResult<Outcome> {
    let mut outcome = Outcome::default();
    let mut faults = Faults::default();
    for (entry, row) in entries.into_iter().zip(&operations.rows) {
        match entry.verdict {
            Ok((id, BatchOutcome::Created)) => outcome.created.push(id.0),
            Ok((id, BatchOutcome::Updated | BatchOutcome::Unchanged)) => outcome.updated.push(id.0),
            Ok((id, BatchOutcome::Deleted)) => outcome.deleted.push(id.0),
            Err(fault) => outcome.take_fault(fault, row, &mut faults)?,
        }
    }
    faults.check().map(|()| outcome)
}

impl Outcome {
    fn take_fault(&mut self, fault: Fault, row: &Row, faults: &mut Faults) -> ApiResult<()> {
        match fault.code {
            TOMBSTONED | NOT_FOUND if row.may_be_unknown => self.deleted.push(row.id),
            TOMBSTONED | NOT_FOUND => {
                self.skipped.push(SyncUploadSkipped { id: row.id, reason: fault.code.to_owned() });
            }
            "conflict" => {
                let mut conflict: BTreeMap<String, Json> =
                    fault.errors.unwrap_or_default().into_iter().collect();
                conflict.insert("id".to_owned(), json!(row.id));
                self.conflicts.push(conflict);
            }
            "id_unavailable" => {
                return Err(ApiError::conflict(format!("The id {} cannot be used for a new task.", row.id)));
            }
            "forbidden" => return Err(ApiError::forbidden(fault.message).with("id", json!(row.id))),
            _ => match fault.errors {
                Some(errors) => faults.add(row.place, errors),
                None => faults.say(row.place, "non_field_errors", fault.message),
            },
        }
        Ok(())
    }

    /// The rows that the project does not have, as far as is known.
    pub(super) fn not_found(&self) -> Vec<TaskId> {
        let skipped = self.skipped.iter().filter(|skipped| skipped.reason == NOT_FOUND);
        skipped.map(|skipped| TaskId(skipped.id)).collect()
    }

    /// Says of these rows that they were deleted.
    pub(super) fn note_deleted(&mut self, deleted: &HashSet<TaskId>) {
        for skipped in self.skipped.iter_mut().filter(|skipped| deleted.contains(&TaskId(skipped.id))) {
            TOMBSTONED.clone_into(&mut skipped.reason);
        }
    }

    /// The rows that the answer shows with their versions.
    pub(super) fn shown(&self) -> Vec<TaskId> {
        self.created.iter().chain(&self.updated).copied().map(TaskId).collect()
    }

    /// What the client gets.
    pub(super) fn answer(self, batch: Uuid, since: i64, versions: &HashMap<Uuid, i64>) -> SyncUploadResponse {
        let rows = |ids: Vec<Uuid>| {
            let row = |id: Uuid| Some(SyncUploadedRow { id, server_version: *versions.get(&id)? });
            ids.into_iter().filter_map(row).collect()
        };
        let tasks = SyncUploadAppliedTasks {
            created: rows(self.created),
            updated: rows(self.updated),
            deleted: self.deleted,
        };
        SyncUploadResponse {
            client_batch_id: batch,
            applied: SyncUploadApplied { tasks },
            conflicts: SyncUploadConflicts { tasks: self.conflicts },
            skipped: self.skipped,
            timestamp: since,
        }
    }
}

#[cfg(test)]
mod tests {
    use planwright_web::input::Input;

    use super::*;

    const A: &str = "0197a000-0000-7000-8000-00000000000a";
    const B: &str = "0197a000-0000-7000-8000-00000000000b";

    fn read(tasks: Json) -> ApiResult<Operations> {
        let body = json!({"client_batch_id": A, "changes": {"tasks": tasks}});
        let Json::Object(body) = body else { unreachable!() };
        operations(&SyncUploadRequestRequest::read(&body).unwrap())
    }

    fn meant(tasks: Json) -> Vec<(BatchOp, String, Json)> {
        let read = read(tasks).unwrap().in_order();
        read.into_iter()
            .map(|row| (row.op, row.id.unwrap().unwrap().to_string(), Json::Object(row.data.unwrap())))
            .collect()
    }

    #[test]
    fn a_row_that_is_new_and_changed_is_one_operation() {
        let rows = json!({"created": [{"id": A, "name": "One"}], "updated": [{"id": A, "name": "Two"}]});
        assert_eq!(meant(rows), [(BatchOp::Create, A.to_owned(), json!({"id": A, "name": "Two"}))]);
    }

    #[test]
    fn a_row_that_was_made_and_deleted_before_it_was_sent_is_deleted_whether_the_server_has_it_or_not() {
        let rows = json!({"created": [{"id": A}], "deleted": [A, B]});
        assert_eq!(meant(rows.clone()).iter().map(|(op, ..)| *op).collect::<Vec<_>>(), [BatchOp::Delete; 2]);
        let entry = || Entry { op: BatchOp::Delete, sent: None, verdict: Err(Fault::of(NOT_FOUND, "Why.")) };
        let outcome = outcome(vec![entry(), entry()], &read(rows).unwrap()).unwrap();
        assert_eq!(outcome.deleted, [A.parse::<Uuid>().unwrap()]);
        assert_eq!(
            outcome.not_found(),
            [TaskId(B.parse().unwrap())],
            "only the other one should have been there"
        );
    }

    #[test]
    fn a_new_row_comes_after_its_new_parent_however_they_are_sent() {
        const C: &str = "0197a000-0000-7000-8000-00000000000c";
        let ids = |rows| meant(rows).into_iter().map(|(_, id, _)| id).collect::<Vec<_>>();
        let rows = json!({"created": [{"id": A, "parent_id": B}, {"id": B, "parent_id": C}, {"id": C}]});
        assert_eq!(ids(rows), [C, B, A]);
        let rows = json!({"created": [{"id": B}, {"id": A}, {"id": C, "parent_id": A}]});
        assert_eq!(ids(rows), [B, A, C]);
        let circle = json!({"created": [{"id": A, "parent_id": B}, {"id": B, "parent_id": A}]});
        assert_eq!(ids(circle).len(), 2, "the commands of tasks refuse it");
    }

    #[test]
    fn the_version_that_a_row_came_with_is_the_version_that_it_is_based_on() {
        let rows = json!({"updated": [{"id": A, "server_version": 4}, {"id": B, "base_version": 2, "server_version": 3}]});
        let bases: Vec<Json> =
            meant(rows).into_iter().map(|(_, _, data)| data["base_version"].clone()).collect();
        assert_eq!(bases, [json!(4), json!(2)]);
    }

    #[test]
    fn every_wrong_row_is_named_at_its_place() {
        let rows = json!({"created": [{"id": A}, {"name": "x"}, 5], "deleted": ["no"], "updated": [{"id": B}, {"id": B}]});
        let error = read(rows).unwrap_err();
        let tasks = error.body()["changes"]["tasks"].clone();
        assert_eq!(error.status(), 400);
        assert_eq!(tasks["created"][0], json!({}));
        assert_eq!(tasks["created"][1]["id"][0], "A row needs an id that is a UUID.");
        assert_eq!(tasks["created"][2]["non_field_errors"][0], "A row must be an object.");
        assert_eq!(tasks["updated"][1]["id"][0], format!("{B} is named more than once."));
        assert_eq!(tasks["deleted"][0]["id"][0], "Not a valid UUID.");
    }

    #[test]
    fn a_batch_has_at_most_five_hundred_rows() {
        let ids = |count: usize| -> Vec<String> {
            (0..count).map(|number| Uuid::from_u128(number as u128 + 1).to_string()).collect()
        };
        let created: Vec<Json> = ids(300).into_iter().map(|id| json!({"id": id})).collect();
        let deleted: Vec<String> = ids(501).split_off(300);
        assert!(read(json!({"created": created, "deleted": &deleted[..200]})).is_ok());
        assert_eq!(read(json!({"created": created, "deleted": deleted})).unwrap_err().status(), 400);
    }

    #[test]
    fn conflicts_and_rows_that_are_gone_do_not_fail_the_others() {
        let read = read(json!({"updated": [{"id": A}, {"id": B}]})).unwrap();
        let entry = |code| Entry { op: BatchOp::Update, sent: None, verdict: Err(Fault::of(code, "Why.")) };
        let outcome = outcome(vec![entry("conflict"), entry("not_found")], &read).unwrap();
        assert_eq!(
            (outcome.conflicts[0]["id"].clone(), outcome.skipped[0].reason.as_str()),
            (json!(A), "not_found")
        );
    }

    #[test]
    fn what_a_single_write_would_refuse_fails_the_batch() {
        let read = read(json!({"updated": [{"id": A}]})).unwrap();
        for (code, status) in [("forbidden", 403), ("invalid", 400), ("id_unavailable", 409)] {
            let entry = Entry { op: BatchOp::Update, sent: None, verdict: Err(Fault::of(code, "Why.")) };
            assert_eq!(outcome(vec![entry], &read).unwrap_err().status(), status);
        }
    }
}
