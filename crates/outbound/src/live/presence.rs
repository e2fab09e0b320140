//! Presence: the open connections of every node, `GET /api/v1/projects/{id}/presence/`, and the events of joining and
//! leaving. A connection counts only while its node shows signs of life, so people of a failed node disappear soon.

use axum::extract::State;
use chrono::{DateTime, Duration, Utc};
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::person::display_name;
use planwright_domain::words::MemberStatus;
use planwright_store::{Db, Read, Result, Tx, row, sql};
use planwright_web::{ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::frame::Frame;
use super::hub::Hub;
use super::workshop;

/// How long a node counts as alive after its last sign of life, in seconds.
const NODE_COUNTS_SECONDS: i64 = 60;

/// Somebody who has the project open.
#[derive(Clone, Serialize, JsonSchema)]
pub struct ProjectPresenceEntry {
    /// Who it is.
    pub user_id: UserId,
    /// The shown name of the person.
    pub display_name: String,
}

row! {
    struct PersonRow { id: UserId, first_name: String, last_name: String, username: String }
}

row! {
    struct LostRow { id: Uuid, user_id: UserId, room_id: Uuid }
}

impl From<PersonRow> for ProjectPresenceEntry {
    fn from(row: PersonRow) -> Self {
        let display_name = display_name(&row.first_name, &row.last_name, &row.username);
        Self { user_id: row.id, display_name }
    }
}

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get("/api/v1/projects/{id}/presence/", list, says("List who has the project open now."))
}

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<Vec<ProjectPresenceEntry>>> {
    let people = present(&app.db, scope.project.0, app.clock.now()).await?;
    Ok(Json(people.into_iter().map(Into::into).collect()))
}

/// Sends the event that a person joined or left.
pub fn announce(hub: &Hub, project: ProjectId, event: SocketEvent, person: &ProjectPresenceEntry) {
    let told = json!({ "user_id": person.user_id, "display_name": person.display_name });
    hub.tell(project.0, Frame::passing(event, &told));
}

/// Records a connection. True if it is the only one of this person in the project.
pub async fn enter(db: &Db, node: Uuid, connection: Uuid, user: UserId, room: Uuid) -> Result<bool> {
    let mut tx = db.begin().await?;
    upsert_node(&mut tx, node).await?;
    let others = connections(&tx, room, user, tx.now()).await?;
    let insert = "INSERT INTO live_connections (id, node_id, user_id, room_id)
                  VALUES (:id, :node, :user, :room)";
    tx.run(sql!(insert, id = connection, node = node, user = user, room = room)).await?;
    tx.commit().await?;
    Ok(others == 0)
}

/// Removes a connection. True if this person has no other one in the project.
pub async fn leave(db: &Db, connection: Uuid, user: UserId, room: Uuid) -> Result<bool> {
    let mut tx = db.begin().await?;
    tx.run(sql!("DELETE FROM live_connections WHERE id = :id", id = connection)).await?;
    tx.commit().await?;
    // Counted after the commit, so that of two that leave at once at least one sees the room without the other.
    Ok(connections(db, room, user, db.clock.now()).await? == 0)
}

/// Writes a sign of life of a node.
pub async fn beat(db: &Db, node: Uuid) -> Result<()> {
    let mut tx = db.begin().await?;
    upsert_node(&mut tx, node).await?;
    tx.commit().await
}

/// Removes the connections of failed nodes, and returns the people who left with them.
pub async fn bury(app: &App, hub: &Hub) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let lost = take_lost(&mut tx).await?;
    tx.commit().await?;
    for row in lost {
        if connections(&app.db, row.room_id, row.user_id, app.clock.now()).await? > 0 {
            continue;
        }
        let Some(person) = person(&app.db, row.user_id).await? else { continue };
        match workshop::queries::find(&app.db, row.room_id).await? {
            Some(session) => workshop::part(app, hub, session.id, &person).await?,
            None => announce(hub, ProjectId(row.room_id), SocketEvent::PresenceLeave, &person),
        }
    }
    Ok(())
}

/// How somebody is shown to others.
pub async fn person(db: &dyn Read, user: UserId) -> Result<Option<ProjectPresenceEntry>> {
    let select = "SELECT id, first_name, last_name, username FROM users WHERE id = :id";
    Ok(db.maybe::<PersonRow>(sql!(select, id = user)).await?.map(Into::into))
}

/// The clients of a node whose account is no longer active.
pub async fn shut_out(db: &dyn Read, node: Uuid) -> Result<Vec<UserId>> {
    let select = "SELECT DISTINCT u.id FROM live_connections c JOIN users u ON u.id = c.user_id
                  WHERE c.node_id = :node AND (NOT u.is_active OR u.status = :out)";
    db.scalars(sql!(select, node = node, out = MemberStatus::Deactivated)).await
}

async fn present(db: &dyn Read, room: Uuid, now: DateTime<Utc>) -> Result<Vec<PersonRow>> {
    let select = "SELECT DISTINCT u.id, u.first_name, u.last_name, u.username
                  FROM live_connections c JOIN live_nodes n ON n.id = c.node_id AND n.seen_at > :alive
                  JOIN users u ON u.id = c.user_id
                  WHERE c.room_id = :room ORDER BY u.username";
    db.all(sql!(select, room = room, alive = now - Duration::seconds(NODE_COUNTS_SECONDS))).await
}

async fn connections(db: &dyn Read, room: Uuid, user: UserId, now: DateTime<Utc>) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM live_connections c
                  JOIN live_nodes n ON n.id = c.node_id AND n.seen_at > :alive
                  WHERE c.room_id = :room AND c.user_id = :user";
    let alive = now - Duration::seconds(NODE_COUNTS_SECONDS);
    db.count(sql!(select, alive = alive, room = room, user = user)).await
}

async fn upsert_node(tx: &mut Tx, node: Uuid) -> Result<()> {
    let now = tx.now();
    let upsert = "INSERT INTO live_nodes (id, seen_at) VALUES (:id, :now)
                  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at";
    tx.run(sql!(upsert, id = node, now = now)).await.map(drop)
}

async fn take_lost(tx: &mut Tx) -> Result<Vec<LostRow>> {
    let dead = tx.now() - Duration::seconds(NODE_COUNTS_SECONDS);
    let alive = "SELECT id FROM live_nodes WHERE seen_at > :dead";
    let delete =
        format!("DELETE FROM live_connections WHERE node_id NOT IN ({alive}) RETURNING id, user_id, room_id");
    let lost = tx.all(sql!(delete, dead = dead)).await?;
    tx.run(sql!("DELETE FROM live_nodes WHERE seen_at <= :dead", dead = dead)).await?;
    Ok(lost)
}
