//! Parts of JSON Schema that the input macro and the document share. `document/` builds the document.

pub use schemars::{JsonSchema, for_document};
#[for_document]
pub use schemars::{Schema, SchemaGenerator};
pub use serde_json::Value as JsonValue;

/// A JSON object.
pub type JsonObject = serde_json::Map<String, JsonValue>;

/// The JSON name of a field whose Rust name would be a keyword.
pub const fn wire_name(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}

/// The schema of an object with the given fields: name, description, required, schema.
#[for_document]
pub fn object(description: &str, fields: Vec<(&'static str, &'static str, bool, Schema)>) -> Schema {
    let mut properties = JsonObject::new();
    let mut required = Vec::new();
    for (name, description, is_required, schema) in fields {
        let mut schema = JsonValue::from(schema);
        let description = description.trim();
        match &mut schema {
            JsonValue::Object(object) if !description.is_empty() && !object.contains_key("$ref") => {
                object.insert("description".into(), description.into());
            }
            _ => {}
        }
        properties.insert(name.into(), schema);
        if is_required {
            required.push(name);
        }
    }
    let mut whole = serde_json::json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        whole["required"] = required.into();
    }
    if !description.trim().is_empty() {
        whole["description"] = description.trim().into();
    }
    whole.try_into().unwrap_or_default()
}
