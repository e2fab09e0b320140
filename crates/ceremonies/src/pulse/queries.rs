//! Every statement about pulses. Those that read single answers name their person.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{PulseId, RetroId, SprintId, UserId};
use planwright_plan::sprints::SprintRow;
use planwright_store::{Read, Result, Tx, sql};

use super::model::{Pulse, SumRow};

/// How many sprints a trend shows.
const SPRINTS: i64 = 8;

/// What a person answered in a sprint.
pub async fn own(db: &dyn Read, sprint: SprintId, person: UserId) -> Result<Option<Pulse>> {
    let select = "SELECT id, retro_id AS retro, mood, energy, confidence, updated_at FROM pulses
         WHERE sprint_id = :sprint AND user_id = :person";
    db.maybe(sql!(select, sprint = sprint, person = person)).await
}

/// Writes what a person answers in a sprint, instead of what they answered before.
pub async fn write(
    tx: &mut Tx,
    id: PulseId,
    (retro, sprint, person): (RetroId, SprintId, UserId),
    (mood, energy, confidence): (i64, i64, Option<i64>),
    now: DateTime<Utc>,
) -> Result<()> {
    let upsert = "INSERT INTO pulses (id, retro_id, sprint_id, user_id, mood, energy, confidence, updated_at)
         VALUES (:id, :retro, :sprint, :person, :mood, :energy, :confidence, :now)
         ON CONFLICT (sprint_id, user_id) DO UPDATE SET mood = excluded.mood, energy = excluded.energy,
            confidence = excluded.confidence, updated_at = excluded.updated_at";
    let statement = sql!(
        upsert,
        id = id,
        retro = retro,
        sprint = sprint,
        person = person,
        mood = mood,
        energy = energy,
        confidence = confidence,
        now = now
    );
    tx.run(statement).await.map(drop)
}

/// The answers of a sprint and of those before it in its project, added up, oldest first.
pub async fn sums(db: &dyn Read, sprint: &SprintRow) -> Result<Vec<SumRow>> {
    let select = "SELECT s.id AS sprint_id, s.name AS sprint_name, COUNT(*) AS answers,
            CAST(SUM(p.mood) AS BIGINT) AS mood, CAST(SUM(p.energy) AS BIGINT) AS energy,
            COUNT(p.confidence) AS confident, CAST(COALESCE(SUM(p.confidence), 0) AS BIGINT) AS confidence
         FROM (SELECT x.id, x.name, x.start_date FROM sprints x
               WHERE x.project_id = :project AND x.deletion_id IS NULL
                   AND (x.start_date < :start OR x.id = :sprint)
               ORDER BY x.start_date DESC, x.id DESC LIMIT :most) s
         JOIN pulses p ON p.sprint_id = s.id
         GROUP BY s.id, s.name, s.start_date ORDER BY s.start_date, s.id";
    let (project, start) = (sprint.project_id, sprint.start_date);
    db.all(sql!(select, project = project, start = start, sprint = sprint.id, most = SPRINTS)).await
}
