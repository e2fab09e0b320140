//! Every statement about one's own person and profile.
//! Project memberships are read here and never written.

use planwright_domain::Role;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_store::{Read, Result, Tx, sql};

use super::model::{Involvement, MyRow, UserProfile};

/// A person with what they chose for themselves.
pub async fn find(db: &impl Read, id: UserId) -> Result<Option<MyRow>> {
    let select =
        "SELECT id, username, email, first_name, last_name, workspace_role, default_landing, role_context,
            hidden_views, schedule_in_deliver, dnd_enabled, timezone, date_format, server_version
         FROM users WHERE id = :id";
    db.maybe(sql!(select, id = id)).await
}

/// How far a person is involved in projects.
pub async fn involvement(db: &impl Read, user: UserId) -> Result<Involvement> {
    let highest: Option<Option<i64>> = db
        .scalar(sql!(
            "SELECT MAX(m.role) FROM project_members m JOIN projects p ON p.id = m.project_id
             WHERE m.user_id = :user AND m.deletion_id IS NULL AND p.deletion_id IS NULL",
            user = user
        ))
        .await?;
    let recent: Option<ProjectId> = db
        .scalar(sql!(
            "SELECT p.id FROM project_members m JOIN projects p ON p.id = m.project_id
             WHERE m.user_id = :user AND m.deletion_id IS NULL AND p.deletion_id IS NULL AND p.archived_at IS NULL
             ORDER BY m.joined_at DESC, p.id DESC LIMIT 1",
            user = user
        ))
        .await?;
    Ok(Involvement { highest: highest.flatten().and_then(Role::from_rank), recent })
}

/// Writes a profile and raises the version of its person.
pub async fn update_profile(tx: &mut Tx, id: UserId, profile: &UserProfile) -> Result<()> {
    tx.run(sql!(
        "UPDATE users SET default_landing = :landing, role_context = :context, hidden_views = :hidden,
            schedule_in_deliver = :schedule, timezone = :timezone, date_format = :date_format,
            server_version = server_version + 1
         WHERE id = :id",
        landing = profile.default_landing,
        context = profile.role_context,
        hidden = serde_json::json!(profile.hidden_views),
        schedule = profile.schedule_in_deliver,
        timezone = &profile.timezone,
        date_format = profile.date_format,
        id = id
    ))
    .await
    .map(drop)
}
