//! Every statement about programs themselves.
//! Creation and deletion are commands of `plan`.

use std::collections::{HashMap, HashSet};

use planwright_domain::Role;
use planwright_domain::ids::{ProgramId, UserId};
use planwright_plan::containers::ProgramRow;
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Sql, Tx, sql};
use planwright_web::Actor;

/// The live programs that the caller belongs to, whose name or code contains the text.
pub fn visible(db: &dyn Read, caller: &Actor, search: Option<&str>) -> Sql {
    let by_name = contains(db.engine(), "p.name", "search");
    let by_code = contains(db.engine(), "p.code", "search");
    caller.in_visible_programs(sql!("FROM programs p WHERE p.deletion_id IS NULL"), "p.id").when(
        &format!("AND ({by_name} OR {by_code})"),
        "search",
        search.map(pattern),
    )
}

/// Several live programs in the order of their ids, held until the end of the transaction, so that changes come one after the other.
pub async fn some_to_change(tx: &mut Tx, ids: Vec<ProgramId>) -> Result<Vec<ProgramRow>> {
    tx.lock_rows("programs", ids.iter().map(|id| id.0)).await?;
    let columns = ProgramRow::select_list("p");
    let select = format!(
        "SELECT {columns} FROM programs p WHERE p.id IN (:ids) AND p.deletion_id IS NULL ORDER BY p.id"
    );
    tx.all(sql!(select, ids = list(ids))).await
}

/// How many projects each of several programs holds that somebody may know of.
pub async fn project_counts(
    db: &dyn Read,
    actor: &Actor,
    programs: impl IntoIterator<Item = ProgramId>,
) -> Result<HashMap<ProgramId, i64>> {
    let select = "SELECT p.program_id, COUNT(*) AS projects FROM projects p
         WHERE p.program_id IN (:programs) AND p.deletion_id IS NULL";
    let known = actor.knowing_projects(sql!(select, programs = list(programs)));
    let counts: Vec<(ProgramId, i64)> = db.all(known.push(" GROUP BY p.program_id")).await?;
    Ok(counts.into_iter().collect())
}

/// How many people belong to each of several programs.
pub async fn member_counts(
    db: &dyn Read,
    programs: impl IntoIterator<Item = ProgramId>,
) -> Result<HashMap<ProgramId, i64>> {
    let select = "SELECT program_id, COUNT(*) AS members FROM program_members
         WHERE program_id IN (:programs) AND deletion_id IS NULL GROUP BY program_id";
    let counts: Vec<(ProgramId, i64)> = db.all(sql!(select, programs = list(programs))).await?;
    Ok(counts.into_iter().collect())
}

/// The ranks somebody has in several programs.
pub async fn roles_in(
    db: &dyn Read,
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
    db: &dyn Read,
    person: UserId,
    programs: impl IntoIterator<Item = ProgramId>,
) -> Result<HashSet<ProgramId>> {
    let select = "SELECT object_id FROM pins
         WHERE user_id = :person AND kind = 'program' AND object_id IN (:programs)";
    let pinned: Vec<ProgramId> = db.scalars(sql!(select, person = person, programs = list(programs))).await?;
    Ok(pinned.into_iter().collect())
}

/// Whether the active baseline of any project of a program that somebody may know of has costs.
pub async fn has_costs(db: &dyn Read, actor: &Actor, program: ProgramId) -> Result<bool> {
    let count = "SELECT COUNT(*) FROM baselines b
         JOIN projects p ON p.id = b.project_id AND p.deletion_id IS NULL AND p.program_id = :program
         WHERE b.is_active AND b.deletion_id IS NULL AND b.budget IS NOT NULL";
    Ok(db.count(actor.knowing_projects(sql!(count, program = program))).await? > 0)
}
