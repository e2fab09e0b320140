//! The routes of the automation of a project.

use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use planwright_domain::Entropy;
use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_plan::edit::Edit;
use planwright_web::limits::Limit;
use planwright_web::origin::ServerOrigin;
use planwright_web::{ApiResult, App, Body, Created, Json, Path, ProjectScope, Routes, SignedBody, says};
use serde_json::{Map, Value, json};

use super::model::*;
use super::{queries, receiver};

const ONE: &str = "/api/v1/integrations/projects/{project_pk}/git-automation/";
const ROTATE: &str = "/api/v1/integrations/projects/{project_pk}/git-automation/rotate-secret/";
const HOOK: &str = "/api/v1/integrations/projects/{project_pk}/git-webhook/";

/// The largest event that is taken in.
const MOST_BYTES: usize = 1024 * 1024;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ONE, show, says("What merge requests do to the tasks of a project."))
        .put(ONE, change, says("Say whether merge requests move tasks."))
        .post(
            ROTATE,
            rotate,
            says("Make a new secret for the forge. It is shown only once, and the old one ends.")
                .returns_secret()
                .limit(Limit::CredentialRotate),
        )
        .post(
            HOOK,
            hook,
            says("Take in what a forge tells of a merge request. Its signature is the credential.")
                .public()
                .body_up_to(MOST_BYTES)
                .limit(Limit::GitWebhookAddress),
        )
}

type Manager = ProjectScope<may::AutomateGit>;

fn hook_url(origin: &ServerOrigin, project: ProjectId) -> String {
    format!("{}/api/v1/integrations/projects/{project}/git-webhook/", origin.0)
}

async fn show(
    State(app): State<App>,
    origin: ServerOrigin,
    scope: ProjectScope<may::ReadGitAutomation>,
) -> ApiResult<Json<GitAutomationConfig>> {
    let row = queries::of_project(&app.db, scope.project).await?;
    let seen = queries::seen(&app.db, scope.project).await?;
    Ok(Json(GitAutomationConfig::of(row.as_ref(), seen, hook_url(&origin, scope.project))))
}

async fn change(
    State(app): State<App>,
    origin: ServerOrigin,
    scope: Manager,
    Body(request): Body<GitAutomationConfigRequest>,
) -> ApiResult<Json<GitAutomationConfig>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let switched = |row: &mut GitAutomationRow| {
        row.enabled = request.enabled;
        Ok(())
    };
    let row = kept(&mut edit, switched, Map::new()).await?;
    let seen = queries::seen(&edit, scope.project).await?;
    edit.commit().await?;
    Ok(Json(GitAutomationConfig::of(Some(&row), seen, hook_url(&origin, scope.project))))
}

async fn rotate(
    State(app): State<App>,
    origin: ServerOrigin,
    scope: Manager,
) -> ApiResult<Created<GitAutomationSecret>> {
    let secret = URL_SAFE_NO_PAD.encode(Entropy.bytes::<32>());
    let mut edit = Edit::locked(&app, &scope).await?;
    let now = edit.now();
    let sealed = |row: &mut GitAutomationRow| {
        row.sealed_secret = app.sealer.seal_text(&row.purpose(), &secret)?;
        row.secret_set_at = Some(now);
        Ok(())
    };
    // The history shows that the secret changed, but neither value.
    let notes = Map::from_iter([("secret".to_owned(), json!([null, null]))]);
    let secret_set_at = kept(&mut edit, sealed, notes).await?.secret_set_at;
    edit.commit().await?;
    Ok(Created(GitAutomationSecret { secret, webhook_url: hook_url(&origin, scope.project), secret_set_at }))
}

/// Changes the automation of a project, which is made at the first change. Whoever changes it answers for its moves.
async fn kept(
    edit: &mut Edit,
    change: impl FnOnce(&mut GitAutomationRow) -> ApiResult<()>,
    notes: Map<String, Value>,
) -> ApiResult<GitAutomationRow> {
    let before = queries::of_project(edit, edit.project()?).await?;
    let mut row = match &before {
        Some(before) => before.clone(),
        None => GitAutomationRow::fresh(edit.mint(), edit.project()?, edit.grant.actor.id, edit.now()),
    };
    change(&mut row)?;
    (row.configured_by, row.updated_at) = (edit.grant.actor.id, edit.now());
    match before {
        Some(before) => Ok(edit.update_noting(&before, row, notes).await?.row),
        None => {
            edit.create(&row).await?;
            Ok(row)
        }
    }
}

async fn hook(
    State(app): State<App>,
    Path(project): Path<ProjectId>,
    body: SignedBody,
) -> ApiResult<Json<GitWebhookResult>> {
    receiver::take_in(&app, project, body).await.map(Json)
}
