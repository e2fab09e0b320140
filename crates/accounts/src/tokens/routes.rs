//! `/api/v1/me/api-tokens/`: list, mint, show, revoke one's own tokens.
//! No token manages tokens: whoever stole one must not be able to make it outlive its owner's notice.

use axum::extract::State;
use planwright_domain::ids::TokenId;
use planwright_domain::words::TokenEvent;
use planwright_plan::edit::Edit;
use planwright_store::Record;
use planwright_store::page::Key;
use planwright_web::actor::ClientAddress;
use planwright_web::limits::Limit;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Json, NoContent, Page, Paging, Path, Routes, says, token,
};

use super::audit::{self, Entry};
use super::model::{MintedApiToken, MyApiToken, MyApiTokenRequest, TokenRow};
use super::{Reason, queries, rules};
use crate::settings::AccountSettings;
use crate::sign_in;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/me/api-tokens/", list, says("List your tokens, newest first.").session_only())
        .post(
            "/api/v1/me/api-tokens/",
            mint,
            says("Create a token. It is shown only once.")
                .session_only()
                .returns_secret()
                .limit(Limit::TokenIssuance),
        )
        .get("/api/v1/me/api-tokens/{id}/", show, says("Get one of your tokens.").session_only())
        .delete(
            "/api/v1/me/api-tokens/{id}/",
            revoke,
            says("Revoke a token. A second request changes nothing.")
                .session_only()
                .limit(Limit::TokenRevocation),
        )
}

async fn list(State(app): State<App>, actor: Actor, paging: Paging) -> ApiResult<Page<MyApiToken>> {
    let allowed = &[("name", "t.name"), ("created_at", "t.created_at")];
    let keys = paging.keys(allowed, &[Key::descending("t.created_at")], "t.id")?;
    let from = queries::owned(&app.db, actor.id, paging.search.as_deref());
    let now = app.clock.now();
    let show = |row: TokenRow| MyApiToken::of(row, now);
    let columns = format!("SELECT {}", TokenRow::select_list("t"));
    paging.fetch::<TokenRow, _>(&app.db, &columns, from, "t.id", &keys, show).await
}

async fn mint(
    State(app): State<App>,
    actor: Actor,
    from: ClientAddress,
    Body(request): Body<MyApiTokenRequest>,
) -> ApiResult<Created<MintedApiToken>> {
    let current_password = request.current_password.clone().given().map(Into::into);
    sign_in::confirm(&app, &actor, current_password).await?;
    // The person is locked, so that tokens minted at once are counted one after another.
    let mut edit = Edit::locked(&app, &actor).await?;
    let wanted = rules::wanted(request, edit.now())?;
    let active = queries::count_active(&edit, actor.id, edit.now()).await?;
    rules::check_room(active, app.get::<AccountSettings>().most_personal_tokens)?;
    let secret = token::random_api_token(&app.settings.prefix);
    let row = queries::insert(&mut edit, actor.id, &wanted, &secret).await?;
    let detail = serde_json::json!({ "name": row.name, "scopes": row.scopes, "expires_at": row.expires_at });
    audit::insert(&mut edit, &[Entry::of(&row, TokenEvent::Minted, &actor, from, detail)]).await?;
    let shown = MyApiToken::of(row, edit.now());
    edit.commit().await?;
    Ok(Created(MintedApiToken::new(shown, secret)))
}

async fn show(State(app): State<App>, actor: Actor, Path(id): Path<TokenId>) -> ApiResult<Json<MyApiToken>> {
    let row = queries::find(&app.db, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(MyApiToken::of(row, app.clock.now())))
}

async fn revoke(
    State(app): State<App>,
    actor: Actor,
    from: ClientAddress,
    Path(id): Path<TokenId>,
) -> ApiResult<NoContent> {
    let mut edit = Edit::begin(&app, &actor).await?;
    let row = queries::find(&edit, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    if queries::revoke(&mut edit, actor.id, vec![id]).await? == 1 {
        let detail = serde_json::json!({ "reason": Reason::Owner.as_str() });
        audit::insert(&mut edit, &[Entry::of(&row, TokenEvent::Revoked, &actor, from, detail)]).await?;
        edit.commit().await?;
    }
    Ok(NoContent)
}
