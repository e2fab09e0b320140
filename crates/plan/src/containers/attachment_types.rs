//! The list of media types that may be uploaded: lower case, without parameters, sorted, each once.
//! Which scope's list is in force is decided by inheritance, not here.

use planwright_domain::media_types::{is_denied, normal_form, normalize_list};
use planwright_store::{FromValue, StoreError, ToValue, Value};
use planwright_web::input::Name;
use planwright_web::{Field, Problem, Problems};
use schemars::JsonSchema;
use serde::Serialize;

/// Media types that may be uploaded; an empty list allows none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct AttachmentTypes(Vec<String>);

fn is_well_formed(normal: &str) -> bool {
    let of_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte);
    let is_token = |part: &str| !part.is_empty() && part.bytes().all(of_token);
    normal.split_once('/').is_some_and(|(family, kind)| is_token(family) && is_token(kind))
}

impl AttachmentTypes {
    /// The list in its normal form, without what is denied everywhere.
    pub fn of<T: AsRef<str>>(types: impl IntoIterator<Item = T>) -> Self {
        Self(normalize_list(types))
    }

    /// The types, sorted.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }

    /// Whether a file of that type may be uploaded.
    pub fn allow(&self, media_type: &str) -> bool {
        let wanted = normal_form(media_type);
        !is_denied(&wanted) && self.0.contains(&wanted)
    }
}

impl Field for AttachmentTypes {
    fn from_json(value: &serde_json::Value) -> Result<Self, Problem> {
        let sent = Vec::<Name<1, 255>>::from_json(value)?;
        let mut problems = Problems::default();
        for (index, one) in sent.iter().enumerate() {
            let normal = normal_form(one);
            if is_denied(&normal) {
                problems.say(&index.to_string(), format!("Files of the type {normal} are never allowed."));
            } else if !is_well_formed(&normal) {
                problems.say(&index.to_string(), "Not a media type. Write it like image/png.");
            }
        }
        match problems.is_empty() {
            true => Ok(Self::of(sent.iter().map(|one| one.as_str()))),
            false => Err(Problem::Fields(problems)),
        }
    }
}

impl ToValue for AttachmentTypes {
    fn to_value(self) -> Value {
        serde_json::Value::from(self.0).to_value()
    }
}

impl FromValue for AttachmentTypes {
    fn from_value(value: Value) -> planwright_store::Result<Self> {
        let json = serde_json::Value::from_value(value)?;
        let list: Vec<String> =
            serde_json::from_value(json).map_err(|error| StoreError::Unexpected(error.into()))?;
        Ok(Self::of(list))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: serde_json::Value) -> Option<AttachmentTypes> {
        AttachmentTypes::from_json(&value).ok()
    }

    #[test]
    fn a_list_is_brought_into_its_normal_form() {
        let list = read(json!(["Image/PNG; q=1", "application/pdf", "image/png"])).unwrap();
        assert_eq!(list.as_slice(), ["application/pdf", "image/png"]);
        assert!(list.allow("image/PNG"));
        assert!(!list.allow("image/jpeg"));
        assert_eq!(read(json!([])), Some(AttachmentTypes::default()));
    }

    #[test]
    fn a_denied_type_is_refused_however_it_is_spelt() {
        for spelling in ["text/html", "TEXT/HTML", "image/svg+xml; charset=utf-8", "application/xhtml+xml"] {
            assert_eq!(read(json!(["image/png", spelling])), None);
        }
        assert_eq!(read(json!(["png"])), None);
        assert_eq!(read(json!(["image/"])), None);
    }
}
