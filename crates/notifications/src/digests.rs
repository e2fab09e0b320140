//! Weekly digests for those who asked for them: the health of their programs, and who has more work than time in the
//! projects that they manage. Each is one notification, at the hour of the week that its reader chose.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Duration, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_domain::words::{Health, Lifecycle, NotificationKind, TaskStatus};
use planwright_jobs::{JobError, Registry};
use planwright_plan::schedule::network::day;
use planwright_plan::standing::bands::{Band, health_band};
use planwright_plan::standing::standings;
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};
use planwright_web::App;
use planwright_web::visible::{program_is_open_to, project_is_known_to, project_is_open_to};

use crate::telling::{self, Told};
use crate::times;

/// The days ahead that are looked at for too much work.
const AHEAD_DAYS: i32 = 28;
/// So many people are named.
const MOST_NAMED: usize = 5;

row! {
    struct ReaderRow {
        user_id: UserId,
        kind: NotificationKind,
        digest_weekday: Option<i64>,
        digest_hour: Option<i64>,
        digest_timezone: Option<String>,
    }
}

/// How a project of a program stands.
struct Stands {
    band: Option<Band>,
    late_tasks: i64,
    finish: Option<NaiveDate>,
}

row! {
    /// A project of a program that a reader may know of.
    struct KnownRow {
        program_id: ProgramId,
        user_id: UserId,
        project_id: ProjectId,
        health: Health,
    }
}

/// The job.
pub fn jobs() -> Registry<App> {
    Registry::default()
        .every("send_digests", Duration::hours(1), async |app: App| send(&app).await.map_err(JobError::from))
}

async fn send(app: &App) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = tx.now();
    let readers: Vec<ReaderRow> = readers(&tx).await?.into_iter().filter(|row| is_due(row, now)).collect();
    if readers.is_empty() {
        return Ok(());
    }
    let of_kind = |kind: NotificationKind| -> Vec<UserId> {
        readers.iter().filter(|row| row.kind == kind).map(|row| row.user_id).collect()
    };
    let today = now.date_naive();
    let health = health(&tx, of_kind(NotificationKind::ProgramHealthDigest), today).await?;
    let overloads = overloads(&tx, of_kind(NotificationKind::ResourceOverallocationDigest), today).await?;
    telling::write(&mut tx, health.into_iter().chain(overloads).collect()).await?;
    tx.commit().await
}

fn is_due(row: &ReaderRow, now: DateTime<Utc>) -> bool {
    let hour = (row.digest_weekday.unwrap_or(0), row.digest_hour.unwrap_or(8));
    times::is_in_hour(now, times::zone(row.digest_timezone.as_deref().unwrap_or("UTC")), hour)
}

fn digest(recipient: UserId, kind: NotificationKind, occasion: String, body: String) -> Told {
    Told {
        recipient,
        kind,
        occasion,
        project: None,
        program: None,
        task: None,
        comment: None,
        mention: None,
        body,
        is_mailed_by_default: false,
    }
}

async fn health(db: &dyn Read, readers: Vec<UserId>, today: NaiveDate) -> Result<Vec<Told>> {
    if readers.is_empty() {
        return Ok(Vec::new());
    }
    let known = known_projects(db, readers).await?;
    let stands = stands(db, &known, today).await?;
    let mut seen: BTreeMap<(ProgramId, UserId), Vec<&Stands>> = BTreeMap::new();
    for row in &known {
        seen.entry((row.program_id, row.user_id)).or_default().extend(stands.get(&row.project_id));
    }
    let told = seen.into_iter().map(|((program, reader), projects)| {
        let occasion = format!("{program} {today}");
        let told = digest(reader, NotificationKind::ProgramHealthDigest, occasion, health_text(&projects));
        Told { program: Some(program), ..told }
    });
    Ok(told.collect())
}

/// How projects stand, judged as the summary of health judges them.
async fn stands(db: &dyn Read, known: &[KnownRow], today: NaiveDate) -> Result<HashMap<ProjectId, Stands>> {
    let said: BTreeMap<ProjectId, Health> = known.iter().map(|row| (row.project_id, row.health)).collect();
    let projects: Vec<ProjectId> = said.keys().copied().collect();
    let standings = standings(db, &projects, today).await?;
    let stands = standings.into_iter().map(|(project, standing)| {
        let band = health_band(said[&project], &standing);
        (project, Stands { band, late_tasks: standing.overdue_count, finish: standing.finish })
    });
    Ok(stands.collect())
}

fn health_text(projects: &[&Stands]) -> String {
    let count =
        |number: i64, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let with = |band: Band| projects.iter().filter(|row| row.band == Some(band)).count();
    let mut text = format!(
        "{}: {} on track, {} at risk, {} critical. {} late.",
        count(projects.len() as i64, "project", "projects"),
        with(Band::OnTrack),
        with(Band::AtRisk),
        with(Band::Critical),
        count(projects.iter().map(|row| row.late_tasks).sum(), "task is", "tasks are"),
    );
    if let Some(finish) = projects.iter().filter_map(|row| row.finish).max() {
        text += &format!(" The last project ends on {finish}.");
    }
    text
}

async fn overloads(db: &dyn Read, readers: Vec<UserId>, today: NaiveDate) -> Result<Vec<Told>> {
    if readers.is_empty() {
        return Ok(Vec::new());
    }
    let managed = managed(db, readers).await?;
    let mut names: BTreeMap<ProjectId, Vec<String>> = BTreeMap::new();
    let projects = managed.iter().map(|(project, _)| *project).collect();
    for (project, name) in overloaded(db, projects, today).await? {
        names.entry(project).or_default().push(name);
    }
    let told = managed.into_iter().filter_map(|(project, reader)| {
        let body = overload_text(names.get(&project)?);
        let occasion = format!("{project} {today}");
        let told = digest(reader, NotificationKind::ResourceOverallocationDigest, occasion, body);
        Some(Told { project: Some(project), ..told })
    });
    Ok(told.collect())
}

fn overload_text(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = match names.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("In the next four weeks these have more work than time: {}{more}.", shown.join(", "))
}

/// Those who asked for a digest in any way, with the hour of their choice.
async fn readers(db: &dyn Read) -> Result<Vec<ReaderRow>> {
    let select = "SELECT DISTINCT q.user_id, q.kind, s.digest_weekday, s.digest_hour, s.digest_timezone
         FROM notification_preferences q JOIN users u ON u.id = q.user_id AND u.is_active
         LEFT JOIN notification_settings s ON s.user_id = q.user_id
         WHERE q.enabled AND q.kind IN (:kinds)";
    let kinds = [NotificationKind::ProgramHealthDigest, NotificationKind::ResourceOverallocationDigest];
    db.all(sql!(select, kinds = list(kinds))).await
}

/// The active projects of their programs that readers may know of, as the figures of the program count them.
async fn known_projects(db: &dyn Read, readers: Vec<UserId>) -> Result<Vec<KnownRow>> {
    let (in_program, in_project) = (program_is_open_to("u", "g"), project_is_open_to("u", "p"));
    let is_known = project_is_known_to("u.id", "p");
    let select = format!(
        "SELECT m.program_id, m.user_id, p.id AS project_id, p.health FROM program_members m
         JOIN programs g ON g.id = m.program_id AND g.deletion_id IS NULL
         JOIN users u ON u.id = m.user_id AND {in_program}
         JOIN projects p ON p.program_id = m.program_id AND p.deletion_id IS NULL AND p.archived_at IS NULL
            AND p.lifecycle <> :draft AND {in_project} AND {is_known}
         WHERE m.user_id IN (:readers) AND m.deletion_id IS NULL"
    );
    db.all(sql!(select, draft = Lifecycle::Draft, readers = list(readers))).await
}

async fn managed(db: &dyn Read, readers: Vec<UserId>) -> Result<Vec<(ProjectId, UserId)>> {
    let select = format!(
        "SELECT m.project_id, m.user_id FROM project_members m JOIN users u ON u.id = m.user_id
         JOIN projects p ON p.id = m.project_id AND p.deletion_id IS NULL AND p.archived_at IS NULL
            AND {}
         WHERE m.user_id IN (:readers) AND m.deletion_id IS NULL AND m.role >= :manager
         ORDER BY m.project_id, m.user_id",
        project_is_open_to("u", "p")
    );
    db.all(sql!(select, readers = list(readers), manager = Role::ProjectManager)).await
}

/// The resources of projects that have more work than time on the day on which one of their tasks starts, over the tasks
/// of all projects.
async fn overloaded(
    db: &dyn Read,
    projects: Vec<ProjectId>,
    today: NaiveDate,
) -> Result<Vec<(ProjectId, String)>> {
    let select = "SELECT DISTINCT x.project_id, x.name FROM (
            SELECT t.project_id, r.name, r.max_units,
                (SELECT CAST(SUM(o.units) AS BIGINT) FROM task_resources o
                    JOIN tasks w ON w.id = o.task_id AND w.deletion_id IS NULL
                    JOIN projects p ON p.id = w.project_id AND p.deletion_id IS NULL
                    JOIN task_schedule d ON d.task_id = w.id
                 WHERE o.resource_id = r.id AND o.deletion_id IS NULL AND w.status NOT IN (:closed)
                   AND d.scheduled_start <= s.scheduled_start AND d.early_finish >= s.scheduled_start) AS used
            FROM tasks t JOIN task_schedule s ON s.task_id = t.id
            JOIN task_resources a ON a.task_id = t.id AND a.deletion_id IS NULL
            JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL AND r.max_units > 0
            WHERE t.project_id IN (:projects) AND t.deletion_id IS NULL AND t.status NOT IN (:closed)
              AND s.early_finish >= :today AND s.scheduled_start <= :until) AS x
         WHERE x.used > x.max_units ORDER BY x.project_id, x.name";
    let closed = [TaskStatus::Complete, TaskStatus::Backlog];
    let from = day(today).0;
    let values = sql!(
        select,
        closed = list(closed),
        projects = list(projects),
        today = from,
        until = from + AHEAD_DAYS
    );
    db.all(values).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_health_of_a_program_is_one_sentence_per_fact() {
        let row =
            |band, late_tasks| Stands { band, late_tasks, finish: NaiveDate::from_ymd_opt(2024, 10, 4) };
        let rows = [
            row(Some(Band::OnTrack), 0),
            row(Some(Band::AtRisk), 1),
            row(Some(Band::Critical), 0),
            row(None, 0),
        ];
        let text = health_text(&rows.iter().collect::<Vec<_>>());
        assert_eq!(
            text,
            "4 projects: 1 on track, 1 at risk, 1 critical. 1 task is late. The last project ends on 2024-10-04."
        );
    }

    #[test]
    fn a_few_people_are_named_and_the_others_counted() {
        let names = |count: usize| (0..count).map(|at| format!("P{at}")).collect::<Vec<_>>();
        assert!(overload_text(&names(2)).ends_with("time: P0, P1."));
        assert!(overload_text(&names(7)).ends_with("P4 and 2 more."));
    }
}
