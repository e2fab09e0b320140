//! Subscriptions of somebody who left: nobody looks after them any more, so they are paused, and the owners are told.
//! An owner who still wants one switches it on again.

use planwright_domain::ids::UserId;
use planwright_domain::words::ChangeKind;
use planwright_jobs::mail::{self, Mail};
use planwright_store::history::Change;
use planwright_store::{Result, Tx};
use planwright_web::ProjectOrProgram;
use serde_json::json;

use super::queries::{self, Paused};

const WHY: &str = "The person who added it has left.";

/// Pauses what somebody subscribed to, in the place they left or, when they left the workspace, everywhere.
pub async fn pause(tx: &mut Tx, left: UserId, home: Option<ProjectOrProgram>) -> Result<()> {
    let paused = queries::pause_of(tx, left, home, WHY).await?;
    for webhook in &paused {
        let mut change = Change {
            version: webhook.server_version,
            project: webhook.project_id,
            program: webhook.program_id,
            ..Change::of("webhook", webhook.id, ChangeKind::Updated, None)
        };
        change.fields.insert("is_active".to_owned(), json!([true, false]));
        tx.record(change).await?;
        for address in queries::addresses_of_owners(tx, webhook.home()).await? {
            mail::send(tx, &letter(address, webhook)).await?;
        }
    }
    Ok(())
}

fn letter(to: String, webhook: &Paused) -> Mail {
    let (url, id) = (&webhook.url, webhook.id);
    Mail {
        to,
        subject: "A webhook was paused".to_owned(),
        body: format!(
            "Hello,\n\nthe webhook {id} to {url} was paused: whoever added it has left.\n\n\
             Nothing is sent to it until somebody who manages webhooks there switches it on again.\n"
        ),
    }
}
