//! `/unsubscribe/{token}/`: the link in mails that ends a kind of mail (RFC 8058). The address names the person and the
//! kind, and works without a sign-in. Reading it changes nothing, because scanners of mail read every link.

use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use planwright_domain::ids::UserId;
use planwright_domain::words::{NotificationChannel, NotificationKind};
use planwright_plan::edit::Edit;
use planwright_store::{Result, StoreError};
use planwright_web::body::IgnoredBody;
use planwright_web::form_page::shown;
use planwright_web::language::Language;
use planwright_web::reply::Raw;
use planwright_web::{Actor, ApiError, ApiResult, App, Path, Routes, says};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::kinds::Kind;
use crate::{preferences, words};

/// What the sealed part of an address is for.
const PURPOSE: &str = "unsubscribe address";

const ADDRESS: &str = "/unsubscribe/{token}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(ADDRESS, ask, says("Whether you want no more mails of a kind.").public().hidden()).post(
        ADDRESS,
        end,
        says("Get no more mails of a kind.").public().hidden(),
    )
}

/// What links in mails to this server begin with.
#[derive(Clone, Debug)]
pub struct LetterSettings {
    public_url: String,
}

impl LetterSettings {
    /// `SVC_PUBLIC_URL`, or the address on which the program listens.
    pub fn from_settings(setting: impl Fn(&str) -> String) -> Self {
        let public_url = match setting("SVC_PUBLIC_URL") {
            url if url.is_empty() => format!("http://{}", setting("SVC_LISTEN")),
            url => url.trim_end_matches('/').to_owned(),
        };
        Self { public_url }
    }
}

/// What an address says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Ticket {
    person: UserId,
    kind: NotificationKind,
}

/// The address at which a person ends a kind of mail. It does not expire.
pub fn address(app: &App, person: UserId, kind: NotificationKind) -> Result<String> {
    let unwritten = |error: serde_json::Error| StoreError::Unexpected(error.into());
    let text = serde_json::to_vec(&Ticket { person, kind }).map_err(unwritten)?;
    let token = URL_SAFE_NO_PAD.encode(app.sealer.seal(PURPOSE, &text)?);
    Ok(format!("{}/unsubscribe/{token}/", app.get::<LetterSettings>().public_url))
}

/// The ticket of a token with its person. 404 for anything that this installation did not seal, and for people who are
/// not active any more.
async fn opened(app: &App, token: &str) -> ApiResult<(Actor, &'static Kind)> {
    let ticket = ticket(app, token).ok_or_else(ApiError::not_found)?;
    let person = Actor::in_background(&app.db, ticket.person).await;
    let person = person
        .map_err(|refusal| if refusal.is_unauthenticated() { ApiError::not_found() } else { refusal })?;
    Ok((person, Kind::of(ticket.kind)))
}

fn ticket(app: &App, token: &str) -> Option<Ticket> {
    let sealed = URL_SAFE_NO_PAD.decode(token).ok()?;
    let text = app.sealer.open(PURPOSE, &sealed).ok()?;
    serde_json::from_slice(&text).ok()
}

async fn ask(State(app): State<App>, Path(token): Path<String>, language: Language) -> ApiResult<Raw<Json>> {
    let (_, kind) = opened(&app, &token).await?;
    let title = words::ASK.text(language);
    let content = format!(
        "<h1>{title}</h1><p>{}</p><form method=\"post\"><button type=\"submit\">{}</button></form>",
        words::ASK_ABOUT.around(language, words::title(kind.kind).text(language)),
        words::END.text(language)
    );
    Ok(shown(language, title, &content))
}

async fn end(
    State(app): State<App>,
    Path(token): Path<String>,
    language: Language,
    _: IgnoredBody,
) -> ApiResult<Raw<Json>> {
    let (person, kind) = opened(&app, &token).await?;
    let mut edit = Edit::locked(&app, &person).await?;
    let choice = (kind.kind, NotificationChannel::Email, false);
    preferences::choose(&mut edit, person.id, vec![choice]).await?;
    edit.commit().await?;
    let title = words::ENDED.text(language);
    let content = format!(
        "<h1>{title}</h1><p>{}</p><p>{}</p>",
        words::ENDED_ABOUT.around(language, words::title(kind.kind).text(language)),
        words::AGAIN.text(language)
    );
    Ok(shown(language, title, &content))
}
