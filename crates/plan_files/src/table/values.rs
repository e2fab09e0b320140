//! Single values of a table: durations, percentages, flags, lists of names.

use std::borrow::Cow;

/// A duration as whole working days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Worked {
    pub(super) days: u32,
    /// Whether a part of a day became a whole one.
    pub(super) is_rounded: bool,
    /// Whether it counted all time, nights and weekends too.
    pub(super) is_elapsed: bool,
}

/// The working days of `5`, `5d`, `2 weeks`, `4h`, `1 mon`, `2 edays`.
pub(super) fn days(text: &str) -> Option<Worked> {
    let text = text.trim().trim_end_matches('?');
    let end = text
        .find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | ','))
        .unwrap_or(text.len());
    let number: f64 = text[..end].replace(',', ".").parse().ok()?;
    let (days, is_elapsed) = unit_of(&text[end..])?;
    let days = number * days;
    let whole = (days - 1e-9).ceil().max(0.0);
    // Of all time, the conversion itself is named.
    let is_rounded = !is_elapsed && (whole - days).abs() > 1e-9;
    (whole <= 36_525.0).then_some(Worked { days: whole as u32, is_rounded, is_elapsed })
}

/// How many working days a unit of time has, by its words in the languages of the application, and whether it counts all
/// time. Five days of all time of seven are worked.
pub(super) fn unit_of(word: &str) -> Option<(f64, bool)> {
    let word = word.trim().trim_end_matches('.').to_lowercase();
    let elapsed = || unit(without_mark(&word)?).map(|unit| (unit.elapsed() * 5.0 / 7.0, true));
    unit(&word).map(|unit| (unit.worked(), false)).or_else(elapsed)
}

/// A unit of time.
#[derive(Clone, Copy)]
enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
}

impl Unit {
    /// Its working days.
    fn worked(self) -> f64 {
        match self {
            Self::Minute => 1.0 / 480.0,
            Self::Hour => 0.125,
            Self::Day => 1.0,
            Self::Week => 5.0,
            Self::Month => 20.0,
        }
    }

    /// Its days, nights and weekends counted.
    fn elapsed(self) -> f64 {
        match self {
            Self::Minute => 1.0 / 1440.0,
            Self::Hour => 1.0 / 24.0,
            Self::Day => 1.0,
            Self::Week => 7.0,
            Self::Month => 30.0,
        }
    }
}

/// A unit of all time without what says so: `edays`, `fTage`, `jé`, `elapsed days`, `jours écoulés`.
fn without_mark(word: &str) -> Option<&str> {
    let before = ["elapsed ", "fortlaufende ", "e", "f"];
    let behind = [" écoulés", " écoulées", " écoulé", " écoulée", " transcurridos", " transcurridas", "é"];
    let unit = before.iter().find_map(|mark| word.strip_prefix(mark));
    let unit = unit.or_else(|| behind.iter().find_map(|mark| word.strip_suffix(mark)));
    unit.map(str::trim).filter(|unit| !unit.is_empty())
}

/// A unit by its words. A number alone counts days.
fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "" | "d" | "day" | "days" | "dy" | "dys" => Unit::Day,
        "t" | "tag" | "tage" | "j" | "jr" | "jour" | "jours" | "día" | "días" | "dia" | "dias" => Unit::Day,
        "w" | "wk" | "wks" | "week" | "weeks" | "wo" | "woche" | "wochen" => Unit::Week,
        "sm" | "sem" | "semaine" | "semaines" | "semana" | "semanas" => Unit::Week,
        "mo" | "mon" | "mons" | "month" | "months" | "monat" | "monate" | "mois" | "ms" | "mes" | "meses" => {
            Unit::Month
        }
        "h" | "hr" | "hrs" | "hour" | "hours" | "std" | "stunde" | "stunden" => Unit::Hour,
        "heure" | "heures" | "hora" | "horas" => Unit::Hour,
        "min" | "mins" | "minute" | "minutes" | "minuten" | "minuto" | "minutos" => Unit::Minute,
        _ => return None,
    })
}

/// Whether exactly three digits follow the comma or the dot of a number: `1,000` is a thousand in one country and one in
/// another. `0,125` is a part everywhere.
pub(super) fn is_grouped(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches(['+', '-']).trim_start();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | ','));
    let Some((whole, rest)) = text[..end.unwrap_or(text.len())].split_once(['.', ',']) else { return false };
    let is_part = whole.bytes().all(|digit| digit == b'0');
    !is_part && whole.len() <= 3 && rest.len() == 3 && rest.bytes().all(|digit| digit.is_ascii_digit())
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

/// Names of a cell, parted by commas or semicolons. A comma between brackets is part of a share, and a name that begins with
/// a quotation mark goes on to the next one.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    let (mut is_inside, mut is_quoted, mut is_begun) = (false, false, false);
    let parted = text.split(move |letter: char| {
        let parts = !is_quoted && (letter == ';' || (letter == ',' && !is_inside));
        (is_inside, is_begun) = match letter {
            _ if parts => (false, false),
            '"' if is_quoted || !is_begun => {
                is_quoted = !is_quoted;
                (is_inside, true)
            }
            // Behind a quoted name a second mark is one of the name.
            '"' => {
                is_quoted = true;
                (is_inside, true)
            }
            '[' if !is_quoted => (true, true),
            ']' if !is_quoted => (false, true),
            other => (is_inside, is_begun || !other.is_whitespace()),
        };
        parts
    });
    parted.map(str::trim).filter(|name| !name.is_empty())
}

/// A resource with its units: `Ann[50%]` is half of Ann. `None` if a share stands there that is none, or a number that may
/// be a share or a count.
pub(super) fn assigned(text: &str) -> Option<(Cow<'_, str>, f64)> {
    let Some((name, share)) = text.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) else {
        return Some((unquoted(text), 1.0));
    };
    let percent = share.strip_suffix('%').map(str::trim);
    let number = |text: &str| text.trim().replace(',', ".").parse::<f64>().ok();
    match (percent, name.trim()) {
        (Some(percent), name) if !name.is_empty() && !is_grouped(percent) => {
            number(percent).filter(|percent| *percent > 0.0).map(|percent| (unquoted(name), percent / 100.0))
        }
        (Some(_), _) => None,
        (None, _) if number(share).is_some() => None,
        (None, _) => Some((unquoted(text), 1.0)),
    }
}

/// A name without the quotation marks around it.
fn unquoted(name: &str) -> Cow<'_, str> {
    match name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if !inner.is_empty() => Cow::Owned(inner.replace("\"\"", "\"")),
        _ => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units_and_parts_of_a_day_become_days() {
        let days = |text| super::days(text).map(|worked| (worked.days, worked.is_rounded));
        assert_eq!(days("5"), Some((5, false)));
        assert_eq!(days("1,5"), Some((2, true)));
        assert_eq!(days("2 wks"), Some((10, false)));
        assert_eq!(days("1.5d"), Some((2, true)));
        assert_eq!(days("4 hrs?"), Some((1, true)));
        assert_eq!(days("0"), Some((0, false)));
        for (text, read) in [
            ("12 Std.", 2),
            ("30 Min.", 1),
            ("1 Mon.", 20),
            ("2 Wo.", 10),
            ("2 sem.", 10),
            ("2 sm", 10),
            ("1 ms", 20),
        ] {
            assert_eq!(days(text).map(|(days, _)| days), Some(read), "{text}");
        }
        assert_eq!([days("3 Tage"), days("3 jours?"), days("3 días")], [Some((3, false)); 3]);
        for wrong in ["", "soon", "-3", "5 years", "999999", "1.000.000"] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
        for thousand in ["1,000", "2,500 d", "1.000", "12.500 Tage", "+1.000d"] {
            assert!(is_grouped(thousand), "{thousand}");
        }
        for plain in ["1000", "0.125", "0,125", "1,5", "1.25 d", "1234.567", ""] {
            assert!(!is_grouped(plain), "{plain}");
        }
    }

    #[test]
    fn five_of_seven_days_of_all_time_are_worked() {
        let elapsed = |days| Some(Worked { days, is_rounded: false, is_elapsed: true });
        for (text, read) in [
            ("7 edays", 5),
            ("2 edays", 2),
            ("1 ew", 5),
            ("3 emons", 65),
            ("48 ehrs?", 2),
            ("7 fTage", 5),
            ("14 jé", 10),
            ("7 jours écoulés", 5),
            ("7 días transcurridos", 5),
            ("7 elapsed days", 5),
        ] {
            assert_eq!(days(text), elapsed(read), "{text}");
        }
        for wrong in ["3 e", "3 f", "3 é", "3 eyears"] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn percentages_flags_and_shares_are_read() {
        assert_eq!(percent("50 %"), Some(50.0));
        assert_eq!(percent("101"), None);
        assert_eq!((flag("X"), flag("no"), flag("perhaps")), (Some(true), Some(false), None));
        let assigned = |text| super::assigned(text).map(|(name, units)| (name.into_owned(), units));
        let of = |name: &str, units| Some((name.to_owned(), units));
        assert_eq!(assigned("Ann [50%]"), of("Ann", 0.5));
        assert_eq!(assigned("Ann [north]"), of("Ann [north]", 1.0));
        assert_eq!(assigned("\"Ann \"\"A\"\", B[3]\"[50%]"), of("Ann \"A\", B[3]", 0.5));
        assert_eq!(assigned("\"C[3]\""), of("C[3]", 1.0));
        assert_eq!((assigned("Ann[0%]"), assigned("Ann[x%]"), assigned("Ann[2]")), (None, None, None));
        assert_eq!((assigned("Ann[50,5%]"), assigned("Ann[1,000%]")), (of("Ann", 0.505), None));
        assert_eq!(names("Ann[50,5%], Bo; Cy[1,Di").collect::<Vec<_>>(), ["Ann[50,5%]", "Bo", "Cy[1,Di"]);
        let quoted = names("\"A \"\"B\"\", C\"[50%], D \"E, F\"; G").collect::<Vec<_>>();
        assert_eq!(quoted, ["\"A \"\"B\"\", C\"[50%]", "D \"E, F\"", "G"]);
    }
}
