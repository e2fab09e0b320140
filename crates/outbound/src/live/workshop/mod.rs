//! Workshops: sessions in which several people work on a plan together, at `/api/v1/projects/{id}/workshop/`. Their
//! messages are in `workshop_channel.rs`. No message is stored.

pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

pub use routes::table;

use planwright_store::Result;
use planwright_web::App;
use serde_json::json;
use uuid::Uuid;

use super::frame::Frame;
use super::hub::Hub;
use super::presence::ProjectPresenceEntry;

/// Records that a participant left a workshop, and tells the others.
pub async fn part(app: &App, hub: &Hub, session: Uuid, person: &ProjectPresenceEntry) -> Result<()> {
    let mut tx = app.db.begin().await?;
    queries::part(&mut tx, session, person.user_id).await?;
    tx.commit().await?;
    tell_of(hub, session, "participant_left", person);
    Ok(())
}

/// Sends an event about a participant to a workshop.
pub fn tell_of(hub: &Hub, session: Uuid, name: &str, person: &ProjectPresenceEntry) {
    let told = json!({ "user_id": person.user_id, "display_name": person.display_name });
    hub.tell(session, Frame::of_workshop(name, &told, None));
}
