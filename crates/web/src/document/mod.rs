//! The OpenAPI 3.0.3 document, built from the types of the handlers, so it always describes what they do. Extractors
//! and answers describe themselves (`describe.rs`). Paths, limits and errors come from the route table.

mod describer;
mod examples;
mod headers;

pub use self::describer::Describer;
use serde_json::{Value as Json, json};

use self::describer::{Operation, not_modified, reason};
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
    for operation in paths.values_mut().filter_map(Json::as_object_mut).flat_map(|path| path.values_mut()) {
        add_example(operation, &schemas);
    }
    let mut document = json!({
        "openapi": "3.0.3",
        "info": {
            "title": "planwright",
            "version": version,
            "license": { "name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0" },
            "description": "Project and program planning: plans with a critical path, simulation and sharing.",
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": { "schemas": schemas, "headers": headers::components(), "parameters": headers::parameters(),
            "responses": headers::failures(), "securitySchemes": {
            "jwtAuth": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" },
            "personalApiTokenAuth": { "type": "http", "scheme": "bearer",
                "description": "A personal access token." },
            "projectApiTokenAuth": { "type": "http", "scheme": "bearer",
                "description": "A token of a project, or of the program that the project belongs to." },
            "refreshCookieAuth": { "type": "apiKey", "in": "cookie", "name": "svc_refresh" },
        }},
    });
    tidy(&mut document);
    let schemas = document["components"]["schemas"].clone();
    name_types_of_nullables(&mut document, &schemas);
    document
}

/// The body of an operation with an example, unless it shows one itself.
fn add_example(operation: &mut Json, schemas: &JsonObject) {
    let content = operation.get_mut("requestBody").and_then(|body| body.get_mut("content"));
    let Some(json) = content.and_then(|content| content.get_mut("application/json")) else { return };
    if json.get("example").is_none() {
        json["example"] = examples::of(&json["schema"], "", schemas, 0);
    }
}

/// `nullable` is valid only next to a `type`, so it gets the type of its schema.
fn name_types_of_nullables(value: &mut Json, schemas: &Json) {
    match value {
        Json::Object(object) => {
            if object.get("nullable") == Some(&Json::Bool(true)) && !object.contains_key("type") {
                let inner = object.get("allOf").and_then(|inner| inner.get(0)).cloned().unwrap_or_default();
                let name = inner["$ref"].as_str().and_then(|path| path.rsplit('/').next());
                let named = name.map_or(&inner, |name| &schemas[name]);
                let found = named["type"].as_str().or(named["oneOf"][0]["type"].as_str()).unwrap_or("object");
                object.insert("type".into(), json!(found));
            }
            object.values_mut().for_each(|value| name_types_of_nullables(value, schemas));
        }
        Json::Array(items) => items.iter_mut().for_each(|item| name_types_of_nullables(item, schemas)),
        _ => {}
    }
}

fn operation(route: &Route, describer: &mut Describer) -> Json {
    let said = describer.operation(route.describe, route.method == http::Method::PUT);
    let Operation { parameters, body, mut responses } = said;
    if let Some(good) = responses.get_mut("200").filter(|_| route.rules.tagged) {
        good["headers"]["ETag"] = json!({ "$ref": "#/components/headers/ETag" });
    }
    let has_tag = responses.values().any(|response| response["headers"].get("ETag").is_some());
    headers::add_to(route, &mut responses);
    for status in error_statuses(route) {
        let failure = format!("#/components/responses/{}", headers::failure_name(status));
        responses.entry(status.to_string()).or_insert_with(|| json!({ "$ref": failure }));
    }
    if has_tag && route.method == http::Method::GET {
        responses.insert("304".into(), not_modified());
    }
    responses.sort_keys();
    let mut operation = json!({
        "operationId": route.operation_id(),
        "tags": [route.tag()],
        "summary": route.rules.summary,
        "responses": responses,
        "security": match (route.rules.public, route.rules.for_machines) {
            (true, _) => json!([{}]),
            (false, true) => json!([{ "projectApiTokenAuth": [] }]),
            (false, false) => json!([{ "jwtAuth": [] }, { "personalApiTokenAuth": [] }]),
        },
    });
    let has_query = parameters.iter().any(|parameter| parameter["in"] == "query");
    let sent = headers::requested(route, body.is_some(), has_query, has_tag);
    let parameters = parameters.into_iter().map(|parameter| with_orderings(route, parameter));
    let parameters: Vec<Json> = path_parameters(route.path).chain(parameters).chain(sent).collect();
    if !parameters.is_empty() {
        operation["parameters"] = json!(parameters);
    }
    if let Some(body) = body {
        operation["requestBody"] = body;
    }
    operation
}

/// The errors that the rules of a route can cause.
fn error_statuses(route: &Route) -> Vec<u16> {
    let mut statuses = vec![400, 429, 500, 503];
    // A route for everybody refuses some as well: who signs in wrongly, and pages of other origins.
    if !route.rules.public || route.method != http::Method::GET {
        statuses.extend([401, 403]);
    }
    if route.path.contains('{') {
        statuses.push(404);
    }
    if route.method != http::Method::GET {
        statuses.extend([404, 408, 409, 412, 413, 415, 422]);
    } else if route.path.starts_with("/api/v1/") {
        statuses.push(404);
    }
    statuses.extend(route.rules.also_answers);
    statuses
}

/// The parameter `ordering` with the allowed fields, if the list defines them.
fn with_orderings(route: &Route, mut parameter: Json) -> Json {
    if parameter["name"] == "ordering"
        && let Some(orderings) = route.rules.orderings
    {
        let names: Vec<String> =
            orderings.iter().flat_map(|(name, _)| [(*name).to_owned(), format!("-{name}")]).collect();
        parameter["schema"] = json!({ "type": "array", "items": { "type": "string", "enum": names } });
        parameter["style"] = json!("form");
        parameter["explode"] = json!(false);
    }
    parameter
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
            "detail": { "type": "string", "description": "A message for people." },
            "code": { "type": "string", "description": "A code for programs." },
        },
        "additionalProperties": true,
    })
}

/// Removes everything that OpenAPI 3.0 does not know.
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
