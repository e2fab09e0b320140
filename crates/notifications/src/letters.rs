//! The mail about one notification: whether it may be sent now, must wait for the end of quiet hours, or is not wanted.
//! Who is told is decided before; the mail itself is sent by the workspace.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::{NotificationId, UserId};
use planwright_domain::words::NotificationKind;
use planwright_jobs::JobError;
use planwright_jobs::mail::{self, Mail};
use planwright_jobs::queue::{self, NewJob};
use planwright_store::{Read, Result, Tx, row, sql};
use planwright_web::App;
use planwright_web::visible::{program_is_open_to, project_is_open_to};
use serde::{Deserialize, Serialize};

use crate::kinds::Kind;
use crate::{times, unsubscribe};

/// The kind of job that mails a notification.
pub const MAIL_NOTIFICATION: &str = "mail_notification";

/// Which notification is mailed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Letter {
    notification: NotificationId,
}

row! {
    struct LetterRow {
        recipient_id: UserId,
        kind: NotificationKind,
        body: String,
        task_name: Option<String>,
        project_name: Option<String>,
        program_name: Option<String>,
        email: String,
        timezone: String,
        dnd_enabled: bool,
        paused: Option<bool>,
        quiet_hours_enabled: Option<bool>,
        quiet_hours_from: Option<String>,
        quiet_hours_until: Option<String>,
    }
}

/// What becomes of a mail.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    Send,
    Wait(Duration),
    Drop,
}

/// Queues the mail about a notification.
pub async fn request(tx: &mut Tx, notification: NotificationId, delay: Duration) -> Result<()> {
    let job = NewJob::new(MAIL_NOTIFICATION, &Letter { notification })?.after(delay);
    queue::enqueue(tx, job).await.map(drop)
}

/// Sends the mail about a notification. Nothing is sent when it was read meanwhile, when its recipient sees the project no
/// more, when they want no more such mails, when the comment was deleted, or when the task is somebody else's now.
pub async fn deliver(app: App, letter: Letter) -> std::result::Result<(), JobError> {
    let mut tx = app.db.begin().await?;
    let Some(row) = unread(&tx, letter.notification).await? else { return Ok(()) };
    match fate(&row, tx.now()) {
        Fate::Drop => return Ok(()),
        Fate::Wait(delay) => request(&mut tx, letter.notification, delay).await?,
        Fate::Send => {
            let unsubscribe_url = Some(unsubscribe::address(&app, row.recipient_id, row.kind)?);
            mail::send(&mut tx, &Mail { unsubscribe_url, ..written(&row) }).await?;
            mark_mailed(&mut tx, letter.notification).await?;
        }
    }
    Ok(tx.commit().await?)
}

fn fate(row: &LetterRow, now: DateTime<Utc>) -> Fate {
    let is_unwanted = row.dnd_enabled && !Kind::of(row.kind).disturbs;
    if is_unwanted || row.paused == Some(true) {
        return Fate::Drop;
    }
    let hour = |stored: &Option<String>, usual| times::time_of_day(stored.as_deref().unwrap_or(usual));
    let hours = hour(&row.quiet_hours_from, "20:00").zip(hour(&row.quiet_hours_until, "07:00"));
    let hours = hours.filter(|_| row.quiet_hours_enabled.unwrap_or(true));
    match hours.and_then(|hours| times::end_of_quiet(now, times::zone(&row.timezone), hours)) {
        Some(end) => Fate::Wait(end - now),
        None => Fate::Send,
    }
}

fn written(row: &LetterRow) -> Mail {
    let places = [("Task", &row.task_name), ("Project", &row.project_name), ("Program", &row.program_name)];
    let named = places.into_iter().filter_map(|(place, name)| Some((place, name.as_deref()?)));
    let title = Kind::of(row.kind).title;
    let subject = named.clone().next().map_or(title.to_owned(), |(_, name)| format!("{title}: {name}"));
    let mut body = format!("{}\n\n", row.body);
    named.for_each(|(place, name)| body += &format!("{place}: {name}\n"));
    Mail { to: row.email.clone(), subject, body, sealed_link: None, unsubscribe_url: None }
}

async fn unread(db: &dyn Read, notification: NotificationId) -> Result<Option<LetterRow>> {
    let (in_project, in_program) = (project_is_open_to("u", "p"), program_is_open_to("u", "g"));
    let select = format!(
        "SELECT n.recipient_id, n.kind, n.body, t.name AS task_name, p.name AS project_name, g.name AS program_name, u.email,
            u.timezone, u.dnd_enabled, q.paused, q.quiet_hours_enabled, q.quiet_hours_from, q.quiet_hours_until
         FROM notifications n
         JOIN users u ON u.id = n.recipient_id AND u.is_active
         LEFT JOIN projects p ON p.id = n.project_id
         LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = u.id AND m.deletion_id IS NULL
            AND p.deletion_id IS NULL AND {in_project}
         LEFT JOIN programs g ON g.id = n.program_id
         LEFT JOIN program_members v ON v.program_id = g.id AND v.user_id = u.id AND v.deletion_id IS NULL
            AND g.deletion_id IS NULL AND {in_program}
         LEFT JOIN tasks t ON t.id = n.task_id
         LEFT JOIN task_comments c ON c.id = n.comment_id
         LEFT JOIN project_notification_preferences q ON q.user_id = u.id AND q.project_id = p.id
         LEFT JOIN notification_preferences w ON w.user_id = u.id AND w.kind = n.kind AND w.channel = 'email'
         WHERE n.id = :id AND n.read_at IS NULL AND n.mailed_at IS NULL AND c.deleted_at IS NULL AND t.deletion_id IS NULL
           AND COALESCE(w.enabled, TRUE)
           AND (m.id IS NOT NULL OR v.id IS NOT NULL OR n.kind = 'project.deleted')
           AND (n.kind <> 'task.assigned' OR t.assignee_id = n.recipient_id)"
    );
    db.maybe(sql!(select, id = notification)).await
}

async fn mark_mailed(tx: &mut Tx, notification: NotificationId) -> Result<()> {
    let update = "UPDATE notifications SET mailed_at = :now WHERE id = :id";
    tx.run(sql!(update, now = tx.now(), id = notification)).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: NotificationKind) -> LetterRow {
        LetterRow {
            recipient_id: UserId(uuid::Uuid::nil()),
            kind,
            body: "Ona assigned the task to you.".to_owned(),
            task_name: Some("Dig".to_owned()),
            project_name: Some("Bridge".to_owned()),
            program_name: None,
            email: "mara@example.test".to_owned(),
            timezone: "Europe/Berlin".to_owned(),
            dnd_enabled: false,
            paused: None,
            quiet_hours_enabled: None,
            quiet_hours_from: None,
            quiet_hours_until: None,
        }
    }

    #[test]
    fn a_mail_waits_for_the_end_of_quiet_hours_where_its_reader_is() {
        let assigned = row(NotificationKind::TaskAssigned);
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        assert_eq!(fate(&assigned, at("2026-01-05T18:59:00Z")), Fate::Send);
        assert_eq!(fate(&assigned, at("2026-01-05T19:00:00Z")), Fate::Wait(Duration::hours(11)));
        let awake = LetterRow { quiet_hours_enabled: Some(false), ..row(NotificationKind::TaskAssigned) };
        assert_eq!(fate(&awake, at("2026-01-05T19:00:00Z")), Fate::Send);
        let paused = LetterRow { paused: Some(true), ..row(NotificationKind::TaskAssigned) };
        assert_eq!(fate(&paused, at("2026-01-05T12:00:00Z")), Fate::Drop);
    }

    #[test]
    fn a_mail_names_the_task_the_project_or_the_program() {
        let assigned = written(&row(NotificationKind::TaskAssigned));
        assert_eq!(assigned.subject, "A task was assigned to you: Dig");
        assert_eq!(assigned.body, "Ona assigned the task to you.\n\nTask: Dig\nProject: Bridge\n");
        let digest = LetterRow {
            task_name: None,
            project_name: None,
            program_name: Some("Harbour".to_owned()),
            ..row(NotificationKind::ProgramHealthDigest)
        };
        assert_eq!(written(&digest).subject, "The health of a program: Harbour");
    }

    #[test]
    fn only_signals_disturb_those_who_want_no_disturbance() {
        let noon = "2026-01-05T12:00:00Z".parse().unwrap();
        let hush = |kind| LetterRow { dnd_enabled: true, ..row(kind) };
        assert_eq!(fate(&hush(NotificationKind::TaskAssigned), noon), Fate::Drop);
        assert_eq!(fate(&hush(NotificationKind::TaskBlocked), noon), Fate::Send);
    }
}
