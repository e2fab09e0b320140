//! People as rows: adding one, finding one, giving one another password, shutting one out.
//! The profile a person edits is elsewhere; so is membership.

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::ids::UserId;
use planwright_domain::words::{ChangeKind, MemberStatus};
use planwright_store::history::Change;
use planwright_store::{Read, Result, Tx, row, sql};
use serde_json::Value as Json;

use crate::{passwords, sign_in, tokens};

row! {
    /// A person, as lists and sign-in need it.
    pub struct PersonRow {
        pub id: UserId,
        pub username: String,
        pub email: String,
        pub first_name: String,
        pub last_name: String,
        pub password_hash: Option<String>,
        pub is_active: bool,
        pub status: MemberStatus,
        pub workspace_role: Role,
        pub last_login_at: Option<DateTime<Utc>>,
    }
}

impl PersonRow {
    /// Whether they may hold a session.
    pub fn may_sign_in(&self) -> bool {
        sign_in::rules::may_sign_in(self.is_active, self.status)
    }
}

/// The columns of a [`PersonRow`].
pub(crate) const COLUMNS: &str =
    "SELECT id, username, email, first_name, last_name, password_hash, is_active, status,
    workspace_role, last_login_at FROM users";

/// A person to be added.
#[derive(Clone, Debug)]
pub struct NewPerson {
    /// The name to sign in with; unique.
    pub username: String,
    /// The address mail goes to; may be empty.
    pub email: String,
    /// The hash of the password; none for people who sign in elsewhere.
    pub password_hash: Option<String>,
    /// The rank in the workspace.
    pub workspace_role: Role,
}

/// Adds a person. A user name that is taken is `StoreError::Duplicate("uq_users_username")`.
pub async fn add(tx: &mut Tx, person: &NewPerson) -> Result<UserId> {
    let id: UserId = tx.mint();
    let statement = sql!(
        "INSERT INTO users (id, username, email, first_name, last_name, password_hash, password_changed_at,
            is_active, joined_at, workspace_role, status, default_landing, role_context, hidden_views,
            schedule_in_deliver, dnd_enabled, timezone, date_format, server_version)
         VALUES (:id, :username, :email, '', '', :hash, :now, TRUE, :now, :role, 'active', 'auto', 'unified', '[]',
            FALSE, FALSE, 'auto', 'auto', 1)",
        id = id,
        username = &person.username,
        email = &person.email,
        hash = person.password_hash.clone(),
        now = tx.now(),
        role = person.workspace_role,
    );
    tx.run(statement).await?;
    Ok(id)
}

/// The person of that user name.
pub async fn by_username(db: &impl Read, username: &str) -> Result<Option<PersonRow>> {
    db.maybe(sql!(format!("{COLUMNS} WHERE username = :username"), username = username)).await
}

/// The person of that id.
pub async fn by_id(db: &impl Read, id: UserId) -> Result<Option<PersonRow>> {
    db.maybe(sql!(format!("{COLUMNS} WHERE id = :id"), id = id)).await
}

/// Everybody, by user name.
pub async fn everybody(db: &impl Read) -> Result<Vec<PersonRow>> {
    db.all(sql!(format!("{COLUMNS} ORDER BY username"))).await
}

/// How many people there are.
pub async fn count(db: &impl Read) -> Result<i64> {
    db.count(sql!("SELECT COUNT(*) FROM users")).await
}

/// Writes a new password for whoever runs the program, and ends everything that the old one opened.
pub async fn set_password(tx: &mut Tx, id: UserId, password_hash: &str) -> Result<()> {
    passwords::replace(tx, id, password_hash, None, tokens::Reason::PasswordChange).await
}

/// Shuts a person out at once: no sign-in, no refresh, no personal token. Reactivation brings none of these back.
pub async fn deactivate(tx: &mut Tx, user: UserId) -> Result<()> {
    let statement = sql!(
        "UPDATE users SET is_active = FALSE, server_version = server_version + 1
         WHERE id = :id AND is_active = TRUE",
        id = user
    );
    if tx.run(statement).await? == 1 {
        record(tx, user, None, "is_active", serde_json::json!([true, false])).await?;
    }
    sign_in::queries::revoke_all(tx, user).await?;
    tokens::revoke_all(tx, user, None, tokens::Reason::Offboarding).await
}

/// Writes into the history that one field of a person has changed, after the row was written.
pub(crate) async fn record(
    tx: &mut Tx,
    id: UserId,
    by: Option<UserId>,
    field: &str,
    values: Json,
) -> Result<()> {
    let version = tx.count(sql!("SELECT server_version FROM users WHERE id = :id", id = id)).await?;
    let mut change = Change { version, ..Change::of("user", id, ChangeKind::Updated, by) };
    change.fields.insert(field.to_owned(), values);
    tx.record(change).await
}
