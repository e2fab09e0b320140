//! The job that sends mail: every area may queue one in its transaction. The workspace area delivers it.

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
    /// The text.
    pub body: String,
}

/// Queues a mail. It is sent after the commit.
pub async fn send(tx: &mut Tx, mail: &Mail) -> Result<()> {
    queue::enqueue(tx, NewJob::new(SEND_MAIL, mail)?).await.map(drop)
}
