//! The small formats of a seed document: slugs, outline paths, colours, codes, dates and timestamps that may be
//! offsets from an anchor. Pure text work; what a value refers to is checked elsewhere.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use super::model::SchemaVersion;

/// `^[a-z0-9]+(-[a-z0-9]+)*$`, at most 40 characters.
pub(crate) fn is_slug(text: &str) -> bool {
    text.len() <= 40
        && text.split('-').all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

/// Parts of letters, digits and underscores joined by dots, at most 255 characters.
pub(crate) fn is_wbs_path(text: &str) -> bool {
    text.len() <= 255
        && text
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

/// Upper-case letters, digits and inner hyphens, at most 12 characters.
pub fn is_code(text: &str) -> bool {
    text.len() <= 12
        && !text.starts_with('-')
        && !text.ends_with('-')
        && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-')
}

/// Something before and after one `@`, without spaces, at most 254 characters.
pub fn is_email(text: &str) -> bool {
    planwright_domain::person::is_email(text) && text.chars().count() <= 254
}

/// `major.minor` of a version this reader knows: 1.x and 2.x.
pub(crate) fn schema_version(text: &str) -> Option<SchemaVersion> {
    let (major, minor) = text.split_once('.')?;
    let plain =
        |part: &str| part == "0" || (!part.starts_with('0') && part.bytes().all(|b| b.is_ascii_digit()));
    if !plain(major) || !plain(minor) {
        return None;
    }
    let version = SchemaVersion { major: major.parse().ok()?, minor: minor.parse().ok()? };
    matches!(version.major, 1 | 2).then_some(version)
}

/// A date as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrittenDate {
    /// `YYYY-MM-DD`: taken as it is.
    Fixed(NaiveDate),
    /// `A±N`: moves forward to a working day.
    Snapped(NaiveDate),
    /// `A±N!`: taken as it is, weekend or not.
    Literal(NaiveDate),
}

/// Reads `YYYY-MM-DD` or an offset in calendar days from `anchor`.
pub(crate) fn date(text: &str, anchor: NaiveDate) -> Option<WrittenDate> {
    if let Some(offset) = text.strip_prefix('A') {
        return match offset.strip_suffix('!') {
            Some(offset) => shifted(offset, anchor).map(WrittenDate::Literal),
            None => shifted(offset, anchor).map(WrittenDate::Snapped),
        };
    }
    iso_date(text).map(WrittenDate::Fixed)
}

/// Reads `YYYY-MM-DD`, year 1 to 9999, and nothing looser.
pub(crate) fn iso_date(text: &str) -> Option<NaiveDate> {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 10
        && bytes
            .iter()
            .enumerate()
            .all(|(i, b)| if i == 4 || i == 7 { *b == b'-' } else { b.is_ascii_digit() });
    let date = shaped.then(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()).flatten()?;
    (date.year() >= 1).then_some(date)
}

fn shifted(offset: &str, anchor: NaiveDate) -> Option<NaiveDate> {
    let (sign, digits) = offset.split_at_checked(1)?;
    if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let days = Days::new(digits.parse().ok()?);
    let date = match sign {
        "+" => anchor.checked_add_days(days),
        "-" => anchor.checked_sub_days(days),
        _ => None,
    }?;
    (1..=9999).contains(&date.year()).then_some(date)
}

/// Reads an ISO date and time (UTC when it names no offset), or `A±N` with an optional `THH:MM`.
pub(crate) fn timestamp(text: &str, anchor: NaiveDate) -> Option<DateTime<Utc>> {
    if let Some(offset) = text.strip_prefix('A') {
        let (days, time) = match offset.split_once('T') {
            Some((days, time)) => (days, clock_time(time)?),
            None => (offset, NaiveTime::MIN),
        };
        return shifted(days, anchor).map(|day| day.and_time(time).and_utc());
    }
    if !text.is_ascii() {
        return None;
    }
    let at = if text.len() > 16 && (text.ends_with(['Z', 'z']) || text[16..].contains(['+', '-'])) {
        DateTime::parse_from_rfc3339(text).ok()?.to_utc()
    } else {
        let naive = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f")
            .or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M"));
        naive.ok()?.and_utc()
    };
    (1..=9999).contains(&at.year()).then_some(at)
}

fn clock_time(text: &str) -> Option<NaiveTime> {
    (text.len() == 5).then(|| NaiveTime::parse_from_str(text, "%H:%M").ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        iso_date(text).unwrap()
    }

    #[test]
    fn slugs_paths_codes_and_colours_are_told_from_their_imitations() {
        assert!(is_slug("a") && is_slug("a-b-2") && is_slug(&"a".repeat(40)));
        for wrong in ["", "-a", "a-", "a--b", "A", "a_b", "é", &"a".repeat(41)] {
            assert!(!is_slug(wrong), "{wrong}");
        }
        assert!(is_wbs_path("1.2.10") && is_wbs_path("A_1.b"));
        for wrong in ["", ".", "1.", ".1", "1..2", "1-2", "1:2", &"1".repeat(256)] {
            assert!(!is_wbs_path(wrong), "{wrong}");
        }
        assert!(is_code("AB-1") && !is_code("-A") && !is_code("ab") && !is_code("ABCDEFGHIJKLM"));
        assert!(
            is_email("a@b")
                && !is_email(&format!("{}@b", "a".repeat(253)))
                && !is_email("a")
                && !is_email("@b")
                && !is_email("a@b@c")
                && !is_email("a b@c")
        );
    }

    #[test]
    fn versions_one_and_two_are_known() {
        assert_eq!(schema_version("1.0"), Some(SchemaVersion { major: 1, minor: 0 }));
        assert_eq!(schema_version("2.17"), Some(SchemaVersion { major: 2, minor: 17 }));
        for wrong in ["", "1", "3.0", "0.1", "1.0.0", "01.0", "1.+1", "2.", "a.b", "1.99999"] {
            assert_eq!(schema_version(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn dates_are_fixed_or_offsets_from_the_anchor() {
        let anchor = day("2026-01-05");
        assert_eq!(date("2026-02-28", anchor), Some(WrittenDate::Fixed(day("2026-02-28"))));
        assert_eq!(date("A+5", anchor), Some(WrittenDate::Snapped(day("2026-01-10"))));
        assert_eq!(date("A-5!", anchor), Some(WrittenDate::Literal(day("2025-12-31"))));
        assert_eq!(date("A+0", anchor), Some(WrittenDate::Snapped(anchor)));
        for wrong in [
            "",
            "A",
            "A5",
            "A+",
            "A+10000",
            "A+1!!",
            "A++1",
            "A+é",
            "2026-02-29",
            "2026-2-3",
            "20260203",
            "0000-01-01",
            "+2026-01-0",
        ] {
            assert_eq!(date(wrong, anchor), None, "{wrong}");
        }
        assert_eq!(date("A+1", day("9999-12-31")), None);
    }

    #[test]
    fn timestamps_are_fixed_or_offsets_from_the_anchor() {
        let anchor = day("2026-01-05");
        let at = |text: &str| timestamp(text, anchor).map(|at| at.to_rfc3339());
        for (text, expected) in [
            ("A+1", "2026-01-06T00:00:00+00:00"),
            ("A-1T09:30", "2026-01-04T09:30:00+00:00"),
            ("2026-01-05T09:30:00Z", "2026-01-05T09:30:00+00:00"),
            ("2026-01-05T09:30:00.25+02:00", "2026-01-05T07:30:00.250+00:00"),
            ("2026-01-05T09:30:00", "2026-01-05T09:30:00+00:00"),
            ("2026-01-05T09:30", "2026-01-05T09:30:00+00:00"),
        ] {
            assert_eq!(at(text).as_deref(), Some(expected), "{text}");
        }
        for wrong in
            ["", "A", "A+1T9:30", "A+1T25:00", "A+1!", "2026-01-05", "2026-01-05T", "yesterday", "éééééééééé"]
        {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }
}
