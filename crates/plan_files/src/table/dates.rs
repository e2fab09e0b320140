//! Dates in tables, and the order of day, month and year that a whole table has.
//! One date with a number above 12, or with the name of its weekday, proves the order for all.

use chrono::{Datelike, NaiveDate};
use schemars::JsonSchema;
use serde::Serialize;

use super::spelled;

/// The order in which dates are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    /// Month, day, year.
    Mdy,
    /// Day, month, year.
    Dmy,
    /// Year, month, day.
    Iso,
}

/// The order that a table has, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DateOrderFound {
    /// The order with which the dates were read.
    pub order: DateOrder,
    /// `said`, `proven` by a date, `dots` of a usual way of writing, or `assumed`. A table without dates has an assumed order
    /// without evidence.
    pub source: &'static str,
    /// The dates that prove it, at most three.
    pub evidence: Vec<String>,
    /// Whether another order would fit as well and would give other dates. Then somebody should confirm it.
    pub is_ambiguous: bool,
}

/// Three numbers of a date, and what stands between them.
struct Parts {
    numbers: [u32; 3],
    separator: char,
    /// Whether the first number is a year by its digits.
    is_year_first: bool,
}

/// Finds the order of all dates of a table.
pub(super) fn order<'t>(
    texts: impl Iterator<Item = &'t str> + Clone,
    said: Option<DateOrder>,
) -> DateOrderFound {
    let found =
        |order, source, evidence, is_ambiguous| DateOrderFound { order, source, evidence, is_ambiguous };
    if let Some(order) = said {
        return found(order, "said", Vec::new(), false);
    }
    // A text that is no date in any order says nothing of the order.
    let is_in = |text: &str, order| date(text, order).is_some();
    let short = || {
        let dates = texts.clone().filter(|text| is_in(text, DateOrder::Dmy) || is_in(text, DateOrder::Mdy));
        dates.filter_map(|text| Some((text, parts(text)?))).filter(|(_, parts)| !parts.is_year_first)
    };
    let proof = |only: DateOrder, not: DateOrder| -> Vec<String> {
        let proves = short().filter(|(text, _)| match (date(text, only), date(text, not)) {
            (Some(_), None) => true,
            // Both are dates. The name of a weekday tells which one is meant.
            (Some(day), Some(other)) => spelled::weekday(text)
                .is_some_and(|weekday| day.weekday() == weekday && other.weekday() != weekday),
            (None, _) => false,
        });
        proves.map(|(text, _)| text.to_owned()).take(3).collect()
    };
    let day_first = proof(DateOrder::Dmy, DateOrder::Mdy);
    let month_first = proof(DateOrder::Mdy, DateOrder::Dmy);
    match (day_first.is_empty(), month_first.is_empty()) {
        (false, true) => found(DateOrder::Dmy, "proven", day_first, false),
        (true, false) => found(DateOrder::Mdy, "proven", month_first, false),
        // Dates that contradict each other are reported row by row.
        (false, false) => found(DateOrder::Dmy, "proven", day_first, true),
        (true, true) => match short().next() {
            None => {
                let dates = texts.filter(|text| parts(text).is_some() && is_in(text, DateOrder::Iso));
                let evidence: Vec<String> = dates.take(3).map(str::to_owned).collect();
                found(DateOrder::Iso, if evidence.is_empty() { "assumed" } else { "proven" }, evidence, false)
            }
            Some((text, parts)) if parts.separator == '.' => {
                found(DateOrder::Dmy, "dots", vec![text.to_owned()], false)
            }
            Some((text, _)) => {
                let differs = short().any(|(_, parts)| parts.numbers[0] != parts.numbers[1]);
                found(DateOrder::Mdy, "assumed", vec![text.to_owned()], differs)
            }
        },
    }
}

/// A date in an order. A date with the year first, or with its month as a word, is read in every order.
pub(super) fn date(text: &str, order: DateOrder) -> Option<NaiveDate> {
    let Some(Parts { numbers: [first, second, third], is_year_first, .. }) = parts(text) else {
        return spelled::date(text);
    };
    let (year, month, day) = match order {
        _ if is_year_first => (first, second, third),
        DateOrder::Iso => (first, second, third),
        DateOrder::Mdy => (third, first, second),
        DateOrder::Dmy => (third, second, first),
    };
    let year = if year < 100 && !is_year_first { 2000 + year } else { year };
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day).filter(|_| (1900..=2999).contains(&year))
}

/// The numbers of `5/1/2026`, `05.01.26`, `2026-01-05T08:00`, `Mon 05/01/26`, `05/01/26*` as Primavera marks a constraint.
fn parts(text: &str) -> Option<Parts> {
    let mut words = text.split([' ', 'T']).filter(|word| !word.is_empty());
    let word = words.find(|word| word.starts_with(|letter: char| letter.is_ascii_digit()))?;
    let separator = word.chars().find(|letter| matches!(letter, '/' | '.' | '-'))?;
    let numbers: Vec<u32> =
        word.trim_end_matches(['.', '*']).split(separator).map(str::parse).collect::<Result<_, _>>().ok()?;
    let first = word.split(separator).next().unwrap_or_default();
    let is_year_first = first.len() == 4 || numbers.first().is_some_and(|number| *number > 31);
    Some(Parts { numbers: numbers.try_into().ok()?, separator, is_year_first })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str]) -> (DateOrder, &'static str, bool) {
        let found = order(texts.iter().copied(), None);
        (found.order, found.source, found.is_ambiguous)
    }

    #[test]
    fn one_number_above_twelve_proves_the_order_of_all() {
        assert_eq!(found(&["1/2/2026", "13/2/2026"]), (DateOrder::Dmy, "proven", false));
        assert_eq!(found(&["1/2/2026", "2/13/2026"]), (DateOrder::Mdy, "proven", false));
        assert_eq!(found(&["13/2/2026", "2/13/2026"]), (DateOrder::Dmy, "proven", true));
        assert_eq!(found(&["2026-02-01"]), (DateOrder::Iso, "proven", false));
        assert_eq!(found(&[]), (DateOrder::Iso, "assumed", false));
        assert_eq!(found(&["soon", "99/99/2026"]), (DateOrder::Iso, "assumed", false));
        assert_eq!(found(&["31/31/2026", "1/2/2026"]), (DateOrder::Mdy, "assumed", true));
        assert_eq!(found(&["1.2.2026"]), (DateOrder::Dmy, "dots", false));
        assert_eq!(found(&["1/2/2026"]), (DateOrder::Mdy, "assumed", true));
        assert_eq!(found(&["2/2/2026"]), (DateOrder::Mdy, "assumed", false));
    }

    #[test]
    fn the_name_of_a_weekday_proves_the_order() {
        let proven = |order| (order, "proven", false);
        assert_eq!(found(&["Fri 2/1/26", "Mon 5/1/26"]), proven(DateOrder::Dmy));
        assert_eq!(found(&["Mon 1/5/26"]), proven(DateOrder::Mdy));
        assert_eq!(found(&["2/1/26", "lun. 05/01/26"]), proven(DateOrder::Dmy));
        assert_eq!(found(&["Mo 05.01.26"]), proven(DateOrder::Dmy));
        assert_eq!(found(&["vie 02/01/26"]), proven(DateOrder::Dmy));
        // Neither the second of January nor the first of February is a Wednesday.
        assert_eq!(found(&["Wed 2/1/26"]), (DateOrder::Mdy, "assumed", true));
        assert_eq!(found(&["Wed 13/1/26"]), proven(DateOrder::Dmy), "a wrong name does not undo a number");
        let evidence = order(["Fri 2/1/26"].into_iter(), None).evidence;
        assert_eq!(evidence, ["Fri 2/1/26"]);
    }

    #[test]
    fn a_month_as_a_word_needs_no_order_and_proves_none() {
        let fifth = NaiveDate::from_ymd_opt(2026, 1, 5);
        for order in [DateOrder::Mdy, DateOrder::Dmy, DateOrder::Iso] {
            assert_eq!(date("January 5, 2026 8:00 AM", order), fifth);
            assert_eq!(date("05-Jan-26*", order), fifth);
        }
        assert_eq!(date("mar. 05/01/26", DateOrder::Dmy), fifth, "numbers come before words");
        assert_eq!(found(&["05-Jan-26", "1/2/2026"]), (DateOrder::Mdy, "assumed", true));
        assert_eq!(found(&["05-Jan-26"]), (DateOrder::Iso, "assumed", false));
    }

    #[test]
    fn dates_are_read_in_their_order_and_impossible_ones_are_none() {
        let day = |year, month, day| NaiveDate::from_ymd_opt(year, month, day);
        assert_eq!(date("Mon 5/1/26", DateOrder::Mdy), day(2026, 5, 1));
        assert_eq!(date("05.01.2026", DateOrder::Dmy), day(2026, 1, 5));
        assert_eq!(date("2026-01-05T08:00", DateOrder::Dmy), day(2026, 1, 5));
        assert_eq!(date("05/01/26*", DateOrder::Dmy), day(2026, 1, 5));
        for wrong in
            ["31.02.2026", "0001-01-01", "9999-12-31", "soon", "5", "1/2", "2026-13-01", "99999999999/1/1"]
        {
            assert_eq!(date(wrong, DateOrder::Dmy), None, "{wrong}");
        }
    }
}
