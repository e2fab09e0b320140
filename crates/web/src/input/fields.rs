//! The types of fields: each reads a JSON value, reports what is wrong with it, and describes itself in the schema.
//! Rules that need more than one field, or a database, are elsewhere.

use std::ops::Deref;

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use planwright_domain::booleans::parse_bool;
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_domain::{Role, with_every_id, with_every_word};
use serde_json::Value as Json;
use uuid::Uuid;

use super::{Field, path_below};
use crate::problem::{Problem, Problems};

/// A field that may be left out: absent, or set to a value (which is null only for `Patch<Option<T>>`).
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Patch<T> {
    /// Not sent.
    #[default]
    Absent,
    /// Sent.
    Set(T),
}

impl<T> Patch<T> {
    /// The value, if one was sent.
    pub fn given(self) -> Option<T> {
        match self {
            Patch::Absent => None,
            Patch::Set(value) => Some(value),
        }
    }

    /// The value, if one was sent.
    pub fn as_given(&self) -> Option<&T> {
        match self {
            Patch::Absent => None,
            Patch::Set(value) => Some(value),
        }
    }

    /// Whether a value was sent.
    pub fn is_given(&self) -> bool {
        matches!(self, Patch::Set(_))
    }

    /// Overwrites the target when a value was sent.
    pub fn write_to<U: From<T>>(self, target: &mut U) {
        if let Patch::Set(value) = self {
            *target = value.into();
        }
    }
}

impl<T: Field> Field for Patch<T> {
    const REQUIRED: bool = false;

    fn absent() -> Result<Self, Problem> {
        Ok(Patch::Absent)
    }

    fn from_json(value: &Json) -> Result<Self, Problem> {
        T::from_json(value).map(Patch::Set)
    }

    fn unknown(value: &Json, path: &str, found: &mut Vec<String>) {
        T::unknown(value, path, found);
    }
}

#[schemars::for_document]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Patch<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

impl<T: Field> Field for Option<T> {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        match value {
            Json::Null => Ok(None),
            Json::String(text) if text.is_empty() && T::blank_is_null() => Ok(None),
            value => T::from_json(value).map(Some),
        }
    }

    fn unknown(value: &Json, path: &str, found: &mut Vec<String>) {
        T::unknown(value, path, found);
    }
}

impl<T: Field> Field for Vec<T> {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let one = [value.clone()];
        let items = match value {
            Json::Array(items) => items.as_slice(),
            // A query sends a list of one as a plain value.
            Json::String(_) => &one,
            _ => return Err(not_null(value, "A list was expected here.")),
        };
        let read: Vec<Result<T, Problem>> = items.iter().map(T::from_json).collect();
        if read.iter().all(Result::is_ok) {
            return Ok(read.into_iter().filter_map(Result::ok).collect());
        }
        let of_objects = read.iter().any(|item| matches!(item, Err(Problem::Fields(_))));
        if of_objects {
            let aligned = read.into_iter().map(|item| match item {
                Ok(_) => None,
                Err(Problem::Fields(problems)) => Some(problems),
                Err(other) => Some(single("non_field_errors", other)),
            });
            return Err(Problem::Items(aligned.collect()));
        }
        let mut problems = Problems::default();
        for (index, item) in read.into_iter().enumerate() {
            if let Err(problem) = item {
                problems.add(&index.to_string(), problem);
            }
        }
        Err(Problem::Fields(problems))
    }

    fn unknown(value: &Json, path: &str, found: &mut Vec<String>) {
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            T::unknown(item, &path_below(path, &index.to_string()), found);
        }
    }
}

fn single(field: &str, problem: Problem) -> Problems {
    let mut problems = Problems::default();
    problems.add(field, problem);
    problems
}

fn not_null(value: &Json, otherwise: &str) -> Problem {
    Problem::says(if value.is_null() { "This field may not be null." } else { otherwise })
}

impl Field for Json {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        Ok(value.clone())
    }
}

impl Field for bool {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        match value {
            Json::Bool(yes) => Ok(*yes),
            Json::String(text) => parse_bool(text).ok_or_else(|| Problem::says("Must be a valid boolean.")),
            _ => Err(not_null(value, "Must be a valid boolean.")),
        }
    }
}

impl Field for i64 {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let read = match value {
            Json::Number(number) => number
                .as_i64()
                .or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 9e15).map(|n| n as i64)),
            Json::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        read.ok_or_else(|| not_null(value, "A valid integer is required."))
    }
}

impl Field for f64 {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let read = match value {
            Json::Number(number) => number.as_f64(),
            Json::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        read.filter(|number: &f64| number.is_finite())
            .ok_or_else(|| not_null(value, "A valid number is required."))
    }
}

impl Field for String {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let text = match value {
            Json::String(text) => text.clone(),
            Json::Number(number) => number.to_string(),
            _ => return Err(not_null(value, "Not a valid string.")),
        };
        match text.contains('\0') {
            true => Err(Problem::says("Null characters are not allowed.")),
            false => Ok(text),
        }
    }
}

/// Whether the year of a day has at most four digits.
fn is_in_years(day: &impl Datelike) -> bool {
    (1..=9999).contains(&day.year())
}

impl Field for NaiveDate {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let wrong = "Date has wrong format. Use one of these formats instead: YYYY-MM-DD.";
        let text = value.as_str().ok_or_else(|| not_null(value, wrong))?;
        let read = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
        // What was read loosely (a sign, blanks, a digit less) does not come out as it went in.
        read.filter(|date| is_in_years(date) && date.to_string() == text).ok_or_else(|| Problem::says(wrong))
    }
}

impl Field for DateTime<Utc> {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let wrong = "Datetime has wrong format. Use RFC 3339, such as 2026-01-05T08:00:00Z.";
        let text = value.as_str().ok_or_else(|| not_null(value, wrong))?;
        // An unescaped plus sign of an offset arrives as a space in a query.
        let parsed = DateTime::parse_from_rfc3339(&text.replace(' ', "+"));
        let read = parsed.ok().map(|time| time.with_timezone(&Utc));
        read.filter(is_in_years).ok_or_else(|| Problem::says(wrong))
    }
}

impl Field for Uuid {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let read = value.as_str().and_then(|text| Uuid::try_parse(text).ok());
        read.ok_or_else(|| not_null(value, "Must be a valid UUID."))
    }
}

macro_rules! ids {
    ($($name:ident),*) => {$(
        impl Field for $name {
            fn from_json(value: &Json) -> Result<Self, Problem> {
                Uuid::from_json(value).map($name)
            }
        }
    )*};
}
with_every_id!(ids);

macro_rules! words {
    ($($name:ident),*) => {$(
        impl Field for $name {
            fn blank_is_null() -> bool {
                $name::parse("").is_none()
            }

            fn from_json(value: &Json) -> Result<Self, Problem> {
                let text = value.as_str().ok_or_else(|| not_null(value, "Not a valid string."))?;
                $name::parse(text).ok_or_else(|| Problem::says(format!("\"{text}\" is not a valid choice.")))
            }
        }
    )*};
}
with_every_word!(words);

impl Field for Role {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let rank = i64::from_json(value)?;
        Role::from_rank(rank).ok_or_else(|| Problem::says(format!("\"{rank}\" is not a valid choice.")))
    }
}

/// A whole number within bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Int<const MIN: i64, const MAX: i64>(pub i64);

impl<const MIN: i64, const MAX: i64> Field for Int<MIN, MAX> {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        match i64::from_json(value)? {
            number if number < MIN => Err(Problem::says(format!("Must be at least {MIN}."))),
            number if number > MAX => Err(Problem::says(format!("Must be at most {MAX}."))),
            number => Ok(Self(number)),
        }
    }
}

impl<const MIN: i64, const MAX: i64> From<Int<MIN, MAX>> for i64 {
    fn from(number: Int<MIN, MAX>) -> i64 {
        number.0
    }
}

#[schemars::for_document]
impl<const MIN: i64, const MAX: i64> schemars::JsonSchema for Int<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Int".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

/// Declares a text type with bounds on its length in characters.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident, $is_line:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name<const MIN: usize, const MAX: usize>(String);

        impl<const MIN: usize, const MAX: usize> $name<MIN, MAX> {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<const MIN: usize, const MAX: usize> Deref for $name<MIN, MAX> {
            type Target = str;
            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl<const MIN: usize, const MAX: usize> From<$name<MIN, MAX>> for String {
            fn from(text: $name<MIN, MAX>) -> String {
                text.0
            }
        }

        impl<const MIN: usize, const MAX: usize> Field for $name<MIN, MAX> {
            fn from_json(value: &Json) -> Result<Self, Problem> {
                let text = String::from_json(value)?;
                let text = if $is_line { text.trim().to_owned() } else { text };
                match text.chars().count() {
                    _ if $is_line && text.contains(char::is_control) => {
                        Err(Problem::says("Control characters and line breaks are not allowed."))
                    }
                    _ if MIN > 0 && text.trim().is_empty() => Err(Problem::says("This field may not be blank.")),
                    length if length < MIN => {
                        Err(Problem::says(format!("Ensure this field has at least {MIN} characters.")))
                    }
                    length if length > MAX => {
                        Err(Problem::says(format!("Ensure this field has no more than {MAX} characters.")))
                    }
                    _ => Ok(Self(text)),
                }
            }
        }

        #[schemars::for_document]
        impl<const MIN: usize, const MAX: usize> schemars::JsonSchema for $name<MIN, MAX> {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                match MIN {
                    0 => schemars::json_schema!({ "type": "string", "maxLength": MAX }),
                    _ => schemars::json_schema!({ "type": "string", "minLength": MIN, "maxLength": MAX }),
                }
            }
        }
    )*};
}

texts! {
    /// A text of one line. White space at both ends is removed, and control characters are refused.
    Name, true;
    /// A longer text, stored as typed.
    LongText, false;
    /// A text that is never logged, stored as typed.
    Secret, false;
}
