//! Every statement about programs themselves.
//! Memberships are in `member_queries.rs`; creation and deletion are commands of `plan`.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_plan::containers::{fields, lock_programs};
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, sql};

use super::model::ProgramRow;

/// The columns of a program.
pub fn columns() -> String {
    format!("SELECT {}", fields::select_list::<ProgramRow>("p"))
}

/// The live programs that somebody belongs to, whose name or code contains the text.
pub fn of_person(db: &impl Read, person: UserId, search: Option<&str>) -> Sql {
    let by_name = contains(db.engine(), "p.name", "search");
    let by_code = contains(db.engine(), "p.code", "search");
    sql!(
        "FROM programs p JOIN program_members m ON m.program_id = p.id AND m.deletion_id IS NULL
         WHERE p.deletion_id IS NULL AND m.user_id = :person",
        person = person
    )
    .when(&format!("AND ({by_name} OR {by_code})"), "search", search.map(pattern))
}

/// One live program.
pub async fn find(db: &impl Read, id: ProgramId) -> Result<Option<ProgramRow>> {
    let select = format!("{} FROM programs p WHERE p.id = :id AND p.deletion_id IS NULL", columns());
    db.maybe(sql!(select, id = id)).await
}

/// List live programs in the order of their ids, held until the end of the transaction, so that changes come one after the other.
pub async fn some_to_change(tx: &mut Tx, ids: Vec<ProgramId>) -> Result<Vec<ProgramRow>> {
    lock_programs(tx, ids.clone()).await?;
    let select =
        format!("{} FROM programs p WHERE p.id IN (:ids) AND p.deletion_id IS NULL ORDER BY p.id", columns());
    tx.all(sql!(select, ids = list(ids))).await
}

/// Writes what people say of a program and raises its version.
pub async fn update(tx: &mut Tx, row: &ProgramRow) -> Result<()> {
    let columns = row.written.columns();
    let statement = sql!(
        format!(
            "UPDATE programs SET {}, updated_at = :now, server_version = server_version + 1 WHERE id = :id",
            fields::assignments(&columns)
        ),
        now = tx.now(),
        id = row.id,
    );
    tx.run(fields::bind_all(statement, columns)).await.map(drop)
}

/// Closes a program, or opens it again, and raises its version.
pub async fn set_closed(tx: &mut Tx, id: ProgramId, closed: Option<(DateTime<Utc>, UserId)>) -> Result<()> {
    let statement = sql!(
        "UPDATE programs SET closed_at = :at, closed_by = :person, updated_at = :now,
            server_version = server_version + 1 WHERE id = :id",
        at = closed.map(|(at, _)| at),
        person = closed.map(|(_, person)| person),
        now = tx.now(),
        id = id,
    );
    tx.run(statement).await.map(drop)
}

/// The live projects of a program.
pub async fn projects_of(db: &impl Read, program: ProgramId) -> Result<Vec<ProjectId>> {
    let select = "SELECT id FROM projects WHERE program_id = :program AND deletion_id IS NULL ORDER BY id";
    db.scalars(sql!(select, program = program)).await
}

/// How many projects each of several programs holds.
pub async fn project_counts(
    db: &impl Read,
    programs: impl IntoIterator<Item = ProgramId>,
) -> Result<HashMap<ProgramId, i64>> {
    let select = "SELECT program_id, COUNT(*) AS projects FROM projects
         WHERE program_id IN (:programs) AND deletion_id IS NULL GROUP BY program_id";
    let counts: Vec<(ProgramId, i64)> = db.all(sql!(select, programs = list(programs))).await?;
    Ok(counts.into_iter().collect())
}

/// How many people belong to each of several programs.
pub async fn member_counts(
    db: &impl Read,
    programs: impl IntoIterator<Item = ProgramId>,
) -> Result<HashMap<ProgramId, i64>> {
    let select = "SELECT program_id, COUNT(*) AS members FROM program_members
         WHERE program_id IN (:programs) AND deletion_id IS NULL GROUP BY program_id";
    let counts: Vec<(ProgramId, i64)> = db.all(sql!(select, programs = list(programs))).await?;
    Ok(counts.into_iter().collect())
}

/// The ranks somebody has in several programs.
pub async fn roles_in(
    db: &impl Read,
    person: UserId,
    programs: impl IntoIterator<Item = ProgramId>,
) -> Result<HashMap<ProgramId, Role>> {
    let select = "SELECT program_id, role FROM program_members
         WHERE user_id = :person AND program_id IN (:programs) AND deletion_id IS NULL";
    let roles: Vec<(ProgramId, Role)> =
        db.all(sql!(select, person = person, programs = list(programs))).await?;
    Ok(roles.into_iter().collect())
}

/// Which of several programs somebody pinned.
pub async fn pinned(
    db: &impl Read,
    person: UserId,
    programs: impl IntoIterator<Item = ProgramId>,
) -> Result<HashSet<ProgramId>> {
    let select = "SELECT object_id FROM pins
         WHERE user_id = :person AND kind = 'program' AND object_id IN (:programs)";
    let pinned: Vec<ProgramId> = db.scalars(sql!(select, person = person, programs = list(programs))).await?;
    Ok(pinned.into_iter().collect())
}
