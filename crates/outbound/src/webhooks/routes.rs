//! `…/webhooks/` of projects and programs: list, create, show, replace, update, delete.
//! Both kinds of place share every handler; the scope in the type of each is the check.

use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use planwright_domain::Entropy;
use planwright_domain::access::may;
use planwright_domain::ids::WebhookId;
use planwright_domain::words::{ChangeKind, WebhookFormat};
use planwright_store::Tx;
use planwright_store::history::Change;
use planwright_store::page::Key;
use planwright_web::input::{Patch, Problems};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Json, NoContent, Page, Paging, Path, ProgramScope, ProjectScope,
    Routes, says,
};
use serde_json::json;

use super::model::{PatchedWebhookRequest, Webhook, WebhookCreateResponse, WebhookRequest, WebhookRow};
use super::rules::NewSecret;
use super::sending::post::SECRET;
use super::{Manages, Place, queries, rules};
use crate::egress::Egress;

const OF_PROJECT: &str = "/api/v1/projects/{project_pk}/webhooks/";
const OF_PROGRAM: &str = "/api/v1/programs/{program_pk}/webhooks/";
const ONE_OF_PROJECT: &str = "/api/v1/projects/{project_pk}/webhooks/{id}/";
const ONE_OF_PROGRAM: &str = "/api/v1/programs/{program_pk}/webhooks/{id}/";

type ProjectReader = ProjectScope<may::ReadProject>;
type ProgramReader = ProgramScope<may::ReadProgram>;
type ProjectManager = ProjectScope<may::ManageWebhooks>;
type ProgramManager = ProgramScope<may::ManageWebhooks>;

/// The routes of this file.
pub fn table() -> Routes {
    let add = || says("Add a subscription; its secret is answered this once.").returns_secret();
    Routes::new()
        .get(OF_PROJECT, list::<ProjectReader>, says("The subscriptions of a project."))
        .post(OF_PROJECT, create::<ProjectManager>, add())
        .get(ONE_OF_PROJECT, show::<ProjectReader>, says("One subscription."))
        .put(ONE_OF_PROJECT, replace::<ProjectManager>, says("Write all of a subscription."))
        .patch(ONE_OF_PROJECT, update::<ProjectManager>, says("Write some fields of a subscription."))
        .delete(ONE_OF_PROJECT, delete::<ProjectManager>, says("Delete a subscription with its deliveries."))
        .get(OF_PROGRAM, list::<ProgramReader>, says("The subscriptions of a program."))
        .post(OF_PROGRAM, create::<ProgramManager>, add())
        .get(ONE_OF_PROGRAM, show::<ProgramReader>, says("One subscription."))
        .put(ONE_OF_PROGRAM, replace::<ProgramManager>, says("Write all of a subscription."))
        .patch(ONE_OF_PROGRAM, update::<ProgramManager>, says("Write some fields of a subscription."))
        .delete(ONE_OF_PROGRAM, delete::<ProgramManager>, says("Delete a subscription with its deliveries."))
}

async fn list<S: Place>(State(app): State<App>, place: S, paging: Paging) -> ApiResult<Page<Webhook>> {
    let allowed = &[("created_at", "w.created_at"), ("url", "w.url")];
    let keys = paging.keys(allowed, &[Key::descending("w.created_at")], "w.id")?;
    let from = queries::live(&app.db, place.home(), paging.search.as_deref());
    paging
        .fetch::<WebhookRow, WebhookId, _>(&app.db, queries::COLUMNS, from, "w.id", &keys, Webhook::from)
        .await
}

async fn create<S: Manages>(
    State(app): State<App>,
    place: S,
    Body(request): Body<WebhookRequest>,
) -> ApiResult<Created<WebhookCreateResponse>> {
    let request = PatchedWebhookRequest::from(request);
    let checked = Checked::of(&app, &request, true).await?;
    let mut tx = app.db.begin().await?;
    let row = checked.write_to(&app, rules::changed(fresh(&tx, &place), request))?;
    queries::insert(&mut tx, &place, &row).await?;
    record(&mut tx, &place, Change::of("webhook", row.id, ChangeKind::Created, place.actor().id)).await?;
    tx.commit().await?;
    let secret = checked.secret.unwrap_or_default();
    Ok(Created(WebhookCreateResponse { webhook: row.into(), secret }))
}

async fn show<S: Place>(
    State(app): State<App>,
    place: S,
    Path(id): Path<WebhookId>,
) -> ApiResult<Json<Webhook>> {
    let row = queries::find(&app.db, place.home(), id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}

async fn replace<S: Manages>(
    state: State<App>,
    place: S,
    path: Path<WebhookId>,
    Body(request): Body<WebhookRequest>,
) -> ApiResult<Json<Webhook>> {
    update(state, place, path, Body(request.into())).await
}

async fn update<S: Manages>(
    State(app): State<App>,
    place: S,
    Path(id): Path<WebhookId>,
    Body(request): Body<PatchedWebhookRequest>,
) -> ApiResult<Json<Webhook>> {
    queries::find(&app.db, place.home(), id).await?.ok_or_else(ApiError::not_found)?;
    let checked = Checked::of(&app, &request, false).await?;
    let mut tx = app.db.begin().await?;
    queries::hold(&mut tx, id).await?;
    let before = queries::find(&tx, place.home(), id).await?.ok_or_else(ApiError::not_found)?;
    let after = checked.write_to(&app, rules::changed(before.clone(), request))?;
    queries::update(&mut tx, &place, &after).await?;
    let change = Change::of("webhook", id, ChangeKind::Updated, place.actor().id).between(&before, &after);
    record(&mut tx, &place, checked.noted(change)).await?;
    tx.commit().await?;
    Ok(Json(after.into()))
}

async fn delete<S: Manages>(
    State(app): State<App>,
    place: S,
    Path(id): Path<WebhookId>,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    queries::hold(&mut tx, id).await?;
    queries::find(&tx, place.home(), id).await?.ok_or_else(ApiError::not_found)?;
    queries::delete(&mut tx, &place, id).await?;
    record(&mut tx, &place, Change::of("webhook", id, ChangeKind::Deleted, place.actor().id)).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// A subscription to everything, before anything is written on it.
fn fresh(tx: &Tx, place: &impl Place) -> WebhookRow {
    WebhookRow {
        id: tx.mint(),
        project_id: place.home().project(),
        program_id: place.home().program(),
        url: String::new(),
        endpoint: String::new(),
        sealed_secret: String::new(),
        events: rules::every_event(),
        format: WebhookFormat::Generic,
        is_active: true,
        consecutive_failures: 0,
        last_failure_at: None,
        last_failure_reason: String::new(),
        disabled_at: None,
        disabled_reason: String::new(),
        created_at: tx.now(),
        created_by: Some(place.actor().id),
    }
}

async fn record(tx: &mut Tx, place: &impl Place, change: Change) -> ApiResult<()> {
    if change.kind == ChangeKind::Updated && change.fields.is_empty() {
        return Ok(());
    }
    let (project, program) = match place.home() {
        super::Home::Project { id, program } => (Some(id), program),
        super::Home::Program { id } => (None, Some(id)),
    };
    Ok(tx.record(Change { project, program, ..change }).await?)
}

/// What was found out about a wish before a transaction begins, since names are looked up for it.
struct Checked {
    endpoint: Option<String>,
    secret: Option<String>,
}

impl Checked {
    async fn of(app: &App, request: &PatchedWebhookRequest, is_new: bool) -> ApiResult<Self> {
        let mut problems = Problems::default();
        let mut endpoint = None;
        if let Patch::Set(url) = &request.url {
            match app.get::<Egress>().admit(url).await {
                Ok(target) => endpoint = Some(target.endpoint()),
                Err(failure) => problems.say("url", failure.to_string()),
            }
        }
        let secret = match rules::secret(&request.secret, is_new) {
            Ok(NewSecret::Keep) => None,
            Ok(NewSecret::Make) => Some(URL_SAFE_NO_PAD.encode(Entropy.bytes::<32>())),
            Ok(NewSecret::Take(secret)) => Some(secret),
            Err(problem) => {
                problems.add("secret", problem);
                None
            }
        };
        problems.check()?;
        Ok(Self { endpoint, secret })
    }

    fn write_to(&self, app: &App, mut row: WebhookRow) -> ApiResult<WebhookRow> {
        if let Some(endpoint) = &self.endpoint {
            row.endpoint = endpoint.clone();
        }
        if let Some(secret) = &self.secret {
            row.sealed_secret = STANDARD.encode(app.sealer.seal(SECRET, secret.as_bytes())?);
        }
        Ok(row)
    }

    /// The history tells that the secret is another one, and neither of the two.
    fn noted(&self, mut change: Change) -> Change {
        if self.secret.is_some() {
            change.fields.insert("secret".to_owned(), json!([null, null]));
        }
        change
    }
}
