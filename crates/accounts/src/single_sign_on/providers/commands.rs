//! Adding, changing, deleting and trying out providers.

use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::ids::SsoProviderId;
use planwright_egress::{Egress, Failure};
use planwright_plan::edit::Edit;
use planwright_web::origin::ServerOrigin;
use planwright_web::version::Versioned;
use planwright_web::{ApiError, ApiResult, App, WorkspaceScope};
use serde_json::{Map, Value as Json, json};

use super::super::catalogue::{self, Kind, Known};
use super::super::http_client::HttpClient;
use super::super::open_id::{self, Trouble};
use super::super::{ProviderMemory, github};
use super::model::*;
use super::{queries, rules};

/// Who may change providers.
pub(super) type Administrator = WorkspaceScope<may::AdministerWorkspace>;

/// Where providers send people back to.
pub const CALLBACK: &str = "/api/v1/auth/oidc/callback/";

/// The address that has to be registered at providers.
pub fn redirect_uri(origin: &ServerOrigin) -> String {
    format!("{}{CALLBACK}", origin.0)
}

/// The kind of a stored provider.
pub fn known(row: &SsoProviderRow) -> ApiResult<&'static Known> {
    catalogue::find(&row.slug)
        .ok_or_else(|| ApiError::unexpected(anyhow::anyhow!("a provider has the slug {:?}", row.slug)))
}

/// Providers as administrators see them.
pub(super) fn shown(
    row: SsoProviderRow,
    counts: LinkedRow,
    redirect_uri: &str,
) -> ApiResult<SsoProviderRead> {
    let known = known(&row)?;
    Ok(SsoProviderRead {
        provider: if known.kind == Kind::OAuth { "github" } else { "openid_connect" },
        kind: known.kind.as_str(),
        scopes: rules::scopes(known, &row).to_vec(),
        allowed_email_domains: row.domains(),
        secret_set: !row.sealed_secret.is_empty(),
        slug: row.slug,
        display_name: row.display_name,
        enabled: row.enabled,
        client_id: row.client_id,
        server_url: row.server_url,
        github_org: row.github_org,
        auto_create_members: row.auto_create_members,
        default_role: row.default_role.rank(),
        allow_password_signin: true,
        allow_password_signin_enforced: false,
        redirect_uri: redirect_uri.to_owned(),
        linked_account_count: counts.linked,
        locked_out_account_count: counts.locked_out,
        created_at: row.created_at,
        updated_at: row.updated_at,
        server_version: row.server_version,
    })
}

/// Adds a provider.
///
/// # Errors
/// 400 with everything that is wrong, 409 when there is one with this slug.
pub(super) async fn add(
    app: &App,
    scope: &Administrator,
    request: SsoProviderWriteRequest,
    redirect_uri: &str,
) -> ApiResult<SsoProviderRead> {
    let slug = request.slug.as_given().map(|slug| slug.as_str().to_owned()).unwrap_or_default();
    admit(app, &slug, &request).await?;
    let mut edit = Edit::begin(app, scope).await?;
    let Some(known) = catalogue::find(&slug) else {
        let names = catalogue::names();
        let message =
            format!("Must be one of {names}, or one of them with - and lower-case letters or digits.");
        return Err(ApiError::invalid_field("slug", message));
    };
    if queries::by_slug(&edit, &slug).await?.is_some() {
        return Err(ApiError::conflict("There is a provider with this slug."));
    }
    let fresh = SsoProviderRow::fresh(edit.mint(), &slug, known.name, edit.now());
    let row = SsoProviderRow {
        kept_by: Some(edit.grant.actor.id),
        ..sealed(app, fresh, request, known, (0, edit.grant.actor.workspace_role))?
    };
    edit.create(&row).await?;
    edit.commit().await?;
    shown(row, LinkedRow::default(), redirect_uri)
}

/// Changes some fields of a provider.
pub(super) async fn change(
    app: &App,
    scope: &Administrator,
    slug: &str,
    request: SsoProviderWriteRequest,
    redirect_uri: &str,
) -> ApiResult<Versioned<SsoProviderRead>> {
    admit(app, slug, &request).await?;
    let mut edit = Edit::begin(app, scope).await?;
    let before = queries::locked(&mut edit, slug).await?.ok_or_else(ApiError::not_found)?;
    let counts = counts(&edit, before.id).await?;
    // The history shows that the secret changed, but neither value.
    let secret = request.client_secret.as_given().map(|_| ("client_secret".to_owned(), json!([null, null])));
    let by = (counts.linked, edit.grant.actor.workspace_role);
    let changed = sealed(app, before.clone(), request, known(&before)?, by)?;
    // Whoever says where identities come from answers for them; a new name or picture changes nothing of that.
    let is_another_source = secret.is_some() || rules::is_another_source(&before, &changed);
    let kept_by = if is_another_source { Some(edit.grant.actor.id) } else { before.kept_by };
    let after = SsoProviderRow { updated_at: edit.now(), kept_by, ..changed };
    let written = edit.update_noting(&before, after, secret.into_iter().collect()).await?.row;
    edit.commit().await?;
    Ok(Versioned::new(written.server_version, shown(written, counts, redirect_uri)?))
}

/// Refuses an issuer at an address to which nothing may be sent. Its name is looked up before the transaction begins. What else
/// is wrong with the text is said together with everything that is wrong.
async fn admit(app: &App, slug: &str, request: &SsoProviderWriteRequest) -> ApiResult<()> {
    let written = request.server_url.as_given().map(|text| text.as_str()).unwrap_or_default();
    let address = catalogue::find(slug).and_then(|known| known.address(written).ok()).unwrap_or_default();
    if written.is_empty() || address.is_empty() {
        return Ok(());
    }
    let refused = |failure: Failure| ApiError::invalid_field("server_url", failure.to_string());
    app.get::<Egress>().admit(&address).await.map(drop).map_err(refused)
}

fn sealed(
    app: &App,
    before: SsoProviderRow,
    request: SsoProviderWriteRequest,
    known: &Known,
    by: (i64, Role),
) -> ApiResult<SsoProviderRow> {
    let secret = request.client_secret.as_given().cloned();
    let mut row = rules::changed(before, request, known, by)?;
    if let Some(secret) = secret {
        let secret = String::from(secret);
        row.sealed_secret = app.sealer.seal_text(&row.purpose(), &secret)?;
    }
    Ok(row)
}

/// The secret of a provider.
pub fn secret(app: &App, row: &SsoProviderRow) -> ApiResult<String> {
    Ok(app.sealer.open_text(&row.purpose(), &row.sealed_secret)?)
}

/// How many people sign in with a provider.
pub(super) async fn counts(
    db: &impl planwright_store::Read,
    id: SsoProviderId,
) -> planwright_store::Result<LinkedRow> {
    Ok(queries::linked(db, &[id]).await?.remove(&id).unwrap_or_default())
}

/// Deletes a provider, and forgets who its people are here.
///
/// # Errors
/// 409 when people have no other way in, unless that is wanted.
pub(super) async fn remove(
    app: &App,
    scope: &Administrator,
    slug: &str,
    is_confirmed: bool,
) -> ApiResult<()> {
    let mut edit = Edit::begin(app, scope).await?;
    let row = queries::locked(&mut edit, slug).await?.ok_or_else(ApiError::not_found)?;
    let counts = counts(&edit, row.id).await?;
    if counts.locked_out > 0 && !is_confirmed {
        let detail = format!(
            "{} people could not sign in any more. Send confirm_lockout=true to delete it all the same.",
            counts.locked_out
        );
        let error = ApiError::conflict(detail).with_code("sso_removal_locks_out_members");
        let error = error.with("linked_account_count", json!(counts.linked));
        return Err(error.with("locked_out_account_count", json!(counts.locked_out)));
    }
    queries::forget(&mut edit, row.id).await?;
    edit.delete(&row).await?;
    Ok(edit.commit().await?)
}

/// Asks a provider what it is, and changes nothing.
pub(super) async fn try_out(app: &App, row: &SsoProviderRow) -> ApiResult<SsoTestConnectionResponse> {
    let failed = |error, detail: String| SsoTestConnectionResponse {
        error: Some(error),
        detail: Some(detail),
        ..SsoTestConnectionResponse::default()
    };
    if row.server_url.is_empty() {
        return Ok(failed("no_issuer", "The provider has no issuer.".to_owned()));
    }
    if known(row)?.kind == Kind::OAuth {
        return Ok(match github::probe(app.get::<Egress>(), &row.server_url).await {
            Ok(()) => works(row.server_url.clone(), Map::new()),
            Err(failure) => failed("github_unreachable", failure.to_string()),
        });
    }
    Ok(match open_id::discover(&HttpClient(app.clone()), &row.server_url).await {
        Ok(metadata) => {
            app.get::<ProviderMemory>().keep(&row.server_url, &metadata, app.clock.now());
            works(row.server_url.clone(), open_id::endpoints(&metadata))
        }
        Err(Trouble { code, detail }) => failed(code, detail),
    })
}

fn works(issuer: String, endpoints: Map<String, Json>) -> SsoTestConnectionResponse {
    SsoTestConnectionResponse {
        ok: true,
        issuer: Some(issuer),
        endpoints: Some(endpoints),
        ..SsoTestConnectionResponse::default()
    }
}
