//! Every statement about members.
//! Deciding what may be written is in `rules.rs`.

use planwright_domain::ids::UserId;
use planwright_store::page::{self, Key};
use planwright_store::{Read, Result, Tx, Value, sql};

use super::model::MemberRow;

const COLUMNS: &str =
    "SELECT u.id, u.username, u.first_name, u.last_name, u.email, u.is_active, u.workspace_role,
    u.status, u.last_login_at, u.server_version,
    (SELECT COUNT(*) FROM project_members m JOIN projects p ON p.id = m.project_id
     WHERE m.user_id = u.id AND m.deletion_id IS NULL AND p.deletion_id IS NULL) AS project_count,
    EXISTS (SELECT 1 FROM sso_identities i WHERE i.user_id = u.id) AS uses_sso,
    u.second_factor_since IS NOT NULL AS has_second_factor,
    COALESCE(a.percent, 100) AS availability_percent, a.effective_from AS availability_effective_from,
    a.effective_to AS availability_effective_to, COALESCE(a.notes, '') AS availability_notes ";

const FROM: &str = "FROM users u LEFT JOIN member_availability a ON a.user_id = u.id WHERE TRUE";

/// The members behind a place in the list, by user name, one more than asked for; `only` narrows it down to one person.
pub async fn list(
    db: &dyn Read,
    only: Option<UserId>,
    after: Option<(Value, Value)>,
    size: i64,
) -> Result<Vec<MemberRow>> {
    let from = sql!(FROM).when("AND u.id = :only", "only", only);
    let page = page::behind(from, Key::ascending("u.username"), Key::ascending("u.id"), after, size);
    db.all(page.wrap(COLUMNS, "")).await
}

/// One member.
pub async fn find(db: &dyn Read, id: UserId) -> Result<Option<MemberRow>> {
    db.maybe(sql!(format!("{COLUMNS}{FROM} AND u.id = :id"), id = id)).await
}

/// How many Owners may act besides one person.
pub async fn acting_owners_besides(db: &dyn Read, id: UserId) -> Result<i64> {
    db.count(sql!(
        "SELECT COUNT(*) FROM users
         WHERE workspace_role = 400 AND status = 'active' AND is_active = TRUE AND id <> :id",
        id = id
    ))
    .await
}

/// Writes how far somebody is available.
pub async fn keep_availability(tx: &mut Tx, row: &MemberRow) -> Result<()> {
    let statement = sql!(
        "INSERT INTO member_availability (user_id, percent, effective_from, effective_to, notes)
         VALUES (:user, :percent, :first, :last, :notes)
         ON CONFLICT (user_id) DO UPDATE SET percent = excluded.percent, effective_from = excluded.effective_from,
            effective_to = excluded.effective_to, notes = excluded.notes",
        user = row.id,
        percent = row.availability_percent,
        first = row.availability_effective_from,
        last = row.availability_effective_to,
        notes = &row.availability_notes
    );
    tx.run(statement).await.map(drop)
}
