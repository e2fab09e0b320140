//! Every statement about the feeds of a person. A feed is always looked for together with its person.

use planwright_domain::ids::{CalendarFeedId, ProgramId, ProjectId, UserId};
use planwright_store::record::select_list;
use planwright_store::{Read, Result, StoreError, Tx, sql};

use super::model::CalendarFeedRow;

/// The feeds of a person, the newest first.
pub async fn of_person(db: &dyn Read, person: UserId) -> Result<Vec<CalendarFeedRow>> {
    let columns = select_list::<CalendarFeedRow>("f");
    let select = format!(
        "SELECT {columns} FROM calendar_feeds f WHERE f.user_id = :person ORDER BY f.created_at DESC, f.id DESC"
    );
    db.all(sql!(select, person = person)).await
}

/// One feed of a person.
pub async fn find(db: &dyn Read, person: UserId, id: CalendarFeedId) -> Result<Option<CalendarFeedRow>> {
    let columns = select_list::<CalendarFeedRow>("f");
    let select = format!("SELECT {columns} FROM calendar_feeds f WHERE f.user_id = :person AND f.id = :id");
    db.maybe(sql!(select, person = person, id = id)).await
}

/// How many feeds a person has.
pub async fn count(db: &dyn Read, person: UserId) -> Result<i64> {
    db.count(sql!("SELECT COUNT(*) FROM calendar_feeds WHERE user_id = :person", person = person)).await
}

/// Ends a feed; false when somebody did so before.
pub async fn remove(tx: &mut Tx, id: CalendarFeedId) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM calendar_feeds WHERE id = :id", id = id)).await? == 1)
}

/// The name of a project.
pub async fn name_of_project(db: &dyn Read, id: ProjectId) -> Result<String> {
    let name = db.scalar(sql!("SELECT name FROM projects WHERE id = :id", id = id)).await?;
    name.ok_or(StoreError::Missing)
}

/// The name of a program.
pub async fn name_of_program(db: &dyn Read, id: ProgramId) -> Result<String> {
    let name = db.scalar(sql!("SELECT name FROM programs WHERE id = :id", id = id)).await?;
    name.ok_or(StoreError::Missing)
}
