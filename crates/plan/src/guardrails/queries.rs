//! The statements about policies. A project without a row has the policy that all begin with.

use planwright_domain::ids::ProjectId;
use planwright_domain::words::PolicySource;
use planwright_store::{Read, Result, StoreError, Tx, sql};

use super::model::{Policy, PolicyRow};
use super::rules::Levels;

fn broken(error: serde_json::Error) -> StoreError {
    StoreError::Unexpected(error.into())
}

/// The policy of a project.
pub(super) async fn policy(db: &dyn Read, project: ProjectId) -> Result<Policy> {
    let select = "SELECT levels, policy_source, source_label, acknowledged_by_team, server_version
         FROM guardrail_policies WHERE project_id = :project";
    let Some(row) = db.maybe::<PolicyRow>(sql!(select, project = project)).await? else {
        return Ok(Policy {
            levels: Levels::new(),
            policy_source: PolicySource::Owner,
            source_label: String::new(),
            acknowledged_by_team: false,
            server_version: 1,
        });
    };
    Ok(Policy {
        levels: serde_json::from_value(row.levels).map_err(broken)?,
        policy_source: row.policy_source,
        source_label: row.source_label,
        acknowledged_by_team: row.acknowledged_by_team,
        server_version: row.server_version,
    })
}

/// Writes the policy of a project.
pub(super) async fn write(tx: &mut Tx, project: ProjectId, policy: &Policy, number: i64) -> Result<()> {
    let statement = sql!(
        "INSERT INTO guardrail_policies (project_id, levels, policy_source, source_label, acknowledged_by_team,
            server_version, change_number)
         VALUES (:project, :levels, :source, :label, :acknowledged, :version, :number)
         ON CONFLICT (project_id) DO UPDATE SET levels = excluded.levels,
            acknowledged_by_team = excluded.acknowledged_by_team, server_version = excluded.server_version,
            change_number = excluded.change_number",
        project = project,
        levels = serde_json::to_value(&policy.levels).map_err(broken)?,
        source = policy.policy_source,
        label = &policy.source_label,
        acknowledged = policy.acknowledged_by_team,
        version = policy.server_version,
        number = number,
    );
    tx.run(statement).await.map(drop)
}
