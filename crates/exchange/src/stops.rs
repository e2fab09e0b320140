//! Imports of files and applications of templates that this process writes at this moment. Each is one write, so on SQLite
//! nobody else can write that it was cancelled: it is told here, gives way, and nothing of it stays.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use uuid::Uuid;

/// What can be stopped in this process. Another node finds at its end that its work was cancelled.
#[derive(Clone, Default)]
pub struct Stops(Arc<Mutex<HashMap<Uuid, Arc<Notify>>>>);

impl Stops {
    /// Does work, or gives it up when it is stopped. `None` then: its transaction is rolled back.
    pub(crate) async fn unless_stopped<T>(&self, id: Uuid, work: impl Future<Output = T>) -> Option<T> {
        let wanted = Arc::new(Notify::new());
        self.held().insert(id, wanted.clone());
        let _end = Ended { stops: self, id };
        tokio::select! {
            done = work => Some(done),
            () = wanted.notified() => None,
        }
    }

    /// Waits for the turn to write, and has the work give way meanwhile.
    pub(crate) async fn make_way<T>(&self, id: Uuid, turn: impl Future<Output = T>) -> T {
        // The turn is asked for first, so that it comes before a new attempt of the work.
        let (turn, ()) = tokio::join!(turn, async { self.stop(id) });
        turn
    }

    fn stop(&self, id: Uuid) {
        if let Some(wanted) = self.held().get(&id) {
            wanted.notify_one();
        }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Uuid, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets work however it ends.
struct Ended<'a> {
    stops: &'a Stops,
    id: Uuid,
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.stops.held().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_ends_by_itself_or_gives_way_and_is_forgotten_in_both_cases() {
        let (stops, id) = (Stops::default(), Uuid::nil());
        assert_eq!(stops.unless_stopped(id, async { 7 }).await, Some(7));
        let endless = stops.unless_stopped(id, std::future::pending::<()>());
        let (ended, turn) = tokio::join!(endless, stops.make_way(id, async { "mine" }));
        assert_eq!((ended, turn), (None, "mine"));
        assert!(stops.held().is_empty());
        stops.stop(id);
    }
}
