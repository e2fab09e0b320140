//! Compares every event of every test with the list of event payloads. A missing or unknown key fails the test that
//! caused the event.

use futures_util::future::BoxFuture;
use planwright_outbound::payloads;
use planwright_server::reactions;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};

/// Handles events like the program, after their payloads were checked.
pub(crate) fn react(tx: &mut Tx, events: Vec<Waiting>) -> BoxFuture<'_, Result<()>> {
    for event in &events {
        if let Err(fault) = payloads::check(event) {
            panic!("{fault}");
        }
    }
    reactions::react(tx, events)
}
