//! Words in dates: months and days of the week, as English, German, French and Spanish programs write them.
//! A date with its month as a word needs no order.

use chrono::{NaiveDate, Weekday};

/// Months by their names and short names. A short name that two languages have means the same month in both.
const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "januar", "jän", "jänner", "janvier", "janv", "enero", "ene"],
    &["february", "feb", "februar", "février", "févr", "fév", "febrero"],
    &["march", "mar", "märz", "mär", "mrz", "mars", "marzo"],
    &["april", "apr", "avril", "avr", "abril", "abr"],
    &["may", "mai", "mayo"],
    &["june", "jun", "juni", "juin", "junio"],
    &["july", "jul", "juli", "juillet", "juil", "julio"],
    &["august", "aug", "août", "aoû", "agosto", "ago"],
    &["september", "sep", "sept", "septembre", "septiembre"],
    &["october", "oct", "oktober", "okt", "octobre", "octubre"],
    &["november", "nov", "novembre", "noviembre"],
    &["december", "dec", "dezember", "dez", "décembre", "déc", "diciembre", "dic"],
];

/// Days of the week by their names and short names.
const WEEKDAYS: [(Weekday, &[&str]); 7] = [
    (Weekday::Mon, &["monday", "mon", "montag", "mo", "lundi", "lun", "lunes"]),
    (Weekday::Tue, &["tuesday", "tue", "tues", "dienstag", "di", "mardi", "mar", "martes"]),
    (
        Weekday::Wed,
        &["wednesday", "wed", "mittwoch", "mi", "mercredi", "mer", "miércoles", "mié", "miercoles", "mie"],
    ),
    (
        Weekday::Thu,
        &["thursday", "thu", "thur", "thurs", "donnerstag", "do", "jeudi", "jeu", "jueves", "jue"],
    ),
    (Weekday::Fri, &["friday", "fri", "freitag", "fr", "vendredi", "ven", "viernes", "vie"]),
    (
        Weekday::Sat,
        &["saturday", "sat", "samstag", "sonnabend", "sa", "samedi", "sam", "sábado", "sáb", "sab"],
    ),
    (Weekday::Sun, &["sunday", "sun", "sonntag", "so", "dimanche", "dim", "domingo", "dom"]),
];

/// Words that stand between the parts of a date and say nothing.
const BETWEEN: [&str; 6] = ["de", "del", "of", "the", "le", "den"];

/// What may stand behind a date: the time of a day, or the A of a date that came true, as Primavera marks it.
const BEHIND: [&str; 8] = ["", "a", "p", "m", "am", "pm", "uhr", "h"];

/// What stands behind the number of a day: `1st`, `1er`, `1º`.
const ORDINALS: [&str; 8] = ["", "st", "nd", "rd", "th", "er", "º", "e"];

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn month(word: &str) -> Option<u32> {
    (1..).zip(MONTHS).find(|(_, names)| names.contains(&word)).map(|(number, _)| number)
}

fn weekday_of(word: &str) -> Option<Weekday> {
    WEEKDAYS.iter().find(|(_, names)| names.contains(&word)).map(|(day, _)| *day)
}

/// The day of the week that stands before a date.
pub(super) fn weekday(text: &str) -> Option<Weekday> {
    weekday_of(words(text).first()?)
}

/// The date of `January 5, 2026 8:00 AM`, `5. Januar 2026`, `05-Jan-26`, `09-Jan-26 A`, `Mon 5 Jan '26`.
pub(super) fn date(text: &str) -> Option<NaiveDate> {
    let mut words: Vec<String> =
        words(text).into_iter().filter(|word| !BETWEEN.contains(&word.as_str())).collect();
    let months = words.iter().filter(|word| month(word).is_some()).count();
    // `mar` is a month and, before a date, a Tuesday.
    let is_weekday = |word: &String| weekday_of(word).is_some() && (month(word).is_none() || months > 1);
    if words.first().is_some_and(is_weekday) {
        words.remove(0);
    }
    let [first, second, third, behind @ ..] = words.as_slice() else { return None };
    let is_time =
        |word: &String| BEHIND.contains(&word.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    if !behind.iter().all(is_time) {
        return None;
    }
    let (month, numbers) = match (month(first), month(second)) {
        (Some(month), None) => (month, [number(second)?, number(third)?]),
        (None, Some(month)) => (month, [number(first)?, number(third)?]),
        _ => return None,
    };
    let [day, year] = match numbers {
        [year, day] if year > 31 => [day, year],
        numbers => numbers,
    };
    let year = if year < 100 { 2000 + year } else { year };
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day).filter(|_| (1900..=2999).contains(&year))
}

/// The number of `5`, `1st`, `1er`, `26`.
fn number(word: &str) -> Option<u32> {
    let end = word.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(word.len());
    ORDINALS.contains(&&word[end..]).then(|| word[..end].parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_as_a_word_is_read_in_four_languages_and_in_every_order() {
        let fifth = NaiveDate::from_ymd_opt(2026, 1, 5);
        for text in [
            "January 5, 2026 8:00 AM",
            "Jan 5, 2026 5:00pm",
            "5 January 2026",
            "Monday, January 5th, 2026",
            "05-Jan-26",
            "05-Jan-26 A",
            "05-Jan-26*",
            "05-Jan-26 17:00 A",
            "2026-Jan-05",
            "Mon 5 Jan '26",
            "5. Januar 2026",
            "Mo 05. Jan 26 08:00 Uhr",
            "5 janvier 2026",
            "lun. 05 janv. 2026",
            "5 de enero de 2026",
            "lun 05-ene-26 8:00 a.m.",
        ] {
            assert_eq!(date(text), fifth, "{text}");
        }
        let day = |month, day| NaiveDate::from_ymd_opt(2026, month, day);
        assert_eq!(date("mar. 5 mai 2026"), day(5, 5), "a Tuesday in May");
        assert_eq!(date("Mar 5, 2026"), day(3, 5));
        assert_eq!(date("1er août 2026"), day(8, 1));
        assert_eq!(date("9. März 2026"), day(3, 9));
        for wrong in
            ["January 2026", "5 January", "Phase 5 January 2026", "31-Feb-26", "5 Foo 2026", "May", ""]
        {
            assert_eq!(date(wrong), None, "{wrong}");
        }
        assert_eq!(date("5 January 2026 or later"), None);
    }

    #[test]
    fn every_month_and_day_of_the_week_has_names_of_its_own() {
        for (at, names) in MONTHS.iter().enumerate() {
            assert!(names.iter().all(|name| month(name) == u32::try_from(at + 1).ok()), "{names:?}");
        }
        for (day, names) in WEEKDAYS {
            assert!(names.iter().all(|name| weekday(&format!("{name}. 5/1/26")) == Some(day)), "{names:?}");
        }
        assert_eq!(weekday("5/1/26"), None);
    }
}
