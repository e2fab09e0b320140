//! A JSON object under construction that sorts its keys and leaves out what reads as the default.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use planwright_domain::words::Word;
use serde_json::{Map, Value};

/// Keys and values so far.
#[derive(Default)]
pub(super) struct Object {
    entries: BTreeMap<&'static str, Value>,
}

impl Object {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// A value that is always written.
    pub(super) fn put(&mut self, key: &'static str, value: impl Into<Value>) {
        self.entries.insert(key, value.into());
    }

    /// A value that may be absent.
    pub(super) fn put_some<V: Into<Value>>(&mut self, key: &'static str, value: Option<V>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }

    /// A text, unless empty.
    pub(super) fn put_text(&mut self, key: &'static str, text: &str) {
        if !text.is_empty() {
            self.put(key, text);
        }
    }

    /// A flag, unless false.
    pub(super) fn put_flag(&mut self, key: &'static str, flag: bool) {
        if flag {
            self.put(key, true);
        }
    }

    /// A number, unless it is `default`; whole ones are written without a point.
    pub(super) fn put_number(&mut self, key: &'static str, number: f64, default: f64) {
        if number != default {
            self.put(key, numeral(number));
        }
    }

    /// A word, unless it is the default of its list.
    pub(super) fn put_word<W: Word + Default + PartialEq>(&mut self, key: &'static str, word: W) {
        if word != W::default() {
            self.put(key, word.as_str());
        }
    }

    /// A word of a list without default.
    pub(super) fn put_some_word<W: Word>(&mut self, key: &'static str, word: Option<W>) {
        self.put_some(key, word.map(Word::as_str));
    }

    pub(super) fn put_date(&mut self, key: &'static str, date: Option<NaiveDate>) {
        self.put_some(key, date.map(day));
    }

    pub(super) fn put_time(&mut self, key: &'static str, time: Option<DateTime<Utc>>) {
        self.put_some(key, time.map(|time| time.to_rfc3339_opts(SecondsFormat::AutoSi, true)));
    }

    /// A list, unless empty.
    pub(super) fn put_list<T>(&mut self, key: &'static str, items: &[T], write: impl Fn(&T) -> Value) {
        if !items.is_empty() {
            self.put(key, Value::Array(items.iter().map(write).collect()));
        }
    }

    pub(super) fn finish(self) -> Value {
        Value::Object(
            self.entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>(),
        )
    }
}

/// `YYYY-MM-DD`.
pub(super) fn day(date: NaiveDate) -> String {
    date.format("%Y-%m-%d").to_string()
}

pub(super) fn numeral(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}
