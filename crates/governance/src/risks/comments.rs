//! `…/risks/{risk_pk}/comments/`: what people say about a risk. What was said stays as it is.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, RiskCommentId, RiskId, UserId};
use planwright_domain::person::display_name;
use planwright_domain::words::ChangeKind;
use planwright_plan::edit::Edit;
use planwright_store::dialect::{contains, pattern};
use planwright_store::page::Key;
use planwright_store::record::Record;
use planwright_store::{Read, Result, Sql, record, sql, tracked};
use planwright_web::input::LongText;
use planwright_web::paging::Orderings;
use planwright_web::{ApiError, ApiResult, App, Body, Created, Item, Page, Paging, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::model::RiskRow;

const ALL: &str = "/api/v1/projects/{project_pk}/risks/{risk_pk}/comments/";

/// How many comments a risk may have.
const MOST: i64 = 1000;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("What people said about a risk, the oldest first.").orderings(ORDERINGS))
        .post(ALL, create, says("Say something about a risk."))
}

const ORDERINGS: Orderings = &[("created_at", "c.created_at")];

record! {
    /// A comment as it is stored.
    pub struct RiskCommentRow in risk_comments {
        #[serde(skip)]
        pub id: RiskCommentId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub risk_id: RiskId,
        #[serde(skip)]
        pub author_id: UserId,
        pub message: String,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    RiskCommentRow as "risk_comment" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            (kind == ChangeKind::Created).then_some(SocketEvent::CommentCreated)
        }

        fn payload(&self) -> Json {
            json!({ "id": self.id, "risk_id": self.risk_id })
        }
    }
}

record! {
    /// A comment with the names of its author.
    pub struct ShownCommentRow {
        pub username: String,
        pub first_name: String,
        pub last_name: String,
    }
    and pub comment: RiskCommentRow
}

input! {
    /// A new comment.
    pub struct RiskCommentRequest {
        /// What is said.
        pub message: LongText<1, 10000>,
    }
}

/// Who said something.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RiskCommentAuthor {
    pub id: UserId,
    pub display_name: String,
}

/// What somebody said about a risk.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RiskComment {
    pub id: RiskCommentId,
    pub author: RiskCommentAuthor,
    pub message: String,
    pub created_at: DateTime<Utc>,
}

impl From<ShownCommentRow> for RiskComment {
    fn from(row: ShownCommentRow) -> Self {
        let display_name = display_name(&row.first_name, &row.last_name, &row.username);
        let RiskCommentRow { id, author_id, message, created_at, .. } = row.comment;
        Self { id, author: RiskCommentAuthor { id: author_id, display_name }, message, created_at }
    }
}

async fn list(
    State(app): State<App>,
    item: Item<RiskRow, may::ReadProject>,
    paging: Paging,
) -> ApiResult<Page<RiskComment>> {
    let keys = paging.keys(ORDERINGS, &[Key::ascending("c.created_at")], "c.id")?;
    let from = of_risk(&app.db, item.row.id, paging.search.as_deref());
    paging.fetch::<ShownCommentRow, _>(&app.db, &columns(), from, "c.id", &keys, RiskComment::from).await
}

async fn create(
    State(app): State<App>,
    item: Item<RiskRow, may::TakePart>,
    Body(request): Body<RiskCommentRequest>,
) -> ApiResult<Created<RiskComment>> {
    let mut edit = Edit::locked(&app, &item.scope).await?;
    edit.lock::<RiskRow>(item.row.id).await?;
    if count(&edit, item.row.id).await? >= MOST {
        return Err(ApiError::bad_request(format!("A risk has at most {MOST} comments.")));
    }
    let row = RiskCommentRow {
        id: edit.mint(),
        project_id: item.row.project_id,
        risk_id: item.row.id,
        author_id: edit.grant.actor.id,
        message: request.message.into(),
        created_at: edit.now(),
        server_version: 1,
    };
    edit.create(&row).await?;
    let shown = one(&edit, row.id).await?;
    edit.commit().await?;
    Ok(Created(shown.into()))
}

const SHOWN: &str = "FROM risk_comments c JOIN users u ON u.id = c.author_id WHERE c.deletion_id IS NULL";

fn columns() -> String {
    format!("SELECT u.username, u.first_name, u.last_name, {}", RiskCommentRow::select_list("c"))
}

/// The comments on a risk that contain the words.
fn of_risk(db: &dyn Read, risk: RiskId, search: Option<&str>) -> Sql {
    let found = format!("AND {}", contains(db.engine(), "c.message", "search"));
    sql!(format!("{SHOWN} AND c.risk_id = :risk"), risk = risk).when(&found, "search", search.map(pattern))
}

/// How many comments a risk has.
async fn count(db: &dyn Read, risk: RiskId) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM risk_comments WHERE risk_id = :risk AND deletion_id IS NULL";
    db.count(sql!(select, risk = risk)).await
}

/// One comment with the names of its author.
async fn one(db: &dyn Read, comment: RiskCommentId) -> Result<ShownCommentRow> {
    db.one(sql!(format!("{} {SHOWN} AND c.id = :id", columns()), id = comment)).await
}
