//! Wakes the background tasks when a commit has left work for them, so that they do not wait for their next poll.
//! This only saves time: polling finds all work.

use planwright_store::Tx;
use tokio::sync::watch;

/// The wake-up signal of this process. It is stored with the database, so every transaction can use it.
pub struct Errands(watch::Sender<()>);

impl Default for Errands {
    fn default() -> Self {
        Self(watch::Sender::new(()))
    }
}

impl Errands {
    /// Receives every signal from now on.
    pub fn listen(&self) -> watch::Receiver<()> {
        self.0.subscribe()
    }
}

/// Sends the signal after the commit of the transaction.
pub fn call_after(tx: &mut Tx) {
    if let Some(Errands(bell)) = tx.context::<Errands>() {
        let bell = bell.clone();
        tx.signal_committed(move || {
            bell.send_replace(());
        });
    }
}
