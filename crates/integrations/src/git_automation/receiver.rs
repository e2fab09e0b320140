//! Taking in what a forge tells. Whoever does not know the secret gets 404 for every reason alike; the reason is kept for those
//! who manage the project.

use planwright_domain::ids::{ProgramId, ProjectId, TaskId};
use planwright_domain::words::{GitOutcome, GitProvider, GitRefusal, TaskStatus, Word};
use planwright_domain::{Role, hex};
use planwright_plan::edit::Edit;
use planwright_plan::tasks::write;
use planwright_store::Tx;
use planwright_web::limits::Limit;
use planwright_web::{ApiError, ApiResult, App, Place, SignedBody, count_in_handler, machine, token};
use serde_json::json;

use super::model::{GitAutomationRow, GitWebhookResult};
use super::rules::Wish;
use super::{events, queries, rules, signature};

/// Takes in what a forge tells of a project.
///
/// # Errors
/// 404 for whoever is not listened to, 400 for what cannot be read, 429 for too many deliveries to one project.
pub(super) async fn take_in(app: &App, project: ProjectId, body: SignedBody) -> ApiResult<GitWebhookResult> {
    let Some((program, is_archived)) = queries::place(&app.db, project).await? else {
        return Err(ApiError::not_found());
    };
    let row = queries::of_project(&app.db, project).await?.ok_or_else(ApiError::not_found)?;
    let provider = match admitted(app, &row, is_archived, &body) {
        Ok(provider) => provider,
        Err((why, provider)) => return refuse(app, &row, why, provider).await,
    };
    // Only the forge uses up the limit of its project: whoever does not know the secret has the limit of the address.
    count_in_handler(app, Limit::GitWebhook, &project.to_string()).await?;
    let Some(document) = body.document() else {
        note(app, &row, GitOutcome::MalformedPayload, provider).await?;
        return Err(ApiError::bad_request("The body is no JSON document."));
    };
    let told = events::told(provider, signature::event(&body, provider), &document);
    match rules::wish(told) {
        Wish::Nothing(reason) => {
            note(app, &row, reason, provider).await?;
            Ok(GitWebhookResult { reason: Some(reason), ..GitWebhookResult::default() })
        }
        Wish::Ignore(name) => {
            note(app, &row, GitOutcome::Ignored, provider).await?;
            Ok(GitWebhookResult { ignored: Some(name), ..GitWebhookResult::default() })
        }
        Wish::Move { url, to, outcome } => {
            // GitHub and Gitea sign alike, so the same bytes are the same delivery whatever their headers say.
            let fingerprint = token::hash(&digest(&body));
            let delivery = Delivery { row, program, provider, fingerprint };
            delivery.carry_out(app, &url, to, outcome).await
        }
    }
}

fn digest(body: &SignedBody) -> String {
    hex(ring::digest::digest(&ring::digest::SHA256, &body.bytes).as_ref())
}

/// The forge, if it is to be listened to.
fn admitted(
    app: &App,
    row: &GitAutomationRow,
    is_archived: bool,
    body: &SignedBody,
) -> Result<GitProvider, (GitRefusal, Option<GitProvider>)> {
    let provider = signature::provider(body);
    let refused = |why| (why, provider);
    if !row.enabled || is_archived {
        return Err(refused(GitRefusal::AutomationDisabled));
    }
    if row.sealed_secret.is_empty() {
        return Err(refused(GitRefusal::NoSecret));
    }
    let known = provider.ok_or(refused(GitRefusal::UnknownProvider))?;
    let secret = app.sealer.open_text(&row.purpose(), &row.sealed_secret);
    let secret = secret.map_err(|_| refused(GitRefusal::SecretUnreadable))?;
    match signature::is_good(body, known, secret.as_bytes()) {
        true => Ok(known),
        false => Err(refused(GitRefusal::BadSignature)),
    }
}

async fn refuse<T>(
    app: &App,
    row: &GitAutomationRow,
    why: GitRefusal,
    provider: Option<GitProvider>,
) -> ApiResult<T> {
    let mut tx = app.db.begin().await?;
    queries::note_refusal(&mut tx, row.id, why, provider).await?;
    tx.commit().await?;
    tracing::info!(project = %row.project_id, why = why.as_str(), "a forge was not listened to");
    Err(ApiError::not_found())
}

async fn note(
    app: &App,
    row: &GitAutomationRow,
    outcome: GitOutcome,
    provider: GitProvider,
) -> ApiResult<()> {
    let mut tx = app.db.begin().await?;
    queries::note_delivery(&mut tx, row.id, outcome, provider).await?;
    Ok(tx.commit().await?)
}

/// Something that a forge told and that moves tasks.
struct Delivery {
    row: GitAutomationRow,
    program: Option<ProgramId>,
    provider: GitProvider,
    fingerprint: String,
}

impl Delivery {
    /// Moves the tasks, and notes what became of it, in one transaction.
    async fn carry_out(
        self,
        app: &App,
        url: &str,
        to: TaskStatus,
        outcome: GitOutcome,
    ) -> ApiResult<GitWebhookResult> {
        let project = self.row.project_id;
        let mut actor = machine::in_background(&app.db, self.row.configured_by).await?;
        actor.source = self.provider.as_str().to_owned();
        let place = Place { project: Some(project), program: self.program };
        let mut edit: Edit = Edit::of_plan_following(app, actor, place).await?;
        if !queries::remember(&mut edit, project, &self.fingerprint).await? {
            return self.ended(edit, GitOutcome::Duplicate, GitWebhookResult::default()).await;
        }
        let tasks = queries::linked(&edit, project, url).await?;
        if tasks.is_empty() {
            return self.ended(edit, GitOutcome::NoLink, GitWebhookResult::default()).await;
        }
        let mut result = GitWebhookResult { matched: true, ..GitWebhookResult::default() };
        for task in tasks {
            let [from, now] = forward(&mut edit, task, to).await?;
            // The oldest task that moved is told of; the oldest of all, if none did.
            let is_first_move = from != now && !result.moved;
            result.moved |= is_first_move;
            if is_first_move || result.task.is_none() {
                result.task = Some(task);
                (result.from, result.to) = (Some(from.as_str().to_owned()), Some(now.as_str().to_owned()));
            }
        }
        let outcome = if result.moved { outcome } else { GitOutcome::NoopForwardOnly };
        self.ended(edit, outcome, result).await
    }

    async fn ended(
        &self,
        mut edit: Edit,
        reason: GitOutcome,
        result: GitWebhookResult,
    ) -> ApiResult<GitWebhookResult> {
        let tx: &mut Tx = &mut edit;
        queries::note_delivery(tx, self.row.id, reason, self.provider).await?;
        edit.commit().await?;
        Ok(GitWebhookResult { reason: Some(reason), ..result })
    }
}

/// Moves a task forward if that leads forward and its own rules allow it; where it stood and where it stands.
async fn forward(edit: &mut Edit, task: TaskId, to: TaskStatus) -> ApiResult<[TaskStatus; 2]> {
    let Some(before) = write::queries::record(edit, task).await? else { return Ok([to, to]) };
    let from = before.status;
    if !rules::is_forward(from, to) {
        return Ok([from, from]);
    }
    let actor = edit.grant.actor.clone();
    let (tx, lock) = edit.plan();
    let by = (&actor, Role::ProjectManager);
    match write::change_as(tx, lock, by, before, json!({ "status": to })).await {
        Ok(_) => Ok([from, to]),
        // A phase computes its status, and what is in a closed sprint stays.
        // tidy: allow(status) because every refusal of the rules of a task is meant
        Err(error) if (400..500).contains(&error.status()) => Ok([from, from]),
        Err(error) => Err(error),
    }
}
