//! Every event of every test is held against the list of what events carry.
//! A key that is missing or unknown fails the test that caused the event.

use futures_util::future::BoxFuture;
use planwright_outbound::payloads;
use planwright_server::reactions;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};

/// Reacts to events as the program does, once their payloads have been looked at.
pub(crate) fn react(tx: &mut Tx, events: Vec<Waiting>) -> BoxFuture<'_, Result<()>> {
    for event in &events {
        if let Err(fault) = payloads::check(event) {
            panic!("{fault}");
        }
    }
    reactions::react(tx, events)
}
