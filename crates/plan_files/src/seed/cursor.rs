//! A place in a JSON value that knows its path: reads typed fields and notes everything that does not fit. A field
//! that does not fit reads as absent, so one pass finds all problems.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::color::is_color;
use planwright_domain::words::Word;
use serde_json::{Map, Value};

use super::model::SchemaVersion;
use super::problems::{Problems, child, quoted};
use super::scalars::{self, WrittenDate};
use super::workweek::WorkWeek;

/// What every place of one document shares.
pub(crate) struct Context {
    /// What was found wrong so far.
    pub(crate) problems: RefCell<Problems>,
    /// Day zero of `A±N` dates.
    pub(crate) anchor: NaiveDate,
    /// The version that the document says it has.
    pub(crate) version: SchemaVersion,
}

impl Context {
    /// Notes a problem.
    pub(crate) fn add(&self, path: &str, message: impl std::fmt::Display) {
        self.problems.borrow_mut().add(path, message);
    }
}

/// A value and where it stands.
#[derive(Clone)]
pub(crate) struct At<'v> {
    pub(crate) value: &'v Value,
    pub(crate) path: String,
    pub(crate) context: &'v Context,
}

/// The keys an object may have.
pub(crate) struct Keys {
    /// Keys that must be there.
    pub(crate) required: &'static [&'static str],
    /// Keys that may be there.
    pub(crate) optional: &'static [&'static str],
    /// Keys that may be there from version 2.1 on. A reader of older documents knows none of them.
    pub(crate) since_2_1: &'static [&'static str],
}

impl Keys {
    /// No keys. A constant needs it, because it cannot call `default`.
    pub(crate) const NONE: Self = Self { required: &[], optional: &[], since_2_1: &[] };

    fn know(&self, key: &str) -> bool {
        [self.required, self.optional, self.since_2_1].iter().any(|keys| keys.contains(&key))
    }
}

impl<'v> At<'v> {
    /// Notes a problem of this value.
    pub(crate) fn add(&self, message: impl std::fmt::Display) {
        self.context.add(&self.path, message);
    }

    /// The object at this place, after noting unknown keys and missing ones.
    pub(crate) fn fields(self, keys: &Keys) -> Option<Fields<'v>> {
        let Value::Object(map) = self.value else {
            self.add(format_args!("must be an object, not {}", kind(self.value)));
            return None;
        };
        for key in map.keys() {
            if !keys.know(key) {
                self.context.add(&child(&self.path, key), "unknown key");
            }
        }
        for key in keys.required {
            if map.get(*key).is_none_or(Value::is_null) {
                self.context.add(&child(&self.path, key), "is required");
            }
        }
        let fields = Fields { path: self.path, map, context: self.context };
        if self.context.version < SchemaVersion::WITH_EVERYTHING {
            for key in keys.since_2_1.iter().filter(|key| fields.at(key).is_some()) {
                fields.add(key, "needs schema version 2.1");
            }
        }
        Some(fields)
    }

    /// A text that `fits`; `shape` says what was expected.
    pub(crate) fn shaped(&self, fits: impl Fn(&str) -> bool, shape: &str) -> Option<&'v str> {
        match self.value {
            Value::String(text) if fits(text) => Some(text),
            Value::String(text) => {
                self.add(format_args!("must be {shape}, not {}", quoted(text)));
                None
            }
            other => {
                self.add(format_args!("must be {shape}, not {}", kind(other)));
                None
            }
        }
    }

    /// A text of at most `longest` characters.
    pub(crate) fn text(&self, longest: usize) -> Option<String> {
        let Value::String(text) = self.value else {
            self.add(format_args!("must be a text, not {}", kind(self.value)));
            return None;
        };
        // Counting characters only when bytes alone do not settle it.
        if text.len() > longest && text.chars().count() > longest {
            self.add(format_args!("must have at most {longest} characters"));
            return None;
        }
        Some(text.clone())
    }

    /// A member of a closed list.
    pub(crate) fn word<W: Word>(&self) -> Option<W> {
        let found = self.value.as_str().and_then(W::parse);
        if found.is_none() {
            let words: Vec<_> = W::ALL.iter().map(|word| word.as_str()).collect();
            self.add(format_args!("must be one of {}, not {}", words.join(", "), shown(self.value)));
        }
        found
    }

    /// A slug.
    pub(crate) fn slug(&self) -> Option<String> {
        self.shaped(scalars::is_slug, "a slug (a-z, 0-9, single hyphens, at most 40 characters)")
            .map(str::to_owned)
    }
}

/// An object and where it stands. A key that is null counts as absent.
pub(crate) struct Fields<'v> {
    pub(crate) path: String,
    map: &'v Map<String, Value>,
    pub(crate) context: &'v Context,
}

impl<'v> Fields<'v> {
    /// The value of a key, unless absent or null.
    pub(crate) fn at(&self, key: &str) -> Option<At<'v>> {
        let value = self.map.get(key).filter(|value| !value.is_null())?;
        Some(At { value, path: child(&self.path, key), context: self.context })
    }

    /// Notes a problem of a key.
    pub(crate) fn add(&self, key: &str, message: impl std::fmt::Display) {
        self.context.add(&child(&self.path, key), message);
    }

    /// A text that people read: not blank, at most `longest` characters.
    pub(crate) fn name(&self, key: &str, longest: usize) -> Option<String> {
        let at = self.at(key)?;
        let text = at.text(longest)?;
        if text.trim().is_empty() {
            at.add("must not be blank");
            return None;
        }
        Some(text)
    }

    /// A text that may be empty, at most `longest` characters; empty when absent.
    pub(crate) fn text(&self, key: &str, longest: usize) -> String {
        self.at(key).and_then(|at| at.text(longest)).unwrap_or_default()
    }

    /// A slug, this object's own or somebody else's.
    pub(crate) fn slug(&self, key: &str) -> Option<String> {
        self.at(key)?.slug()
    }

    /// An outline path of the same project.
    pub(crate) fn wbs_path(&self, key: &str) -> Option<String> {
        let shape = "an outline path (letters, digits and _, joined by dots, at most 255 characters)";
        self.at(key)?.shaped(scalars::is_wbs_path, shape).map(str::to_owned)
    }

    /// `#RRGGBB`; an empty text counts as absent.
    pub(crate) fn color(&self, key: &str) -> Option<String> {
        let text = self.at(key)?.shaped(|text| text.is_empty() || is_color(text), "a colour #RRGGBB")?;
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// An e-mail address; an empty text counts as absent.
    pub(crate) fn email(&self, key: &str) -> Option<String> {
        let fits = |text: &str| text.is_empty() || scalars::is_email(text);
        let text = self.at(key)?.shaped(fits, "an e-mail address")?;
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// A whole number in `range`; `5.0` counts as whole.
    pub(crate) fn integer(&self, key: &str, range: RangeInclusive<i64>) -> Option<i64> {
        let at = self.at(key)?;
        let whole = at.value.as_i64().or_else(|| {
            at.value
                .as_f64()
                .filter(|number| number.fract() == 0.0 && number.abs() < 1e15)
                .map(|number| number as i64)
        });
        match whole {
            Some(number) if range.contains(&number) => Some(number),
            _ => {
                let (low, high) = (range.start(), range.end());
                at.add(format_args!("must be a whole number from {low} to {high}, not {}", shown(at.value)));
                None
            }
        }
    }

    /// A count: a whole number from 0 to `highest`.
    pub(crate) fn count(&self, key: &str, highest: u32) -> Option<u32> {
        self.integer(key, 0..=i64::from(highest)).and_then(|number| u32::try_from(number).ok())
    }

    /// A number that `fits`; `shape` says what was expected.
    pub(crate) fn number(&self, key: &str, fits: impl Fn(f64) -> bool, shape: &str) -> Option<f64> {
        let at = self.at(key)?;
        match at.value.as_f64() {
            Some(number) if number.is_finite() && fits(number) => Some(number),
            _ => {
                at.add(format_args!("must be a number {shape}, not {}", shown(at.value)));
                None
            }
        }
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        let at = self.at(key)?;
        if !at.value.is_boolean() {
            at.add(format_args!("must be true or false, not {}", shown(at.value)));
        }
        at.value.as_bool()
    }

    /// A member of a closed list.
    pub(crate) fn word<W: Word>(&self, key: &str) -> Option<W> {
        self.at(key)?.word()
    }

    /// A date; an `A±N` without `!` moves to a day that `week` works on, if there is a week.
    pub(crate) fn date(&self, key: &str, week: Option<&WorkWeek>) -> Option<NaiveDate> {
        let at = self.at(key)?;
        match at.value.as_str().and_then(|text| scalars::date(text, self.context.anchor)) {
            Some(WrittenDate::Fixed(date) | WrittenDate::Literal(date)) => Some(date),
            Some(WrittenDate::Snapped(date)) => Some(week.map_or(date, |week| week.on_or_after(date))),
            None => {
                at.add(format_args!("must be a date (YYYY-MM-DD or A±N), not {}", shown(at.value)));
                None
            }
        }
    }

    /// A date and time.
    pub(crate) fn timestamp(&self, key: &str) -> Option<DateTime<Utc>> {
        let at = self.at(key)?;
        let found = at.value.as_str().and_then(|text| scalars::timestamp(text, self.context.anchor));
        if found.is_none() {
            at.add(format_args!("must be a date and time (ISO 8601 or A±NTHH:MM), not {}", shown(at.value)));
        }
        found
    }

    /// A list of at most `longest` items, each read by `read`; empty when absent. A longer list is not looked into.
    pub(crate) fn list<T>(
        &self,
        key: &str,
        longest: usize,
        mut read: impl FnMut(At<'v>) -> Option<T>,
    ) -> Vec<T> {
        let Some(at) = self.at(key) else { return Vec::new() };
        let Value::Array(items) = at.value else {
            at.add(format_args!("must be a list, not {}", kind(at.value)));
            return Vec::new();
        };
        if items.len() > longest {
            at.add(format_args!("must have at most {longest} items, not {}", items.len()));
            return Vec::new();
        }
        let place = |index| format!("{}[{index}]", at.path);
        let read_item = |(index, value)| read(At { value, path: place(index), context: self.context });
        items.iter().enumerate().filter_map(read_item).collect()
    }
}

/// What kind of value it is, for a message.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a flag",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The value itself when it is short to tell, else what kind it is.
fn shown(value: &Value) -> String {
    match value {
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        other => kind(other).to_owned(),
    }
}
