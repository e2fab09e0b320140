//! What is told of a baseline that is stored, by a capture or by an import. The baselines themselves are in the crate
//! `governance`.

use planwright_domain::events::WebhookEvent;
use planwright_domain::ids::{BaselineId, ProgramId, ProjectId, UserId};
use planwright_store::outbox::{Event, Message};
use serde_json::json;

/// A baseline that was stored.
#[derive(Clone, Copy, Debug)]
pub struct StoredBaseline<'a> {
    /// Its id.
    pub id: BaselineId,
    /// Its name.
    pub name: &'a str,
    /// How many tasks it keeps.
    pub task_count: i64,
    /// Whether all of them have dates.
    pub is_dated: bool,
    /// Who stored it; nobody for the system.
    pub created_by: Option<UserId>,
    /// By which program.
    pub source: &'a str,
}

impl StoredBaseline<'_> {
    /// `baseline.captured` (contract 2).
    pub fn captured(&self, project: ProjectId, program: Option<ProgramId>) -> Message {
        let payload = json!({
            "id": self.id,
            "project": project,
            "name": self.name,
            "has_cpm_dates": self.is_dated,
            "task_count": self.task_count,
            "created_by": self.created_by,
            "source": self.source,
        });
        let event = Event::Webhook(WebhookEvent::BaselineCaptured);
        Message { event, project: Some(project), program, payload: payload.into() }
    }
}
