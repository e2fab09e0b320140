//! Webhooks of a person who left: they are paused and the owners get a mail. An owner who still needs a webhook
//! activates it again.

use planwright_domain::ids::UserId;
use planwright_domain::words::ChangeKind;
use planwright_jobs::mail::{self, Mail};
use planwright_store::history::Change;
use planwright_store::{Result, Tx};
use planwright_web::ProjectOrProgram;
use serde_json::json;

use super::queries::{self, Paused};

const WHY: &str = "The person who added it has left.";

/// Pauses the webhooks of a person, in the project or program that they left, or everywhere if they left the
/// workspace.
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
        sealed_link: None,
        unsubscribe_url: None,
    }
}
