//! Whoever comes with a ticket: who they are, and whether they may stay.
//! It is asked at the door and again whenever something happened that may have changed it.

use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_web::{ApiResult, App, ProjectScope, actor};
use uuid::Uuid;

use super::connection::CloseReason;
use super::hub::{Hub, News};
use super::presence::{self, ProjectPresenceEntry};
use super::tickets;

/// Somebody at a channel of a project.
#[derive(Clone)]
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
}

impl Client {
    /// Lets somebody in who shows a good ticket and has the role, or says with which code they are sent away.
    pub async fn admit(
        app: &App,
        project: ProjectId,
        ticket: Option<String>,
    ) -> ApiResult<Result<Self, CloseReason>> {
        let user = match ticket {
            Some(ticket) => tickets::redeem(app, &ticket).await?,
            None => None,
        };
        let Some(user) = user else { return Ok(Err(CloseReason::Ticket)) };
        if !is_welcome(app, user, project).await? {
            return Ok(Err(CloseReason::Role));
        }
        let Some(person) = presence::person(&app.db, user).await? else { return Ok(Err(CloseReason::Role)) };
        let hub = app.get::<Hub>().clone();
        Ok(Ok(Self { app: app.clone(), hub, project, person, connection_id: app.clock.mint() }))
    }

    /// Looks again when what was told makes it doubtful whether they may stay.
    pub async fn stays(&self, news: &News) -> Result<(), CloseReason> {
        let user = self.person.user_id;
        let doubtful = match news {
            News::Frame(frame) => frame.doubts(user),
            News::Doubt(doubted) => *doubted == user,
        };
        if !doubtful {
            return Ok(());
        }
        match is_welcome(&self.app, user, self.project).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(CloseReason::Role),
            Err(error) => {
                tracing::warn!(?error, "it cannot be told whether a client may stay");
                Err(CloseReason::Trouble)
            }
        }
    }
}

/// Whether somebody may follow a project.
pub async fn is_welcome(app: &App, user: UserId, project: ProjectId) -> ApiResult<bool> {
    let Some(actor) = actor::of_user(app, user).await? else { return Ok(false) };
    match ProjectScope::<may::FollowProject>::of(&app.db, &actor, project).await {
        Ok(_) => Ok(true),
        Err(refusal) if refusal.is_refusal() => Ok(false),
        Err(error) => Err(error),
    }
}
