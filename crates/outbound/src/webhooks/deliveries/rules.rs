//! The state of a delivery after an attempt, and the time of the next attempt. `sending/` sends it.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::words::WebhookDeliveryStatus;

/// The pauses before the five repetitions, in seconds.
pub const PAUSES: [i64; 5] = [30, 60, 120, 240, 480];

/// After this number of failed deliveries in a row, a webhook is switched off.
pub const MOST_FAILURES: i64 = 5;

/// How long finished deliveries are kept, in days.
pub const KEPT_DAYS: i64 = 7;

/// How an attempt ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Attempt {
    /// The status of the answer, if there was one.
    pub response_status: Option<i64>,
    /// Why the delivery failed. `None` if it succeeded.
    pub failure: Option<String>,
    /// The beginning of the answer of a receiver that refused it.
    pub excerpt: Option<String>,
    /// Whether there is no retry, because its webhook is paused.
    pub is_last: bool,
}

impl Attempt {
    /// The receiver answered. Only a status from 200 to 299 is a success.
    pub fn answered(status: u16, excerpt: Option<String>) -> Self {
        let failure = (!(200..300).contains(&status)).then(|| format!("The receiver answered {status}."));
        Self { response_status: Some(status.into()), failure, excerpt, is_last: false }
    }

    /// There was no answer.
    pub fn failed(why: String) -> Self {
        Self { response_status: None, failure: Some(why), excerpt: None, is_last: false }
    }

    /// Nothing was sent, because the webhook is paused.
    pub fn paused() -> Self {
        let failure = Some("The webhook is paused.".to_owned());
        Self { response_status: None, failure, excerpt: None, is_last: true }
    }
}

/// The new values of a delivery after an attempt.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The new status.
    pub status: WebhookDeliveryStatus,
    /// The number of attempts.
    pub attempt_count: i64,
    /// The time of the next attempt, if there is one.
    pub due_at: Option<DateTime<Utc>>,
    /// The time at which it arrived, or failed in its last attempt.
    pub completed_at: Option<DateTime<Utc>>,
}

/// Decides after an attempt. `before` is the number of earlier attempts, and `chance` makes the pause up to a tenth
/// longer.
pub fn verdict(attempt: &Attempt, before: i64, now: DateTime<Utc>, chance: u16) -> Verdict {
    use WebhookDeliveryStatus::{Failed, Pending, Success};
    let attempt_count = if attempt.is_last { before } else { before + 1 };
    let pause = usize::try_from(before).ok().and_then(|before| PAUSES.get(before));
    let again = pause.filter(|_| attempt.failure.is_some() && !attempt.is_last).map(|seconds| {
        let spread = seconds * 100 * i64::from(chance) / i64::from(u16::MAX);
        now + Duration::seconds(*seconds) + Duration::milliseconds(spread)
    });
    let status = match (&attempt.failure, again) {
        (None, _) => Success,
        (Some(_), Some(_)) => Pending,
        (Some(_), None) => Failed,
    };
    Verdict { status, attempt_count, due_at: again, completed_at: again.is_none().then_some(now) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds_until_next(before: i64, chance: u16) -> Option<f64> {
        let now = DateTime::UNIX_EPOCH;
        let due = verdict(&Attempt::answered(500, None), before, now, chance).due_at?;
        Some((due - now).num_milliseconds() as f64 / 1000.0)
    }

    #[test]
    fn five_repetitions_follow_the_first_attempt_and_then_it_has_failed() {
        let pauses: Vec<Option<f64>> = (0..6).map(|before| seconds_until_next(before, 0)).collect();
        assert_eq!(pauses, [Some(30.0), Some(60.0), Some(120.0), Some(240.0), Some(480.0), None]);
        let last = verdict(&Attempt::failed("no".into()), 5, DateTime::UNIX_EPOCH, 0);
        assert_eq!((last.status, last.attempt_count), (WebhookDeliveryStatus::Failed, 6));
        assert_eq!(last.completed_at, Some(DateTime::UNIX_EPOCH));
    }

    #[test]
    fn chance_lengthens_a_pause_by_a_tenth_at_most() {
        assert_eq!(seconds_until_next(0, u16::MAX), Some(33.0));
        assert_eq!(seconds_until_next(4, u16::MAX), Some(528.0));
        assert!(seconds_until_next(2, 1000).is_some_and(|pause| (120.0..132.0).contains(&pause)));
    }

    #[test]
    fn only_an_answer_of_success_ends_a_delivery_well() {
        for (status, is_success) in
            [(200, true), (204, true), (299, true), (199, false), (301, false), (404, false)]
        {
            let attempt = Attempt::answered(status, None);
            assert_eq!(attempt.failure.is_none(), is_success, "{status}");
            let expected =
                if is_success { WebhookDeliveryStatus::Success } else { WebhookDeliveryStatus::Pending };
            assert_eq!(verdict(&attempt, 0, DateTime::UNIX_EPOCH, 0).status, expected);
        }
    }

    #[test]
    fn a_paused_subscription_is_no_attempt_and_no_reason_to_try_again() {
        let verdict = verdict(&Attempt::paused(), 0, DateTime::UNIX_EPOCH, 0);
        assert_eq!((verdict.status, verdict.attempt_count), (WebhookDeliveryStatus::Failed, 0));
        assert_eq!(verdict.due_at, None);
    }
}
