//! How fast a person sends messages in a workshop: counted for each person and workshop, over all their connections
//! to this node. Messages above the limit are dropped, and the connection stays open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use planwright_domain::ids::UserId;
use tokio::time::Instant;
use uuid::Uuid;

use super::workshop::rules::MOST_A_SECOND;

type Speaker = (Uuid, UserId);

/// The message rates of all workshop participants on this node.
#[derive(Clone, Default)]
pub struct Paces(Arc<Mutex<HashMap<Speaker, Second>>>);

/// The rate limiter of one connection of a participant. The state of a participant is deleted with their last
/// connection.
pub struct Pace {
    paces: Paces,
    speaker: Speaker,
}

struct Second {
    began: Instant,
    spoken: u32,
    connections: usize,
}

impl Paces {
    /// The rate limiter of a participant, for one more connection.
    pub fn of(&self, session: Uuid, user: UserId) -> Pace {
        let speaker = (session, user);
        let new = || Second { began: Instant::now(), spoken: 0, connections: 0 };
        self.lock().entry(speaker).or_insert_with(new).connections += 1;
        Pace { paces: self.clone(), speaker }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Speaker, Second>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Pace {
    /// Whether one more message is passed on.
    pub fn allows(&self) -> bool {
        self.allows_at(Instant::now())
    }

    fn allows_at(&self, now: Instant) -> bool {
        let mut paces = self.paces.lock();
        let Some(second) = paces.get_mut(&self.speaker) else { return false };
        if now.duration_since(second.began) >= Duration::from_secs(1) {
            (second.began, second.spoken) = (now, 0);
        }
        second.spoken = second.spoken.saturating_add(1);
        second.spoken <= MOST_A_SECOND
    }
}

impl Drop for Pace {
    fn drop(&mut self) {
        let mut paces = self.paces.lock();
        if let Some(second) = paces.get_mut(&self.speaker) {
            second.connections -= 1;
            if second.connections == 0 {
                paces.remove(&self.speaker);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connections_of_a_person_share_a_pace_and_others_have_their_own() {
        let paces = Paces::default();
        let (session, mara) = (Uuid::from_u128(1), UserId(Uuid::from_u128(2)));
        let (one, other) = (paces.of(session, mara), paces.of(session, mara));
        let now = Instant::now();
        let passed = (0..MOST_A_SECOND)
            .filter(|turn| if turn % 2 == 0 { one.allows_at(now) } else { other.allows_at(now) });
        assert_eq!(passed.count() as u32, MOST_A_SECOND);
        assert!(!one.allows_at(now) && !other.allows_at(now));
        assert!(paces.of(session, UserId(Uuid::from_u128(3))).allows());
        assert!(paces.of(Uuid::from_u128(4), mara).allows());
        assert!(one.allows_at(now + Duration::from_secs(2)));
        drop((one, other));
        assert!(paces.lock().is_empty());
    }
}
