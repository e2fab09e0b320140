//! The OpenAPI 3.0.3 document, put together from the types of the handlers, so that it cannot drift from what they do.
//! Extractors and answers describe themselves; the paths, limits and errors come from the route table.

use schemars::generate::SchemaSettings;
use serde_json::{Value as Json, json};

use crate::routes::Route;
use crate::schema::{JsonObject, JsonSchema, SchemaGenerator};

/// Collects what the types of one handler say of themselves.
pub struct Describer {
    input: SchemaGenerator,
    output: SchemaGenerator,
    parameters: Vec<Json>,
    body: Option<Json>,
    responses: JsonObject,
    is_put: bool,
}

/// An extractor that can say what it takes from a request.
pub trait Describe {
    /// Adds to the operation.
    fn describe(to: &mut Describer);
}

/// A return type that can say what it answers.
pub trait Answer {
    /// Adds to the operation.
    fn describe(to: &mut Describer);
}

impl<T: Answer, E> Answer for Result<T, E> {
    fn describe(to: &mut Describer) {
        T::describe(to);
    }
}

impl<T: Describe> Describe for Option<T> {
    fn describe(to: &mut Describer) {
        T::describe(to);
    }
}

/// A handler whose extractors and answer describe themselves.
pub trait Described<Arguments> {
    /// Describes the whole handler.
    fn describe(to: &mut Describer);
}

macro_rules! described {
    ($($argument:ident),*) => {
        impl<F, Fut, $($argument),*> Described<($($argument,)*)> for F
        where
            F: FnOnce($($argument),*) -> Fut,
            Fut: Future,
            Fut::Output: Answer,
            $($argument: Describe,)*
        {
            fn describe(to: &mut Describer) {
                $($argument::describe(to);)*
                <Fut::Output as Answer>::describe(to);
            }
        }
    };
}

described!();
described!(A);
described!(A, B);
described!(A, B, C);
described!(A, B, C, D);
described!(A, B, C, D, E);
described!(A, B, C, D, E, G);
described!(A, B, C, D, E, G, H);

impl Describer {
    fn new() -> Self {
        let settings = SchemaSettings::openapi3;
        Self {
            input: SchemaGenerator::new(settings()),
            output: SchemaGenerator::new(settings().for_serialize()),
            parameters: Vec::new(),
            body: None,
            responses: JsonObject::new(),
            is_put: false,
        }
    }

    /// Whether the operation is a PUT, which takes all of a row where a PATCH takes some fields.
    pub fn is_put(&self) -> bool {
        self.is_put
    }

    /// A JSON answer.
    pub fn answer_json<T: JsonSchema>(&mut self, status: u16) {
        let schema = self.output.subschema_for::<T>();
        let content = json!({ "application/json": { "schema": schema } });
        self.responses
            .insert(status.to_string(), json!({ "description": reason(status), "content": content }));
    }

    /// An answer without a body.
    pub fn answer_empty(&mut self, status: u16) {
        self.responses.insert(status.to_string(), json!({ "description": reason(status) }));
    }

    /// An answer in plain text or another format.
    pub fn answer_text(&mut self) {
        let content = json!({ "text/plain": { "schema": { "type": "string" } } });
        self.responses.insert("200".into(), json!({ "description": "OK", "content": content }));
    }

    /// An endless answer of server-sent events.
    pub fn answer_events(&mut self) {
        let content = json!({ "text/event-stream": { "schema": { "type": "string" } } });
        self.responses.insert("200".into(), json!({ "description": "OK", "content": content }));
    }

    /// A body in JSON, or as a form; it may be left out when none of its fields is required.
    pub fn take_body<T: JsonSchema>(&mut self) {
        let schema = self.input.subschema_for::<T>();
        let mut generator = SchemaGenerator::new(SchemaSettings::openapi3());
        let required = Json::from(generator.root_schema_for::<T>())["required"].is_array();
        self.body = Some(json!({
            "required": required,
            "content": { "application/json": { "schema": schema } },
        }));
    }

    /// A JSON body that may hold more than is looked at.
    pub fn take_open_body<T: JsonSchema>(&mut self) {
        let looked_at = self.input.subschema_for::<T>();
        let schema = json!({ "type": "object", "allOf": [looked_at], "additionalProperties": true });
        self.body =
            Some(json!({ "required": false, "content": { "application/json": { "schema": schema } } }));
    }

    /// A document, raw or as the `file` part of a form.
    pub fn take_document<T: JsonSchema>(&mut self) {
        let raw = self.input.subschema_for::<T>();
        let form = json!({
            "type": "object",
            "properties": {
                "file": { "type": "string", "format": "binary" },
                "replace": { "type": "boolean" },
                "expected_program_id": { "type": "string", "format": "uuid" },
            },
            "required": ["file"],
        });
        self.body = Some(json!({ "required": true, "content": {
            "application/json": { "schema": raw },
            "multipart/form-data": { "schema": form },
        }}));
    }

    /// Query parameters, one for each property.
    pub fn take_query<T: JsonSchema>(&mut self) {
        let mut generator =
            SchemaGenerator::new(SchemaSettings::openapi3().with(|s| s.inline_subschemas = true));
        let schema = Json::from(generator.root_schema_for::<T>());
        let required = schema["required"].clone();
        let Some(properties) = schema["properties"].as_object() else { return };
        for (name, property) in properties {
            let mut property = property.clone();
            let description = property.as_object_mut().and_then(|object| object.remove("description"));
            let is_required = required.as_array().is_some_and(|list| list.contains(&json!(name)));
            let mut parameter =
                json!({ "name": name, "in": "query", "required": is_required, "schema": property });
            if let Some(description) = description {
                parameter["description"] = description;
            }
            self.parameters.push(parameter);
        }
    }

    /// A request header whose values follow a pattern.
    pub fn take_header(&mut self, name: &str, pattern: &str, description: &str) {
        self.parameters.push(json!({
            "name": name, "in": "header", "required": false, "description": description,
            "schema": { "type": "string", "pattern": pattern },
        }));
    }
}

fn reason(status: u16) -> &'static str {
    http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Answer")
}

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
    let mut schemas = JsonObject::new();
    for mut generator in [describer.input, describer.output] {
        for (name, schema) in generator.take_definitions(true) {
            schemas.entry(name).or_insert(schema);
        }
    }
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
    describer.parameters = path_parameters(route.path);
    describer.body = None;
    describer.responses = JsonObject::new();
    describer.is_put = route.method == http::Method::PUT;
    (route.describe)(describer);
    let mut responses = std::mem::take(&mut describer.responses);
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
    if !describer.parameters.is_empty() {
        operation["parameters"] = json!(std::mem::take(&mut describer.parameters));
    }
    if let Some(body) = describer.body.take() {
        operation["requestBody"] = body;
    }
    operation
}

fn path_parameters(path: &str) -> Vec<Json> {
    path.split('/')
        .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| {
            let is_id = name == "id" || name.ends_with("_id") || name.ends_with("_pk");
            let schema = if is_id {
                json!({ "type": "string", "format": "uuid" })
            } else {
                json!({ "type": "string" })
            };
            json!({ "name": name, "in": "path", "required": true, "schema": schema })
        })
        .collect()
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
