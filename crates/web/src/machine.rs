//! Machines that push work in: each shows a token of the project in the path, or of its program. Such a token opens nothing
//! else, and whoever minted it stands for the machine in the history.

use chrono::{DateTime, NaiveTime, Utc};
use http::HeaderMap;
use planwright_domain::Role;
use planwright_domain::ids::{TokenId, UserId};
use planwright_domain::words::TokenEvent;
use planwright_store::{Read, row, sql};
use serde_json::json;
use uuid::Uuid;

use crate::actor::{Actor, Credential, bearer, note_use};
use crate::assurance::Assurance;
use crate::{ApiError, ApiResult, App, token};

/// How long a token counts as new, in minutes.
const NEW_MINUTES: i64 = 60;

row! {
    struct MachineRow {
        id: TokenId,
        created_by: UserId,
        username: String,
        created_at: DateTime<Utc>,
        expires_at: Option<DateTime<Utc>>,
        last_used_at: Option<DateTime<Utc>>,
        token_prefix: String,
        project_id: Option<Uuid>,
        program_id: Option<Uuid>,
    }
}

const BY_HASH: &str =
    "SELECT t.id, t.created_by, u.username, t.created_at, t.expires_at, t.last_used_at, t.token_prefix,
        t.project_id, t.program_id
     FROM api_tokens t JOIN users u ON u.id = t.created_by
     JOIN projects p ON p.id = :project AND p.deletion_id IS NULL
         AND (t.project_id = p.id OR t.program_id = p.program_id)
     WHERE t.token_hash = :hash AND t.owner_id IS NULL AND t.revoked_at IS NULL";

/// 401 for everything that is no token of the project: whoever has the wrong one learns nothing about it.
pub(crate) fn wrong() -> ApiError {
    ApiError::unauthenticated("Invalid token.")
}

/// The machine of the `Authorization` header. `None` without the header.
pub(crate) async fn authenticate(
    app: &App,
    headers: &HeaderMap,
    project: Option<Uuid>,
) -> ApiResult<Option<Actor>> {
    let Some(shown) = bearer(headers) else { return Ok(None) };
    let project = project.ok_or_else(wrong)?;
    let found: Option<MachineRow> =
        app.db.maybe(sql!(BY_HASH, project = project, hash = token::hash(shown))).await?;
    let now = app.clock.now();
    let row = found.filter(|row| row.expires_at.is_none_or(|at| now < at)).ok_or_else(wrong)?;
    if !is_noted_as_first_of_the_day(app, &row).await? {
        note_use(app, row.id, row.last_used_at).await?;
    }
    let is_new = (now - row.created_at).num_minutes() < NEW_MINUTES;
    let credential = Credential::ContainerToken { id: row.id, is_new };
    Ok(Some(standing_for(row.created_by, row.username, credential, row.expires_at)))
}

/// Writes a line into the trail of the token, once a day (UTC), so that a busy machine does not fill it. The answer is whether this
/// was the day's first use, which is noted then.
async fn is_noted_as_first_of_the_day(app: &App, row: &MachineRow) -> ApiResult<bool> {
    let now = app.clock.now();
    let today = now.date_naive().and_time(NaiveTime::MIN).and_utc();
    if row.last_used_at.is_some_and(|at| at >= today) {
        return Ok(false);
    }
    let mut tx = app.db.begin().await?;
    let first = "UPDATE api_tokens SET last_used_at = :now WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :today)";
    if tx.run(sql!(first, now = now, id = row.id, today = today)).await? == 1 {
        let line = "INSERT INTO api_token_audit (id, token_id, project_id, program_id, token_prefix, actor_id, action, source_ip,
                detail, created_at)
             VALUES (:line, :token, :project, :program, :prefix, :actor, :action, NULL, :detail, :now)";
        let line = sql!(
            line,
            line = tx.mint::<Uuid>(),
            token = row.id,
            project = row.project_id,
            program = row.program_id,
            prefix = &row.token_prefix,
            actor = row.created_by,
            action = TokenEvent::Used,
            detail = json!({}),
            now = now
        );
        tx.run(line).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Who stands for a machine whose work is finished by a job: the person who let it in, whether or not their account is still
/// active.
///
/// # Errors
/// 401 if there is no such person.
pub async fn in_background(db: &dyn Read, person: UserId) -> ApiResult<Actor> {
    let select = "SELECT username FROM users WHERE id = :id";
    let name: Option<String> = db.scalar(sql!(select, id = person)).await?;
    Ok(standing_for(person, name.ok_or_else(wrong)?, Credential::Background, None))
}

/// A machine has no rank in the workspace and is no guest: its token says where it may push.
fn standing_for(
    id: UserId,
    username: String,
    credential: Credential,
    ends_at: Option<DateTime<Utc>>,
) -> Actor {
    let source = "unknown".to_owned();
    let assurance = Assurance::default();
    Actor {
        id,
        username,
        workspace_role: Role::Viewer,
        is_guest: false,
        credential,
        ends_at,
        assurance,
        source,
    }
}

/// How the names of statuses of other systems are compared: the case of letters does not matter, and blanks and dashes are
/// underscores.
pub fn plain_status(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}
