//! When something happened in one area, what another does about it: a line each.
//! The outbox hands every committed event here; what is written commits together with taking the event.

use futures_util::future::BoxFuture;
use planwright_attachments::Looked;
use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::Word;
use planwright_jobs::JobError;
use planwright_jobs::offboarding::Offboarding;
use planwright_jobs::revoked::Revoked;
use planwright_outbound::live::Hub;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};
use planwright_web::{ApiResult, App, ProjectOrProgram};

/// Reacts to events, oldest first.
pub fn react(tx: &mut Tx, events: Vec<Waiting>) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        for event in &events {
            let recalculated =
                (event.name == WebhookEvent::ScheduleRecalculated.as_str()).then_some(event.project_id);
            if let Some(project) = recalculated.flatten() {
                planwright_analysis::forecasts::after_recalculation(tx, project).await?;
            }
        }
        for (project, left) in events.iter().filter_map(departure) {
            let home = ProjectOrProgram::Project(project);
            planwright_outbound::webhooks::pause_of_departed(tx, left, Some(home)).await?;
        }
        planwright_integrations::task_sync::take_on(tx, &events).await?;
        planwright_notifications::take_on(tx, &events).await?;
        planwright_outbound::take_on(tx, &events).await?;
        for event in events {
            metrics::counter!("planwright_events_total", "channel" => event.channel, "name" => event.name)
                .increment(1);
        }
        Ok(())
    })
}

/// Who left which project, when an event tells of that.
fn departure(event: &Waiting) -> Option<(ProjectId, UserId)> {
    if event.name != SocketEvent::MemberRemoved.as_str() {
        return None;
    }
    Some((event.project_id?, event.payload["user_id"].as_str()?.parse().ok()?))
}

/// When a recalculation that a person asked for has written its dates, the forecast is written down with them.
pub fn after_run_by_hand(tx: &mut Tx, project: ProjectId) -> BoxFuture<'_, Result<()>> {
    Box::pin(planwright_analysis::forecasts::capture_by_hand(tx, project))
}

/// When somebody has the page behind a link read, it is read with their own credential.
pub fn look_with_credentials(
    app: App,
    person: UserId,
    address: String,
) -> BoxFuture<'static, ApiResult<Looked>> {
    Box::pin(async move { planwright_integrations::credentials::look(&app, person, &address).await })
}

/// When the workspace deactivates a person, accounts ends everything they could still act with, their webhooks
/// are paused, and channels close on them.
pub async fn offboard(app: App, job: Offboarding) -> std::result::Result<(), JobError> {
    let mut tx = app.db.begin().await?;
    if planwright_accounts::offboarding::deactivate(&mut tx, job.user, job.at).await? {
        planwright_outbound::webhooks::pause_of_departed(&mut tx, job.user, None).await?;
    }
    let hub = app.get::<Hub>().clone();
    tx.signal_committed(move || hub.doubt(job.user));
    Ok(tx.commit().await?)
}

/// When accounts revokes a credential, channels close on what was opened with it.
pub async fn look_again(app: App, job: Revoked) -> std::result::Result<(), JobError> {
    app.get::<Hub>().doubt(job.user);
    Ok(())
}
