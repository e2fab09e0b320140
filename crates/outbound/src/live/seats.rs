//! The number of open channels of each person on this node. The listener limits connections before the person is
//! known.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use planwright_domain::ids::UserId;

/// The channel counts of a node. Cheap to clone.
#[derive(Clone)]
pub struct Seats {
    most: usize,
    taken: Arc<Mutex<HashMap<UserId, usize>>>,
}

/// One open channel of a person. It is released when this is dropped.
pub struct Seat {
    seats: Seats,
    user: UserId,
}

impl Seats {
    /// With this maximum for each person.
    pub fn of(most: usize) -> Self {
        Self { most, taken: Arc::default() }
    }

    /// One more channel for a person, if the maximum is not reached.
    pub fn take(&self, user: UserId) -> Option<Seat> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(user).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Seat { seats: self.clone(), user })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_person_has_so_many_seats_and_gets_them_back() {
        let seats = Seats::of(2);
        let (ann, bob) = (UserId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        let first = seats.take(ann);
        let second = seats.take(ann);
        assert!(first.is_some() && second.is_some() && seats.take(ann).is_none());
        assert!(seats.take(bob).is_some());
        drop(first);
        assert!(seats.take(ann).is_some());
    }
}
