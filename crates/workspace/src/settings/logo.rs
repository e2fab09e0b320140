//! `/api/v1/workspace/logo/`: everybody sees the logo, administrators change it. What is sent must be a PNG or WebP
//! picture by its first bytes, whatever it is called.

use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use planwright_plan::edit::Edit;
use planwright_store::{Read, Result, Tx, row, sql};
use planwright_web::File;
use planwright_web::input::{Name, Patch};
use planwright_web::reply::Picture;
use planwright_web::{ApiError, ApiResult, App, Json, Query, Routes, input, says, token};
use serde_json::json;

use super::model::WorkspaceSettings;
use super::queries;
use crate::Administrator;

const PATH: &str = "/api/v1/workspace/logo/";

/// The largest logo, in bytes.
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// Room for the form around it, in bytes.
const FORM_BYTES: usize = 64 * 1024;
const TOO_LARGE: &str = "A logo may have at most 2 MB.";

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .get(PATH, show, says("The logo of the workspace.").public())
        .post(
            PATH,
            write,
            says("Set the logo: a PNG or WebP picture.")
                .body_up_to(MOST_BYTES + FORM_BYTES)
                .names_file(TOO_LARGE),
        )
        .delete(PATH, delete, says("Remove the logo."))
}

input! {
    /// Which logo.
    pub struct LogoQuery {
        /// Makes the address of each logo another one, for caches. It has no other effect.
        pub v: Patch<Name<0, 64>>,
    }
}

row! {
    /// The logo as it is stored.
    struct LogoRow {
        media_type: String,
        content: String,
        etag: String,
    }
}

async fn show(State(app): State<App>, Query(_): Query<LogoQuery>) -> ApiResult<Picture> {
    let row = find(&app.db).await?.ok_or_else(ApiError::not_found)?;
    let content = STANDARD.decode(&row.content).map_err(anyhow::Error::from)?;
    Ok(Picture { media_type: row.media_type, tag: row.etag, content })
}

async fn write(
    State(app): State<App>,
    administrator: Administrator,
    file: File,
) -> ApiResult<Json<WorkspaceSettings>> {
    if file.content.len() > MOST_BYTES {
        return Err(ApiError::too_large(MOST_BYTES).with("file", TOO_LARGE));
    }
    let media_type = picture_type(&file.content).ok_or_else(|| {
        ApiError::unsupported_media_type(&file.name).with("file", "Must be a PNG or WebP picture.")
    })?;
    change(&app, &administrator, Some((media_type, &file.content))).await
}

async fn delete(State(app): State<App>, administrator: Administrator) -> ApiResult<Json<WorkspaceSettings>> {
    change(&app, &administrator, None).await
}

/// What a picture is by its first bytes.
fn picture_type(content: &[u8]) -> Option<&'static str> {
    let is_webp = content.starts_with(b"RIFF") && content.get(8..12) == Some(b"WEBP");
    match content.starts_with(b"\x89PNG\r\n\x1a\n") {
        true => Some("image/png"),
        false => is_webp.then_some("image/webp"),
    }
}

/// Sets or removes the logo, as a change of the workspace.
async fn change(
    app: &App,
    administrator: &Administrator,
    picture: Option<(&str, &[u8])>,
) -> ApiResult<Json<WorkspaceSettings>> {
    let mut edit = Edit::begin(app, administrator).await?;
    let before = queries::lock(&edit).await?;
    let (old, new) = (tag(&edit).await?, picture.map(|(_, content)| tag_of(content)));
    let mut row = before;
    if old != new {
        remove(&mut edit).await?;
        if let Some((media_type, content)) = picture {
            insert(&mut edit, media_type, content).await?;
        }
        let noted = serde_json::Map::from_iter([("logo".to_owned(), json!([old, new]))]);
        row = edit.touch(&row, noted).await?;
    }
    edit.commit().await?;
    Ok(Json(WorkspaceSettings::of(row, new)))
}

/// What tells the logo from every other one, if there is a logo.
pub(super) async fn tag(db: &dyn Read) -> Result<Option<String>> {
    Ok(db.scalars(sql!("SELECT etag FROM workspace_logo WHERE id = 1")).await?.pop())
}

fn tag_of(content: &[u8]) -> String {
    token::hash(&STANDARD.encode(content))[..32].to_owned()
}

async fn find(db: &dyn Read) -> Result<Option<LogoRow>> {
    db.maybe(sql!("SELECT media_type, content, etag FROM workspace_logo WHERE id = 1")).await
}

/// Removes the logo.
pub(crate) async fn remove(tx: &mut Tx) -> Result<()> {
    tx.run(sql!("DELETE FROM workspace_logo WHERE id = 1")).await.map(drop)
}

async fn insert(tx: &mut Tx, media_type: &str, content: &[u8]) -> Result<()> {
    let insert = "INSERT INTO workspace_logo (id, media_type, content, etag, uploaded_at)
         VALUES (1, :media, :content, :tag, :now)";
    let (encoded, now) = (STANDARD.encode(content), tx.now());
    tx.run(sql!(insert, media = media_type, content = encoded, tag = tag_of(content), now = now))
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_known_by_its_first_bytes() {
        assert_eq!(picture_type(b"\x89PNG\r\n\x1a\nrest"), Some("image/png"));
        assert_eq!(picture_type(b"RIFF\x10\0\0\0WEBPVP8 "), Some("image/webp"));
        for wrong in [&b"GIF89a"[..], b"<svg xmlns", b"RIFF\x10\0\0\0WAVE", b"\x89PNG", b""] {
            assert_eq!(picture_type(wrong), None);
        }
    }
}
