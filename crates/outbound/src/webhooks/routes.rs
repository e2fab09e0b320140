//! `…/webhooks/` of projects and programs: list, create, show, replace, update, delete.
//! Projects and programs share every handler.

use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use planwright_domain::Entropy;
use planwright_domain::access::may;
use planwright_plan::edit::{self, Edit};
use planwright_store::Record;
use planwright_store::page::Key;
use planwright_web::input::Patch;
use planwright_web::version::Precondition;
use planwright_web::{
    ApiResult, App, Body, ContainerScope, Created, Item, Json, NoContent, Page, Paging, Problems, Routes,
    WrittenBody, says,
};
use serde_json::{Map, Value, json};

use super::model::{PatchedWebhookRequest, Webhook, WebhookCreateResponse, WebhookRequest, WebhookRow};
use super::rules::NewSecret;
use super::sending::post::SECRET;
use super::{WebhookSettings, queries, rules};
use planwright_egress::Egress;

const OF_PROJECT: [&str; 2] =
    ["/api/v1/projects/{project_pk}/webhooks/", "/api/v1/projects/{project_pk}/webhooks/{id}/"];
const OF_PROGRAM: [&str; 2] =
    ["/api/v1/programs/{program_pk}/webhooks/", "/api/v1/programs/{program_pk}/webhooks/{id}/"];

type Reader = ContainerScope<may::ReadContainer>;
type Manager = ContainerScope<may::ManageWebhooks>;
type Read = Item<WebhookRow, may::ReadContainer>;
type Managed = Item<WebhookRow, may::ManageWebhooks>;

/// The routes of this file.
pub fn table() -> Routes {
    let add = || says("Add a webhook. Its secret is shown only once.").returns_secret();
    let of = |routes: Routes, [all, one]: [&'static str; 2], list_says: &'static str| {
        routes
            .get(all, list, says(list_says))
            .post(all, create, add())
            .get(one, show, says("Get one webhook."))
            .write(
                one,
                update,
                says("Write all fields of a webhook."),
                says("Write some fields of a webhook."),
            )
            .delete(one, delete, says("Delete a webhook with its deliveries."))
    };
    let routes = of(Routes::new(), OF_PROJECT, "List the webhooks of a project.");
    of(routes, OF_PROGRAM, "List the webhooks of a program.")
}

async fn list(State(app): State<App>, scope: Reader, paging: Paging) -> ApiResult<Page<Webhook>> {
    let allowed = &[("created_at", "w.created_at"), ("url", "w.url")];
    let keys = paging.keys(allowed, &[Key::descending("w.created_at")], "w.id")?;
    let from = queries::live(&app.db, scope.container, paging.search.as_deref());
    let columns = format!("SELECT {}", WebhookRow::select_list("w"));
    paging.fetch::<WebhookRow, _>(&app.db, &columns, from, "w.id", &keys, Webhook::from).await
}

async fn create(
    State(app): State<App>,
    scope: Manager,
    Body(request): Body<WebhookRequest>,
) -> ApiResult<Created<WebhookCreateResponse>> {
    let request = PatchedWebhookRequest::from(request);
    let checked = Checked::of(&app, &request, true).await?;
    // The place is locked, so that subscriptions added at once are counted one after another.
    let mut edit = Edit::locked(&app, &scope).await?;
    let count = queries::count(&edit, scope.container).await?;
    rules::check_room(count, app.get::<WebhookSettings>().most)?;
    let fresh = WebhookRow::fresh(edit.mint(), scope.container, scope.actor.id, edit.now());
    let row = checked.write_to(&app, rules::changed(fresh, request))?;
    edit.create(&row).await?;
    edit.commit().await?;
    let secret = checked.secret.unwrap_or_default();
    Ok(Created(WebhookCreateResponse { webhook: row.into(), secret }))
}

async fn show(item: Read) -> ApiResult<Json<Webhook>> {
    Ok(Json(item.row.into()))
}

async fn update(
    State(app): State<App>,
    item: Managed,
    WrittenBody(request): WrittenBody<PatchedWebhookRequest>,
) -> ApiResult<Json<Webhook>> {
    let checked = Checked::of(&app, &request, false).await?;
    let (mut edit, before) = edit::open(&app, item, Precondition::default()).await?;
    let after = checked.write_to(&app, rules::changed(before.clone(), request))?;
    let written = edit.update_noting(&before, after, checked.notes()).await?;
    edit.commit().await?;
    Ok(Json(written.row.into()))
}

async fn delete(State(app): State<App>, item: Managed) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    queries::delete_deliveries(&mut edit, row.id).await?;
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// The results of checks before the transaction begins, because they look up names.
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
            row.sealed_secret = app.sealer.seal_text(SECRET, secret)?;
        }
        Ok(row)
    }

    /// The history shows that the secret changed, but neither value.
    fn notes(&self) -> Map<String, Value> {
        self.secret.iter().map(|_| ("secret".to_owned(), json!([null, null]))).collect()
    }
}
