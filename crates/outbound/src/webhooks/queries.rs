//! Every statement about subscriptions; single rows are written with edits.
//! Deliveries have statements of their own, in `deliveries/queries.rs`.

use planwright_domain::ids::WebhookId;
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Result, Sql, Tx, sql};
use planwright_web::ProjectOrProgram;

/// The subscriptions of a project or program whose address contains the text.
pub fn live(db: &impl Read, home: ProjectOrProgram, search: Option<&str>) -> Sql {
    let condition = format!("AND {}", contains(db.engine(), "w.url", "search"));
    let of_home = format!("FROM webhooks w WHERE w.{} = :home", home.column());
    sql!(of_home, home = home.uuid()).when(&condition, "search", search.map(pattern))
}

/// Deletes the deliveries of a subscription that goes.
pub async fn delete_deliveries(tx: &mut Tx, id: WebhookId) -> Result<()> {
    tx.run(sql!("DELETE FROM webhook_deliveries WHERE webhook_id = :id", id = id)).await.map(drop)
}
