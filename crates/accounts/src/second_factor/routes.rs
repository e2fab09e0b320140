//! `/api/v1/me/second-factor/`: see, add and remove one's own second factors. Every change asks for a proof that is not long ago.

use axum::extract::State;
use planwright_domain::ids::PasskeyId;
use planwright_domain::words::ChallengeKind;
use planwright_plan::edit::Edit;
use planwright_web::limits::Limit;
use planwright_web::rules::Rules;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, IgnoredBody, Json, NoContent, Path, Routes, says,
};

use super::commands::{self, Means};
use super::model::*;
use super::{challenges, queries, rules};

/// The routes of this file.
pub(super) fn table() -> Routes {
    let own = |what| says(what).session_only().before_second_factor();
    let write = |what| says(what).session_only().gives_second_factor().confirmed();
    let code = |rules: Rules| rules.returns_secret().limit(Limit::SecondFactor);
    Routes::new()
        .get("/api/v1/me/second-factor/", show, own("Get your second factors."))
        .post(
            "/api/v1/me/second-factor/totp/",
            begin_totp,
            write("Begin to set up an app that makes codes. The secret is shown only once.").returns_secret(),
        )
        .post(
            "/api/v1/me/second-factor/totp/confirm/",
            confirm_totp,
            code(write("Finish setting up an app with a code that it shows. Other sign-ins of yours end.")),
        )
        .delete("/api/v1/me/second-factor/totp/", remove_totp, write("Remove the app that makes codes."))
        .post(
            "/api/v1/me/second-factor/recovery-codes/",
            renew_codes,
            write("Get new recovery codes. The old ones end.").returns_secret(),
        )
        .post(
            "/api/v1/me/second-factor/passkeys/options/",
            ask_for_passkey,
            write("Ask for what a browser needs to make a passkey.").returns_secret(),
        )
        .post(
            "/api/v1/me/second-factor/passkeys/",
            add_passkey,
            code(write("Add the passkey that a browser made.")),
        )
        .patch("/api/v1/me/second-factor/passkeys/{id}/", rename_passkey, own("Give a passkey another name."))
        .delete("/api/v1/me/second-factor/passkeys/{id}/", remove_passkey, write("Remove a passkey."))
}

async fn show(State(app): State<App>, actor: Actor) -> ApiResult<Json<SecondFactor>> {
    let standing = queries::standing(&app.db, actor.id).await?;
    let passkeys = queries::passkeys(&app.db, actor.id).await?;
    Ok(Json(SecondFactor {
        since: standing.since,
        is_required: standing.is_required,
        totp_since: standing.totp_since,
        passkeys: passkeys.into_iter().map(Passkey::from).collect(),
        passkeys_available: commands::relying_party(&app).is_ok(),
        recovery_codes_left: standing.recovery_codes_left,
    }))
}

async fn begin_totp(State(app): State<App>, actor: Actor, _: IgnoredBody) -> ApiResult<Created<TotpSetup>> {
    let mut edit = Edit::locked(&app, &actor).await?;
    if queries::standing(&edit, actor.id).await?.totp_since.is_some() {
        return Err(
            ApiError::conflict("An app makes codes already. Remove it first.").with_code("totp_exists")
        );
    }
    let setup = commands::begin_totp(&app, &mut edit, actor.id, &actor.username).await?;
    edit.commit().await?;
    Ok(Created(setup))
}

async fn confirm_totp(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<TotpCodeRequest>,
) -> ApiResult<Json<RecoveryCodes>> {
    commands::count_try(&app, actor.id).await?;
    let mut edit = Edit::locked(&app, &actor).await?;
    let begun = queries::totp(&edit, actor.id).await?.filter(|row| row.confirmed_at.is_none());
    let row = begun.ok_or_else(|| ApiError::conflict("No app is being set up."))?;
    if !commands::accept_of_app(&app, &mut edit, &row, request.code.as_str()).await? {
        let why = "This is not the current code. Check the clock of your device.";
        return Err(ApiError::invalid_field("code", why));
    }
    let session = actor.credential.session();
    let recovery_codes = commands::added(&mut edit, actor.id, session, Means::Totp).await?;
    edit.commit().await?;
    Ok(Json(RecoveryCodes { recovery_codes }))
}

async fn remove_totp(State(app): State<App>, actor: Actor) -> ApiResult<NoContent> {
    let mut edit = Edit::locked(&app, &actor).await?;
    let is_set_up = queries::standing(&edit, actor.id).await?.totp_since.is_some();
    if !queries::delete_totp(&mut edit, actor.id).await? {
        return Err(ApiError::not_found());
    }
    if is_set_up {
        commands::removed(&mut edit, actor.id, Means::Totp).await?;
    }
    edit.commit().await?;
    Ok(NoContent)
}

async fn renew_codes(
    State(app): State<App>,
    actor: Actor,
    _: IgnoredBody,
) -> ApiResult<Created<RecoveryCodes>> {
    let mut edit = Edit::locked(&app, &actor).await?;
    if queries::standing(&edit, actor.id).await?.since.is_none() {
        return Err(ApiError::conflict("Set up an app or a passkey first.").with_code("no_second_factor"));
    }
    let recovery_codes = commands::renew_codes(&mut edit, actor.id).await?;
    edit.commit().await?;
    Ok(Created(RecoveryCodes { recovery_codes }))
}

async fn ask_for_passkey(
    State(app): State<App>,
    actor: Actor,
    _: IgnoredBody,
) -> ApiResult<Json<PasskeyOptions>> {
    let party = commands::relying_party(&app)?;
    let mut edit = Edit::locked(&app, &actor).await?;
    let known = queries::passkeys(&edit, actor.id).await?;
    check_room(known.len())?;
    let known: Vec<String> = known.into_iter().map(|row| row.credential_id).collect();
    let asked = party.ask_for_new(actor.id, &actor.username, &known)?;
    let kind = ChallengeKind::NewPasskey;
    let options = challenges::begin_passkey(&app, &mut edit, kind, Some(actor.id), asked).await?;
    edit.commit().await?;
    Ok(Json(options))
}

fn check_room(known: usize) -> ApiResult<()> {
    let most = rules::MOST_PASSKEYS;
    match known < most {
        true => Ok(()),
        false => Err(ApiError::conflict(format!("A person may have at most {most} passkeys."))),
    }
}

async fn add_passkey(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<NewPasskeyRequest>,
) -> ApiResult<Created<AddedPasskey>> {
    let mut edit = Edit::locked(&app, &actor).await?;
    check_room(queries::passkeys(&edit, actor.id).await?.len())?;
    let name = String::from(request.name.clone());
    let Some(row) = take_passkey(&app, &mut edit, &actor, name, request).await? else {
        edit.commit().await?;
        return Err(ApiError::invalid_field("credential", "This passkey cannot be added. Begin again."));
    };
    queries::insert_passkey(&mut edit, &row).await?;
    let session = actor.credential.session();
    let recovery_codes = commands::added(&mut edit, actor.id, session, Means::Passkey).await?;
    edit.commit().await?;
    Ok(Created(AddedPasskey { passkey: row.into(), recovery_codes }))
}

/// The passkey of a request; none if its challenge has ended, it is not right, or another person has it.
async fn take_passkey(
    app: &App,
    edit: &mut Edit,
    actor: &Actor,
    name: String,
    request: NewPasskeyRequest,
) -> ApiResult<Option<PasskeyRow>> {
    let (kind, word) = (ChallengeKind::NewPasskey, request.challenge.as_str());
    let taken = challenges::take_passkey(app, edit, kind, word).await?;
    let Some((_, state)) = taken.filter(|(user, _)| *user == Some(actor.id)) else { return Ok(None) };
    let answer = serde_json::Value::Object(request.credential).to_string();
    let Some(key) = commands::relying_party(app)?.take_new(&state, answer.as_bytes()) else {
        return Ok(None);
    };
    if queries::passkey_called(&**edit, &key.credential_id).await?.is_some() {
        return Ok(None);
    }
    Ok(Some(PasskeyRow {
        id: edit.mint(),
        user_id: actor.id,
        name,
        credential_id: key.credential_id,
        public_key: key.public_key,
        counter_state: key.counter_state,
        created_at: edit.now(),
        last_used_at: None,
    }))
}

async fn rename_passkey(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<PasskeyId>,
    Body(request): Body<PasskeyNameRequest>,
) -> ApiResult<Json<Passkey>> {
    let mut edit = Edit::locked(&app, &actor).await?;
    let row = queries::passkey(&edit, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    let name = request.name.as_given().map_or_else(|| row.name.clone(), |name| name.as_str().to_owned());
    queries::rename_passkey(&mut edit, id, &name).await?;
    edit.commit().await?;
    Ok(Json(PasskeyRow { name, ..row }.into()))
}

async fn remove_passkey(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<PasskeyId>,
) -> ApiResult<NoContent> {
    let mut edit = Edit::locked(&app, &actor).await?;
    if !queries::delete_passkey(&mut edit, actor.id, id).await? {
        return Err(ApiError::not_found());
    }
    commands::removed(&mut edit, actor.id, Means::Passkey).await?;
    edit.commit().await?;
    Ok(NoContent)
}
