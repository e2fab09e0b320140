//! `/api/v1/tasks/{id}/split/` and `unsplit/`: one transaction and one recalculation each.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::edit;
use planwright_plan::tasks::decorate;
use planwright_plan::tasks::model::Task;
use planwright_plan::tasks::write::TaskRecord;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiResult, App, Created, IgnoredBody, Item, OpenBody, Routes, says};

use super::commands::{divide, join};
use super::model::SplitRequest;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            "/api/v1/tasks/{id}/split/",
            split,
            says(
                "Split a task: its remaining work becomes a new row, which takes the links of its end along.",
            ),
        )
        .post(
            "/api/v1/tasks/{id}/unsplit/",
            unsplit,
            says("Take the split back that made this row. Neither part may have changed since then, and nothing may hang on this row."),
        )
}

type Authored = Item<TaskRecord, may::AuthorPlan>;

async fn split(
    State(app): State<App>,
    item: Authored,
    OpenBody(request): OpenBody<SplitRequest>,
) -> ApiResult<Created<Task>> {
    let (mut edit, before) = edit::open_plan(&app, item, Precondition::default()).await?;
    let second = divide(&mut edit, before, request).await?;
    edit.recalculate().await?;
    let task = decorate::one(&edit, &edit.grant.actor, second).await?;
    edit.commit().await?;
    Ok(Created(task))
}

async fn unsplit(State(app): State<App>, item: Authored, _: IgnoredBody) -> ApiResult<Versioned<Task>> {
    let (mut edit, second) = edit::open_plan(&app, item, Precondition::default()).await?;
    let first = join(&mut edit, second).await?;
    edit.recalculate().await?;
    let task = decorate::one(&edit, &edit.grant.actor, first).await?;
    edit.commit().await?;
    Ok(Versioned::computed(task.server_version, task))
}
