//! Migrations: embedded, numbered, with checksums, each in its own transaction. The comparison of the binary with the
//! database gives the state that `readyz` reports.

use anyhow::anyhow;
use planwright_domain::hex;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::engine::Engine;
use crate::{Db, Read, Result, StoreError, row, sql};

/// One migration of the schema.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// Its place in the order, from 1.
    pub number: i64,
    /// A short name that says what it does.
    pub name: &'static str,
    /// Its text, the same for both engines.
    pub text: &'static str,
    /// What only SQLite and what only PostgreSQL runs after that.
    pub of_engines: [&'static str; 2],
}

impl Migration {
    fn of_engine(&self, engine: Engine) -> &'static str {
        let [sqlite, postgres] = self.of_engines;
        match engine {
            Engine::Sqlite => sqlite,
            Engine::Postgres => postgres,
        }
    }

    fn whole_text(&self) -> String {
        let [sqlite, postgres] = self.of_engines;
        [self.text, sqlite, postgres].concat()
    }
}

macro_rules! migrations {
    ($($number:literal $name:literal $($by:ident)?),* $(,)?) => {
        &[$(Migration {
            number: $number,
            name: $name,
            text: include_str!(concat!("../../../migrations/", $name, ".sql")),
            of_engines: migrations!(@of $name $($by)?),
        }),*]
    };
    (@of $name:literal) => { ["", ""] };
    (@of $name:literal by_engine) => {
        [
            include_str!(concat!("../../../migrations/", $name, ".sqlite.sql")),
            include_str!(concat!("../../../migrations/", $name, ".postgres.sql")),
        ]
    };
}

/// Every migration, in order.
pub const MIGRATIONS: &[Migration] = migrations![
    1 "0001_foundation",
    2 "0002_accounts",
    3 "0003_workspace",
    4 "0004_programs_and_projects",
    5 "0005_plan",
    6 "0006_records",
    7 "0007_exchange",
    8 "0008_plan_writes",
    9 "0009_links",
    10 "0010_runs",
    11 "0011_batches",
    12 "0012_plan_memory",
    13 "0013_live",
    14 "0014_webhooks",
    15 "0015_quicker_writes",
    16 "0016_change_numbers",
    17 "0017_sessions",
    18 "0018_constraints",
    19 "0019_people",
    20 "0020_time_tracking",
    21 "0021_webhook_failures",
    22 "0022_sprints",
    23 "0023_backlogs",
    24 "0024_ceremonies",
    25 "0025_task_transitions",
    26 "0026_boards",
    27 "0027_discussions",
    28 "0028_notifications",
    29 "0029_governance",
    30 "0030_search" by_engine,
    31 "0031_task_links",
    32 "0032_search_letters" by_engine,
    36 "0036_interchange",
    37 "0037_attachments",
    38 "0038_notices",
    39 "0039_risk_delays",
    40 "0040_stored_archives",
    41 "0041_kept_standings",
    45 "0045_groups",
    46 "0046_invites",
    47 "0047_audit_events",
    48 "0048_mail_settings",
    49 "0049_logo",
    50 "0050_retention",
    51 "0051_share_links",
    55 "0055_rates",
    56 "0056_single_sign_on",
    57 "0057_kept_promises",
    58 "0058_kept_by",
    59 "0059_imports_under_way",
    62 "0062_task_sync",
    63 "0063_git_automation",
    64 "0064_credentials",
    65 "0065_connections",
    66 "0066_letters_of_invites",
    70 "0070_sync",
    71 "0071_agent_actions",
    72 "0072_found_words" by_engine,
    74 "0074_second_factor",
    76 "0076_search_terms" by_engine,
    77 "0077_phases",
    78 "0078_search_indexes" by_engine,
    79 "0079_task_calendars",
    80 "0080_found_rows" by_engine,
    81 "0081_calendar_feeds",
    82 "0082_baseline_tasks" by_engine,
    83 "0083_split_shares",
    84 "0084_baseline_budgets",
    85 "0085_standings_of_leaves",
    86 "0086_factors_of_providers",
    87 "0087_template_scopes" by_engine,
    88 "0088_projects_of_archives",
];

/// Whether the database and the binary know the same migrations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MigrationState {
    /// Both know the same migrations.
    InSync,
    /// The binary contains migrations that the database does not have.
    Behind,
    /// The database has migrations that the binary does not know.
    Ahead,
    /// The database did not answer, or a recorded migration differs from the one in the binary.
    Unknown,
}

row! {
    struct Applied { number: i64, checksum: String }
}

fn checksum(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// One checksum over all migrations and the maintenance of PostgreSQL after them. Databases with the same checksum
/// have the same schema.
pub(crate) fn fingerprint() -> String {
    let upkeep = Engine::Postgres.upkeep().map_or("", |upkeep| upkeep.leave_room);
    let texts = MIGRATIONS.iter().map(Migration::whole_text);
    checksum(&texts.chain([upkeep.to_owned()]).collect::<String>())
}

async fn applied(db: &dyn Read) -> Result<Vec<Applied>> {
    match db.count(db.engine().migrations_listing()).await? {
        0 => Ok(Vec::new()),
        _ => db.all(sql!("SELECT number, checksum FROM migrations ORDER BY number")).await,
    }
}

/// The migration state of the database. It is `Unknown` if the database does not answer.
pub async fn state(db: &Db) -> MigrationState {
    let Ok(applied) = applied(db).await else { return MigrationState::Unknown };
    compare(MIGRATIONS, &applied)
}

/// The migration state of a database with these recorded migrations, by number and checksum.
pub(crate) fn state_of(recorded: Vec<(i64, String)>) -> MigrationState {
    let applied: Vec<Applied> =
        recorded.into_iter().map(|(number, checksum)| Applied { number, checksum }).collect();
    compare(MIGRATIONS, &applied)
}

fn compare(shipped: &[Migration], applied: &[Applied]) -> MigrationState {
    let differs = shipped.iter().any(|step| {
        applied.iter().any(|done| done.number == step.number && done.checksum != checksum(&step.whole_text()))
    });
    let lacking = shipped.iter().any(|step| applied.iter().all(|done| done.number != step.number));
    let surplus = applied.iter().any(|done| shipped.iter().all(|step| step.number != done.number));
    match (differs, lacking, surplus) {
        (true, _, _) => MigrationState::Unknown,
        (_, true, _) => MigrationState::Behind,
        (_, false, true) => MigrationState::Ahead,
        (_, false, false) => MigrationState::InSync,
    }
}

/// Applies the missing migrations and returns their names.
pub async fn apply(db: &Db) -> Result<Vec<&'static str>> {
    let taken = apply_until(db, i64::MAX).await?;
    if let (Some(upkeep), false) = (db.engine().upkeep(), taken.is_empty()) {
        let mut tx = db.begin().await?;
        tx.run_script(upkeep.leave_room).await?;
        tx.commit().await?;
    }
    Ok(taken)
}

/// Applies the missing migrations up to a number. Tests stop there and add sample data.
pub async fn apply_until(db: &Db, last: i64) -> Result<Vec<&'static str>> {
    let mut taken = Vec::new();
    for step in MIGRATIONS.iter().filter(|step| step.number <= last) {
        let mut tx = db.begin().await?;
        if let Some(lock) = tx.engine().migration_lock() {
            tx.rows(lock).await?;
        }
        tx.run_script(
            "CREATE TABLE IF NOT EXISTS migrations (
                number BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL)",
        )
        .await?;
        let done = applied(&tx).await?.into_iter().find(|done| done.number == step.number);
        match done {
            Some(done) if done.checksum == checksum(&step.whole_text()) => continue,
            Some(_) => {
                return Err(StoreError::Unexpected(anyhow!(
                    "migration {} was changed after it was applied",
                    step.name
                )));
            }
            None => {}
        }
        tx.run_script(step.text).await?;
        tx.run_script(step.of_engine(tx.engine())).await?;
        let record = sql!(
            "INSERT INTO migrations (number, name, checksum, applied_at) VALUES (:number, :name, :checksum, :now)",
            number = step.number,
            name = step.name,
            checksum = checksum(&step.whole_text()),
            now = tx.now(),
        );
        tx.run(record).await?;
        tx.commit().await?;
        taken.push(step.name);
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &[Migration] = &[
        Migration { number: 1, name: "a", text: "a", of_engines: ["", ""] },
        Migration { number: 2, name: "b", text: "b", of_engines: ["", ""] },
    ];

    fn done(steps: &[(i64, &str)]) -> Vec<Applied> {
        steps.iter().map(|(number, text)| Applied { number: *number, checksum: checksum(text) }).collect()
    }

    #[test]
    fn the_state_follows_from_comparing_both_sets() {
        assert_eq!(compare(SHIPPED, &done(&[(1, "a"), (2, "b")])), MigrationState::InSync);
        assert_eq!(compare(SHIPPED, &done(&[(1, "a")])), MigrationState::Behind);
        assert_eq!(compare(SHIPPED, &done(&[(1, "a"), (2, "b"), (3, "c")])), MigrationState::Ahead);
        assert_eq!(compare(SHIPPED, &done(&[(1, "changed"), (2, "b")])), MigrationState::Unknown);
    }
}
