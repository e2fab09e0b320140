//! Every statement about custom fields; single fields are read and written through items and edits.

use planwright_domain::custom_fields::StoredValue;
use planwright_domain::ids::{CustomFieldId, ProjectId, TaskId};
use planwright_store::dialect::{contains, pattern};
use planwright_store::record::select_list;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, sql};
use serde_json::Value as Json;

use super::model::CustomFieldRow;

/// The fields of a project, in their order; those whose name contains the text.
pub async fn of_project(
    db: &dyn Read,
    project: ProjectId,
    search: Option<&str>,
) -> Result<Vec<CustomFieldRow>> {
    let columns = select_list::<CustomFieldRow>("f");
    let named = format!("AND {}", contains(db.engine(), "f.name", "search"));
    let select = sql!(
        format!(
            "SELECT {columns} FROM custom_fields f WHERE f.project_id = :project AND f.deletion_id IS NULL"
        ),
        project = project
    );
    let select = select.when(&named, "search", search.map(pattern));
    db.all(select.push(" ORDER BY f.place, f.name_key, f.id")).await
}

/// How many tasks say one of some choices in a field. Those in the trash count, because they may come back.
pub async fn count_choosing(db: &dyn Read, field: CustomFieldId, choices: &[String]) -> Result<i64> {
    let mut count = 0;
    let select = "SELECT x.value FROM custom_field_values x WHERE x.field_id = :field";
    let values: Vec<Json> = db.scalars(sql!(select, field = field)).await?;
    for value in values {
        let says = |text: &Json| choices.iter().any(|choice| text.as_str() == Some(choice));
        count += i64::from(says(&value) || value.as_array().is_some_and(|items| items.iter().any(says)));
    }
    Ok(count)
}

/// What a task says in a field.
pub async fn said(db: &dyn Read, task: TaskId, field: CustomFieldId) -> Result<Option<Json>> {
    let select = "SELECT value FROM custom_field_values WHERE task_id = :task AND field_id = :field";
    db.scalar(sql!(select, task = task, field = field)).await
}

/// Writes what a task says in a field.
pub async fn say(tx: &mut Tx, task: TaskId, field: CustomFieldId, value: &StoredValue) -> Result<()> {
    let upsert = "INSERT INTO custom_field_values (task_id, field_id, value, as_number, as_text)
         VALUES (:task, :field, :value, :number, :text)
         ON CONFLICT (task_id, field_id)
         DO UPDATE SET value = excluded.value, as_number = excluded.as_number, as_text = excluded.as_text";
    let statement = sql!(
        upsert,
        task = task,
        field = field,
        value = &value.value,
        number = value.as_number,
        text = value.as_text.as_deref()
    );
    tx.run(statement).await.map(drop)
}

/// Makes some tasks say nothing in a field.
pub async fn forget(tx: &mut Tx, tasks: &[TaskId], field: CustomFieldId) -> Result<()> {
    let delete = "DELETE FROM custom_field_values WHERE field_id = :field AND task_id IN (:tasks)";
    tx.run(sql!(delete, field = field, tasks = list(tasks.iter().copied()))).await.map(drop)
}
