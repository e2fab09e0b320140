//! What the readings mean: pure decisions from figures to words, and whether all is well.
//! Taking the readings is in `routes.rs`.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use planwright_domain::words::{FailedTaskStatus, Word};
use planwright_store::migrate::MigrationState;
use planwright_web::idempotency;
use serde_json::{Map, Value as Json, json};

use super::model::{
    BeatHealthResponse, ComponentStatus, DeadLetterHealth, DeadReading, HealthComponent, OutboxReading,
    QueueReading, Readings, RetentionHealth, ScheduleReading, ScheduledTaskHealth, SecurityHealth,
    SystemHealthResponse, TelemetryHealth,
};

/// A job that was due so long ago tells that the workers do not keep up.
const SLOW_QUEUE_SECONDS: i64 = 300;

/// An event that waits so long tells that nobody hands the outbox out.
const SLOW_OUTBOX_SECONDS: i64 = 60;

/// The whole page.
pub fn validate(readings: &Readings, stale_after: Duration) -> SystemHealthResponse {
    let now = readings.now;
    let beat = beat(readings.last_heartbeat, now, stale_after);
    let dead_letter = dead_letter(readings.dead.as_ref(), now);
    let components = vec![
        database(readings.engine, readings.database_bytes),
        migrations(readings.migrations),
        workers(beat, readings.workers),
        queue(readings.queue.as_ref(), now),
        outbox(readings.outbox.as_ref(), now),
        dead_jobs(readings.dead.is_some(), &dead_letter),
        mail(readings.mail),
    ];
    SystemHealthResponse {
        generated_at: now,
        components,
        beat,
        scheduled_tasks: readings.schedules.iter().map(|task| scheduled(task, now, stale_after)).collect(),
        dead_letter,
        retention: retention(),
        telemetry: telemetry(readings),
        security: SecurityHealth { rate_limiting_enabled: readings.rate_limiting_enabled },
    }
}

/// Whether every part works; one that only wants to be looked at does.
pub fn is_well(page: &SystemHealthResponse) -> bool {
    page.components.iter().all(|part| matches!(part.status, ComponentStatus::Ok | ComponentStatus::Warn))
}

/// The sign of life of the workers.
pub fn beat(last: Option<DateTime<Utc>>, now: DateTime<Utc>, stale_after: Duration) -> BeatHealthResponse {
    BeatHealthResponse {
        last_heartbeat: last,
        stale: last.is_none_or(|at| now - at > stale_after),
        seconds_since: age(last, now),
        stale_threshold_seconds: stale_after.num_seconds(),
    }
}

fn retention() -> Vec<RetentionHealth> {
    let kept = |key, label, unit, value| RetentionHealth { key, label, unit, value, disabled: false };
    vec![
        kept("idempotency_keys", "Answers for idempotency keys", "hours", idempotency::RETENTION_HOURS),
        kept(
            "deleted_tasks",
            "Deleted tasks",
            "days",
            planwright_plan::tasks::write::deletion::RETENTION_DAYS,
        ),
    ]
}

/// Figures are read by Prometheus and sent nowhere; there are no traces.
fn telemetry(readings: &Readings) -> TelemetryHealth {
    TelemetryHealth {
        enabled: false,
        endpoint: String::new(),
        endpoint_configured: false,
        protocol: "prometheus",
        metrics_path: "/metrics",
        service_name: "planwright",
        service_version: readings.version.clone(),
        edition: readings.edition.clone(),
        traces_enabled: false,
        metrics_enabled: true,
        sampler: String::new(),
        sampler_arg: String::new(),
        live: true,
    }
}

fn age(since: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<i64> {
    since.map(|at| (now - at).num_seconds().max(0))
}

fn component(
    key: &str,
    label: &str,
    (status, state): (ComponentStatus, &str),
    meta: Json,
) -> HealthComponent {
    let figures = if let Json::Object(meta) = meta { meta } else { Map::new() };
    let meta = in_one_line(&figures);
    HealthComponent { key: key.into(), label: label.into(), status, state_label: state.into(), meta, figures }
}

/// Figures as people read them: `waiting 3, oldest age seconds 12`. Those that are missing are left out.
fn in_one_line(figures: &Map<String, Json>) -> String {
    let known = figures.iter().filter(|(_, value)| !value.is_null());
    let parts = known.map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{} {value}", name.replace('_', " "))
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn unreadable(key: &str, label: &str) -> HealthComponent {
    component(key, label, (ComponentStatus::Unknown, "could not be read"), Json::Null)
}

fn database(engine: &str, bytes: Option<i64>) -> HealthComponent {
    let state = match bytes {
        Some(_) => (ComponentStatus::Ok, "answers"),
        None => (ComponentStatus::Crit, "does not answer"),
    };
    component("database", "Database", state, json!({ "engine": engine, "size_bytes": bytes }))
}

fn migrations(found: MigrationState) -> HealthComponent {
    let state = match found {
        MigrationState::InSync => (ComponentStatus::Ok, "current"),
        MigrationState::Ahead => (ComponentStatus::Warn, "newer than this version"),
        MigrationState::Behind => (ComponentStatus::Crit, "older than this version"),
        MigrationState::Unknown => (ComponentStatus::Unknown, "unknown"),
    };
    component("migrations", "Database schema", state, json!({ "migration_state": found }))
}

fn workers(beat: BeatHealthResponse, alive: Option<i64>) -> HealthComponent {
    let state = match (beat.last_heartbeat, beat.stale) {
        (None, _) => (ComponentStatus::Crit, "no worker has been seen"),
        (Some(_), true) => (ComponentStatus::Crit, "no worker has been seen lately"),
        (Some(_), false) => (ComponentStatus::Ok, "working"),
    };
    let meta = json!({ "alive": alive, "last_heartbeat": beat.last_heartbeat });
    component("workers", "Workers", state, meta)
}

fn queue(reading: Option<&QueueReading>, now: DateTime<Utc>) -> HealthComponent {
    let (key, label) = ("queue", "Job queue");
    let Some(reading) = reading else { return unreadable(key, label) };
    let oldest = age(reading.due_since, now);
    let state = match oldest {
        Some(seconds) if seconds > SLOW_QUEUE_SECONDS => (ComponentStatus::Warn, "running late"),
        Some(_) => (ComponentStatus::Ok, "in progress"),
        None => (ComponentStatus::Ok, "nothing is due"),
    };
    let (depth, running) = (reading.waiting, reading.running);
    let meta = json!({ "depth": depth, "running": running, "oldest_age_seconds": oldest });
    component(key, label, state, meta)
}

fn outbox(reading: Option<&OutboxReading>, now: DateTime<Utc>) -> HealthComponent {
    let (key, label) = ("outbox", "Events to send");
    let Some(reading) = reading else { return unreadable(key, label) };
    let oldest = age(reading.since, now);
    let state = match oldest {
        Some(seconds) if seconds > SLOW_OUTBOX_SECONDS => (ComponentStatus::Warn, "running late"),
        Some(_) => (ComponentStatus::Ok, "being sent"),
        None => (ComponentStatus::Ok, "empty"),
    };
    component(key, label, state, json!({ "waiting": reading.waiting, "oldest_age_seconds": oldest }))
}

fn dead_jobs(readable: bool, found: &DeadLetterHealth) -> HealthComponent {
    let (key, label) = ("dead_letter", "Failed jobs");
    if !readable {
        return unreadable(key, label);
    }
    let state = match found.parked {
        0 => (ComponentStatus::Ok, "none"),
        _ => (ComponentStatus::Warn, "some wait for a decision"),
    };
    component(key, label, state, json!({ "parked": found.parked }))
}

fn mail(kind: &str) -> HealthComponent {
    let state = match kind {
        "files" => "written to files; set SVC_MAIL_URL to send it",
        _ => "handed to a mail server",
    };
    component("mail", "Mail", (ComponentStatus::Ok, state), json!({ "transport": kind }))
}

fn scheduled(task: &ScheduleReading, now: DateTime<Utc>, grace: Duration) -> ScheduledTaskHealth {
    ScheduledTaskHealth {
        name: task.kind.clone(),
        task: task.kind.clone(),
        cadence: task.last_run_at.map(|last| cadence(task.next_run_at - last)).unwrap_or_default(),
        category: category(&task.kind),
        last_run_at: task.last_run_at,
        next_run_at: task.next_run_at,
        overdue: now - task.next_run_at > grace,
    }
}

/// How often something runs, in the largest unit that fits.
fn cadence(interval: Duration) -> String {
    let seconds = interval.num_seconds();
    let (unit, count) = match seconds {
        _ if seconds % 86_400 == 0 => ("day", seconds / 86_400),
        _ if seconds % 3_600 == 0 => ("hour", seconds / 3_600),
        _ if seconds % 60 == 0 => ("minute", seconds / 60),
        _ => ("second", seconds),
    };
    match count {
        1 => format!("every {unit}"),
        _ => format!("every {count} {unit}s"),
    }
}

/// Work on plans is named after what it does to them; the rest keeps the database small.
fn category(kind: &str) -> &'static str {
    let planning = kind.starts_with("expand_") || kind.starts_with("capture_");
    if planning { "planning" } else { "maintenance" }
}

fn dead_letter(reading: Option<&DeadReading>, now: DateTime<Utc>) -> DeadLetterHealth {
    let nothing = DeadReading::default();
    let reading = reading.unwrap_or(&nothing);
    let count_of = |wanted: FailedTaskStatus| {
        reading.by_status.iter().find(|(status, _)| *status == wanted).map_or(0, |(_, count)| *count)
    };
    DeadLetterHealth {
        parked: count_of(FailedTaskStatus::Dead),
        oldest_age_seconds: age(reading.since, now),
        top_cause: commonest_cause(&reading.errors),
        by_status: FailedTaskStatus::ALL
            .iter()
            .map(|status| (status.as_str().to_owned(), count_of(*status)))
            .collect(),
    }
}

/// Errors begin with what failed and go on with why, which differs from case to case.
fn commonest_cause(errors: &[(String, i64)]) -> Option<String> {
    let mut by_cause: BTreeMap<&str, i64> = BTreeMap::new();
    for (error, count) in errors {
        let cause = error.split(": ").next().unwrap_or(error);
        *by_cause.entry(cause).or_default() += count;
    }
    by_cause.into_iter().max_by_key(|(_, count)| *count).map(|(cause, _)| cause.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> Readings {
        let now = DateTime::UNIX_EPOCH + Duration::days(20_000);
        Readings {
            now,
            engine: "sqlite",
            database_bytes: Some(4096),
            migrations: MigrationState::InSync,
            last_heartbeat: Some(now - Duration::seconds(20)),
            workers: Some(1),
            queue: Some(QueueReading { waiting: 0, running: 0, due_since: None }),
            outbox: Some(OutboxReading { waiting: 0, since: None }),
            schedules: Vec::new(),
            dead: Some(DeadReading::default()),
            mail: "files",
            version: "1.2.3".into(),
            edition: "community".into(),
            rate_limiting_enabled: true,
        }
    }

    fn assessed(readings: &Readings) -> (bool, SystemHealthResponse) {
        let page = validate(readings, Duration::seconds(120));
        (is_well(&page), page)
    }

    #[test]
    fn a_part_that_fails_or_cannot_be_read_is_not_well_but_a_slow_one_is() {
        let good = sound();
        assert!(assessed(&good).0);
        assert!(!assessed(&Readings { database_bytes: None, ..good.clone() }).0);
        assert!(!assessed(&Readings { migrations: MigrationState::Behind, ..good.clone() }).0);
        assert!(!assessed(&Readings { queue: None, ..good.clone() }).0);
        assert!(!assessed(&Readings { dead: None, ..good.clone() }).0);
        let due_since = Some(good.now - Duration::seconds(301));
        let late = QueueReading { waiting: 1, running: 0, due_since };
        let (well, page) = assessed(&Readings { queue: Some(late), ..good });
        assert!(well);
        let queue = page.components.iter().find(|part| part.key == "queue").unwrap();
        assert_eq!(queue.status, ComponentStatus::Warn);
        assert_eq!(queue.figures["oldest_age_seconds"], 301);
        assert_eq!(queue.meta, "depth 1, running 0, oldest age seconds 301");
    }

    #[test]
    fn workers_are_gone_after_two_minutes_of_silence() {
        let good = sound();
        let silent_for = |seconds| {
            let last_heartbeat = Some(good.now - Duration::seconds(seconds));
            assessed(&Readings { last_heartbeat, ..good.clone() })
        };
        assert!(!silent_for(120).1.beat.stale);
        assert!(silent_for(121).1.beat.stale);
        assert!(!silent_for(121).0);
        assert!(assessed(&Readings { last_heartbeat: None, ..good.clone() }).1.beat.stale);
    }

    #[test]
    fn a_cadence_is_said_in_the_largest_unit_that_fits() {
        let said = [30, 60, 600, 3_600, 86_400, 172_800].map(|seconds| cadence(Duration::seconds(seconds)));
        let expected = ["30 seconds", "minute", "10 minutes", "hour", "day", "2 days"];
        assert_eq!(said, expected.map(|interval| format!("every {interval}")));
    }

    #[test]
    fn the_commonest_cause_is_what_failed_not_why() {
        let errors = [
            ("the mail has no valid recipient: \"a\": invalid".to_owned(), 1),
            ("the mail has no valid recipient: \"b\": invalid".to_owned(), 1),
            ("the job panicked: oh".to_owned(), 1),
        ];
        assert_eq!(commonest_cause(&errors).as_deref(), Some("the mail has no valid recipient"));
        assert_eq!(commonest_cause(&[]), None);
    }

    #[test]
    fn every_status_is_counted_and_only_the_dead_are_parked() {
        let by_status = vec![(FailedTaskStatus::Dead, 2), (FailedTaskStatus::Retried, 5)];
        let dead = DeadReading { by_status, since: None, errors: Vec::new() };
        let page = assessed(&Readings { dead: Some(dead), ..sound() }).1;
        assert_eq!(page.dead_letter.parked, 2);
        assert_eq!(page.dead_letter.by_status["retried"], 5);
        assert_eq!(page.dead_letter.by_status["dismissed"], 0);
    }
}
