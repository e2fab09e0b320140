//! Lines of the audit on the wire.

use chrono::{DateTime, Utc};
use planwright_domain::ids::UserId;
use planwright_domain::words::AuditKind;
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

row! {
    /// A line of the audit.
    #[derive(Serialize, JsonSchema)]
    pub struct AuditEvent {
        /// The id of the line.
        pub id: Uuid,
        /// What happened.
        pub event_type: AuditKind,
        /// Who did it. Null for the system or somebody unknown.
        pub actor_id: Option<UserId>,
        /// The user name of who did it. It may be empty.
        pub actor_label: String,
        /// What it happened to, such as `user`, `project_member` or `api_token`.
        pub target_type: String,
        /// Its id.
        pub target_id: Option<Uuid>,
        /// Its name. It may be empty.
        pub target_label: String,
        /// More information: changed fields as `[old, new]`, the place, the network address.
        pub metadata: Json,
        /// When it happened.
        pub created_at: DateTime<Utc>,
    }
}

input! {
    /// Which lines of the audit.
    pub struct AuditFilter {
        /// Only lines of this kind.
        pub event_type: Patch<AuditKind>,
        /// Only what this person did.
        pub actor: Patch<UserId>,
        /// Only lines from this time on.
        pub since: Patch<DateTime<Utc>>,
        /// Only lines before this time.
        pub until: Patch<DateTime<Utc>>,
    }
}
