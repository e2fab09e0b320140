//! The OpenAPI 3.0.3 document, put together from the types of the handlers, so that it cannot drift from what they do.
//! Extractors and answers describe themselves (`describe.rs`); the paths, limits and errors come from the route table.

use serde_json::{Value as Json, json};

use crate::describe::{Describer, Operation, reason};
use crate::routes::Route;
use crate::schema::JsonObject;

/// The whole document.
pub fn build(routes: &[Route], version: &str) -> Json {
    let mut describer = Describer::new();
    let mut paths = JsonObject::new();
    for route in routes.iter().filter(|route| !route.rules.hidden) {
        let operation = operation(route, &mut describer);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.as_str().to_ascii_lowercase()] = operation;
    }
    paths.sort_keys();
    let mut schemas = describer.schemas();
    schemas.insert("Error".into(), error_schema());
    schemas.sort_keys();
    let mut document = json!({
        "openapi": "3.0.3",
        "info": {
            "title": "planwright",
            "version": version,
            "description": "Project and program planning: plans scheduled by critical path, simulated and shared.",
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": { "schemas": schemas, "securitySchemes": {
            "jwtAuth": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" },
            "personalApiTokenAuth": { "type": "http", "scheme": "bearer",
                "description": "A personal access token." },
            "refreshCookieAuth": { "type": "apiKey", "in": "cookie", "name": "svc_refresh" },
        }},
    });
    tidy(&mut document);
    document
}

fn operation(route: &Route, describer: &mut Describer) -> Json {
    let said = describer.operation(route.describe, route.method == http::Method::PUT);
    let Operation { parameters, body, mut responses } = said;
    for status in route.error_statuses() {
        responses.entry(status.to_string()).or_insert_with(|| {
            json!({ "description": reason(status), "content": {
                "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } } })
        });
    }
    responses.sort_keys();
    let mut operation = json!({
        "operationId": route.operation_id(),
        "tags": [route.tag()],
        "summary": route.rules.summary,
        "responses": responses,
        "security": match route.rules.public {
            true => json!([{}]),
            false => json!([{ "jwtAuth": [] }, { "personalApiTokenAuth": [] }]),
        },
    });
    let parameters: Vec<Json> = path_parameters(route.path).chain(parameters).collect();
    if !parameters.is_empty() {
        operation["parameters"] = json!(parameters);
    }
    if let Some(body) = body {
        operation["requestBody"] = body;
    }
    operation
}

fn path_parameters(path: &str) -> impl Iterator<Item = Json> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        let is_id = name == "id" || name.ends_with("_id") || name.ends_with("_pk");
        let schema =
            if is_id { json!({ "type": "string", "format": "uuid" }) } else { json!({ "type": "string" }) };
        json!({ "name": name, "in": "path", "required": true, "schema": schema })
    })
}

fn error_schema() -> Json {
    json!({
        "type": "object",
        "description": "Either `detail` with an optional stable `code`, or messages by field.",
        "properties": {
            "detail": { "description": "What happened, for people." },
            "code": { "description": "What happened, for programs." },
        },
        "additionalProperties": true,
    })
}

/// Drops what OpenAPI 3.0 does not know, wherever it stands.
fn tidy(value: &mut Json) {
    match value {
        Json::Object(object) => {
            if object.get("default") == Some(&Json::Null) {
                object.remove("default");
            }
            object.remove("$schema");
            for key in ["schema", "items"] {
                if object.get(key) == Some(&Json::Bool(true)) {
                    object.insert(key.into(), json!({}));
                }
            }
            if let Some(Json::Object(properties)) = object.get_mut("properties") {
                let anything = properties.values_mut().filter(|schema| **schema == Json::Bool(true));
                anything.for_each(|schema| *schema = json!({}));
            }
            join_null(object);
            object.values_mut().for_each(tidy);
        }
        Json::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// "This type or null" is one nullable type in OpenAPI 3.0, not a choice of two.
fn join_null(object: &mut JsonObject) {
    let Some(Json::Array(choices)) = object.get("anyOf") else { return };
    let is_null = |choice: &Json| choice["enum"] == json!([null]) || choice["type"] == "null";
    let types: Vec<Json> = choices.iter().filter(|choice| !is_null(choice)).cloned().collect();
    if types.len() == 1 && types.len() < choices.len() {
        object.remove("anyOf");
        object.insert("allOf".into(), Json::Array(types));
        object.insert("nullable".into(), Json::Bool(true));
    }
}
