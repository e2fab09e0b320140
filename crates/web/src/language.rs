//! The four languages of the small pages that the server writes itself, which of them a request asks for, and how each writes a day.
//! Answers in JSON and letters are in English; the application has words of its own.

use std::cmp::Reverse;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use chrono::{Datelike, NaiveDate};
use http::HeaderMap;
use http::header::ACCEPT_LANGUAGE;
use http::request::Parts;

use crate::App;
use crate::describe::Describe;

/// A language in which pages are written. A handler that takes it gets the one that its request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English, also for those who ask for none of these.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
}

const MONTHS: [[&str; 12]; 4] = [
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"],
    ["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."],
    ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
];

impl Language {
    /// All of them, in the order in which a text names them.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Spanish];

    /// The language that a request likes best by its `Accept-Language` (RFC 9110, section 12.5.4), and the first of several that it
    /// likes equally.
    pub fn of(headers: &HeaderMap) -> Self {
        let lines = headers.get_all(ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
        let wishes = lines.flat_map(|line| line.split(',')).filter_map(wish);
        wishes.min_by_key(|(_, weight)| Reverse(*weight)).map_or(Self::English, |(language, _)| language)
    }

    /// Its tag in headers and pages.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
        }
    }

    /// A day as it is written in tables.
    pub fn day(self, day: NaiveDate) -> String {
        let form = match self {
            Self::English => "%-d %b %Y",
            Self::German => "%d.%m.%Y",
            Self::French | Self::Spanish => "%d/%m/%Y",
        };
        day.format(form).to_string()
    }

    /// The month of a day, with its year.
    pub fn month(self, day: NaiveDate) -> String {
        format!("{} {}", MONTHS[self as usize][day.month0() as usize], day.year())
    }
}

/// A language of ours with its weight in thousandths. What is unknown, unwanted or no part of such a header is none.
fn wish(text: &str) -> Option<(Language, u16)> {
    let (range, weight) = text.split_once(';').unwrap_or((text, "q=1"));
    let primary = range.trim().split('-').next()?;
    let is_named = |language: &Language| primary.eq_ignore_ascii_case(language.code());
    let language = match primary {
        "*" => Language::English,
        _ => Language::ALL.into_iter().find(is_named)?,
    };
    let (name, value) = weight.split_once('=')?;
    let weight: f32 = value.trim().parse().ok()?;
    let is_wanted = name.trim().eq_ignore_ascii_case("q") && weight > 0.0 && weight <= 1.0;
    is_wanted.then(|| (language, (weight * 1000.0).round() as u16))
}

impl FromRequestParts<App> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

impl Describe for Language {}

/// A text of a page in every language, in the order of [`Language::ALL`]. It is HTML as it stands.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub [&'static str; 4]);

impl Words {
    /// The text.
    pub fn text(self, language: Language) -> &'static str {
        self.0[language as usize]
    }

    /// The text with HTML at the place that its `{}` keeps for it.
    pub fn around(self, language: Language, inner: &str) -> String {
        self.text(language).replacen("{}", inner, 1)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn asked(lines: &[&'static str]) -> Language {
        let mut headers = HeaderMap::new();
        for &line in lines {
            headers.append(ACCEPT_LANGUAGE, HeaderValue::from_static(line));
        }
        Language::of(&headers)
    }

    #[test]
    fn the_language_with_the_highest_weight_is_spoken() {
        assert_eq!(asked(&["de"]), Language::German);
        assert_eq!(asked(&["fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5"]), Language::French);
        assert_eq!(asked(&["en;q=0.3,ES-mx;q=0.31"]), Language::Spanish);
        assert_eq!(asked(&["it-IT,it;q=0.9,de;q=0.5,en;q=0.4"]), Language::German, "Italian is not spoken");
        assert_eq!(asked(&["en-GB,de"]), Language::English, "the first of two that are liked equally");
        assert_eq!(asked(&["en;q=0.5", "fr;q=0.6"]), Language::French, "the header came in two lines");
    }

    #[test]
    fn who_asks_for_nothing_that_is_spoken_reads_english() {
        for odd in ["", " ", ",,", "it", "*", "de;q=0", "deutsch", "-de", ";q=1", "*;q=0.5, it"] {
            assert_eq!(asked(&[odd]), Language::English, "{odd:?}");
        }
        assert_eq!(asked(&[]), Language::English);
        assert_eq!(asked(&["de;q=0, fr;q=0.001"]), Language::French, "what nobody wants is not spoken");
    }

    #[test]
    fn a_weight_that_is_none_takes_its_language_with_it() {
        for odd in ["de;q=NaN", "de;q=inf", "de;q=-1", "de;q=2", "de;q=", "de;q", "de;x=1", "de;q=1;x=2"] {
            assert_eq!(asked(&[odd, "es;q=0.2"]), Language::Spanish, "{odd:?}");
        }
        assert_eq!(
            asked(&["de ; Q = 0.5 , es;q=0.2"]),
            Language::German,
            "blanks and capitals change nothing"
        );
    }

    #[test]
    fn every_language_writes_days_and_months_in_its_way() {
        let day = NaiveDate::from_ymd_opt(2026, 10, 9).unwrap();
        let days = Language::ALL.map(|language| language.day(day));
        assert_eq!(days, ["9 Oct 2026", "09.10.2026", "09/10/2026", "09/10/2026"]);
        let months = Language::ALL.map(|language| language.month(day));
        assert_eq!(months, ["Oct 2026", "Okt 2026", "oct. 2026", "oct 2026"]);
    }

    #[test]
    fn words_are_read_by_their_language() {
        let words = Words(["one {}", "zwei {}", "trois {}", "cuatro {}"]);
        assert_eq!(words.text(Language::German), "zwei {}");
        assert_eq!(words.around(Language::Spanish, "<b>{}</b>"), "cuatro <b>{}</b>");
    }
}
