//! The numbers and texts of MSPDI: constraint and link types, units of durations and lags, times.
//! Source: the schema `mspdi_pj12.xsd` that Microsoft publishes.

use chrono::{NaiveDate, NaiveDateTime};
use planwright_domain::words::{ConstraintType, DependencyType};

/// A constraint by its number. `None` is as soon as possible.
pub(super) fn constraint(code: u8) -> Option<ConstraintType> {
    match code {
        1 => Some(ConstraintType::AsLateAsPossible),
        2 => Some(ConstraintType::MustStartOn),
        3 => Some(ConstraintType::MustFinishOn),
        4 => Some(ConstraintType::StartNoEarlierThan),
        5 => Some(ConstraintType::StartNoLaterThan),
        6 => Some(ConstraintType::FinishNoEarlierThan),
        7 => Some(ConstraintType::FinishNoLaterThan),
        _ => None,
    }
}

/// The number of a constraint. The two that only hold a date are written as those that must.
pub(super) fn constraint_code(kind: ConstraintType) -> u8 {
    match kind {
        ConstraintType::AsLateAsPossible => 1,
        ConstraintType::MustStartOn | ConstraintType::StartOn => 2,
        ConstraintType::MustFinishOn | ConstraintType::FinishOn => 3,
        ConstraintType::StartNoEarlierThan => 4,
        ConstraintType::StartNoLaterThan => 5,
        ConstraintType::FinishNoEarlierThan => 6,
        ConstraintType::FinishNoLaterThan => 7,
    }
}

/// A link type by its number; finish to start if it is missing.
pub(super) fn link(code: Option<u8>) -> DependencyType {
    match code {
        Some(0) => DependencyType::FinishToFinish,
        Some(2) => DependencyType::StartToFinish,
        Some(3) => DependencyType::StartToStart,
        _ => DependencyType::FinishToStart,
    }
}

/// The number of a link type.
pub(super) fn link_code(kind: DependencyType) -> u8 {
    match kind {
        DependencyType::FinishToFinish => 0,
        DependencyType::FinishToStart => 1,
        DependencyType::StartToFinish => 2,
        DependencyType::StartToStart => 3,
    }
}

/// What a lag counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LagUnit {
    /// Working time.
    Worked,
    /// All time, nights and weekends too.
    Elapsed,
    /// A share of the predecessor's duration.
    Percent,
}

/// The unit of a lag by its number.
pub(super) fn lag_unit(code: Option<u8>) -> LagUnit {
    match code {
        Some(19 | 20 | 51 | 52) => LagUnit::Percent,
        Some(4 | 6 | 8 | 10 | 12 | 36 | 38 | 40 | 42 | 44) => LagUnit::Elapsed,
        _ => LagUnit::Worked,
    }
}

/// Whether the unit of a duration counts all time and not only working time.
pub(super) fn is_elapsed(format: Option<u8>) -> bool {
    matches!(format, Some(4 | 6 | 8 | 10 | 12 | 36 | 38 | 40 | 42 | 44))
}

/// The day of `2026-01-05T08:00:00`. `None` for anything else.
pub(super) fn day(text: &str) -> Option<NaiveDate> {
    moment(text).map(|moment| moment.date())
}

/// The instant of `2026-01-05T08:00:00`, without a zone.
pub(super) fn moment(text: &str) -> Option<NaiveDateTime> {
    let plain = text.get(..19).unwrap_or(text);
    let moment = NaiveDateTime::parse_from_str(plain, "%Y-%m-%dT%H:%M:%S").ok();
    moment.or_else(|| text.parse::<NaiveDate>().ok().and_then(|day| day.and_hms_opt(0, 0, 0)))
}

/// The instant at which work ends. A day without a time ends in its evening.
pub(super) fn end(text: &str) -> Option<NaiveDateTime> {
    match text.parse::<NaiveDate>() {
        Ok(day) => day.and_hms_opt(23, 59, 0),
        Err(_) => moment(text),
    }
}

/// The minutes of `PT40H0M0S`, also with days. `None` for anything else.
pub(super) fn minutes(text: &str) -> Option<f64> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let mut number = String::new();
    let mut total = 0.0;
    let mut is_time = false;
    for letter in rest.strip_prefix('P')?.chars() {
        match letter {
            'T' => is_time = true,
            '0'..='9' | '.' => number.push(letter),
            _ => {
                let value: f64 = std::mem::take(&mut number).parse().ok()?;
                total += value
                    * match (letter, is_time) {
                        ('D', false) => 1440.0,
                        ('H', true) => 60.0,
                        ('M', true) => 1.0,
                        ('S', true) => 1.0 / 60.0,
                        _ => return None,
                    };
            }
        }
    }
    (number.is_empty() && total.is_finite()).then_some(sign * total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use planwright_domain::words::Word;

    #[test]
    fn numbers_of_links_and_constraints_come_back_as_they_went() {
        for kind in DependencyType::ALL {
            assert_eq!(link(Some(link_code(*kind))), *kind);
        }
        for kind in ConstraintType::ALL {
            let back = constraint(constraint_code(*kind)).unwrap();
            let same_side = match kind {
                ConstraintType::StartOn => ConstraintType::MustStartOn,
                ConstraintType::FinishOn => ConstraintType::MustFinishOn,
                other => *other,
            };
            assert_eq!(back, same_side);
        }
        assert_eq!(constraint(0), None);
    }

    #[test]
    fn durations_are_read_in_minutes_and_other_texts_are_none() {
        assert_eq!(minutes("PT40H0M0S"), Some(2400.0));
        assert_eq!(minutes("P1DT1H30M"), Some(1530.0));
        assert_eq!(minutes("-PT0H30M0S"), Some(-30.0));
        for wrong in ["", "40", "PT40", "P1M", "PTxH", "PT1e9H"] {
            assert_eq!(minutes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn instants_are_read_with_and_without_a_time() {
        let fifth = NaiveDate::from_ymd_opt(2026, 1, 5);
        assert_eq!(day("2026-01-05T08:00:00"), fifth);
        assert_eq!(day("2026-01-05"), fifth);
        assert_eq!(day("05.01.2026"), None);
        assert_eq!(day("2026-01-05T08:00:00Z"), fifth);
    }
}
