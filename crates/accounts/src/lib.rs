//! Sign-in, sessions, API tokens and one's own profile, at `/api/v1/auth/` and `/api/v1/me/`.
//! What people may do in projects is not decided here.

mod calendar_feeds;
mod cleanup;
pub mod container_tokens;
mod hashing;
pub mod invites;
mod letters;
pub mod me;
pub mod offboarding;
pub mod passwords;
pub mod people;
pub mod second_factor;
pub mod settings;
pub mod sign_in;
pub mod single_sign_on;
pub mod standing;
pub mod tokens;
mod words;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

pub use settings::AccountSettings;

/// The routes of accounts.
pub fn routes() -> Routes {
    Routes::new()
        .and(sign_in::routes())
        .and(passwords::routes())
        .and(me::routes())
        .and(tokens::routes())
        .and(container_tokens::routes())
        .and(invites::routes())
        .and(single_sign_on::routes())
        .and(second_factor::routes())
}

/// The jobs of accounts.
pub fn jobs() -> Registry<App> {
    cleanup::jobs().and(passwords::jobs()).and(single_sign_on::jobs()).and(second_factor::jobs())
}
