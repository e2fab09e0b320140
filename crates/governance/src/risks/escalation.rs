//! The daily look at open risks that have had their severity for as many days as their program says. Other services are told
//! of each once; with another severity the days begin again.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::events::WebhookEvent;
use planwright_domain::ids::{ProgramId, RiskId};
use planwright_jobs::{JobError, Registry};
use planwright_store::outbox::{Event, Message};
use planwright_store::record::Record;
use planwright_store::{Read, Result, Tx, record, sql};
use planwright_web::App;
use uuid::Uuid;

use super::model::RiskRow;
use super::rules;

/// So many risks are told of in one transaction.
const AT_ONCE: i64 = 500;
/// What a webhook says instead of the source of a request.
const SOURCE: &str = "escalation";

/// The job.
pub fn jobs() -> Registry<App> {
    Registry::default().every("escalate_risks", Duration::days(1), async |app: App| {
        escalate(&app).await.map_err(JobError::from)
    })
}

record! {
    /// An open risk of a program that nobody was told of since it has its severity.
    struct WaitingRow {
        program_id: ProgramId,
        escalation_days: i64,
    }
    and risk: RiskRow
}

async fn escalate(app: &App) -> Result<()> {
    let mut after = RiskId(Uuid::nil());
    loop {
        let mut tx = app.db.begin().await?;
        let now = tx.now();
        let rows = waiting(&tx, after, now - Duration::days(1)).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.risk.id;
        let due: Vec<WaitingRow> = rows.into_iter().filter(|row| row.is_due(now)).collect();
        let due = mark(&mut tx, due).await?;
        tx.emit_each(due.into_iter().map(told).collect()).await?;
        tx.commit().await?;
    }
}

impl WaitingRow {
    fn is_due(&self, now: DateTime<Utc>) -> bool {
        now - self.risk.severity_since.unwrap_or(self.risk.created_at) >= Duration::days(self.escalation_days)
    }
}

fn told(row: WaitingRow) -> Message {
    Message {
        event: Event::Webhook(WebhookEvent::RiskEscalated),
        project: Some(row.risk.project_id),
        program: Some(row.program_id),
        payload: rules::webhook_body(&row.risk, SOURCE).into(),
    }
}

/// The next open risks, by id, that have had their severity since before a time. Their projects are alive and not archived.
async fn waiting(db: &dyn Read, after: RiskId, before: DateTime<Utc>) -> Result<Vec<WaitingRow>> {
    let select = format!(
        "SELECT p.program_id, g.risk_escalation_days AS escalation_days, {} FROM risks r
         JOIN projects p ON p.id = r.project_id AND p.deletion_id IS NULL AND p.archived_at IS NULL
         JOIN programs g ON g.id = p.program_id AND g.deletion_id IS NULL
         WHERE r.id > :after AND r.status = 'OPEN' AND r.escalated_at IS NULL AND r.deletion_id IS NULL
           AND COALESCE(r.severity_since, r.created_at) < :before ORDER BY r.id LIMIT :most",
        RiskRow::select_list("r")
    );
    db.all(sql!(select, after = after, before = before, most = AT_ONCE)).await
}

/// Notes that others are told of risks. Those that somebody changed meanwhile are left out.
async fn mark(tx: &mut Tx, rows: Vec<WaitingRow>) -> Result<Vec<WaitingRow>> {
    let update = "UPDATE risks SET escalated_at = :now WHERE id = :id AND server_version = :version
         AND status = 'OPEN' AND escalated_at IS NULL AND deletion_id IS NULL";
    let mut marked = Vec::with_capacity(rows.len());
    for row in rows {
        let values = sql!(update, now = tx.now(), id = row.risk.id, version = row.risk.server_version);
        if tx.run(values).await? == 1 {
            marked.push(row);
        }
    }
    Ok(marked)
}
