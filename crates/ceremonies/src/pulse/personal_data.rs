//! The pulses of one person: to hand them over, and to remove them for good.
//! It is for whoever operates the server; no route leads here.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{SprintId, UserId};
use planwright_store::{Db, Read, Result, row, sql};
use serde::Serialize;

row! {
    /// What a person answered in a sprint.
    #[derive(Serialize)]
    pub struct KeptPulse {
        pub sprint: SprintId,
        pub sprint_name: String,
        pub project_name: String,
        pub mood: i64,
        pub energy: i64,
        pub confidence: Option<i64>,
        pub updated_at: DateTime<Utc>,
    }
}

/// Reads every answer of a person, those of deleted sprints too.
pub async fn of(db: &dyn Read, person: UserId) -> Result<Vec<KeptPulse>> {
    let select =
        "SELECT u.sprint_id AS sprint, s.name AS sprint_name, p.name AS project_name, u.mood, u.energy,
            u.confidence, u.updated_at
         FROM pulses u JOIN sprints s ON s.id = u.sprint_id JOIN projects p ON p.id = s.project_id
         WHERE u.user_id = :person ORDER BY s.start_date, u.id";
    db.all(sql!(select, person = person)).await
}

/// Removes every answer of a person; returns how many there were.
pub async fn erase(db: &Db, person: UserId) -> Result<u64> {
    let mut tx = db.begin().await?;
    let rows = tx.run(sql!("DELETE FROM pulses WHERE user_id = :person", person = person)).await?;
    tx.commit().await?;
    Ok(rows)
}
