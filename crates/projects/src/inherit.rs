//! Requests for what can be inherited: a field that takes a value, or null or blank to inherit, and bodies that carry them all.
//! What such a field then means is computed by `planwright_plan::containers::inheritance`.

use std::borrow::Cow;

use planwright_web::Field;
use planwright_web::input::Problem;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value as Json;

/// A value of its own, or null or blank text to inherit one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inherit<T>(pub Option<T>);

impl<T: Field> Field for Inherit<T> {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        match value {
            Json::Null => Ok(Self(None)),
            Json::String(text) if text.is_empty() => Ok(Self(None)),
            value => T::from_json(value).map(|value| Self(Some(value))),
        }
    }
}

impl<T: JsonSchema> JsonSchema for Inherit<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}

/// Declares two bodies at once, one that creates or replaces and one that changes some fields, both with every inheritable setting.
/// The second can tell which fields were sent and write the settings over those of a scope.
macro_rules! bodies {
    (
        $(#[doc = $whole_doc:literal])* whole $whole:ident;
        $(#[doc = $part_doc:literal])* part $part:ident;
        $($fields:tt)*
    ) => {
        $crate::inherit::bodies! {
            @with
            settings {
                /// Whether public links may be made; null inherits.
                public_sharing: bool,
                /// Whether guests may be let in; null inherits.
                allow_guests: bool,
                /// Whether simulation runs are kept; null inherits.
                mc_history_enabled: bool,
                /// How many simulation runs are kept; null inherits.
                mc_history_retention_cap: planwright_web::input::Int<0, 2147483647>,
                /// Who sees who ran a simulation; null inherits.
                mc_history_attribution_audience: planwright_domain::words::AttributionAudience,
                /// Whether files may be uploaded; null inherits.
                attachments_enabled: bool,
                /// The media types that may be uploaded; null inherits, an empty list allows none.
                allowed_attachment_types: planwright_plan::containers::AttachmentTypes,
                /// Whether agents may read; null inherits.
                mcp_enabled: bool,
                /// The scale story points are picked from; null or blank inherits.
                estimation_scale: planwright_domain::words::EstimationScale,
                /// Whether the sprint picker shows only what is ready; null inherits.
                sprint_picker_ready_only_default: bool,
                /// What a duration change does to percent complete; null or blank inherits.
                task_duration_change_percent_policy: planwright_domain::words::PercentPolicy,
                /// What an iteration is called; null or blank inherits.
                iteration_label: planwright_web::input::Name<1, 32>,
            }
            $(#[doc = $whole_doc])* whole $whole;
            $(#[doc = $part_doc])* part $part;
            $($fields)*
        }
    };
    (
        @with
        settings { $($(#[doc = $setting_doc:literal])* $setting:ident: $setting_type:ty,)* }
        $(#[doc = $whole_doc:literal])* whole $whole:ident;
        $(#[doc = $part_doc:literal])* part $part:ident;
        required { $($(#[doc = $required_doc:literal])* $required:ident: $required_type:ty,)* }
        optional { $($(#[doc = $optional_doc:literal])* $optional:ident: $optional_type:ty,)* }
    ) => {
        planwright_web::input! {
            $(#[doc = $whole_doc])*
            pub struct $whole {
                $($(#[doc = $required_doc])* pub $required: $required_type,)*
                $($(#[doc = $optional_doc])* pub $optional: planwright_web::Patch<$optional_type>,)*
                $(
                    $(#[doc = $setting_doc])*
                    pub $setting: planwright_web::Patch<$crate::inherit::Inherit<$setting_type>>,
                )*
            }
        }

        planwright_web::input! {
            $(#[doc = $part_doc])*
            pub struct $part {
                $($(#[doc = $required_doc])* pub $required: planwright_web::Patch<$required_type>,)*
                $($(#[doc = $optional_doc])* pub $optional: planwright_web::Patch<$optional_type>,)*
                $(
                    $(#[doc = $setting_doc])*
                    pub $setting: planwright_web::Patch<$crate::inherit::Inherit<$setting_type>>,
                )*
            }
        }

        impl From<$whole> for $part {
            fn from(whole: $whole) -> Self {
                Self {
                    $($required: planwright_web::Patch::Set(whole.$required),)*
                    $($optional: whole.$optional,)*
                    $($setting: whole.$setting,)*
                }
            }
        }

        impl $part {
            /// The fields that were sent.
            pub fn sent(&self) -> Vec<&'static str> {
                let fields = [
                    $((stringify!($required), self.$required.is_given()),)*
                    $((stringify!($optional), self.$optional.is_given()),)*
                    $((stringify!($setting), self.$setting.is_given()),)*
                ];
                fields.into_iter().filter(|(_, given)| *given).map(|(field, _)| field).collect()
            }

            /// Writes the settings that were sent over those of a scope.
            #[allow(clippy::clone_on_copy, clippy::useless_conversion)]
            pub fn write_settings(&self, over: &mut planwright_plan::containers::Overrides) {
                $(
                    if let planwright_web::Patch::Set($crate::inherit::Inherit(value)) = &self.$setting {
                        over.$setting = value.clone().map(Into::into);
                    }
                )*
            }
        }
    };
}

pub(crate) use bodies;

#[cfg(test)]
mod tests {
    use planwright_domain::words::EstimationScale;
    use serde_json::json;

    use super::*;

    #[test]
    fn null_and_blank_inherit_and_a_wrong_word_is_refused() {
        let read = |value: Json| Inherit::<EstimationScale>::from_json(&value);
        assert_eq!(read(json!(null)), Ok(Inherit(None)));
        assert_eq!(read(json!("")), Ok(Inherit(None)));
        assert_eq!(read(json!("linear")), Ok(Inherit(Some(EstimationScale::Linear))));
        assert!(read(json!("metric")).is_err());
    }
}
