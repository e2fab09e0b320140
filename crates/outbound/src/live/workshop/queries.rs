//! Every statement about workshops and their participants.

use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::ProjectScope;
use uuid::Uuid;

use super::model::{ParticipantRow, SessionRow};

const SELECT: &str =
    "SELECT id, project_id, started_by_id, started_at, ended_at FROM workshop_sessions WHERE ";

/// The running workshop of a project.
pub async fn held(db: &dyn Read, project: ProjectId) -> Result<Option<SessionRow>> {
    let statement = sql!(SELECT, project = project).push("project_id = :project AND ended_at IS NULL");
    db.maybe(statement).await
}

/// A workshop, running or ended.
pub async fn find(db: &dyn Read, id: Uuid) -> Result<Option<SessionRow>> {
    db.maybe(sql!(SELECT, id = id).push("id = :id")).await
}

/// All participants, in the order in which they joined.
pub async fn participants(db: &dyn Read, session: Uuid) -> Result<Vec<ParticipantRow>> {
    let select = "SELECT p.number, p.user_id, u.first_name, u.last_name, u.username, p.joined_at, p.left_at
                  FROM workshop_participants p JOIN users u ON u.id = p.user_id
                  WHERE p.session_id = :session ORDER BY p.number";
    db.all(sql!(select, session = session)).await
}

/// Begins a workshop. If one is running, the error is `StoreError::Duplicate("uq_workshop_sessions_project_id")`.
pub async fn insert(tx: &mut Tx, scope: &ProjectScope<may::HoldWorkshop>) -> Result<Uuid> {
    let id: Uuid = tx.mint();
    let insert = sql!(
        "INSERT INTO workshop_sessions (id, project_id, started_by_id, started_at, participant_count)
         VALUES (:id, :project, :actor, :now, 0)",
        id = id,
        project = scope.project,
        actor = scope.actor.id,
        now = tx.now()
    );
    tx.run(insert).await?;
    Ok(id)
}

/// Ends a workshop for all participants. False if it has already ended.
pub async fn end(tx: &mut Tx, session: Uuid) -> Result<bool> {
    let now = tx.now();
    let end = "UPDATE workshop_sessions SET ended_at = :now WHERE id = :id AND ended_at IS NULL";
    let ended = tx.run(sql!(end, now = now, id = session)).await? == 1;
    let leave = "UPDATE workshop_participants SET left_at = :now WHERE session_id = :id AND left_at IS NULL";
    tx.run(sql!(leave, now = now, id = session)).await?;
    Ok(ended)
}

/// Adds a participant, with their earlier number if they were there before. False if the workshop has ended.
pub async fn take_part(tx: &mut Tx, session: Uuid, user: UserId) -> Result<bool> {
    let again = "UPDATE workshop_participants SET left_at = NULL
                 WHERE session_id = :session AND user_id = :user
                   AND EXISTS (SELECT 1 FROM workshop_sessions s WHERE s.id = :session AND s.ended_at IS NULL)";
    if tx.run(sql!(again, session = session, user = user)).await? == 1 {
        return Ok(true);
    }
    let count = "UPDATE workshop_sessions SET participant_count = participant_count + 1
                 WHERE id = :session AND ended_at IS NULL RETURNING participant_count";
    let Some(number) = tx.scalar::<i64>(sql!(count, session = session)).await? else { return Ok(false) };
    let now = tx.now();
    insert_participant(tx, session, user, number, now).await?;
    Ok(true)
}

async fn insert_participant(
    tx: &mut Tx,
    session: Uuid,
    user: UserId,
    number: i64,
    now: DateTime<Utc>,
) -> Result<()> {
    let insert = "INSERT INTO workshop_participants (session_id, number, user_id, joined_at)
                  VALUES (:session, :number, :user, :now)
                  ON CONFLICT (session_id, user_id) DO UPDATE SET left_at = NULL";
    tx.run(sql!(insert, session = session, number = number, user = user, now = now)).await.map(drop)
}

/// Records that a participant left.
pub async fn part(tx: &mut Tx, session: Uuid, user: UserId) -> Result<()> {
    let now = tx.now();
    let part = "UPDATE workshop_participants SET left_at = :now
                WHERE session_id = :session AND user_id = :user AND left_at IS NULL";
    tx.run(sql!(part, now = now, session = session, user = user)).await.map(drop)
}
