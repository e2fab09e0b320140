//! `/api/v1/workspace/second-factor/`: what the workspace asks of sign-ins. Admins read it; only the Owner writes it, since whoever
//! lowers it opens every account a little.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::edit::Edit;
use planwright_store::Read;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiError, ApiResult, App, Routes, WorkspaceScope, WrittenBody, says};

use super::model::{PatchedSignInPolicyRequest, SignInPolicy, SignInPolicyRow};
use super::queries;

const PATH: &str = "/api/v1/workspace/second-factor/";

type Owner = WorkspaceScope<may::OwnWorkspace>;

/// The routes of this file.
pub(super) fn table() -> Routes {
    let write = |what| says(what).session_only().dangerous();
    Routes::new().get(PATH, show, says("Get what the workspace asks of sign-ins.").session_only()).write(
        PATH,
        update,
        write("Write all that the workspace asks of sign-ins."),
        write("Write some of what the workspace asks of sign-ins."),
    )
}

async fn show(
    State(app): State<App>,
    _: WorkspaceScope<may::AdministerWorkspace>,
) -> ApiResult<Versioned<SignInPolicy>> {
    let row = queries::policy(&app.db).await?;
    let version = row.as_ref().map_or(0, |row| row.server_version);
    let row = row.unwrap_or_else(|| SignInPolicyRow::fresh(app.clock.now()));
    Ok(Versioned::new(version, shown(&app.db, row).await?))
}

async fn shown(db: &dyn Read, row: SignInPolicyRow) -> ApiResult<SignInPolicy> {
    Ok(SignInPolicy {
        second_factor_required: row.second_factor_required,
        sso_is_second_factor: row.sso_is_second_factor,
        people_without: queries::people_without(db).await?,
    })
}

async fn update(
    State(app): State<App>,
    owner: Owner,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedSignInPolicyRequest>,
) -> ApiResult<Versioned<SignInPolicy>> {
    let mut edit = Edit::begin(&app, &owner).await?;
    let before = queries::lock_policy(&edit).await?;
    if let Some(before) = &before {
        edit.expect(before, expected)?;
    }
    let mut after = before.clone().unwrap_or_else(|| SignInPolicyRow::fresh(edit.now()));
    let was_required = after.second_factor_required;
    request.second_factor_required.write_to(&mut after.second_factor_required);
    request.sso_is_second_factor.write_to(&mut after.sso_is_second_factor);
    after.updated_at = edit.now();
    if before.as_ref().is_none_or(|before| before.sso_is_second_factor) && !after.sso_is_second_factor {
        queries::forget_factors_of_providers(&mut edit, owner.actor.credential.session()).await?;
    }
    if after.second_factor_required && !was_required {
        check_own(&edit, &owner).await?;
    }
    if before.is_none() && after.says_the_same_as(&SignInPolicyRow::fresh(edit.now())) {
        // Where nobody has decided anything yet, a request for what holds anyway is no decision.
        return Ok(Versioned::new(0, shown(&edit, after).await?));
    }
    let written = edit.save(before, after).await?;
    let version = written.row.server_version;
    let answer = shown(&edit, written.row).await?;
    edit.commit().await?;
    Ok(Versioned::new(version, answer))
}

/// Whoever asks everybody for a second factor has shown one, so that nobody locks themselves out.
async fn check_own(db: &dyn Read, owner: &Owner) -> ApiResult<()> {
    let has_shown = match owner.actor.credential.session() {
        Some(session) => queries::has_shown(db, session).await?,
        None => false,
    };
    let detail = "Sign in with a second factor yourself before you ask everybody for one.";
    match has_shown {
        true => Ok(()),
        false => Err(ApiError::conflict(detail).with_code("second_factor_required")),
    }
}
