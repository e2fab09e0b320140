//! Who said something, and for how long they may change it.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::Role;
use planwright_domain::ids::UserId;
use planwright_domain::person;
use planwright_store::row;
use planwright_web::{Actor, ApiError, ApiResult};
use schemars::JsonSchema;
use serde::Serialize;

/// For so many minutes authors may change what they said.
const EDIT_MINUTES: i64 = 15;

row! {
    /// The names of a person, as they are stored.
    #[derive(PartialEq)]
    pub struct AuthorRow {
        pub author_id: UserId,
        pub username: String,
        pub first_name: String,
        pub last_name: String,
    }
}

/// A person, as a comment or a note names them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "_MentionAuthorMini")]
pub struct Author {
    pub id: UserId,
    pub username: String,
    pub display_name: String,
}

impl From<AuthorRow> for Author {
    fn from(row: AuthorRow) -> Self {
        let display_name = person::display_name(&row.first_name, &row.last_name, &row.username);
        Self { id: row.author_id, username: row.username, display_name }
    }
}

/// Refuses a change by anybody but the author, and by the author after a quarter of an hour.
///
/// # Errors
/// 403 that says which of both it is.
pub fn may_edit(actor: &Actor, author: UserId, written: DateTime<Utc>, now: DateTime<Utc>) -> ApiResult<()> {
    match (actor.id == author, now - written <= Duration::minutes(EDIT_MINUTES)) {
        (false, _) => Err(ApiError::forbidden("You may change what you wrote yourself.")),
        (true, false) => {
            Err(ApiError::forbidden(format!("A text can be changed for {EDIT_MINUTES} minutes.")))
        }
        (true, true) => Ok(()),
    }
}

/// Refuses a deletion by anybody but the author and those who manage the project.
///
/// # Errors
/// 403.
pub fn may_delete(actor: &Actor, author: UserId, role: Role) -> ApiResult<()> {
    match actor.id == author || role.rank() >= Role::ProjectManager.rank() {
        true => Ok(()),
        false => Err(ApiError::forbidden("You may delete what you wrote yourself.")),
    }
}
