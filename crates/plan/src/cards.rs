//! Cards: the little that is shown of a task to people who reach it from another project.
//! Whoever shows one has decided already that its reader may know that there is a task. The names in a project that its reader
//! may not know of are blank.

use std::collections::{BTreeSet, HashMap};

use chrono::NaiveDate;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};
use planwright_web::Actor;
use schemars::JsonSchema;
use serde::Serialize;

use crate::schedule::network::date;

row! {
    struct CardRow {
        id: TaskId,
        name: String,
        short_id: String,
        project_id: ProjectId,
        project_name: String,
        is_known: bool,
        is_milestone: bool,
        early_start: Option<i32>,
        early_finish: Option<i32>,
        is_critical: Option<bool>,
    }
}

/// The few fields of a task of another project that are shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExternalTaskCard {
    pub id: TaskId,
    /// Blank if the project is private and you are not in it.
    pub title: String,
    pub hex_id: String,
    pub project_id: ProjectId,
    /// Blank if the project is private and you are not in it.
    pub project_name: String,
    pub is_milestone: bool,
    pub early_start: Option<NaiveDate>,
    pub early_finish: Option<NaiveDate>,
    pub is_critical: Option<bool>,
}

/// Cards of tasks, by their ids.
#[derive(Debug, Default)]
pub struct Cards(HashMap<TaskId, ExternalTaskCard>);

impl Cards {
    /// The cards of these tasks as somebody sees them; nothing is asked when there are none.
    pub async fn of(db: &dyn Read, actor: &Actor, tasks: impl IntoIterator<Item = TaskId>) -> Result<Self> {
        let tasks: BTreeSet<TaskId> = tasks.into_iter().collect();
        if tasks.is_empty() {
            return Ok(Self::default());
        }
        let known = format!("({})", actor.knows_project());
        let select = format!(
            "SELECT t.id, t.name, t.short_id, t.project_id, p.name AS project_name, {known} AS is_known,
                t.is_milestone, s.early_start, s.early_finish, s.is_critical
             FROM tasks t JOIN projects p ON p.id = t.project_id LEFT JOIN task_schedule s ON s.task_id = t.id
             WHERE t.id IN (:tasks)"
        );
        let rows: Vec<CardRow> = db.all(sql!(select, tasks = list(tasks), viewer = actor.id)).await?;
        Ok(Self(rows.into_iter().map(|row| (row.id, card(row))).collect()))
    }

    /// The card of one of them.
    pub fn get(&self, task: TaskId) -> Option<ExternalTaskCard> {
        self.0.get(&task).cloned()
    }
}

fn card(row: CardRow) -> ExternalTaskCard {
    let shown = |name: String| if row.is_known { name } else { String::new() };
    ExternalTaskCard {
        id: row.id,
        title: shown(row.name),
        hex_id: row.short_id,
        project_id: row.project_id,
        project_name: shown(row.project_name),
        is_milestone: row.is_milestone,
        early_start: row.early_start.and_then(date),
        early_finish: row.early_finish.and_then(date),
        is_critical: row.is_critical,
    }
}
