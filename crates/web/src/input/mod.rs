//! Reads a request field by field, so that all errors are reported at once. `input!` declares a body or a query. The
//! types of its fields contain the rules (`Name`, `Int`, ids, words).

mod fields;
mod list;
mod time_zone;

use serde_json::{Map, Value as Json};

use crate::problem::{Problem, Problems};

pub use fields::{Int, LongText, Name, Patch, Secret};
pub use list::{Lenient, List};
pub use time_zone::{TimeZone, TimeZoneOrBlank};

/// A type that can be read from one field of a body or query.
pub trait Field: Sized {
    /// Whether leaving the field out is a problem.
    const REQUIRED: bool = true;

    /// Whether an empty text stands for null where null is allowed, as forms send it.
    fn blank_is_null() -> bool {
        false
    }

    /// What leaving the field out means; a problem unless the type says otherwise.
    fn absent() -> Result<Self, Problem> {
        Err(Problem::says("This field is required."))
    }

    /// Reads a value that was sent. Numbers and truth values may come as text, as queries and forms send them.
    fn from_json(value: &Json) -> Result<Self, Problem>;

    /// Adds the paths within the value that the type does not know.
    fn unknown(_value: &Json, _path: &str, _found: &mut Vec<String>) {}
}

/// A whole body or query.
pub trait Input: Sized {
    /// The names of all fields, with their other names.
    const NAMES: &'static [&'static str];

    /// Reads every field, collecting the problems of all of them.
    fn read(object: &Map<String, Json>) -> Result<Self, Problems>;

    /// Adds the paths below `path` that no field knows.
    fn unknown(object: &Map<String, Json>, path: &str, found: &mut Vec<String>);
}

/// The path of a field below another path.
pub fn path_below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Reads one field of an object, noting its problem; `names` are what it is called, the first one in answers.
pub fn take<T: Field>(object: &Map<String, Json>, names: &[&str], problems: &mut Problems) -> Option<T> {
    let name = names.first().copied().unwrap_or_default();
    let read = match names.iter().find_map(|name| object.get(*name)) {
        None => T::absent(),
        Some(value) => T::from_json(value),
    };
    match read {
        Ok(value) => Some(value),
        Err(problem) => {
            problems.add(name, problem);
            None
        }
    }
}

/// Declares a body or query whose problems are collected: each field's type says whether it may be left out.
#[macro_export]
macro_rules! input {
    ($(#[doc = $doc:literal])* $vis:vis struct $name:ident {
        $($(#[doc = $field_doc:literal])* $field_vis:vis $field:ident $(| $alias:ident)?: $type:ty),* $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug)]
        #[allow(non_snake_case)]
        $vis struct $name { $($(#[doc = $field_doc])* $field_vis $field: $type),* }

        #[allow(non_snake_case)]
        impl $crate::input::Input for $name {
            const NAMES: &'static [&'static str] =
                &[$($crate::schema::wire_name(stringify!($field)) $(, stringify!($alias))?),*];

            fn read(
                object: &$crate::schema::JsonObject,
            ) -> ::std::result::Result<Self, $crate::Problems> {
                let mut problems = $crate::Problems::default();
                $(let $field = $crate::input::take::<$type>(
                    object,
                    &[$crate::schema::wire_name(stringify!($field)) $(, stringify!($alias))?],
                    &mut problems,
                );)*
                match ($($field,)*) {
                    ($(Some($field),)*) => Ok(Self { $($field),* }),
                    _ => Err(problems),
                }
            }

            fn unknown(
                object: &$crate::schema::JsonObject,
                path: &str,
                found: &mut ::std::vec::Vec<::std::string::String>,
            ) {
                for (name, _value) in object {
                    let _path = $crate::input::path_below(path, name);
                    $(if [$crate::schema::wire_name(stringify!($field)) $(, stringify!($alias))?]
                        .contains(&name.as_str())
                    {
                        <$type as $crate::input::Field>::unknown(_value, &_path, found);
                        continue;
                    })*
                    found.push(_path);
                }
            }
        }

        impl $crate::input::Field for $name {
            fn from_json(
                value: &$crate::schema::JsonValue,
            ) -> ::std::result::Result<Self, $crate::Problem> {
                match value {
                    $crate::schema::JsonValue::Object(object) => {
                        <Self as $crate::input::Input>::read(object).map_err($crate::Problem::Fields)
                    }
                    _ => Err($crate::Problem::says("An object was expected here.")),
                }
            }

            fn unknown(
                value: &$crate::schema::JsonValue,
                path: &str,
                found: &mut ::std::vec::Vec<::std::string::String>,
            ) {
                if let $crate::schema::JsonValue::Object(object) = value {
                    <Self as $crate::input::Input>::unknown(object, path, found);
                }
            }
        }

        #[$crate::schema::for_document]
        impl $crate::schema::JsonSchema for $name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut $crate::schema::SchemaGenerator) -> $crate::schema::Schema {
                let fields = vec![$((
                    $crate::schema::wire_name(stringify!($field)),
                    concat!($($field_doc, "\n"),*),
                    <$type as $crate::input::Field>::REQUIRED,
                    generator.subschema_for::<$type>(),
                ) $(, (
                    stringify!($alias),
                    concat!("Another name of `", stringify!($field), "`."),
                    false,
                    generator.subschema_for::<$type>(),
                ))?),*];
                $crate::schema::object(concat!($($doc, "\n"),*), fields)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    input! {
        /// A sample.
        struct Sample {
            name: Name<1, 5>,
            size: Patch<Int<0, 9>>,
            when: Patch<Option<chrono::NaiveDate>>,
            tags: Patch<Vec<Int<1, 3>>>,
            parts | pieces: Patch<Vec<Part>>,
        }
    }

    input! {
        /// A part of a sample.
        struct Part {
            weight: Int<0, 9>,
        }
    }

    fn read(value: Json) -> Result<Sample, Json> {
        let Json::Object(object) = value else { panic!("tests send objects") };
        Sample::read(&object).map_err(|problems| Json::Object(problems.into_json()))
    }

    #[test]
    fn absent_null_and_given_are_told_apart() {
        let sample = read(json!({"name": " ab ", "when": null})).unwrap();
        assert_eq!(sample.name.as_str(), "ab");
        assert!(matches!(sample.size, Patch::Absent));
        assert!(matches!(sample.when, Patch::Set(None)));
        assert!(!sample.tags.is_given());
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let problems = read(json!({"size": 10, "when": "2026-02-30", "tags": [1, 7, "2"]})).unwrap_err();
        assert_eq!(problems["name"], json!(["This field is required."]));
        assert!(problems["size"][0].as_str().unwrap().contains("at most 9"));
        assert!(problems["when"][0].as_str().unwrap().contains("YYYY-MM-DD"));
        assert!(problems["tags"]["1"][0].as_str().unwrap().contains("at most 3"));
    }

    #[test]
    fn what_no_field_knows_is_found_at_any_depth() {
        let sent = json!({"name": "a", "colour": 1, "pieces": [{"weight": 1}, {"weight": 2, "height": 3}]});
        let Json::Object(object) = &sent else { panic!("tests send objects") };
        let mut unknown = Vec::new();
        <Sample as Input>::unknown(object, "", &mut unknown);
        assert_eq!(unknown, ["colour", "pieces.1.height"]);
    }

    #[test]
    fn a_field_is_read_by_its_other_name_unless_its_own_is_sent() {
        let by_other = read(json!({"name": "a", "pieces": [{"weight": 1}]})).unwrap();
        assert_eq!(by_other.parts.given().unwrap()[0].weight, Int(1));
        let by_both = read(json!({"name": "a", "parts": [], "pieces": [{"weight": 1}]})).unwrap();
        assert_eq!(by_both.parts.given().unwrap().len(), 0);
    }

    #[test]
    fn a_number_where_a_text_is_wanted_is_taken_as_text() {
        assert_eq!(read(json!({"name": 12.5})).unwrap().name.as_str(), "12.5");
        assert_eq!(read(json!({"name": true})).unwrap_err()["name"], json!(["Not a valid string."]));
    }

    #[test]
    fn a_nul_character_and_a_null_where_none_may_be_are_problems() {
        let problems = read(json!({"name": "a\u{0}b", "size": null})).unwrap_err();
        assert!(problems["name"][0].as_str().unwrap().contains("Null characters"));
        assert_eq!(problems["size"], json!(["This field may not be null."]));
    }
}
