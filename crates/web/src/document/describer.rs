//! Collects the descriptions of the types of handlers. What is said stands with each type (`describe.rs`).

use schemars::generate::SchemaSettings;
use serde_json::{Value as Json, json};

use crate::schema::{JsonObject, JsonSchema, SchemaGenerator};

/// Collects the descriptions of the types of one handler.
pub struct Describer {
    input: SchemaGenerator,
    output: SchemaGenerator,
    operation: Operation,
    is_put: bool,
}

/// The collected descriptions of the types of one handler.
#[derive(Default)]
pub(crate) struct Operation {
    /// Its query parameters and headers.
    pub(crate) parameters: Vec<Json>,
    /// Its body, if it has one.
    pub(crate) body: Option<Json>,
    /// Its answers by status.
    pub(crate) responses: JsonObject,
}

impl Describer {
    /// An empty one.
    pub(crate) fn new() -> Self {
        let settings = SchemaSettings::openapi3;
        Self {
            input: SchemaGenerator::new(settings()),
            output: SchemaGenerator::new(settings().for_serialize()),
            operation: Operation::default(),
            is_put: false,
        }
    }

    /// Has one handler describe itself.
    pub(crate) fn operation(&mut self, describe: fn(&mut Self), is_put: bool) -> Operation {
        self.is_put = is_put;
        describe(self);
        std::mem::take(&mut self.operation)
    }

    /// The schemas of all types that were named.
    pub(crate) fn schemas(self) -> JsonObject {
        let mut schemas = JsonObject::new();
        for mut generator in [self.input, self.output] {
            for (name, schema) in generator.take_definitions(true) {
                schemas.entry(name).or_insert(schema);
            }
        }
        schemas
    }

    /// Whether the operation is a PUT, which takes all fields of a row. A PATCH takes some fields.
    pub fn is_put(&self) -> bool {
        self.is_put
    }

    /// A JSON answer.
    pub fn answer_json<T: JsonSchema>(&mut self, status: u16) {
        let schema = self.output.subschema_for::<T>();
        let content = json!({ "application/json": { "schema": schema } });
        self.operation
            .responses
            .insert(status.to_string(), json!({ "description": reason(status), "content": content }));
    }

    /// A header of an answer that was described before.
    pub fn answer_header(&mut self, status: u16, name: &str) {
        if let Some(response) = self.operation.responses.get_mut(&status.to_string()) {
            response["headers"][name] = json!({ "$ref": format!("#/components/headers/{name}") });
        }
    }

    /// An answer without a body.
    pub fn answer_empty(&mut self, status: u16) {
        self.operation.responses.insert(status.to_string(), json!({ "description": reason(status) }));
    }

    /// An answer in plain text or another format.
    pub fn answer_text(&mut self) {
        let content = json!({ "text/plain": { "schema": { "type": "string" } } });
        self.operation.responses.insert("200".into(), json!({ "description": "OK", "content": content }));
    }

    /// A file of a media type.
    pub fn answer_file(&mut self, media_type: &str) {
        let content = json!({ media_type: { "schema": { "type": "string", "format": "binary" } } });
        self.operation.responses.insert("200".into(), json!({ "description": "OK", "content": content }));
    }

    /// What a file answers besides: a part of it, that the caller has it already, or that there is no such part.
    pub fn answer_parts(&mut self, media_type: &str) {
        let content = json!({ media_type: { "schema": { "type": "string", "format": "binary" } } });
        let answers = [
            (206, json!({ "description": reason(206), "content": content })),
            (304, not_modified()),
            (416, json!({ "$ref": "#/components/responses/RangeNotSatisfiable" })),
        ];
        self.operation.responses.extend(answers.map(|(status, said)| (status.to_string(), said)));
    }

    /// An endless answer of server-sent events.
    pub fn answer_events(&mut self) {
        let content = json!({ "text/event-stream": { "schema": { "type": "string" } } });
        self.operation.responses.insert("200".into(), json!({ "description": "OK", "content": content }));
    }

    /// A body in JSON or as a form. It may be left out if none of its fields is required.
    pub fn take_body<T: JsonSchema>(&mut self) {
        let schema = self.input.subschema_for::<T>();
        let mut generator = SchemaGenerator::new(SchemaSettings::openapi3());
        let required = Json::from(generator.root_schema_for::<T>())["required"].is_array();
        self.operation.body = Some(json!({
            "required": required,
            "content": { "application/json": { "schema": schema } },
        }));
    }

    /// A JSON body that may have more fields than are used.
    pub fn take_open_body<T: JsonSchema>(&mut self) {
        let looked_at = self.input.subschema_for::<T>();
        let schema = json!({ "type": "object", "allOf": [looked_at], "additionalProperties": true });
        self.operation.body =
            Some(json!({ "required": false, "content": { "application/json": { "schema": schema } } }));
    }

    /// The `file` part of a form.
    pub fn take_file(&mut self) {
        let file = json!({ "type": "string", "format": "binary" });
        let form = json!({ "type": "object", "properties": { "file": file }, "required": ["file"] });
        let example = json!({ "file": "the content of the file" });
        let content = json!({ "multipart/form-data": { "schema": form, "example": example } });
        self.operation.body = Some(json!({ "required": true, "content": content }));
    }

    /// The `file` part of a form with other fields, or the other fields as JSON.
    pub fn take_file_or_fields<T: JsonSchema>(&mut self) {
        let fields = self.input.subschema_for::<T>();
        self.take_file_with::<T>();
        if let Some(content) = self.operation.body.as_mut().and_then(|body| body["content"].as_object_mut()) {
            content.insert("application/json".into(), json!({ "schema": fields }));
        }
    }

    /// The `file` part of a form, with other fields.
    pub fn take_file_with<T: JsonSchema>(&mut self) {
        let mut generator =
            SchemaGenerator::new(SchemaSettings::openapi3().with(|s| s.inline_subschemas = true));
        let schema = Json::from(generator.root_schema_for::<T>());
        let mut properties = schema["properties"].as_object().cloned().unwrap_or_default();
        properties.insert("file".into(), json!({ "type": "string", "format": "binary" }));
        let form = json!({ "type": "object", "properties": properties, "required": ["file"] });
        let example = json!({ "file": "the content of the file" });
        let content = json!({ "multipart/form-data": { "schema": form, "example": example } });
        self.operation.body = Some(json!({ "required": true, "content": content }));
    }

    /// A file as the whole body, or as the `file` part of a form with other fields.
    pub fn take_file_or_body<T: JsonSchema>(&mut self) {
        self.take_file_with::<T>();
        if let Some(content) = self.operation.body.as_mut().and_then(|body| body["content"].as_object_mut()) {
            let whole = json!({ "schema": { "type": "string", "format": "binary" } });
            content.shift_insert(0, "application/octet-stream".into(), whole);
        }
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
        let example = json!({
            "schema_version": "2.0", "program": { "slug": "site", "name": "Site", "methodology": "WATERFALL" },
            "projects": [{ "slug": "one", "name": "One", "methodology": "WATERFALL", "start_date": "2026-03-02",
                "tasks": [{ "wbs_path": "1", "name": "Lay the foundation", "duration": 5 }] }],
        });
        self.operation.body = Some(json!({ "required": true, "content": {
            "application/json": { "schema": raw, "example": example },
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
            self.operation.parameters.push(parameter);
        }
    }

    /// A request header whose values follow a pattern.
    pub fn take_header(&mut self, name: &str, pattern: &str, description: &str) {
        self.operation.parameters.push(json!({
            "name": name, "in": "header", "required": false, "description": description,
            "schema": { "type": "string", "pattern": pattern },
        }));
    }
}

/// The answer to a caller who has the current version.
pub(crate) fn not_modified() -> Json {
    json!({ "description": "The caller already has this version" })
}

/// The name of a status.
pub(crate) fn reason(status: u16) -> &'static str {
    http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Answer")
}
