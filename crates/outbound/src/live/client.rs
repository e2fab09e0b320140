//! The client of a channel: who it is, and whether it may stay connected. This is checked when it connects, at every
//! heartbeat, and after every event that may change it.

use std::time::Duration;

use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_web::actor::{Shown, Worth};
use planwright_web::{ApiResult, App, ProjectScope};
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::connection::CloseReason;
use super::hub::{Hub, News};
use super::presence::{self, ProjectPresenceEntry};
use super::seats::Seat;
use super::tickets;

/// A client of a channel of a project.
pub struct Client {
    /// The program.
    pub app: App,
    /// The hub of this node.
    pub hub: Hub,
    /// The project.
    pub project: ProjectId,
    /// Who it is.
    pub person: ProjectPresenceEntry,
    /// This connection.
    pub connection_id: Uuid,
    shown: Shown,
    deadline: Option<Instant>,
    _seat: Seat,
}

impl Client {
    /// Accepts a client with a valid ticket and a sufficient role, or returns the close code.
    pub async fn admit(
        app: &App,
        project: ProjectId,
        ticket: Option<String>,
    ) -> ApiResult<Result<Self, CloseReason>> {
        let shown = match ticket {
            Some(ticket) => tickets::redeem(app, &ticket).await?,
            None => None,
        };
        let Some(shown) = shown else { return Ok(Err(CloseReason::Ticket)) };
        if let Err(reason) = welcome(app, &shown, project).await? {
            return Ok(Err(reason));
        }
        Self::with(app, project, shown).await
    }

    /// A client that was accepted with a credential, unless the person no longer exists or has too many open
    /// channels.
    pub async fn with(app: &App, project: ProjectId, shown: Shown) -> ApiResult<Result<Self, CloseReason>> {
        let person = presence::person(&app.db, shown.user).await?;
        let Some(person) = person else { return Ok(Err(CloseReason::Role)) };
        let hub = app.get::<Hub>().clone();
        let Some(seat) = hub.seats().take(shown.user) else { return Ok(Err(CloseReason::TooMany)) };
        let left = shown.ends_at.map(|at| (at - app.clock.now()).to_std().unwrap_or(Duration::ZERO));
        let deadline = left.map(|left| Instant::now() + left);
        let connection_id = app.clock.mint();
        let app = app.clone();
        Ok(Ok(Self { app, hub, project, person, connection_id, shown, deadline, _seat: seat }))
    }

    /// Waits until the credential expires.
    pub async fn ended(&self) {
        match self.deadline {
            Some(deadline) => sleep_until(deadline).await,
            None => std::future::pending().await,
        }
    }

    /// Checks the access again after an event that may have changed it.
    pub async fn stays(&self, news: &News) -> Result<(), CloseReason> {
        let user = self.person.user_id;
        let doubtful = match news {
            News::Frame(frame) => frame.doubts(user),
            News::Doubt(doubted) => *doubted == user,
        };
        match doubtful {
            true => self.look_again().await,
            false => Ok(()),
        }
    }

    /// Checks whether the client may stay connected.
    pub async fn look_again(&self) -> Result<(), CloseReason> {
        welcome(&self.app, &self.shown, self.project).await.unwrap_or_else(|error| {
            tracing::warn!(?error, "the access of a client could not be checked");
            Err(CloseReason::Trouble)
        })
    }
}

/// Whether a person may follow a project with their credential.
async fn welcome(app: &App, shown: &Shown, project: ProjectId) -> ApiResult<Result<(), CloseReason>> {
    let actor = match shown.worth(app).await? {
        Worth::Good(actor) => actor,
        Worth::Ended => return Ok(Err(CloseReason::Ticket)),
        Worth::ShutOut => return Ok(Err(CloseReason::Role)),
    };
    match ProjectScope::<may::FollowProject>::of(&app.db, &actor, project).await {
        Ok(_) => Ok(Ok(())),
        Err(refusal) if refusal.is_refusal() => Ok(Err(CloseReason::Role)),
        Err(error) => Err(error),
    }
}
