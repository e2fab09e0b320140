//! `/api/v1/workspace/transfer-ownership/`: the Owner hands the workspace over and administers it from then on.

use axum::extract::State;
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::ids::UserId;
use planwright_domain::words::{AuditKind, MemberStatus};
use planwright_plan::edit::Edit;
use planwright_store::audit::Audited;
use planwright_web::{ApiError, ApiResult, App, Body, Json, Routes, WorkspaceScope, input, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::model::StandingRow;

type Owner = WorkspaceScope<may::OwnWorkspace>;

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new().post(
        "/api/v1/workspace/transfer-ownership/",
        transfer,
        says("Make another member the Owner of the workspace. You become an Admin.")
            .session_only()
            .dangerous(),
    )
}

input! {
    /// Who is to own the workspace.
    pub struct TransferOwnershipRequest {
        /// An active member who is no guest.
        pub new_owner_user_id: UserId,
    }
}

/// What a transfer did.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OwnershipTransferred {
    /// A message for people.
    pub detail: &'static str,
    /// Who owns the workspace now.
    pub owner: UserId,
}

async fn transfer(
    State(app): State<App>,
    owner: Owner,
    Body(request): Body<TransferOwnershipRequest>,
) -> ApiResult<Json<OwnershipTransferred>> {
    let mut edit = Edit::begin(&app, &owner).await?;
    let (old, heir) = (edit.grant.actor.id, request.new_owner_user_id);
    edit.lock_rows("users", [old.0, heir.0]).await?;
    edit.recheck().await?;
    hand_over(&mut edit, old, heir).await?;
    edit.commit().await?;
    Ok(Json(OwnershipTransferred { detail: "The workspace has a new Owner.", owner: heir }))
}

/// Both ranks change in one transaction, so that there is an Owner at every moment.
async fn hand_over(edit: &mut Edit, old: UserId, heir: UserId) -> ApiResult<()> {
    let refused = || {
        let message = "Must be another active member who is no guest.";
        ApiError::invalid_field("new_owner_user_id", message)
    };
    let before: StandingRow = edit.lock(old).await?;
    let new = edit.lock::<StandingRow>(heir).await.map_err(|_| refused())?;
    if old == heir || !new.is_active || new.status != MemberStatus::Active {
        return Err(refused());
    }
    let (administers, owns) = (Role::ProjectManager, Role::Owner);
    edit.update(&before, StandingRow { workspace_role: administers, ..before.clone() }).await?;
    edit.update(&new, StandingRow { workspace_role: owns, ..new.clone() }).await?;
    let metadata = json!({ "from": old, "to": heir });
    let (kind, target) = (AuditKind::OwnershipTransferred, Some(heir.0));
    let (actor, label) = (Some(old), String::new());
    Ok(edit.audit(Audited { kind, actor, target_type: "user", target, label, metadata }).await?)
}
