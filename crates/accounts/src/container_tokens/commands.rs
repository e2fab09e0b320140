//! Minting and revoking tokens of projects and programs, each with its line in the trail and its event.

use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::TokenId;
use planwright_domain::words::TokenEvent;
use planwright_plan::containers::program;
use planwright_plan::edit::Edit;
use planwright_web::actor::ClientAddress;
use planwright_web::{ApiError, ApiResult, App, ContainerScope, Place, token};
use serde_json::json;

use super::audit::{self, Entry};
use super::model::{ContainerTokenRow, MintedProjectApiToken, ProjectApiToken, ProjectApiTokenRequest};
use super::{queries, rules};
use crate::tokens::Reason;

/// Who may manage the tokens of a project or program.
pub(super) type Manager = ContainerScope<may::ManageTokens>;

/// Who may revoke them.
pub(super) type Revoker = ContainerScope<may::RevokeTokens>;

/// Tells the board of the project, or those of all projects of the program.
async fn tell(edit: &mut Edit, event: SocketEvent, row: &ContainerTokenRow) -> ApiResult<()> {
    let told = json!({ "token_prefix": row.token_prefix, "name": row.name });
    match edit.grant.place {
        Place { project: None, program: Some(program) } => program::tell(edit, program, event, told).await?,
        _ => edit.announce(event, told).await?,
    }
    Ok(())
}

/// Mints a token. It is shown in this answer and never again.
///
/// # Errors
/// 400 with everything that is wrong with the request.
pub(super) async fn mint(
    app: &App,
    scope: Manager,
    from: ClientAddress,
    request: ProjectApiTokenRequest,
) -> ApiResult<MintedProjectApiToken> {
    let mut edit = Edit::locked(app, &scope).await?;
    let wanted = rules::wanted(request, edit.now())?;
    let secret = token::random_api_token(&app.settings.prefix);
    let row = queries::insert(&mut edit, scope.container, scope.actor.id, &wanted, &secret).await?;
    let detail = json!({ "name": row.name, "expires_at": row.expires_at });
    let entry = Entry::of(&row, TokenEvent::Minted, scope.actor.id, from, detail);
    audit::insert(&mut edit, &entry).await?;
    tell(&mut edit, SocketEvent::ApiTokenMinted, &row).await?;
    let shown = ProjectApiToken::of(row, edit.now());
    edit.commit().await?;
    Ok(MintedProjectApiToken { shown, token: secret })
}

/// Revokes a token. A second time changes nothing.
pub(super) async fn revoke(app: &App, scope: Revoker, from: ClientAddress, id: TokenId) -> ApiResult<()> {
    let mut edit = Edit::begin(app, &scope).await?;
    let row = queries::find(&edit, scope.container, id).await?.ok_or_else(ApiError::not_found)?;
    if !queries::revoke(&mut edit, id).await? {
        return Ok(());
    }
    let detail = json!({ "reason": Reason::Owner.as_str() });
    let entry = Entry::of(&row, TokenEvent::Revoked, scope.actor.id, from, detail);
    audit::insert(&mut edit, &entry).await?;
    tell(&mut edit, SocketEvent::ApiTokenRevoked, &row).await?;
    Ok(edit.commit().await?)
}
