//! Mail to be sent, as a job: any area may enqueue one in its transaction.
//! Delivery belongs to the workspace area.

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

/// Enqueues a mail; it leaves after the commit.
pub async fn send(tx: &mut Tx, mail: &Mail) -> Result<()> {
    queue::enqueue(tx, NewJob::new(SEND_MAIL, mail)?).await.map(drop)
}
