//! The statements behind a calendar: one finds the feed and whether its person is there, one reads the rows with what the person
//! sees now. Their number does not depend on how many rows there are.

use planwright_domain::ids::CalendarFeedId;
use planwright_store::record::select_list;
use planwright_store::{Read, Result, Sql, Tx, sql};
use planwright_web::visible::{program_is_open_to, project_is_open_to};

use super::model::DatedRow;
use crate::calendar_feeds::CalendarFeedRow;

/// Rows with a date in projects that the person is in. A phase is left out, since its rows below are the work; so is the backlog.
const DATED: &str = "SELECT t.id, t.short_id, t.name, t.project_id, p.name AS project_name, p.code AS project_code,
        t.is_milestone, t.status, t.percent_complete, t.actual_start, t.actual_finish, s.scheduled_start, s.early_finish,
        t.created_at, t.edited_at, w.computed_at, t.change_number, s.change_number AS schedule_change_number
     FROM tasks t
     JOIN task_schedule s ON s.task_id = t.id
     JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
     JOIN project_members m ON m.project_id = p.id AND m.user_id = :person AND m.deletion_id IS NULL
     JOIN users u ON u.id = m.user_id
     LEFT JOIN project_schedule w ON w.project_id = p.id
     WHERE t.deletion_id IS NULL AND t.status <> 'BACKLOG' AND NOT s.is_phase
        AND (t.actual_finish IS NOT NULL OR s.early_finish IS NOT NULL)";

/// The tasks that a person is the assignee of, or that a resource of theirs is allocated to, as in My Work.
const MINE: &str = " AND p.archived_at IS NULL
     AND t.id IN (SELECT o.id FROM tasks o WHERE o.assignee_id = :person UNION
        SELECT a.task_id FROM task_resources a JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
        WHERE r.user_id = :person AND a.deletion_id IS NULL)";

/// The feed of a secret, if its person may act.
pub async fn by_hash(db: &dyn Read, hash: &str) -> Result<Option<CalendarFeedRow>> {
    let select = format!(
        "SELECT {} FROM calendar_feeds f
         JOIN users u ON u.id = f.user_id AND u.is_active = TRUE AND u.status <> 'deactivated'
         WHERE f.token_hash = :hash",
        select_list::<CalendarFeedRow>("f")
    );
    db.maybe(sql!(select, hash = hash)).await
}

/// What a feed shows to its person now, the latest dates first; one more than `most` where there are more.
pub async fn rows(db: &dyn Read, feed: &CalendarFeedRow, most: usize) -> Result<Vec<DatedRow>> {
    let mut select = sql!(DATED, person = feed.user_id);
    select = select.push(&format!(" AND {}", project_is_open_to("u", "p")));
    if !feed.include_done {
        select = select.push(" AND t.status <> 'COMPLETE'");
    }
    select = match (feed.project_id, feed.program_id) {
        (Some(project), _) => select.push(" AND t.is_milestone AND p.id = :project").bind("project", project),
        (None, Some(program)) => in_program(select).bind("program", program),
        (None, None) => select.push(MINE),
    };
    let most = i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1);
    let order = " ORDER BY s.early_finish DESC NULLS LAST, t.id LIMIT :most";
    db.all(select.push(order).bind("most", most)).await
}

/// The milestones of a program, as long as the person is in it, too.
fn in_program(select: Sql) -> Sql {
    select.push(&format!(
        " AND t.is_milestone AND p.program_id = :program AND EXISTS (
            SELECT 1 FROM programs g JOIN program_members n ON n.program_id = g.id AND n.deletion_id IS NULL
            WHERE g.id = p.program_id AND g.deletion_id IS NULL AND n.user_id = u.id AND {})",
        program_is_open_to("u", "g")
    ))
}

/// Notes that a feed was read.
pub async fn note_use(tx: &mut Tx, id: CalendarFeedId) -> Result<()> {
    let update = "UPDATE calendar_feeds SET last_used_at = :now WHERE id = :id";
    tx.run(sql!(update, now = tx.now(), id = id)).await.map(drop)
}
