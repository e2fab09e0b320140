//! `/files/{token}/{name}`: a file by its signed address. The address names the file, its version, the person and its end;
//! whether the person is still in the project is asked again at every use.

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use futures_util::stream::{self, Stream};
use http::HeaderMap;
use http::header::RANGE;
use planwright_domain::access::may;
use planwright_domain::ids::{AttachmentId, UserId};
use planwright_web::reply::FileAnswer;
use planwright_web::{Actor, ApiError, ApiResult, App, ProjectScope, Resource, Routes, says};
use serde::{Deserialize, Serialize};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt, SeekFrom};

use super::model::{AttachmentRow, SignedDownloadUrl};
use super::storage::FileStorage;

/// What the sealed part of an address is for.
const PURPOSE: &str = "signed file address";
/// How many bytes are read at once.
const PIECE_BYTES: u64 = 64 * 1024;

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
    ProjectScope::<may::ReadProject>::of(&app.db, &actor, row.project_id).await.map_err(gone)?;
    let file = app.get::<FileStorage>().open(&row.storage_key).await.map_err(anyhow::Error::from)?;
    let file =
        file.ok_or_else(|| anyhow::anyhow!("the file of attachment {} is not in the storage", row.id))?;
    let size = file.metadata().await.map_err(anyhow::Error::from)?.len();
    let range = headers.get(RANGE).and_then(|range| range.to_str().ok());
    let answer = FileAnswer::of(&row.file_name, &row.file_mime, size).ranged(range)?;
    let (first, length) = answer.extent();
    Ok(answer.with(Body::from_stream(pieces(file, first, length).await?)))
}

/// The bytes of a file from a place on, piece by piece.
async fn pieces(
    mut file: File,
    first: u64,
    length: u64,
) -> ApiResult<impl Stream<Item = std::io::Result<Bytes>> + Send + use<>> {
    file.seek(SeekFrom::Start(first)).await.map_err(anyhow::Error::from)?;
    Ok(stream::try_unfold((file, length), async |(mut file, left)| {
        if left == 0 {
            return Ok(None);
        }
        let mut piece = vec![0; usize::try_from(left.min(PIECE_BYTES)).unwrap_or(1)];
        file.read_exact(&mut piece).await?;
        let left = left - piece.len() as u64;
        Ok(Some((Bytes::from(piece), (file, left))))
    }))
}
