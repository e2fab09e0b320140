//! The job that sends mail: every area may queue one in its transaction. The workspace area delivers it.

use planwright_domain::ids::JobId;
use planwright_store::seal::Sealer;
use planwright_store::{Result, Tx};
use serde::{Deserialize, Serialize};

use crate::queue::{self, NewJob};

/// The kind of job that delivers a mail.
pub const SEND_MAIL: &str = "send_mail";

/// A mail in plain text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mail {
    /// The address it goes to.
    pub to: String,
    /// The subject line.
    pub subject: String,
    /// The text. [`LINK`] stands for the sealed link.
    pub body: String,
    /// A link that opens something, sealed until the mail leaves, so that no queue and no failed job shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed_link: Option<String>,
    /// Where its reader says that they want no more mails of this kind. None for mails that nobody can turn off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsubscribe_url: Option<String>,
}

/// What stands in a text for the sealed link.
pub const LINK: &str = "{link}";

const PURPOSE: &str = "link of a mail";

/// Seals a link for a mail.
pub fn seal_link(sealer: &Sealer, link: &str) -> Result<String> {
    sealer.seal_text(PURPOSE, link)
}

impl Mail {
    /// The mail with its link opened, as it leaves.
    pub fn opened(mut self, sealer: &Sealer) -> Result<Self> {
        if let Some(sealed) = self.sealed_link.take() {
            self.body = self.body.replace(LINK, &sealer.open_text(PURPOSE, &sealed)?);
        }
        Ok(self)
    }
}

/// Queues a mail. It is sent after the commit.
pub async fn send(tx: &mut Tx, mail: &Mail) -> Result<()> {
    send_known(tx, mail).await.map(drop)
}

/// The same for whoever wants to know later whether it left: the job that sends it.
pub async fn send_known(tx: &mut Tx, mail: &Mail) -> Result<JobId> {
    queue::enqueue(tx, NewJob::new(SEND_MAIL, mail)?).await
}
