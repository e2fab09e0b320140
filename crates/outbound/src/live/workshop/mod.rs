//! Workshops: sessions in which several people work on a plan at once, at `/api/v1/projects/{id}/workshop/`.
//! What they say to each other is in `workshop_channel.rs`; nothing of it is kept.

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

/// Notes that somebody left a workshop, and tells the others.
pub async fn part(app: &App, hub: &Hub, session: Uuid, person: &ProjectPresenceEntry) -> Result<()> {
    let mut tx = app.db.begin().await?;
    queries::part(&mut tx, session, person.user_id).await?;
    tx.commit().await?;
    tell_of(hub, session, "participant_left", person);
    Ok(())
}

/// Tells a workshop of somebody who takes part.
pub fn tell_of(hub: &Hub, session: Uuid, name: &str, person: &ProjectPresenceEntry) {
    let told = json!({ "user_id": person.user_id, "display_name": person.display_name });
    hub.tell(session, Frame::of_workshop(name, &told, None));
}
