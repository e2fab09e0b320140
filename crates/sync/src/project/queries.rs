//! Every statement of the pull of a project. Each collection is one statement with the number, the id and the fields of
//! its rows; what rows hold of other tables is one statement for a page.

use std::collections::HashMap;

use planwright_domain::Role;
use planwright_domain::ids::ProjectId;
use planwright_store::value::list;
use planwright_store::{Db, Read, Result, Sql, row, sql};
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::rules::{Collection, Counters, Window};
use crate::collections::*;
use crate::pull::{Changed, Found};

row! {
    struct CounterRow {
        plan: i64,
        rows: i64,
        workspace: i64,
    }
}

/// How far the counters of a live project are, for a person with this role.
pub(super) async fn counters(db: &dyn Read, project: ProjectId, role: Role) -> Result<Option<Counters>> {
    let select = "SELECT p.change_counter AS plan,
            COALESCE((SELECT c.counter FROM change_counters c WHERE c.container_id = p.id), 1) AS rows,
            COALESCE((SELECT c.counter FROM change_counters c WHERE c.container_id = :workspace), 1) AS workspace
         FROM projects p WHERE p.id = :project AND p.deletion_id IS NULL";
    let found: Option<CounterRow> =
        db.maybe(sql!(select, project = project, workspace = Uuid::nil())).await?;
    Ok(found.map(|row| Counters {
        plan: row.plan,
        rows: row.rows,
        workspace: row.workspace,
        rank: role.rank(),
    }))
}

/// The rows of a collection that changed, in the order of their numbers.
pub(super) async fn changed(db: &Db, collection: Collection, window: &Window) -> Result<Vec<Found>> {
    match collection {
        Collection::Projects => table::<ProjectChange>(db, "projects", "r.id = :project", window).await,
        Collection::Calendars => calendars(db, window).await,
        Collection::Memberships => table::<MemberChange>(db, "project_members", OF_PROJECT, window).await,
        Collection::Labels => table::<LabelChange>(db, "labels", OF_PROJECT, window).await,
        Collection::Sprints => table::<SprintChange>(db, "sprints", OF_PROJECT, window).await,
        Collection::Tasks => tasks(db, window).await,
        Collection::Dependencies => table::<LinkChange>(db, "dependencies", DEPENDENCIES, window).await,
        Collection::TaskRelations => table::<RelationChange>(db, "task_relations", RELATIONS, window).await,
        Collection::TaskRecurrenceRules => {
            table::<RecurrenceChange>(db, "recurrence_rules", OF_PROJECT, window).await
        }
        Collection::TaskSuggestedAssignees => rows::<SuggestionChange>(db, SUGGESTIONS, window).await,
        Collection::TaskLinks => table::<TaskLinkChange>(db, "task_links", OF_PROJECT, window).await,
        Collection::Risks => risks(db, window).await,
        Collection::SprintRetros => rows::<RetroChange>(db, RETROS, window).await,
        Collection::RetroActionItems => rows::<RetroActionChange>(db, RETRO_ACTIONS, window).await,
        Collection::TimeEntries => table::<TimeEntryChange>(db, "time_entries", TIME_ENTRIES, window).await,
    }
}

const OF_PROJECT: &str = "r.project_id = :project";

const DEPENDENCIES: &str = "r.successor_project_id = :project AND r.predecessor_project_id = :project";

// What became of a suggestion is for those whom it concerns.
const SUGGESTIONS: &str = "SELECT r.*, r.change_number AS number,
        (r.deletion_id IS NOT NULL OR NOT (:manages OR r.state = 'pending'
            OR r.suggested_user_id = :me OR r.suggested_by_id = :me)) AS is_gone
    FROM task_suggestions r WHERE r.task_id IN (SELECT t.id FROM tasks t WHERE t.project_id = :project)";

const RELATIONS: &str = "r.source_id IN (SELECT t.id FROM tasks t WHERE t.project_id = :project)
    AND r.target_id IN (SELECT t.id FROM tasks t WHERE t.project_id = :project)";

const TIME_ENTRIES: &str =
    "r.user_id = :me AND r.task_id IN (SELECT t.id FROM tasks t WHERE t.project_id = :project)";

const RETROS: &str =
    "SELECT r.change_number AS number, r.id, r.deletion_id IS NOT NULL AS is_gone, r.server_version,
        r.sprint_id, r.team_visibility,
        CASE WHEN :reads_all OR r.team_visibility <> 'team_only' THEN r.notes END AS notes
    FROM retros r WHERE r.project_id = :project";

// What its retrospective says about who reads it counts as a change of the item.
const RETRO_ACTIONS: &str = "SELECT r.*,
        CASE WHEN o.change_number > r.change_number THEN o.change_number ELSE r.change_number END AS number,
        (r.deletion_id IS NOT NULL OR NOT (:reads_all OR o.team_visibility <> 'team_only')) AS is_gone
    FROM retro_actions r JOIN retros o ON o.id = r.retro_id WHERE r.project_id = :project";

// A task changed when people changed it or when its dates were computed anew.
const TASKS: &str = "SELECT x.number, t.deletion_id IS NOT NULL AS is_gone, t.id, t.server_version, t.short_id,
        t.project_id, t.name, s.outline AS wbs_path, t.parent_id, t.notes, t.planned_start, t.is_milestone,
        t.actual_start, t.actual_finish, t.is_subtask, t.sprint_id, t.calendar_id, s.early_start, s.early_finish,
        s.scheduled_start, s.late_start, s.late_finish, s.total_float, s.free_float, s.is_critical,
        COALESCE(s.is_phase, FALSE) AS is_phase,
        CASE WHEN s.is_phase THEN COALESCE(s.rolled_status, t.status) ELSE t.status END AS status,
        CASE WHEN s.is_phase THEN COALESCE(s.rolled_duration, t.duration) ELSE t.duration END AS duration,
        CASE WHEN s.is_phase THEN s.rolled_percent ELSE t.percent_complete END AS percent_complete,
        CASE WHEN s.is_phase THEN s.rolled_assignee_id ELSE t.assignee_id END AS assignee_id,
        CASE WHEN s.is_phase THEN s.rolled_optimistic ELSE t.optimistic_duration END AS optimistic_duration,
        CASE WHEN s.is_phase THEN s.rolled_most_likely ELSE t.most_likely_duration END AS most_likely_duration,
        CASE WHEN s.is_phase THEN s.rolled_pessimistic ELSE t.pessimistic_duration END AS pessimistic_duration
    FROM (SELECT u.id, MAX(u.number) AS number FROM (
            SELECT t.id, t.change_number AS number FROM tasks t
            WHERE t.project_id = :project AND t.change_number > :since
            UNION ALL
            SELECT c.task_id, c.change_number FROM task_schedule c
            WHERE c.project_id = :project AND c.change_number > :since) u GROUP BY u.id) x
    JOIN tasks t ON t.id = x.id LEFT JOIN task_schedule s ON s.task_id = x.id";

/// The rows of a statement that a window asks for.
fn narrowed(rows: &str, window: &Window) -> Sql {
    let gone = if window.with_gone { "" } else { " AND NOT x.is_gone" };
    let text = format!(
        "SELECT x.* FROM ({rows}) x
         WHERE x.number > :since AND x.number <= :until
            AND (x.number > :after OR (x.number = :after AND x.id > :after_id)){gone}
         ORDER BY x.number, x.id LIMIT :limit"
    );
    let (after, after_id) = window.after;
    sql!(
        text,
        project = window.project,
        me = window.me,
        reads_all = window.reads_all,
        manages = window.manages,
        since = window.since,
        until = window.until,
        after = after,
        after_id = after_id,
        limit = window.limit as i64,
    )
}

/// The rows of a table that hold a condition, as most collections have them.
async fn table<T: Changed>(
    db: &Db,
    table: &'static str,
    condition: &'static str,
    window: &Window,
) -> Result<Vec<Found>> {
    let of = format!(
        "SELECT r.change_number AS number, r.deletion_id IS NOT NULL AS is_gone, r.*
         FROM {table} r WHERE {condition}"
    );
    rows::<T>(db, &of, window).await
}

async fn rows<T: Changed>(db: &Db, of: &str, window: &Window) -> Result<Vec<Found>> {
    let rows: Vec<T> = db.all(narrowed(of, window)).await?;
    rows.into_iter().map(Found::of).collect()
}

/// The ids of the rows that are shown.
fn shown(found: &[Found]) -> Vec<Uuid> {
    found.iter().filter(|found| found.row.is_some()).map(|found| found.id).collect()
}

/// Tasks with their labels and their fields.
async fn tasks(db: &Db, window: &Window) -> Result<Vec<Found>> {
    let mut found = rows::<TaskChange>(db, TASKS, window).await?;
    let ids = shown(&found);
    if ids.is_empty() {
        return Ok(found);
    }
    let labels = "SELECT task_id, label_id FROM task_labels WHERE task_id IN (:ids) ORDER BY label_id";
    let fields = "SELECT task_id, field_id, value FROM custom_field_values WHERE task_id IN (:ids)";
    let both = [labels, fields].map(|text| sql!(text, ids = list(ids.iter().copied())));
    let mut both = db.rows_of_each(both.to_vec()).await?.into_iter();
    let labels: Vec<(Uuid, Uuid)> = both.next().unwrap_or_default().typed()?;
    let fields: Vec<(Uuid, Uuid, Json)> = both.next().unwrap_or_default().typed()?;
    let mut labels = grouped(labels.into_iter().map(|(task, label)| (task, json!(label))));
    let mut values: HashMap<Uuid, Map<String, Json>> = HashMap::new();
    for (task, field, value) in fields {
        values.entry(task).or_default().insert(field.to_string(), value);
    }
    for row in &mut found {
        set(&mut row.row, "label_ids", json!(labels.remove(&row.id).unwrap_or_default()));
        set(&mut row.row, "custom_fields", Json::Object(values.remove(&row.id).unwrap_or_default()));
    }
    Ok(found)
}

/// Risks with the tasks that they threaten.
async fn risks(db: &Db, window: &Window) -> Result<Vec<Found>> {
    let mut found = table::<RiskChange>(db, "risks", OF_PROJECT, window).await?;
    let select = "SELECT risk_id, task_id FROM risk_tasks WHERE risk_id IN (:ids) ORDER BY task_id";
    let tasks: Vec<(Uuid, Uuid)> = db.all(sql!(select, ids = list(shown(&found)))).await?;
    let mut tasks = grouped(tasks.into_iter().map(|(risk, task)| (risk, json!(task))));
    for row in &mut found {
        set(&mut row.row, "task_ids", json!(tasks.remove(&row.id).unwrap_or_default()));
    }
    Ok(found)
}

row! {
    struct ExceptionRow {
        calendar_id: Uuid,
        id: Uuid,
        exc_start: chrono::NaiveDate,
        exc_end: chrono::NaiveDate,
        description: String,
        working: bool,
    }
}

/// Calendars with their exceptions.
async fn calendars(db: &Db, window: &Window) -> Result<Vec<Found>> {
    let mut found = table::<CalendarChange>(db, "calendars", "TRUE", window).await?;
    let select = "SELECT calendar_id, id, exc_start, exc_end, description, working FROM calendar_exceptions
                  WHERE calendar_id IN (:ids) ORDER BY exc_start, id";
    let exceptions: Vec<ExceptionRow> = db.all(sql!(select, ids = list(shown(&found)))).await?;
    let mut exceptions = grouped(exceptions.into_iter().map(|row| {
        let ExceptionRow { calendar_id, id, exc_start, exc_end, description, working } = row;
        let shown = json!({
            "id": id, "exc_start": exc_start, "exc_end": exc_end, "description": description, "working": working,
        });
        (calendar_id, shown)
    }));
    for row in &mut found {
        set(&mut row.row, "exceptions", json!(exceptions.remove(&row.id).unwrap_or_default()));
    }
    Ok(found)
}

fn grouped(pairs: impl Iterator<Item = (Uuid, Json)>) -> HashMap<Uuid, Vec<Json>> {
    let mut all: HashMap<Uuid, Vec<Json>> = HashMap::new();
    for (of, value) in pairs {
        all.entry(of).or_default().push(value);
    }
    all
}
