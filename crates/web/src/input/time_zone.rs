//! Time zones by their names in the IANA database. The code that knows the instant computes the day in a zone.

use std::ops::Deref;

use chrono_tz::Tz;
use serde_json::Value as Json;

use super::Field;
use crate::problem::Problem;

/// The longest name of a time zone, with room to spare.
const LONGEST: usize = 64;

/// The name of a time zone, such as `Europe/Berlin`; blank only where `BLANK` says so.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneName<const BLANK: bool>(String);

/// A time zone.
pub type TimeZone = ZoneName<false>;

/// A time zone, or a blank for that of whatever stands above.
pub type TimeZoneOrBlank = ZoneName<true>;

impl<const BLANK: bool> Field for ZoneName<BLANK> {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let name = String::from_json(value)?.trim().to_owned();
        match (name.is_empty(), name.parse::<Tz>()) {
            (true, _) if BLANK => Ok(Self(name)),
            (_, Ok(_)) => Ok(Self(name)),
            _ => Err(Problem::says(format!(
                "\"{}\" is not a time zone. Use an IANA name such as Europe/Berlin.",
                name.chars().take(LONGEST).collect::<String>()
            ))),
        }
    }
}

impl<const BLANK: bool> Deref for ZoneName<BLANK> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const BLANK: bool> From<ZoneName<BLANK>> for String {
    fn from(zone: ZoneName<BLANK>) -> Self {
        zone.0
    }
}

#[schemars::for_document]
impl<const BLANK: bool> schemars::JsonSchema for ZoneName<BLANK> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TimeZone".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        match BLANK {
            true => schemars::json_schema!({ "type": "string", "maxLength": LONGEST }),
            false => schemars::json_schema!({ "type": "string", "minLength": 1, "maxLength": LONGEST }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_zone_is_a_name_that_the_iana_database_knows_and_blank_only_where_it_may_be() {
        assert!(TimeZone::from_json(&json!("Europe/Berlin")).is_ok());
        for wrong in [json!(""), json!("Mars/Olympus"), json!(null), json!(1)] {
            assert!(TimeZone::from_json(&wrong).is_err(), "{wrong}");
        }
        assert!(TimeZoneOrBlank::from_json(&json!(" ")).unwrap().is_empty());
        assert!(TimeZoneOrBlank::from_json(&json!("Nowhere")).is_err());
    }
}
