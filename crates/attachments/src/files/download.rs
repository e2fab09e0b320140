//! `/files/{token}/{name}`: a file by its signed address. The address names the file, its version, the person and its end;
//! whether the person is still in the project is asked again at every use.

use axum::body::Body;
use axum::extract::{Path, State};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use http::HeaderMap;
use planwright_domain::access::may;
use planwright_domain::ids::{AttachmentId, UserId};
use planwright_file_storage::{FileStorage, StorageFailure};
use planwright_web::reply::FileAnswer;
use planwright_web::scope::Container as _;
use planwright_web::{Actor, ApiError, ApiResult, App, Resource as _, Routes, says};
use serde::{Deserialize, Serialize};

use super::model::{AttachmentRow, SignedDownloadUrl};

/// What the sealed part of an address is for.
const PURPOSE: &str = "signed file address";

/// What a signed address says.
#[derive(Serialize, Deserialize)]
struct Ticket {
    file: AttachmentId,
    version: i64,
    person: UserId,
    expires_at: DateTime<Utc>,
}

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new().get("/files/{token}/{name}", fetch, says("A file by its signed address.").public().hidden())
}

/// A signed address of a file. `origin` is the scheme and the host of this server.
pub(super) fn signed(
    app: &App,
    origin: &str,
    row: &AttachmentRow,
    person: UserId,
    expires_at: DateTime<Utc>,
) -> ApiResult<SignedDownloadUrl> {
    let ticket = Ticket { file: row.id, version: row.server_version, person, expires_at };
    let text = serde_json::to_vec(&ticket).map_err(anyhow::Error::from)?;
    let sealed = app.sealer.seal(PURPOSE, &text)?;
    let name = row.file_name.replace(' ', "%20");
    Ok(SignedDownloadUrl {
        url: format!("{origin}/files/{}/{name}", URL_SAFE_NO_PAD.encode(sealed)),
        expires_at,
    })
}

/// The ticket of a token. `None` for anything that this installation did not seal.
fn opened(app: &App, token: &str) -> Option<Ticket> {
    let sealed = URL_SAFE_NO_PAD.decode(token).ok()?;
    let text = app.sealer.open(PURPOSE, &sealed).ok()?;
    serde_json::from_slice(&text).ok()
}

async fn fetch(
    State(app): State<App>,
    Path((token, _)): Path<(String, String)>,
    headers: HeaderMap,
) -> ApiResult<FileAnswer> {
    let ticket = opened(&app, &token).filter(|ticket| ticket.expires_at > app.clock.now());
    let ticket = ticket.ok_or_else(ApiError::not_found)?;
    let gone = |_: ApiError| ApiError::not_found();
    let actor = Actor::in_background(&app.db, ticket.person).await.map_err(gone)?;
    let row = AttachmentRow::find(&app.db, ticket.file.0).await?;
    let row = row.filter(|row| row.server_version == ticket.version).ok_or_else(ApiError::not_found)?;
    row.container().scope::<may::ReadProject>(&app.db, &actor).await.map_err(gone)?;
    let file = app.get::<FileStorage>().open(&row.storage_key).await?;
    let file = file.ok_or_else(|| StorageFailure::lost(&row.storage_key))?;
    let answer = FileAnswer::of(&row.file_name, &row.file_mime, file.size, &row.storage_key);
    let answer = answer.asked(&headers)?;
    if answer.is_known() {
        return Ok(answer);
    }
    let (first, length) = answer.extent();
    Ok(answer.with(Body::from_stream(file.pieces(first, length).await?)))
}
