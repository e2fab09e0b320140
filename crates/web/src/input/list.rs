//! Fields for requests with many rows: lists with bounds, and values whose errors belong to their row. `fields.rs`
//! has the rules for single values.

use serde_json::Value as Json;

use super::Field;
use crate::problem::Problem;

/// A list with bounds on how many it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct List<T, const MIN: usize, const MAX: usize>(pub Vec<T>);

impl<T: Field, const MIN: usize, const MAX: usize> Field for List<T, MIN, MAX> {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        // The bound stands before the items, so that a list that is too long is not read.
        match value.as_array().map(Vec::len) {
            Some(length) if length > MAX => Err(Problem::says(format!("May have at most {MAX} items."))),
            Some(length) if length < MIN => Err(Problem::says(format!("Must have at least {MIN} items."))),
            _ => Vec::from_json(value).map(Self),
        }
    }

    fn unknown(value: &Json, path: &str, found: &mut Vec<String>) {
        Vec::<T>::unknown(value, path, found);
    }
}

#[schemars::for_document]
impl<T: schemars::JsonSchema, const MIN: usize, const MAX: usize> schemars::JsonSchema for List<T, MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("List{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let items = generator.subschema_for::<T>();
        match MIN {
            0 => schemars::json_schema!({ "type": "array", "items": items, "maxItems": MAX }),
            _ => {
                schemars::json_schema!({ "type": "array", "items": items, "minItems": MIN, "maxItems": MAX })
            }
        }
    }
}

/// A value whose problem does not fail the whole body; whoever uses it answers the problem where it belongs.
#[derive(Clone, Debug, PartialEq)]
pub struct Lenient<T>(pub Result<T, Problem>);

impl<T: Field> Field for Lenient<T> {
    const REQUIRED: bool = T::REQUIRED;

    fn absent() -> Result<Self, Problem> {
        Ok(Self(T::absent()))
    }

    fn from_json(value: &Json) -> Result<Self, Problem> {
        Ok(Self(T::from_json(value)))
    }

    fn unknown(value: &Json, path: &str, found: &mut Vec<String>) {
        T::unknown(value, path, found);
    }
}

#[schemars::for_document]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Lenient<T> {
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

impl Field for serde_json::Map<String, Json> {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        value.as_object().cloned().ok_or_else(|| Problem::says("An object was expected here."))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::input::Int;

    #[test]
    fn a_list_that_is_too_long_or_too_short_is_refused_and_its_items_are_read() {
        type Pair = List<Int<0, 9>, 1, 2>;
        assert_eq!(Pair::from_json(&json!([1, 2])), Ok(List(vec![Int(1), Int(2)])));
        for wrong in [json!([]), json!([1, 2, 3]), json!([10]), json!(1), json!(null)] {
            assert!(Pair::from_json(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_loose_value_keeps_its_problem_for_later() {
        let read = Lenient::<Int<0, 9>>::from_json(&json!(12)).unwrap();
        assert!(read.0.is_err());
        assert!(Lenient::<Int<0, 9>>::absent().unwrap().0.is_err(), "it is required all the same");
        assert_eq!(Lenient::<Int<0, 9>>::from_json(&json!(3)).unwrap().0, Ok(Int(3)));
    }
}
