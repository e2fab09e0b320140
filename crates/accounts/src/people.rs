//! People as rows: adding one, finding one, and what the history says of one.
//! The profile a person edits is elsewhere; so are passwords, membership and how somebody is shut out.

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::ids::UserId;
use planwright_domain::words::{ChangeKind, DateFormat, DefaultLanding, MemberStatus, RoleContext};
use planwright_store::history::Change;
use planwright_store::record::select_list;
use planwright_store::{Db, Read, Result, ToValue, Tx, row, sql};
use serde_json::{Value as Json, json};

use crate::me::model::MyRow;

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
        pub second_factor_since: Option<DateTime<Utc>>,
    }
}

impl PersonRow {
    /// Whether they may hold a session.
    pub fn may_sign_in(&self) -> bool {
        may_sign_in(self.is_active, self.status)
    }
}

/// Whether a person may hold a session.
pub(crate) fn may_sign_in(is_active: bool, status: MemberStatus) -> bool {
    is_active && status != MemberStatus::Deactivated
}

/// Selects [`PersonRow`]s from `users u`, with what follows.
pub(crate) fn select(which: &str) -> String {
    format!("SELECT {} FROM users u {which}", select_list::<PersonRow>("u"))
}

/// A person to be added.
#[derive(Clone, Debug)]
pub struct NewPerson {
    /// The name to sign in with; unique.
    pub username: String,
    /// The address mail goes to; may be empty.
    pub email: String,
    /// The first names; may be blank.
    pub first_name: String,
    /// The last name; may be blank.
    pub last_name: String,
    /// The hash of the password; none for people who sign in elsewhere.
    pub password_hash: Option<String>,
    /// The rank in the workspace.
    pub workspace_role: Role,
}

/// Adds a person. A user name that is taken is `StoreError::Duplicate("uq_users_username")`.
pub async fn add(db: &Db, person: &NewPerson) -> Result<UserId> {
    let mut tx = db.begin().await?;
    let id = add_in(&mut tx, person).await?;
    tx.commit().await?;
    Ok(id)
}

/// Adds a person who came in by themselves, and notes that in their history.
pub(crate) async fn let_in(tx: &mut Tx, person: &NewPerson) -> Result<UserId> {
    let id = add_in(tx, person).await?;
    let shown = json!({ "username": person.username, "workspace_role": person.workspace_role });
    tx.record(Change::of("user", id, ChangeKind::Created, id).whole(&shown)).await?;
    Ok(id)
}

/// The same as [`add`] within a transaction.
async fn add_in(tx: &mut Tx, person: &NewPerson) -> Result<UserId> {
    let row = MyRow {
        id: tx.mint(),
        username: person.username.clone(),
        email: person.email.clone(),
        first_name: person.first_name.clone(),
        last_name: person.last_name.clone(),
        workspace_role: person.workspace_role,
        default_landing: DefaultLanding::Auto,
        role_context: RoleContext::Unified,
        hidden_views: Json::Array(Vec::new()),
        schedule_in_deliver: false,
        dnd_enabled: false,
        timezone: "auto".to_owned(),
        date_format: DateFormat::Auto,
        server_version: 1,
    };
    let more = vec![
        ("password_hash", person.password_hash.clone().to_value()),
        ("password_changed_at", tx.now().to_value()),
        ("is_active", true.to_value()),
        ("joined_at", tx.now().to_value()),
        ("status", MemberStatus::Active.to_value()),
    ];
    tx.insert(&row, more).await?;
    Ok(row.id)
}

/// The person of that user name.
pub async fn by_username(db: &dyn Read, username: &str) -> Result<Option<PersonRow>> {
    db.maybe(sql!(select("WHERE u.username = :username"), username = username)).await
}

/// Whether somebody has a user name, however its letters are written.
pub async fn is_name_taken(db: &dyn Read, username: &str) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM users WHERE lower(username) = lower(:name)";
    Ok(db.count(sql!(select, name = username)).await? > 0)
}

/// The person of that id.
pub async fn by_id(db: &dyn Read, id: UserId) -> Result<Option<PersonRow>> {
    db.maybe(sql!(select("WHERE u.id = :id"), id = id)).await
}

/// Everybody, by user name.
pub async fn everybody(db: &dyn Read) -> Result<Vec<PersonRow>> {
    db.all(sql!(select("ORDER BY u.username"))).await
}

/// How many people there are.
pub async fn count(db: &dyn Read) -> Result<i64> {
    db.count(sql!("SELECT COUNT(*) FROM users")).await
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
