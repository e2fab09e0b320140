//! Requests for what can be inherited: a field that takes a value, or null or blank to inherit, and bodies that carry them all.
//! What such a field then means is computed by `planwright_plan::containers::inheritance`.

use planwright_web::Problem;
use planwright_web::{Field, Patch};
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

#[schemars::for_document]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Inherit<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        <Option<T> as schemars::JsonSchema>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <Option<T> as schemars::JsonSchema>::json_schema(generator)
    }
}

/// Overwrites the target when a value was sent, or none to inherit one.
pub fn write_inherited<T: Into<U>, U>(request: Patch<Inherit<T>>, target: &mut Option<U>) {
    if let Patch::Set(Inherit(value)) = request {
        *target = value.map(Into::into);
    }
}

/// Declares the two bodies of a program or project as `body!` does, both with every inheritable setting.
/// The second can write the settings that were sent over those of a scope.
macro_rules! body_with_settings {
    (
        @settings { $($(#[doc = $doc:literal])* $setting:ident: $type:ty,)* }
        $(#[doc = $whole_doc:literal])* pub struct $whole:ident;
        $(#[doc = $patched_doc:literal])* pub struct $patched:ident;
        required { $($required:tt)* }
        optional { $($optional:tt)* }
    ) => {
        planwright_web::body! {
            $(#[doc = $whole_doc])* pub struct $whole;
            $(#[doc = $patched_doc])* pub struct $patched;
            required { $($required)* }
            optional { $($optional)* $($(#[doc = $doc])* $setting: $crate::inherit::Inherit<$type>,)* }
        }

        impl $patched {
            /// Writes the settings that were sent over those of a scope.
            pub fn write_settings(&self, over: &mut planwright_plan::containers::Overrides) {
                $($crate::inherit::write_inherited(self.$setting.clone(), &mut over.$setting);)*
            }
        }
    };
    ($($body:tt)*) => {
        $crate::inherit::body_with_settings! {
            @settings {
                /// Whether public links may be created. Null means that it is inherited.
                public_sharing: bool,
                /// Whether guests may have access. Null means that it is inherited.
                allow_guests: bool,
                /// Whether simulation runs are kept. Null means that it is inherited.
                mc_history_enabled: bool,
                /// The number of simulation runs that are kept. Null means that it is inherited.
                mc_history_retention_cap: planwright_web::input::Int<0, 2147483647>,
                /// Who may see who ran a simulation. Null means that it is inherited.
                mc_history_attribution_audience: planwright_domain::words::AttributionAudience,
                /// Whether files may be uploaded. Null means that it is inherited.
                attachments_enabled: bool,
                /// The media types that may be uploaded. Null means that they are inherited. An empty list allows
                /// none.
                allowed_attachment_types: planwright_plan::containers::AttachmentTypes,
                /// Whether agents may read. Null means that it is inherited.
                mcp_enabled: bool,
                /// The scale for story points. Null or blank means that it is inherited.
                estimation_scale: planwright_domain::words::EstimationScale,
                /// Whether the sprint picker first shows only tasks that are ready. Null means that it is inherited.
                sprint_picker_ready_only_default: bool,
                /// How a change of duration changes percent complete. Null or blank means that it is inherited.
                task_duration_change_percent_policy: planwright_domain::words::PercentPolicy,
                /// The word for an iteration. Null or blank means that it is inherited.
                iteration_label: planwright_web::input::Name<1, 32>,
            }
            $($body)*
        }
    };
}

pub(crate) use body_with_settings;

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
