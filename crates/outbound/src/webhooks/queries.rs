//! Every statement about webhooks. Single rows are written with edits. The statements of deliveries are in
//! `deliveries/queries.rs`.

use planwright_domain::Role;
use planwright_domain::ids::{ProgramId, ProjectId, UserId, WebhookId};
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Result, Sql, Tx, row, sql};
use planwright_web::ProjectOrProgram;

row! {
    /// A subscription that was paused.
    pub struct Paused {
        pub id: WebhookId,
        pub project_id: Option<ProjectId>,
        pub program_id: Option<ProgramId>,
        pub url: String,
        pub server_version: i64,
    }
}

impl Paused {
    /// The project or the program to which it belongs.
    pub fn home(&self) -> ProjectOrProgram {
        ProjectOrProgram::of_columns(self.project_id, self.program_id)
    }
}

/// The webhooks of a project or program whose address contains the text.
pub fn live(db: &dyn Read, home: ProjectOrProgram, search: Option<&str>) -> Sql {
    let condition = format!("AND {}", contains(db.engine(), "w.url", "search"));
    let of_home = format!("FROM webhooks w WHERE w.{} = :home", home.column());
    sql!(of_home, home = home.uuid()).when(&condition, "search", search.map(pattern))
}

/// The number of webhooks of a project or program.
pub async fn count(db: &dyn Read, home: ProjectOrProgram) -> Result<i64> {
    let select = format!("SELECT COUNT(*) FROM webhooks WHERE {} = :home", home.column());
    db.count(sql!(select, home = home.uuid())).await
}

/// Pauses the webhooks that a person added, in one project or program or in all, and returns them.
pub async fn pause_of(
    tx: &mut Tx,
    creator: UserId,
    home: Option<ProjectOrProgram>,
    why: &str,
) -> Result<Vec<Paused>> {
    let pause = "UPDATE webhooks SET is_active = FALSE, disabled_at = :now, disabled_reason = :why,
                    server_version = server_version + 1
                 WHERE created_by = :creator AND is_active";
    let (now, returning) = (tx.now(), " RETURNING id, project_id, program_id, url, server_version");
    let of_home = home.map(|home| format!(" AND {} = :home", home.column())).unwrap_or_default();
    let statement = sql!(format!("{pause}{of_home}{returning}"), now = now, why = why, creator = creator);
    tx.all(match home {
        Some(home) => statement.bind("home", home.uuid()),
        None => statement,
    })
    .await
}

/// The e-mail addresses of the active owners of a project or program. If there are none, those of the administrators
/// of the workspace.
pub async fn addresses_of_owners(db: &dyn Read, home: ProjectOrProgram) -> Result<Vec<String>> {
    let (members, column) = match home {
        ProjectOrProgram::Project(_) => ("project_members", "project_id"),
        ProjectOrProgram::Program(_) => ("program_members", "program_id"),
    };
    let active = "u.is_active AND u.status <> 'deactivated' AND u.email <> ''";
    let of_place = format!(
        "SELECT u.email FROM {members} m JOIN users u ON u.id = m.user_id
         WHERE m.{column} = :home AND m.role = :owner AND m.deletion_id IS NULL AND {active} ORDER BY u.id"
    );
    let owners = db.scalars(sql!(of_place, home = home.uuid(), owner = Role::Owner)).await?;
    if !owners.is_empty() {
        return Ok(owners);
    }
    let of_workspace =
        format!("SELECT u.email FROM users u WHERE u.workspace_role >= :admin AND {active} ORDER BY u.id");
    db.scalars(sql!(of_workspace, admin = Role::ProjectManager)).await
}

/// Deletes the deliveries of a deleted webhook.
pub async fn delete_deliveries(tx: &mut Tx, id: WebhookId) -> Result<()> {
    tx.run(sql!("DELETE FROM webhook_deliveries WHERE webhook_id = :id", id = id)).await.map(drop)
}
