//! Custom fields on the wire and in storage. What a task shows of them is in `plan/src/tasks/facets/`.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CustomFieldId, ProjectId};
use planwright_domain::words::FieldType;
use planwright_store::{record, tracked};
use planwright_web::input::{Int, List, Name, Patch};
use planwright_web::{Resource, body, input};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The last place that a field may have.
pub const LAST_PLACE: i64 = 32767;

record! {
    /// A field that a project adds to its tasks, as it is stored.
    pub struct CustomFieldRow in custom_fields {
        #[serde(skip)]
        pub id: CustomFieldId,
        #[serde(skip)]
        pub project_id: ProjectId,
        pub name: String,
        /// The name without regard to case, unique in the project.
        #[serde(skip)]
        pub name_key: String,
        pub field_type: FieldType,
        #[serde(rename = "required")]
        pub is_required: bool,
        pub options: Json,
        #[serde(rename = "order")]
        pub place: i64,
        pub show_on_card: bool,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { CustomFieldRow as "custom_field" }

impl Resource for CustomFieldRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldOption {
    /// What tasks keep.
    pub value: String,
    /// What people read.
    pub label: String,
}

input! {
    /// Something that can be chosen.
    pub struct FieldOptionRequest {
        /// What tasks keep; unique in the field.
        pub value: Name<1, 64>,
        /// What people read; the value unless said otherwise.
        pub label: Patch<Name<1, 64>>,
    }
}

body! {
    /// A new field, or all of one.
    pub struct ProjectCustomFieldRequest;
    /// Some parts of a field.
    pub struct PatchedProjectCustomFieldRequest;
    required {
        /// What people call it; unique in the project without regard to case.
        name: Name<1, 64>,
        /// What it holds; it stays as it was made.
        field_type: FieldType,
    }
    optional {
        /// Whether a task that says something in it cannot be made to say nothing again.
        required: bool,
        /// What can be chosen; for fields of one or several choices, and no others.
        options: List<FieldOptionRequest, 0, 50>,
        /// Its place among the fields of the project; behind the others unless said otherwise.
        order: Int<0, LAST_PLACE>,
        /// Whether cards show it.
        show_on_card: bool,
    }
}

/// A field that a project adds to its tasks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectCustomField {
    pub id: CustomFieldId,
    pub name: String,
    pub field_type: FieldType,
    pub required: bool,
    /// What can be chosen.
    pub options: Vec<FieldOption>,
    /// Its place among the fields of the project.
    pub order: i64,
    pub show_on_card: bool,
    pub server_version: i64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl From<CustomFieldRow> for ProjectCustomField {
    fn from(row: CustomFieldRow) -> Self {
        let options = row.choices();
        let CustomFieldRow { id, name, field_type, is_required, place, show_on_card, .. } = row;
        let CustomFieldRow { server_version, created_at, updated_at, .. } = row;
        let (required, order) = (is_required, place);
        Self {
            id,
            name,
            field_type,
            required,
            options,
            order,
            show_on_card,
            server_version,
            created_at,
            updated_at,
        }
    }
}

impl CustomFieldRow {
    /// What can be chosen.
    pub fn choices(&self) -> Vec<FieldOption> {
        serde_json::from_value(self.options.clone()).unwrap_or_default()
    }

    /// A field behind the others, before anything is said of it.
    pub fn fresh(id: CustomFieldId, project_id: ProjectId, place: i64, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_id,
            name: String::new(),
            name_key: String::new(),
            field_type: FieldType::Text,
            is_required: false,
            options: Json::Array(Vec::new()),
            place,
            show_on_card: false,
            created_at: now,
            updated_at: now,
            server_version: 1,
        }
    }
}

input! {
    /// What a task says in a field.
    pub struct TaskCustomFieldValueWriteRequestRequest {
        /// Text, a number, a date, a choice, a list of choices, the id of a member, or a truth value.
        pub value: Json,
    }
}

/// What a task says in a field.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskCustomFieldValue {
    pub field_id: CustomFieldId,
    pub value: Json,
}
