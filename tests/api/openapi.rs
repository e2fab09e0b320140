//! The served OpenAPI document: that the program answers what it lists, and that it is version 3.0 throughout.
//! Whether an answer has the shape that is declared for it is tested by area.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use planwright_plan::tasks::model::Task;
use planwright_testkit::{DOCUMENT_FILE, Engine, TestApp};
use planwright_web::FieldNames;
use serde_json::{Value as Json, json};

use crate::served::{NOWHERE, WITHOUT_LIMITS, document, operations};

/// What a schema of version 3.0 may say; everything else is a later version or a spelling mistake.
const KEYWORDS: [&str; 35] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "deprecated",
    "description",
    "discriminator",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "properties",
    "readOnly",
    "required",
    "title",
    "type",
    "uniqueItems",
    "writeOnly",
];

#[tokio::test]
async fn every_path_of_the_document_answers_in_both_slash_forms() {
    let app = TestApp::start_with(Engine::Sqlite, &WITHOUT_LIMITS).await;
    let nobody = app.anonymous();
    let mut wrong = Vec::new();
    for operation in operations(document()) {
        let path = operation.path_with(|_| NOWHERE.to_owned());
        let bare = path.trim_end_matches('/').to_owned();
        let mut statuses = Vec::new();
        for form in [format!("{bare}/"), bare] {
            // A method that no route has tells a known path (405) from an unknown one (404).
            let known = nobody.send(Method::TRACE, &form, None).await.status;
            let status = nobody.send(operation.method.clone(), &form, None).await.status;
            if known != 405 || status == 405 {
                wrong.push(format!("{} as {form}: TRACE {known}, itself {status}", operation.name()));
            }
            statuses.push(status);
        }
        if statuses[0] != statuses[1] {
            wrong.push(format!("{} answers {statuses:?} in its two forms", operation.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    app.finish().await;
}

#[tokio::test]
async fn the_document_is_served_as_json_and_as_yaml() {
    let app = TestApp::start(Engine::Sqlite).await;
    let json = app.anonymous().get("/api/schema/?format=json").await.expect(200);
    assert_eq!(json.json, *document());
    let yaml = app.anonymous().get("/api/schema/").await.expect(200);
    assert!(yaml.text.starts_with("openapi: 3.0.3"), "{}", yaml.text.lines().next().unwrap_or_default());
    app.finish().await;
}

/// Compares the committed document with the one that the types make; with `PLANWRIGHT_WRITE_OPENAPI` it writes the file.
#[test]
fn the_committed_document_is_made_from_the_types() {
    let made = format!("{:#}\n", planwright_server::assemble::document(env!("CARGO_PKG_VERSION")));
    if std::env::var_os("PLANWRIGHT_WRITE_OPENAPI").is_some() {
        std::fs::write(DOCUMENT_FILE, made).expect("the file can be written");
        return;
    }
    let committed = std::fs::read_to_string(DOCUMENT_FILE).expect("the document is committed");
    let mut lines = (1..).zip(committed.lines().zip(made.lines()));
    let different = lines.find(|(_, (before, after))| before != after);
    let (number, lines) = different.map_or((0, ("", "")), |(number, lines)| (number, lines));
    assert!(
        committed == made,
        "line {number}: {lines:?}; `cargo xtask openapi --write` writes openapi.json again"
    );
}

#[test]
fn every_route_reads_what_the_document_names() {
    let operations: BTreeMap<String, Json> =
        operations(document()).into_iter().map(|operation| (operation.name(), operation.said)).collect();
    for route in planwright_server::assemble::routes().rows().iter().filter(|route| !route.rules.hidden) {
        let name = format!("{} {}", route.method, route.path);
        let parameters = operations[&name]["parameters"].as_array().into_iter().flatten();
        let in_query = parameters.filter(|parameter| parameter["in"] == "query");
        let named: BTreeSet<&str> = in_query.filter_map(|parameter| parameter["name"].as_str()).collect();
        assert_eq!(route.query_names().collect::<BTreeSet<_>>(), named, "{name}");
        assert_eq!(route.takes_body(), operations[&name].get("requestBody").is_some(), "{name}");
    }
}

#[test]
fn the_fields_that_can_be_requested_are_those_of_the_document() {
    let named = members(&document()["components"]["schemas"]["Task"]["properties"]);
    assert!(named.map(|(name, _)| name).eq(<Task as FieldNames>::NAMES));
}

#[test]
fn every_operation_id_is_unique() {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for operation in operations(document()) {
        let id = operation.said["operationId"].as_str().unwrap_or_default().to_owned();
        names.entry(id).or_default().push(operation.name());
    }
    let shared: Vec<_> = names.iter().filter(|(id, users)| id.is_empty() || users.len() > 1).collect();
    assert!(shared.is_empty(), "{shared:#?}");
}

#[test]
fn every_parameter_of_a_path_is_declared_and_no_other() {
    let mut wrong = Vec::new();
    for operation in operations(document()) {
        let mut in_path: Vec<&str> = operation
            .path
            .split('/')
            .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
            .collect();
        let parameters = operation.said["parameters"].as_array().cloned().unwrap_or_default();
        let declared = parameters.iter().filter(|parameter| parameter["in"] == "path");
        let mut declared: Vec<&str> = declared.filter_map(|parameter| parameter["name"].as_str()).collect();
        in_path.sort_unstable();
        declared.sort_unstable();
        if in_path != declared {
            wrong.push(format!("{} declares {declared:?}", operation.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nullable_stands_beside_a_type_or_all_of() {
    let document = document();
    let alone = |schema: &Json| {
        schema.get("nullable").is_some() && schema.get("type").is_none() && schema.get("allOf").is_none()
    };
    let wrong: Vec<String> =
        schemas(document).into_iter().filter(|(_, schema)| alone(schema)).map(|(place, _)| place).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_schema_speaks_a_later_version_of_the_format() {
    let document = document();
    assert_eq!(document["openapi"], "3.0.3");
    for key in ["webhooks", "jsonSchemaDialect"] {
        assert!(document.get(key).is_none(), "{key} belongs to a later version");
    }
    let mut wrong = Vec::new();
    for (place, schema) in schemas(document) {
        let Some(object) = schema.as_object() else {
            wrong.push(format!("{place} is no object"));
            continue;
        };
        let unknown = |key: &&String| !KEYWORDS.contains(&key.as_str()) && !key.starts_with("x-");
        wrong.extend(object.keys().filter(unknown).map(|key| format!("{place} says {key}")));
        if object.get("type").is_some_and(|kind| !kind.is_string() || kind == "null") {
            wrong.push(format!("{place} has the type {}", object["type"]));
        }
        for bound in ["exclusiveMinimum", "exclusiveMaximum"] {
            if object.get(bound).is_some_and(|value| !value.is_boolean()) {
                wrong.push(format!("{place} has a number as {bound}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_operation_names_its_headers_its_failures_and_an_example_of_its_body() {
    let document = document();
    let refers = |list: &Json, name: &str| {
        list.as_array().is_some_and(|list| {
            list.iter().any(|item| item["$ref"].as_str().is_some_and(|path| path.ends_with(name)))
        })
    };
    let mut missing = Vec::new();
    for (path, item) in members(&document["paths"]) {
        for (method, operation) in members(item) {
            let mut want = |what: &str, is_there: bool| {
                if !is_there {
                    missing.push(format!("{method} {path}: {what}"));
                }
            };
            let is_private = operation["security"][0] != json!({});
            want("401", !is_private || operation["responses"].get("401").is_some());
            for (status, answer) in
                members(&operation["responses"]).filter(|(status, _)| status.starts_with('2'))
            {
                want(&format!("X-Request-ID of {status}"), answer["headers"].get("X-Request-ID").is_some());
                want("Location of 201", status != "201" || answer["headers"].get("Location").is_some());
            }
            if let Some(body) = operation.get("requestBody") {
                let shown = |kind: &str| body["content"][kind].get("example").is_some();
                want("an example", shown("application/json") || shown("multipart/form-data"));
                want("Prefer", refers(&operation["parameters"], "/Prefer"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(refers(&document["paths"]["/api/v1/tasks/"]["post"]["parameters"], "/IdempotencyKey"));
    assert!(
        !refers(&document["paths"]["/api/v1/me/api-tokens/"]["post"]["parameters"], "/IdempotencyKey"),
        "it answers a secret"
    );
    let ordering = &document["paths"]["/api/v1/tasks/"]["get"]["parameters"];
    let ordering =
        ordering.as_array().unwrap().iter().find(|parameter| parameter["name"] == "ordering").unwrap();
    assert!(ordering["schema"]["items"]["enum"].as_array().unwrap().contains(&json!("-total_float")));
}

#[test]
fn every_reference_leads_somewhere() {
    let document = document();
    let lost: Vec<String> = schemas(document)
        .into_iter()
        .filter_map(|(place, schema)| {
            let target = schema.get("$ref")?.as_str()?;
            let found = target.strip_prefix('#').and_then(|pointer| document.pointer(pointer));
            found.is_none().then(|| format!("{place} refers to {target}"))
        })
        .collect();
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// Every schema of the document, each with the place where it stands.
fn schemas(document: &Json) -> Vec<(String, &Json)> {
    let mut found = Vec::new();
    for (name, schema) in members(&document["components"]["schemas"]) {
        collect(name, schema, &mut found);
    }
    for part in ["headers", "parameters"] {
        for (name, described) in members(&document["components"][part]) {
            collect(name, &described["schema"], &mut found);
        }
    }
    for (name, answer) in members(&document["components"]["responses"]) {
        for (media, content) in members(&answer["content"]) {
            collect(&format!("{name} {media}"), &content["schema"], &mut found);
        }
    }
    for (path, item) in members(&document["paths"]) {
        for (method, operation) in members(item) {
            let place = format!("{method} {path}");
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            for parameter in parameters.filter(|parameter| parameter.get("$ref").is_none()) {
                collect(&format!("{place} {}", parameter["name"]), &parameter["schema"], &mut found);
            }
            let answers = members(&operation["responses"]).map(|(status, answer)| (status.as_str(), answer));
            for (part, message) in answers.chain([("body", &operation["requestBody"])]) {
                for (media, content) in members(&message["content"]) {
                    collect(&format!("{place} {part} {media}"), &content["schema"], &mut found);
                }
            }
        }
    }
    found
}

/// Adds a schema and those inside it. Names of properties are no keywords, and examples are no schemas.
fn collect<'d>(place: &str, schema: &'d Json, found: &mut Vec<(String, &'d Json)>) {
    found.push((place.to_owned(), schema));
    for (name, property) in members(&schema["properties"]) {
        collect(&format!("{place}.{name}"), property, found);
    }
    for key in ["items", "not", "additionalProperties"] {
        if let Some(inner) =
            schema.get(key).filter(|inner| !inner.is_boolean() || key != "additionalProperties")
        {
            collect(&format!("{place}.{key}"), inner, found);
        }
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for inner in schema[key].as_array().into_iter().flatten() {
            collect(&format!("{place}.{key}"), inner, found);
        }
    }
}

/// The entries of an object; none of anything else.
fn members(value: &Json) -> impl Iterator<Item = (&String, &Json)> {
    value.as_object().into_iter().flatten()
}
