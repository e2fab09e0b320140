//! An example for each body, made from its schema, so the server always accepts it.

use serde_json::{Value as Json, json};

use crate::schema::JsonObject;

/// The maximum depth of nested schemas.
const DEEPEST: usize = 6;
/// The number of fields in the example of a body without required fields.
const FEWEST_FIELDS: usize = 2;

/// An example of a schema; `name` is what the field is called.
pub(super) fn of(schema: &Json, name: &str, schemas: &JsonObject, depth: usize) -> Json {
    if let Some(example) = schema.get("example") {
        return example.clone();
    }
    if let Some(target) = referred(schema, schemas) {
        return if depth < DEEPEST { of(target, name, schemas, depth + 1) } else { json!({}) };
    }
    for choice in ["allOf", "oneOf", "anyOf"] {
        if let Some(first) = schema[choice].as_array().and_then(|choices| choices.first()) {
            return of(first, name, schemas, depth);
        }
    }
    if let Some(word) = schema["enum"].as_array().and_then(|words| words.iter().find(|word| !word.is_null()))
    {
        return word.clone();
    }
    match schema["type"].as_str() {
        Some("string") => json!(text(schema, name)),
        Some("integer") => json!(whole(schema)),
        Some("number") => json!(schema["minimum"].as_f64().unwrap_or(1.0).max(1.0)),
        Some("boolean") => json!(true),
        Some("array") => list(schema, name, schemas, depth),
        _ => object(schema, schemas, depth),
    }
}

fn referred<'a>(schema: &Json, schemas: &'a JsonObject) -> Option<&'a Json> {
    schemas.get(schema["$ref"].as_str()?.rsplit('/').next()?)
}

fn whole(schema: &Json) -> i64 {
    let least = schema["minimum"].as_i64().unwrap_or(1).max(1);
    schema["maximum"].as_i64().map_or(least, |most| least.min(most))
}

fn list(schema: &Json, name: &str, schemas: &JsonObject, depth: usize) -> Json {
    let items = &schema["items"];
    let one = || of(items, name, schemas, depth + 1);
    let fewest = schema["minItems"].as_u64().unwrap_or(1).max(1);
    if items.as_object().is_none_or(JsonObject::is_empty) {
        return json!([]);
    }
    Json::Array((0..fewest).map(|_| one()).collect())
}

fn object(schema: &Json, schemas: &JsonObject, depth: usize) -> Json {
    let Some(properties) = schema["properties"].as_object() else { return json!({}) };
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let optional = properties.keys().map(String::as_str).filter(|name| !required.contains(name));
    let more = FEWEST_FIELDS.saturating_sub(required.len());
    let shown: Vec<&str> = required.iter().copied().chain(optional.take(more)).collect();
    let fields = properties.iter().filter(|(name, _)| shown.contains(&name.as_str()));
    Json::Object(fields.map(|(name, field)| (name.clone(), of(field, name, schemas, depth + 1))).collect())
}

fn text(schema: &Json, name: &str) -> String {
    let text = match (schema["format"].as_str(), name) {
        (Some("uuid"), _) => "01936f6e-7c00-7000-8000-000000000001",
        (Some("date"), _) => "2026-03-02",
        (Some("date-time"), _) => "2026-03-02T08:00:00Z",
        (Some("email"), _) | (_, "email") => "mara@example.com",
        (Some("uri"), _) | (_, "url") => "https://example.com/",
        (Some("decimal"), _) => "1.00",
        (_, "username") => "mara",
        (_, "color") => "#2563EB",
        (_, "code") => "SITE",
        (_, "timezone") => "Europe/Berlin",
        (_, "name") => "Lay the foundation",
        _ => "Text",
    };
    let most = schema["maxLength"].as_u64().and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    text.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_has_what_is_required_and_something_where_nothing_is() {
        let schemas = json!({ "Kind": { "type": "string", "enum": ["task", "epic"] } });
        let schemas = schemas.as_object().unwrap();
        let schema = json!({
            "type": "object", "required": ["name", "kind"],
            "properties": {
                "name": { "type": "string", "maxLength": 5 }, "kind": { "$ref": "#/components/schemas/Kind" },
                "size": { "type": "integer", "minimum": 3 },
            },
        });
        assert_eq!(of(&schema, "", schemas, 0), json!({ "name": "Lay t", "kind": "task" }));
        let patched = json!({ "type": "object", "properties": schema["properties"] });
        assert_eq!(of(&patched, "", schemas, 0), json!({ "name": "Lay t", "kind": "task" }));
        let days = json!({ "type": "array", "items": { "type": "string", "format": "date" }, "minItems": 2 });
        assert_eq!(of(&days, "", schemas, 0), json!(["2026-03-02", "2026-03-02"]));
    }
}
