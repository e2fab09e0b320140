//! What becomes of a notification: read, archived, put off.

use chrono::{DateTime, Duration, Utc};
use chrono_tz::Tz;
use planwright_domain::words::SnoozePreset;
use planwright_web::{ApiError, ApiResult, Patch};

use super::model::{MarksRow, PatchedNotificationRequest, SnoozeRequest};
use crate::times;

/// The marks after a request. What is read already keeps its time.
pub fn marked(before: MarksRow, request: PatchedNotificationRequest, now: DateTime<Utc>) -> MarksRow {
    let read_at = match request.is_read.given() {
        Some(true) => before.read_at.or(Some(now)),
        Some(false) => None,
        None => before.read_at,
    };
    let is_archived = request.is_archived.given().unwrap_or(before.is_archived);
    MarksRow { read_at, is_archived, ..before }
}

/// Until when a notification is put off; none brings it back.
///
/// # Errors
/// 400 unless the request says exactly one thing, and when that time is over.
pub fn until(request: SnoozeRequest, now: DateTime<Utc>, zone: Tz) -> ApiResult<Option<DateTime<Utc>>> {
    match (request.preset, request.until) {
        (Patch::Set(SnoozePreset::OneHour), Patch::Absent) => Ok(Some(now + Duration::hours(1))),
        (Patch::Set(SnoozePreset::ThreeHours), Patch::Absent) => Ok(Some(now + Duration::hours(3))),
        (Patch::Set(SnoozePreset::Tomorrow), Patch::Absent) => Ok(Some(times::tomorrow_at_nine(now, zone))),
        (Patch::Absent, Patch::Set(Some(until))) if until <= now => {
            Err(ApiError::invalid_field("until", "Name a time in the future."))
        }
        (Patch::Absent, Patch::Set(until)) => Ok(until),
        _ => Err(ApiError::invalid_field("non_field_errors", "Send either \"preset\" or \"until\".")),
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::NotificationId;
    use uuid::Uuid;

    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_read_keeps_its_time_until_it_is_unread() {
        let (morning, noon) = (at("2026-01-05T08:00:00Z"), at("2026-01-05T12:00:00Z"));
        let id = NotificationId(Uuid::from_u128(1));
        let fresh = MarksRow { id, is_archived: false, snoozed_until: None, read_at: None };
        let ask = |is_read, is_archived| PatchedNotificationRequest { is_read, is_archived };
        let read = marked(fresh, ask(Patch::Set(true), Patch::Absent), morning);
        assert_eq!((read.read_at, read.is_archived), (Some(morning), false));
        let again = marked(read, ask(Patch::Set(true), Patch::Set(true)), noon);
        assert_eq!((again.read_at, again.is_archived), (Some(morning), true));
        let unread = marked(again, ask(Patch::Set(false), Patch::Absent), noon);
        assert_eq!((unread.read_at, unread.is_archived), (None, true));
    }

    #[test]
    fn it_is_put_off_by_a_preset_or_until_a_time_to_come() {
        let now = at("2026-01-05T08:00:00Z");
        let ask = |preset, until| super::until(SnoozeRequest { preset, until }, now, Tz::UTC);
        let later = at("2026-01-05T11:00:00Z");
        assert_eq!(ask(Patch::Set(SnoozePreset::ThreeHours), Patch::Absent).unwrap(), Some(later));
        assert_eq!(ask(Patch::Absent, Patch::Set(Some(later))).unwrap(), Some(later));
        assert_eq!(ask(Patch::Absent, Patch::Set(None)).unwrap(), None);
        assert!(ask(Patch::Absent, Patch::Absent).is_err());
        assert!(ask(Patch::Absent, Patch::Set(Some(now))).is_err());
        assert!(ask(Patch::Set(SnoozePreset::OneHour), Patch::Set(None)).is_err());
    }
}
