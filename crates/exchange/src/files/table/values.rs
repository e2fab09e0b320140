//! Single values of a table: durations, percentages, flags, lists of names.

/// The working days of `5`, `5d`, `2 weeks`, `4h`, `1 mon`, with whether a part of a day became a whole one.
pub(super) fn days(text: &str) -> Option<(u32, bool)> {
    let text = text.trim().trim_end_matches('?');
    let end = text
        .find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | ','))
        .unwrap_or(text.len());
    if is_grouped(&text[..end]) {
        return None;
    }
    let number: f64 = text[..end].replace(',', ".").parse().ok()?;
    let unit = match text[end..].trim().to_lowercase().as_str() {
        "" | "d" | "day" | "days" | "dy" | "dys" | "t" | "tag" | "tage" => 1.0,
        "w" | "wk" | "wks" | "week" | "weeks" => 5.0,
        "mo" | "mon" | "mons" | "month" | "months" => 20.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 0.125,
        _ => return None,
    };
    let days = number * unit;
    let whole = days.ceil();
    (whole <= 36_525.0).then_some((whole as u32, (whole - days).abs() > 1e-9))
}

/// Whether a comma stands before exactly three digits: `1,000` is a thousand in one country and one in another.
fn is_grouped(number: &str) -> bool {
    number.split_once(',').is_some_and(|(_, rest)| rest.len() == 3)
}

/// The percentage of `50`, `50%`, `50,5 %`.
pub(super) fn percent(text: &str) -> Option<f64> {
    let number: f64 = text.trim().trim_end_matches('%').trim().replace(',', ".").parse().ok()?;
    (0.0..=100.0).contains(&number).then_some(number)
}

/// Whether a cell says yes or no. A blank cell says no.
pub(super) fn flag(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "x" | "ja" | "oui" | "si" | "sí" => Some(true),
        "" | "no" | "n" | "false" | "0" | "-" | "nein" | "non" => Some(false),
        _ => None,
    }
}

/// Names of a cell, parted by commas or semicolons.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';']).map(str::trim).filter(|name| !name.is_empty())
}

/// A resource with its units: `Ann[50%]` is half of Ann. `None` if a share stands there that is none.
pub(super) fn assigned(text: &str) -> Option<(&str, f64)> {
    let units = text.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match units.and_then(|(name, share)| {
        Some((name.trim(), share.trim_end_matches('%').trim().parse::<f64>().ok()?))
    }) {
        Some((name, percent)) if !name.is_empty() && percent > 0.0 => Some((name, percent / 100.0)),
        _ if text.ends_with("%]") => None,
        _ => Some((text, 1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units_and_parts_of_a_day_become_days() {
        assert_eq!(days("5"), Some((5, false)));
        assert_eq!(days("1,5"), Some((2, true)));
        assert_eq!(days("2 wks"), Some((10, false)));
        assert_eq!(days("1.5d"), Some((2, true)));
        assert_eq!(days("4 hrs?"), Some((1, true)));
        assert_eq!(days("0"), Some((0, false)));
        for wrong in ["", "soon", "-3", "5 years", "999999", "1,000", "2,500 d"] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn percentages_flags_and_shares_are_read() {
        assert_eq!(percent("50 %"), Some(50.0));
        assert_eq!(percent("101"), None);
        assert_eq!((flag("X"), flag("no"), flag("perhaps")), (Some(true), Some(false), None));
        assert_eq!(assigned("Ann [50%]"), Some(("Ann", 0.5)));
        assert_eq!(assigned("Ann [north]"), Some(("Ann [north]", 1.0)));
        assert_eq!((assigned("Ann[0%]"), assigned("Ann[x%]")), (None, None));
    }
}
