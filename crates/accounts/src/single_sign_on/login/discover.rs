//! `/api/v1/auth/oidc/discover/`: which providers apply to an address. The answer does not depend on whether somebody has an
//! account.

use axum::extract::State;
use planwright_web::input::{Name, Patch};
use planwright_web::limits::Limit;
use planwright_web::{ApiResult, App, Json, Query, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::providers;
use super::super::providers::model::SsoProviderRow;
use super::rules;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/auth/oidc/discover/",
        discover,
        says("List the providers that an address may sign in with, or all of them.")
            .public()
            .limit(Limit::OidcDiscover),
    )
}

input! {
    /// Whose providers are asked for.
    pub struct DiscoverQuery {
        /// The address that somebody wants to sign in with.
        pub email: Patch<Name<0, 254>>,
    }
}

/// A provider, as the page for signing in shows it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SsoDiscoveredProvider {
    /// What `login/` takes as `provider`.
    pub slug: String,
    /// What stands on the button.
    pub display_name: String,
}

/// The providers that apply.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SsoDiscoverResponse {
    /// Whether there is one.
    pub provider_present: bool,
    pub providers: Vec<SsoDiscoveredProvider>,
}

async fn discover(
    State(app): State<App>,
    Query(query): Query<DiscoverQuery>,
) -> ApiResult<Json<SsoDiscoverResponse>> {
    let email = query.email.given().map(String::from).unwrap_or_default();
    let rows = providers::queries::enabled(&app.db).await?;
    let applying = rows.into_iter().filter(|row| email.trim().is_empty() || rules::applies(row, &email));
    let shown =
        |row: SsoProviderRow| SsoDiscoveredProvider { slug: row.slug, display_name: row.display_name };
    let providers: Vec<SsoDiscoveredProvider> = applying.map(shown).collect();
    Ok(Json(SsoDiscoverResponse { provider_present: !providers.is_empty(), providers }))
}
