//! Every statement about planning poker; rounds are written through edits.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{PokerSessionId, ProjectId, SprintId, TaskId, UserId};
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Tx, sql};

use super::model::{PokerRow, ShownPokerRow, VoteRow};

const TEAM: &str = "FROM team_members x JOIN teams m ON m.id = x.team_id AND m.is_default";

fn shown() -> String {
    format!(
        "SELECT t.name AS task_name, u.username AS starter_username, u.first_name AS starter_first_name,
            u.last_name AS starter_last_name,
            (SELECT COUNT(*) {TEAM} WHERE m.project_id = s.project_id) AS participant_count, {}
         FROM poker_sessions s JOIN tasks t ON t.id = s.task_id AND t.deletion_id IS NULL
         JOIN users u ON u.id = s.started_by WHERE s.deletion_id IS NULL",
        PokerRow::select_list("s")
    )
}

/// The live rounds of a sprint that is being planned, newest first. A task that has left the sprint has none there.
pub async fn live(db: &dyn Read, sprint: SprintId) -> Result<Vec<ShownPokerRow>> {
    let of_sprint = "AND s.sprint_id = :sprint AND s.state IN ('open', 'revealed')
         AND t.sprint_id = s.sprint_id
         AND EXISTS (SELECT 1 FROM sprints p WHERE p.id = s.sprint_id AND p.state = 'PLANNED')
         ORDER BY s.started_at DESC, s.id DESC";
    db.all(sql!(format!("{} {of_sprint}", shown()), sprint = sprint)).await
}

/// One round; none when its task is gone.
pub async fn one(db: &dyn Read, id: PokerSessionId) -> Result<Option<ShownPokerRow>> {
    db.maybe(sql!(format!("{} AND s.id = :id", shown()), id = id)).await
}

/// The votes of some rounds, oldest first.
pub async fn votes(db: &dyn Read, sessions: &[PokerSessionId]) -> Result<Vec<VoteRow>> {
    let select = "SELECT v.session_id, v.voter_id, u.username, u.first_name, u.last_name, v.value, v.comment
         FROM poker_votes v JOIN users u ON u.id = v.voter_id WHERE v.session_id IN (:sessions)
         ORDER BY v.voted_at, v.voter_id";
    db.all(sql!(select, sessions = list(sessions.iter().copied()))).await
}

/// Casts a vote, or another one than before.
pub async fn vote(
    tx: &mut Tx,
    session: PokerSessionId,
    voter: UserId,
    (value, comment): (Option<i64>, &str),
    now: DateTime<Utc>,
) -> Result<()> {
    let upsert = "INSERT INTO poker_votes (session_id, voter_id, value, comment, voted_at)
         VALUES (:session, :voter, :value, :comment, :now)
         ON CONFLICT (session_id, voter_id) DO UPDATE SET value = excluded.value, comment = excluded.comment,
            voted_at = excluded.voted_at";
    let statement =
        sql!(upsert, session = session, voter = voter, value = value, comment = comment, now = now);
    tx.run(statement).await.map(drop)
}

/// Whether somebody is in the default team of a project.
pub async fn is_in_team(db: &dyn Read, project: ProjectId, person: UserId) -> Result<bool> {
    let count = format!("SELECT COUNT(*) {TEAM} WHERE m.project_id = :project AND x.user_id = :person");
    Ok(db.count(sql!(count, project = project, person = person)).await? > 0)
}

/// The live round of a task.
pub async fn live_of_task(db: &dyn Read, task: TaskId) -> Result<Option<PokerSessionId>> {
    let select = "SELECT id FROM poker_sessions
         WHERE task_id = :task AND state IN ('open', 'revealed') AND deletion_id IS NULL";
    db.scalar(sql!(select, task = task)).await
}
