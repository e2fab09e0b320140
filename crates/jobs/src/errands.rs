//! Calling those who work beside the jobs: a commit that left work for them says so, and they do not wait for their next look.
//! It only makes things quicker: what nobody called for is found by looking.

use planwright_store::Tx;
use tokio::sync::watch;

/// The bell of this process; put beside the database, so that every transaction reaches it.
pub struct Errands(watch::Sender<()>);

impl Default for Errands {
    fn default() -> Self {
        Self(watch::Sender::new(()))
    }
}

impl Errands {
    /// Hears every call from now on.
    pub fn listen(&self) -> watch::Receiver<()> {
        self.0.subscribe()
    }
}

/// Rings as soon as the transaction is committed.
pub fn call_after(tx: &mut Tx) {
    if let Some(Errands(bell)) = tx.context::<Errands>() {
        let bell = bell.clone();
        tx.signal_committed(move || {
            bell.send_replace(());
        });
    }
}
