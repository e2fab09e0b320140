//! `…/links/{id}/refresh/`: reads the page behind a link again. The page is read before the project is locked, so that a slow
//! site holds up nobody.

use std::time::Duration;

use axum::extract::State;
use futures_util::future::BoxFuture;
use planwright_domain::ids::UserId;
use planwright_domain::words::{LinkStatus, Word};
use planwright_egress::{Egress, Fetched};
use planwright_plan::edit;
use planwright_web::limits::Limit;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiError, ApiResult, App, Routes, says};

use super::model::{LinkRow, TaskLink};
use super::routes::Kept;
use super::{markup, page};

const REFRESH: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/links/{id}/refresh/";

/// How long a site may take (facts-platform §11).
const PATIENCE: Duration = Duration::from_secs(5);

/// The routes of this file.
pub fn table() -> Routes {
    let rules = says("Read the title and the state of the page behind a link.").limit(Limit::TaskLinkRefresh);
    Routes::new().post(REFRESH, refresh, rules)
}

/// The title and the state of a page, as its provider tells somebody whom it knows. `None` when it does not know them.
pub type Looked = Option<(String, LinkStatus)>;

/// How the page behind a link is read with the credential of a person; the server connects it with the area that keeps
/// credentials.
pub struct LooksWithCredentials(pub fn(App, UserId, String) -> BoxFuture<'static, ApiResult<Looked>>);

/// What was found behind a link.
enum Found {
    /// A page that everybody sees.
    Page(Fetched),
    /// What its provider told the caller.
    Told(String, LinkStatus),
    /// Nothing.
    Nothing,
}

async fn refresh(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
) -> ApiResult<Versioned<TaskLink>> {
    let found = find(&app, item.scope.actor.id, &item.row).await?;
    let read_at = item.row.url.clone();
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    if before.url != read_at {
        return Err(ApiError::conflict("The address of the link has changed meanwhile."));
    }
    let after = seen(before.clone(), found, edit.now());
    let written = edit.update(&before, after).await?;
    edit.commit().await?;
    Ok(written.shown(TaskLink::from))
}

/// What is behind a link: what its provider tells the caller, else the page that everybody sees.
async fn find(app: &App, caller: UserId, row: &LinkRow) -> ApiResult<Found> {
    let looked = app.get::<LooksWithCredentials>().0(app.clone(), caller, row.url.clone()).await?;
    if let Some((title, status)) = looked {
        return Ok(Found::Told(title, status));
    }
    Ok(fetch(app, row).await?.map_or(Found::Nothing, Found::Page))
}

/// The page behind a link; none if its site does not give it.
///
/// # Errors
/// 400 for an address that this server does not call. 422 `credential_required` if the provider shows it only to people
/// whom it knows.
async fn fetch(app: &App, row: &LinkRow) -> ApiResult<Option<Fetched>> {
    let egress = app.get::<Egress>();
    let forbidden = |failure: planwright_egress::Failure| ApiError::invalid_field("url", failure.to_string());
    egress.admit(&row.url).await.map_err(forbidden)?;
    let mut headers = http::HeaderMap::new();
    headers.insert(http::header::USER_AGENT, http::HeaderValue::from_static("planwright"));
    headers.insert(http::header::ACCEPT, http::HeaderValue::from_static("text/html"));
    match egress.get(&row.url, headers, PATIENCE).await {
        Ok(fetched) if page::needs_credential(row.provider, fetched.status) => {
            let provider = row.provider.as_str();
            let detail =
                "The page is shown only to people whom its provider knows, and there is no credential.";
            let refusal = ApiError::unprocessable(detail).with_code("credential_required");
            Err(refusal.with("provider", provider).with("requires_credential", true))
        }
        Ok(fetched) => Ok((200..300).contains(&fetched.status).then_some(fetched)),
        Err(failure) => {
            tracing::info!(link = %row.id, %failure, "the page of a link cannot be read");
            Ok(None)
        }
    }
}

/// The link after its page was asked for. What cannot be read has an unknown state, and keeps its title and the time when it
/// was read last.
fn seen(mut row: LinkRow, found: Found, now: chrono::DateTime<chrono::Utc>) -> LinkRow {
    row.status = LinkStatus::Unknown;
    match found {
        Found::Nothing => {}
        Found::Told(title, status) => {
            row.fetched_at = Some(now);
            (row.title, row.status) = (title, status);
        }
        Found::Page(fetched) => {
            row.fetched_at = Some(now);
            row.title = String::new();
            if page::is_page(&fetched.media_type) {
                let said = markup::read(&page::text(&fetched.media_type, &fetched.content));
                row.title = page::plain(&said.title.unwrap_or_default());
                row.status = page::status(row.provider, said.badge.as_deref());
            }
        }
    }
    row
}
