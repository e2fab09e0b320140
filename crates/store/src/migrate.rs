//! The schema and the migrations after it: embedded, numbered, with checksums, each in its own transaction. The
//! comparison of the binary with the database gives the state that `readyz` reports.

use anyhow::anyhow;
use planwright_domain::hex;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::engine::Engine;
use crate::{Db, Read, Result, StoreError, Tx, row, sql};

/// One step of the schema.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// Its place in the order.
    pub number: i64,
    /// A short name that begins with the number.
    pub name: &'static str,
    /// Its texts, in their order.
    texts: &'static [Text],
}

/// An SQL text of a migration.
#[derive(Clone, Copy, Debug)]
struct Text {
    /// The only engine that runs it, if not both.
    engine: Option<Engine>,
    sql: &'static str,
}

impl Migration {
    /// The checksum of its statements. Comments can be improved without a new one.
    fn checksum(&self) -> String {
        let lines = self.texts.iter().flat_map(|text| text.sql.lines());
        let statements = lines.filter(|line| !line.trim_start().starts_with("--"));
        checksum(&statements.flat_map(|line| [line, "\n"]).collect::<String>())
    }
}

macro_rules! texts {
    ($($path:literal $($engine:ident)?),* $(,)?) => { &[$(texts!(@text $path $($engine)?)),*] };
    (@text $path:literal) => {
        Text { engine: None, sql: include_str!(concat!("../../../", $path, ".sql")) }
    };
    (@text $path:literal sqlite) => {
        Text { engine: Some(Engine::Sqlite), sql: include_str!(concat!("../../../", $path, ".sqlite.sql")) }
    };
    (@text $path:literal postgres) => {
        Text { engine: Some(Engine::Postgres), sql: include_str!(concat!("../../../", $path, ".postgres.sql")) }
    };
}

/// The whole schema, with which every database begins. Each file refers only to tables of files before it.
const SCHEMA: Migration = Migration {
    number: 100,
    name: "0100_schema",
    texts: texts![
        "schema/foundation",
        "schema/accounts",
        "schema/calendars",
        "schema/programs_and_projects",
        "schema/workspace",
        "schema/plan",
        "schema/editing",
        "schema/sprints",
        "schema/analysis",
        "schema/people",
        "schema/backlogs",
        "schema/boards",
        "schema/ceremonies",
        "schema/discussions",
        "schema/attachments",
        "schema/notifications",
        "schema/governance",
        "schema/time_tracking",
        "schema/exchange",
        "schema/sharing",
        "schema/sync",
        "schema/agents",
        "schema/integrations",
        "schema/outbound",
        "schema/text_index" sqlite,
        "schema/text_index" postgres,
        "schema/storage" postgres,
    ],
};

/// Every migration, in order.
pub const MIGRATIONS: &[Migration] = &[SCHEMA];

/// The migrations from which the schema grew. A database that has all of them has the schema.
struct FirstSeries {
    length: usize,
    /// The name of the last one.
    last: &'static str,
    /// Over the number and the checksum of each.
    checksum: &'static str,
    /// What remains to be done.
    texts: &'static [Text],
}

const FIRST_SERIES: FirstSeries = FirstSeries {
    length: 72,
    last: "0088_projects_of_archives",
    checksum: "82a4ed5eaa8458fb8629b2d4a246a141febdd7ea0d01e54d59d174609ada6937",
    texts: texts!["schema/first_series" postgres],
};

/// Why a database with a part of the first series is refused.
pub const TOO_OLD: &str = "the schema is older than 0088_projects_of_archives, the oldest that this version can update; \
    first run planwright migrate of the last version that has it (docs/operations.md, \"Upgrade\")";

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
    /// A migration that a database has recorded.
    pub(crate) struct Applied {
        pub(crate) number: i64,
        pub(crate) checksum: String,
    }
}

/// Where the schema of a database comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Empty,
    /// The whole first series.
    FirstSeries,
    /// A part of the first series.
    TooOld,
    /// The schema, and migrations after it.
    Schema,
    /// Migrations that are not ours.
    Foreign,
}

impl Origin {
    fn from_applied(applied: &[Applied]) -> Self {
        let recorded: String =
            applied.iter().map(|step| format!("{} {}\n", step.number, step.checksum)).collect();
        if applied.is_empty() {
            Origin::Empty
        } else if applied.iter().any(|step| step.number == SCHEMA.number) {
            Origin::Schema
        } else if checksum(&recorded) == FIRST_SERIES.checksum {
            Origin::FirstSeries
        } else if applied.len() < FIRST_SERIES.length {
            Origin::TooOld
        } else {
            Origin::Foreign
        }
    }
}

fn checksum(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// One checksum over all migrations. Databases with the same checksum have the same schema.
pub(crate) fn fingerprint() -> String {
    checksum(&MIGRATIONS.iter().map(Migration::checksum).collect::<String>())
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

/// The migration state of a database with these recorded migrations.
pub(crate) fn state_of(applied: &[Applied]) -> MigrationState {
    compare(MIGRATIONS, applied)
}

/// Whether the database is older than any that [`apply`] can update.
pub(crate) fn is_too_old(applied: &[Applied]) -> bool {
    Origin::from_applied(applied) == Origin::TooOld
}

/// Fails if [`apply`] cannot update a database whose newest migration has this name.
pub fn check_newest(name: &str) -> Result<()> {
    if name == FIRST_SERIES.last || MIGRATIONS.iter().any(|step| step.name == name) {
        return Ok(());
    }
    // Names begin with their number.
    Err(StoreError::Unexpected(match name < FIRST_SERIES.last {
        true => anyhow!(TOO_OLD),
        false => anyhow!("the schema {name} is newer than this binary; use a newer planwright"),
    }))
}

fn compare(shipped: &[Migration], applied: &[Applied]) -> MigrationState {
    let differs = shipped.iter().any(|step| {
        applied.iter().any(|done| done.number == step.number && done.checksum != step.checksum())
    });
    let lacking = shipped.iter().any(|step| applied.iter().all(|done| done.number != step.number));
    let is_surplus =
        |done: &Applied| done.number > SCHEMA.number && shipped.iter().all(|step| step.number != done.number);
    let surplus = applied.iter().any(is_surplus);
    match (differs || Origin::from_applied(applied) == Origin::Foreign, lacking, surplus) {
        (true, _, _) => MigrationState::Unknown,
        (_, true, _) => MigrationState::Behind,
        (_, false, true) => MigrationState::Ahead,
        (_, false, false) => MigrationState::InSync,
    }
}

/// Applies the missing migrations and returns their names.
pub async fn apply(db: &Db) -> Result<Vec<&'static str>> {
    let mut taken = Vec::new();
    for step in MIGRATIONS {
        let mut tx = db.begin().await?;
        if let Some(lock) = tx.engine().migration_lock() {
            tx.rows(lock).await?;
        }
        tx.run_script(
            "CREATE TABLE IF NOT EXISTS migrations (
                number BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL)",
        )
        .await?;
        let applied = applied(&tx).await?;
        if is_applied(step, &applied)? {
            continue;
        }
        match Origin::from_applied(&applied) {
            Origin::Empty | Origin::Schema => run(&mut tx, step.texts).await?,
            Origin::FirstSeries => run(&mut tx, FIRST_SERIES.texts).await?,
            Origin::TooOld => return Err(StoreError::Unexpected(anyhow!(TOO_OLD))),
            Origin::Foreign => {
                return Err(StoreError::Unexpected(anyhow!(
                    "the recorded migrations are not those of planwright"
                )));
            }
        }
        let record = sql!(
            "INSERT INTO migrations (number, name, checksum, applied_at) VALUES (:number, :name, :checksum, :now)",
            number = step.number,
            name = step.name,
            checksum = step.checksum(),
            now = tx.now(),
        );
        tx.run(record).await?;
        tx.commit().await?;
        taken.push(step.name);
    }
    Ok(taken)
}

fn is_applied(step: &Migration, applied: &[Applied]) -> Result<bool> {
    match applied.iter().find(|done| done.number == step.number) {
        None => Ok(false),
        Some(done) if done.checksum == step.checksum() => Ok(true),
        Some(_) => {
            Err(StoreError::Unexpected(anyhow!("migration {} was changed after it was applied", step.name)))
        }
    }
}

async fn run(tx: &mut Tx, texts: &[Text]) -> Result<()> {
    let engine = tx.engine();
    for text in texts.iter().filter(|text| text.engine.is_none_or(|only| only == engine)) {
        tx.run_script(text.sql).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn shipped(number: i64, sql: &'static [Text; 1]) -> Migration {
        Migration { number, name: "", texts: sql }
    }

    const SHIPPED: &[Migration] = &[
        shipped(100, &[Text { engine: None, sql: "-- A comment.\na" }]),
        shipped(101, &[Text { engine: None, sql: "b" }]),
    ];

    fn applied(steps: &[(i64, &str)]) -> Vec<Applied> {
        let recorded = steps.iter();
        recorded.map(|(number, text)| Applied { number: *number, checksum: checksum(text) }).collect()
    }

    #[test]
    fn the_state_follows_from_comparing_both_sets() {
        let state = |steps: &[(i64, &str)]| compare(SHIPPED, &applied(steps));
        assert_eq!(state(&[(100, "a\n"), (101, "b\n")]), MigrationState::InSync);
        assert_eq!(state(&[]), MigrationState::Behind);
        assert_eq!(state(&[(100, "a\n")]), MigrationState::Behind);
        assert_eq!(state(&[(100, "a\n"), (101, "b\n"), (102, "c\n")]), MigrationState::Ahead);
        assert_eq!(state(&[(100, "changed\n"), (101, "b\n")]), MigrationState::Unknown);
        assert_eq!(state(&[(1, "old"), (100, "a\n"), (101, "b\n")]), MigrationState::InSync);
        assert_eq!(state(&[(1, "old")]), MigrationState::Behind);
    }

    #[test]
    fn a_schema_is_known_too_old_or_too_new_by_its_newest_name() {
        let refusal = |name: &str| check_newest(name).err().map(|error| error.to_string());
        assert_eq!(refusal(FIRST_SERIES.last), None);
        assert_eq!(refusal(SCHEMA.name), None);
        assert_eq!(refusal("0072_found_words").as_deref(), Some(TOO_OLD));
        assert!(refusal("9999_later").is_some_and(|why| why.contains("newer")));
    }

    #[test]
    fn names_begin_with_their_numbers_and_numbers_rise() {
        assert!(MIGRATIONS.is_sorted_by(|one, other| one.number < other.number));
        for step in MIGRATIONS {
            assert!(step.name.starts_with(&format!("{:04}_", step.number)), "{}", step.name);
        }
    }
}
