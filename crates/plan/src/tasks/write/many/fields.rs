//! The fields of a task as one of many writes says them. They are read when their turn comes, so that one wrong row leaves the
//! others as they are; only the names that no task has are known before.

use planwright_web::input::{Field, path_below};
use planwright_web::schema::JsonObject;
use planwright_web::{Input, Problem};
use serde_json::Value as Json;

use super::super::TaskRequest;

/// Names that a row may have without being a field of a task: which row it is, where it stands, and its version.
const PASSED_OVER: [&str; 5] = ["id", "project", "wbs_path", "server_version", "base_version"];

/// The fields of a task, not read yet.
#[derive(Clone, Debug)]
pub struct TaskFields(pub JsonObject);

impl Field for TaskFields {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        JsonObject::from_json(value).map(Self)
    }

    fn unknown(value: &Json, path: &str, found: &mut Vec<String>) {
        let Json::Object(fields) = value else { return };
        let mut names = Vec::new();
        <TaskRequest as Input>::unknown(fields, path, &mut names);
        let is_passed_over = |name: &String| PASSED_OVER.iter().any(|known| *name == path_below(path, known));
        found.extend(names.into_iter().filter(|name| !is_passed_over(name)));
    }
}

#[schemars::for_document]
impl schemars::JsonSchema for TaskFields {
    fn inline_schema() -> bool {
        <JsonObject as schemars::JsonSchema>::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        <JsonObject as schemars::JsonSchema>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <JsonObject as schemars::JsonSchema>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_that_no_task_has_are_found_and_those_of_the_row_are_not() {
        let row = json!({"id": "x", "server_version": 2, "name": "Dig", "parent_id": null, "plannedStart": 1, "early_start": 2});
        let mut found = Vec::new();
        TaskFields::unknown(&row, "updated.0", &mut found);
        assert_eq!(found, ["updated.0.plannedStart", "updated.0.early_start"]);
    }
}
