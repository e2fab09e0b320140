//! What an agent did, on the wire (facts-platform §13).

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_web::input;
use planwright_web::input::{Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::chain::{ActionRecord, as_hashed};

/// A request of an agent, and whether it was allowed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AgentAction {
    pub id: Uuid,
    /// The version of what a record contains.
    pub schema_version: i64,
    /// The place in the chain, from 1, without gaps.
    pub sequence: i64,
    /// Always `mcp_token`.
    pub actor_kind: String,
    /// The start of the token that was used.
    pub actor_token_prefix: String,
    /// The person for whom the agent acted.
    pub principal: Option<UserId>,
    /// The route, such as `GET /api/v1/tasks/{id}/`.
    pub action: String,
    pub method: String,
    /// The kind of row that the path names. Empty if it names none.
    pub object_type: String,
    /// The row that the path names. Empty if it names none.
    pub object_id: String,
    /// The project, if the request is about one.
    pub project: Option<ProjectId>,
    /// The scope of the token that was used.
    pub capability_used: String,
    /// `allowed` or `refused`.
    pub verdict: String,
    /// `identity` or `policy`. Empty if it was allowed.
    pub refusal_reason: String,
    /// The rule that refused it. Null if it was allowed.
    pub refusal_detail: Json,
    /// The version of the server.
    pub engine_version: String,
    /// SHA-256 of the request.
    pub payload_hash: String,
    /// SHA-256 of this record and the one before it.
    pub record_hash: String,
    /// What happened, for people.
    pub summary: String,
    #[serde(serialize_with = "as_hashed")]
    pub occurred_at: DateTime<Utc>,
}

input! {
    /// Which actions a list shows.
    pub struct AgentActionFilter {
        /// Only `allowed` or `refused` ones.
        pub verdict: Patch<Name<1, 32>>,
        /// Only those that this rule refused.
        pub constraint: Patch<Name<1, 64>>,
        /// Only those in this project.
        pub project: Patch<ProjectId>,
        /// Only those in projects of this program.
        pub program: Patch<ProgramId>,
        /// Only those from this time on.
        pub since: Patch<DateTime<Utc>>,
    }
}

impl From<ActionRecord> for AgentAction {
    fn from(row: ActionRecord) -> Self {
        let refusal_detail = match row.refusal_constraint.as_str() {
            "" => Json::Null,
            constraint => json!({ "constraint": constraint, "projected_impact": null }),
        };
        Self {
            id: row.id,
            schema_version: row.schema_version,
            sequence: row.sequence,
            actor_kind: row.actor_kind,
            actor_token_prefix: row.actor_token_prefix,
            principal: Some(row.principal_id),
            action: row.action,
            method: row.method,
            object_type: row.object_type,
            object_id: row.object_id,
            project: row.project_id,
            capability_used: row.capability_used,
            verdict: row.verdict,
            refusal_reason: row.refusal_reason,
            refusal_detail,
            engine_version: row.engine_version,
            payload_hash: row.payload_hash,
            record_hash: row.record_hash,
            summary: row.summary,
            occurred_at: row.occurred_at,
        }
    }
}
