//! `GET /api/v1/sync/user/programs/`: the programs that the caller belongs to, with everybody who belongs to them. Each
//! program counts its changes by itself, so a watermark holds one counter for each.

use std::collections::BTreeMap;

use axum::extract::State;
use planwright_domain::ids::ProgramId;
use planwright_store::value::list;
use planwright_store::{Db, Result, sql};
use planwright_web::{Actor, ApiResult, App, Json, Query, Routes, says};
use uuid::Uuid;

use crate::collections::{ProgramChange, ProgramMemberChange};
use crate::pull::{Asked, Changed, Found, PageUnderWay, Position, SyncPullResponse, SyncQuery, too_old};
use crate::watermarks::{self, Reading};

/// The collections, in the order in which they are sent.
const COLLECTIONS: [&str; 2] = ["programs", "program_memberships"];

/// The programs of a person, each with how far its counter is.
type Counters = BTreeMap<ProgramId, i64>;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/sync/user/programs/",
        pull,
        says("What changed in the programs of the caller since the last pull, for clients that keep a copy of them."),
    )
}

async fn pull(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<SyncQuery>,
) -> ApiResult<Json<SyncPullResponse>> {
    let reading = Reading { user: actor.id, place: Uuid::nil() };
    let asked = Asked::read(query, reading)?;
    let before = watermarks::find::<Counters>(&app.db, reading, asked.since).await?.map(|known| known.state);
    let (until, page) = match asked.page {
        None => {
            let now = counters(&app.db, &actor).await?;
            let number = watermarks::pin(&app, reading, &now).await?;
            (now, Position::first(asked.since, number))
        }
        Some(page) => {
            let known = watermarks::find::<Counters>(&app.db, reading, page.until).await?;
            let mut until = known.ok_or_else(too_old)?.state;
            // Programs that the caller does not see any more are not read on; the next pull takes them away.
            let seen = counters(&app.db, &actor).await?;
            until.retain(|program, _| seen.contains_key(program));
            (until, page)
        }
    };
    let rows = changed(&app.db, before.as_ref(), &until).await?;
    Ok(Json(page_of(rows, page, asked.size, reading, before.is_none())))
}

/// The page of everything that changed.
fn page_of(
    all: [Vec<Found>; 2],
    page: Position,
    size: usize,
    reading: Reading,
    is_full: bool,
) -> SyncPullResponse {
    let mut rows = PageUnderWay::new(COLLECTIONS.into_iter(), page, size);
    for (index, mut found) in all.into_iter().enumerate().skip(page.collection) {
        let after = rows.after(index).1;
        found.retain(|found| found.id > after);
        rows.take(index, COLLECTIONS[index], found);
        if rows.is_full() {
            break;
        }
    }
    rows.answer(reading, is_full)
}

/// What differs between two readings, by id: the rows of programs that went on, and what the person no longer sees.
async fn changed(db: &Db, before: Option<&Counters>, until: &Counters) -> Result<[Vec<Found>; 2]> {
    let none = Counters::new();
    let (known, is_full) = (before.unwrap_or(&none), before.is_none());
    let moved: Vec<ProgramId> =
        until.iter().filter(|(id, number)| known.get(id) != Some(number)).map(|(id, _)| *id).collect();
    let lost: Vec<ProgramId> = known.keys().filter(|id| !until.contains_key(id)).copied().collect();
    let since = |program: ProgramId| known.get(&program).copied().unwrap_or_default();
    let is_due = |found: &Found, program: ProgramId| {
        found.number > since(program)
            && until.get(&program).is_some_and(|until| found.number <= *until)
            && !(is_full && found.row.is_none())
    };
    let programs: Vec<ProgramChange> = db.all(sql!(PROGRAMS, ids = list(moved.clone()))).await?;
    let mut programs = found(programs, |row| ProgramId(row.id), is_due)?;
    let members: Vec<ProgramMemberChange> = db.all(sql!(MEMBERS, ids = list(moved))).await?;
    let mut members = found(members, ProgramMemberChange::program, is_due)?;
    let gone = |id| Found { number: 0, id, row: None };
    programs.extend(lost.iter().map(|program| gone(program.0)));
    let of_lost = "SELECT id FROM program_members WHERE program_id IN (:ids)";
    let of_lost: Vec<Uuid> = db.scalars(sql!(of_lost, ids = list(lost))).await?;
    members.extend(of_lost.into_iter().map(gone));
    programs.sort_by_key(|found| found.id);
    members.sort_by_key(|found| found.id);
    Ok([programs, members])
}

fn found<T: Changed>(
    rows: Vec<T>,
    program: impl Fn(&T) -> ProgramId,
    is_due: impl Fn(&Found, ProgramId) -> bool,
) -> Result<Vec<Found>> {
    let mut all = Vec::with_capacity(rows.len());
    for row in rows {
        let program = program(&row);
        let found = Found::of(row)?;
        if is_due(&found, program) {
            all.push(found);
        }
    }
    Ok(all)
}

const PROGRAMS: &str = "SELECT r.change_number AS number, r.deletion_id IS NOT NULL AS is_gone, r.*
    FROM programs r WHERE r.id IN (:ids)";

const MEMBERS: &str = "SELECT r.change_number AS number, r.deletion_id IS NOT NULL AS is_gone, r.*
    FROM program_members r WHERE r.program_id IN (:ids)";

/// The programs that the caller sees, each with how far its counter is.
async fn counters(db: &Db, actor: &Actor) -> Result<Counters> {
    let select = sql!(
        "SELECT g.id, COALESCE(c.counter, 1) FROM programs g
         LEFT JOIN change_counters c ON c.container_id = g.id WHERE TRUE"
    );
    let rows: Vec<(ProgramId, i64)> = db.all(actor.in_visible_programs(select, "g.id")).await?;
    Ok(rows.into_iter().collect())
}
