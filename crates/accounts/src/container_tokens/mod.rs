//! Tokens of projects and programs: minted, listed, revoked, and what happened to them, at `…/api-tokens/` and
//! `…/api-token-audit/`. They are for machines that push work in; no token of this kind manages tokens.

mod audit;
pub mod commands;
pub mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of tokens of projects and programs.
pub fn routes() -> Routes {
    routes::table().and(audit::table())
}
