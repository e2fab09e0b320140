//! The audit of the workspace: who came in, what rights changed, what left the house. Lines about rows come from their
//! history by the table in `kind_of`, so that no writer can forget one; everything else says so with `Tx::audit`.

use planwright_domain::ids::UserId;
use planwright_domain::words::{AuditKind, ChangeKind};
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use crate::history::Change;
use crate::{Result, ToValue, Tx, Value};

/// One line of the audit.
#[derive(Clone, Debug)]
pub struct Audited {
    /// What happened.
    pub kind: AuditKind,
    /// Who did it. Null for the system or somebody unknown.
    pub actor: Option<UserId>,
    /// What it happened to, in the singular: `user`, `project`.
    pub target_type: &'static str,
    /// Which one.
    pub target: Option<Uuid>,
    /// How the target was called then. Empty when a reader finds it by the id.
    pub label: String,
    /// What else is worth telling.
    pub metadata: Json,
}

/// The settings of a project or program that say who gets at it.
const ACCESS: [&str; 7] = [
    "allow_guests",
    "public_sharing",
    "mcp_enabled",
    "attachments_enabled",
    "allowed_attachment_types",
    "visibility",
    "default_member_role",
];

/// What the audit says of a change, if it says anything.
fn kind_of(change: &Change) -> Option<AuditKind> {
    use AuditKind::*;
    let has = |field: &str| change.fields.contains_key(field);
    let opens = || ACCESS.iter().any(|field| has(field));
    match (change.entity, change.kind) {
        ("project_member" | "program_member" | "user", ChangeKind::Created) => Some(MemberAdded),
        ("project_member" | "program_member" | "user", ChangeKind::Deleted) => Some(MemberRemoved),
        ("project_member" | "program_member", _) if has("role") => Some(MemberRoleChanged),
        ("user", _) if has("workspace_role") || has("role_value") => Some(MemberRoleChanged),
        ("user", _) if has("status") || has("is_active") => Some(MemberStatusChanged),
        ("user", _) if has("password") => Some(PasswordChanged),
        ("user", _) if has("second_factor") || has("recovery_codes") => Some(SecondFactorChanged),
        ("sign_in_policy", _) => Some(SignInPolicyChanged),
        ("project", ChangeKind::Created) => Some(ProjectCreated),
        ("project", ChangeKind::Deleted) => Some(ProjectDeleted),
        ("project", ChangeKind::Restored) => Some(ProjectRestored),
        ("project", ChangeKind::Updated) if opens() => Some(ProjectAccessChanged),
        ("program", ChangeKind::Created) => Some(ProgramCreated),
        ("program", ChangeKind::Deleted) => Some(ProgramDeleted),
        ("program", ChangeKind::Updated) if opens() => Some(ProgramAccessChanged),
        ("workspace", _) => Some(WorkspaceSettingsChanged),
        ("group", ChangeKind::Created) => Some(GroupCreated),
        ("group", ChangeKind::Deleted) => Some(GroupDeleted),
        ("group", _) => Some(GroupChanged),
        ("invite", ChangeKind::Created) => Some(InviteSent),
        ("invite", _) => Some(InviteChanged),
        ("sso_provider", ChangeKind::Created) => Some(SsoProviderCreated),
        ("sso_provider", ChangeKind::Deleted) => Some(SsoProviderDeleted),
        ("sso_provider", _) => Some(SsoProviderChanged),
        ("webhook", ChangeKind::Created) => Some(WebhookCreated),
        ("webhook", ChangeKind::Deleted) => Some(WebhookDeleted),
        ("webhook", ChangeKind::Updated) => Some(WebhookChanged),
        ("project_template", ChangeKind::Created) => Some(TemplatePublished),
        ("mail_settings", _) => Some(EmailSettingsChanged),
        ("git_automation", _) => Some(GitAutomationChanged),
        ("share_link", ChangeKind::Created) => Some(ShareLinkCreated),
        ("share_link", _) => Some(ShareLinkRevoked),
        _ => None,
    }
}

/// The line of a change, if it has one.
pub(crate) fn of_change(change: &Change) -> Option<Audited> {
    let kind = kind_of(change)?;
    let mut metadata = Map::from_iter([("fields".to_owned(), Json::Object(change.fields.clone()))]);
    let places = [("project", change.project.map(|id| id.0)), ("program", change.program.map(|id| id.0))];
    metadata.extend(places.into_iter().filter_map(|(name, id)| Some((name.to_owned(), json!(id?)))));
    let named = ["name", "email", "username"].into_iter().find_map(|field| {
        let sides = change.fields.get(field)?.as_array()?;
        sides.iter().rev().find_map(Json::as_str)
    });
    Some(Audited {
        kind,
        actor: change.actor,
        target_type: change.entity,
        target: Some(change.id),
        label: named.unwrap_or_default().to_owned(),
        metadata: Json::Object(metadata),
    })
}

impl Tx {
    /// Writes a line into the audit.
    pub async fn audit(&mut self, line: Audited) -> Result<()> {
        self.audit_each(vec![line]).await
    }

    /// Writes lines into the audit, as one bulk write.
    pub async fn audit_each(&mut self, lines: Vec<Audited>) -> Result<()> {
        let text =
            "INSERT INTO audit_events (id, event_type, actor_id, target_type, target_id, target_label, metadata, created_at)
             VALUES (:id, :kind, :actor, :type, :target, :label, :metadata, :now)";
        let rows: Vec<Vec<(&'static str, Value)>> =
            lines.into_iter().map(|line| self.audited(line)).collect();
        self.run_rows(text, rows).await.map(drop)
    }

    fn audited(&self, line: Audited) -> Vec<(&'static str, Value)> {
        vec![
            ("id", self.mint::<Uuid>().to_value()),
            ("kind", line.kind.to_value()),
            ("actor", line.actor.to_value()),
            ("type", line.target_type.to_value()),
            ("target", line.target.to_value()),
            ("label", line.label.to_value()),
            ("metadata", line.metadata.to_value()),
            ("now", self.now().to_value()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(entity: &'static str, kind: ChangeKind, fields: Json) -> Option<Audited> {
        let change = Change::of(entity, Uuid::nil(), kind, None);
        of_change(&Change { fields: fields.as_object().cloned().unwrap_or_default(), ..change })
    }

    #[test]
    fn ranks_and_settings_have_lines_and_the_plan_has_none() {
        let ranked = line("project_member", ChangeKind::Updated, json!({"role": [100, 300]})).unwrap();
        assert_eq!(ranked.kind, AuditKind::MemberRoleChanged);
        assert_eq!(ranked.metadata["fields"]["role"], json!([100, 300]));
        assert!(line("program_member", ChangeKind::Updated, json!({"role_title": ["", "Lead"]})).is_none());
        assert!(line("task", ChangeKind::Created, json!({"name": [null, "Dig"]})).is_none());
        assert!(line("project", ChangeKind::Updated, json!({"name": ["A", "B"]})).is_none());
        let opened = line("project", ChangeKind::Updated, json!({"allow_guests": [null, true]})).unwrap();
        assert_eq!(opened.kind, AuditKind::ProjectAccessChanged);
    }

    #[test]
    fn a_line_is_called_as_its_row_was_called_last() {
        let renamed = line("group", ChangeKind::Updated, json!({"name": ["Divers", "Climbers"]})).unwrap();
        assert_eq!(renamed.label, "Climbers");
        let gone = line("group", ChangeKind::Deleted, json!({"name": ["Divers", null]})).unwrap();
        assert_eq!(gone.label, "Divers");
    }
}
