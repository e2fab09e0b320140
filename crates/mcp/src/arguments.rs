//! What a tool is asked with: each argument with its kind, the schema that clients are told, and the check of what they send.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// What an argument holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// An id.
    Id,
    /// An id, or `none` for what has none.
    IdOrNone,
    /// One of some words.
    Word(&'static [&'static str]),
    /// A whole number within these bounds.
    Number(i64, i64),
    /// Yes or no.
    Truth,
    /// A text.
    Text,
}

/// An argument of a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) is_required: bool,
    pub(crate) meaning: &'static str,
}

impl Argument {
    pub(crate) const fn required(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self { name, kind, is_required: true, meaning }
    }

    pub(crate) const fn optional(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self { name, kind, is_required: false, meaning }
    }

    fn schema(self) -> Value {
        let mut schema = match self.kind {
            Kind::Id => json!({ "type": "string", "format": "uuid" }),
            Kind::IdOrNone => json!({ "type": "string" }),
            Kind::Word(words) => json!({ "type": "string", "enum": words }),
            Kind::Number(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            Kind::Truth => json!({ "type": "boolean" }),
            Kind::Text => json!({ "type": "string" }),
        };
        schema["description"] = json!(self.meaning);
        schema
    }

    /// The value as it stands in an address.
    fn read(self, value: &Value) -> Result<String, String> {
        let wrong = |wanted: &str| Err(format!("{}: {wanted} is expected.", self.name));
        match (self.kind, value) {
            (Kind::Id, Value::String(text)) if Uuid::try_parse(text).is_ok() => Ok(text.clone()),
            (Kind::Id, _) => wrong("an id"),
            (Kind::IdOrNone, Value::String(text)) if text == "none" || Uuid::try_parse(text).is_ok() => {
                Ok(text.clone())
            }
            (Kind::IdOrNone, _) => wrong("an id or none"),
            (Kind::Word(words), Value::String(text)) if words.contains(&text.as_str()) => Ok(text.clone()),
            (Kind::Word(words), _) => wrong(&format!("one of {}", words.join(", "))),
            (Kind::Number(least, most), Value::Number(number)) => match number.as_i64() {
                Some(whole) if (least..=most).contains(&whole) => Ok(whole.to_string()),
                _ => wrong(&format!("a whole number from {least} to {most}")),
            },
            (Kind::Number(..), _) => wrong("a whole number"),
            (Kind::Truth, Value::Bool(yes)) => Ok(yes.to_string()),
            (Kind::Truth, _) => wrong("true or false"),
            (Kind::Text, Value::String(text)) => Ok(text.clone()),
            (Kind::Text, _) => wrong("a text"),
        }
    }
}

/// The schema of the arguments of a tool.
pub(crate) fn schema(arguments: &[Argument]) -> Arc<JsonObject> {
    let properties: Map<String, Value> =
        arguments.iter().map(|argument| (argument.name.to_owned(), argument.schema())).collect();
    let required: Vec<&str> =
        arguments.iter().filter(|argument| argument.is_required).map(|argument| argument.name).collect();
    let mut schema = Map::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), Value::Object(properties));
    schema.insert("required".into(), json!(required));
    schema.insert("additionalProperties".into(), json!(false));
    Arc::new(schema)
}

/// The arguments of one call, each checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given(Vec<(&'static str, String)>);

impl Given {
    /// What a client sent.
    ///
    /// # Errors
    /// Everything that is wrong with it, in sentences.
    pub(crate) fn read(known: &[Argument], sent: &JsonObject) -> Result<Self, String> {
        let is_there = |value: &&Value| !value.is_null();
        let mut wrong = Vec::new();
        let mut given = Vec::new();
        for argument in known {
            match sent.get(argument.name).filter(is_there) {
                Some(value) => match argument.read(value) {
                    Ok(value) => given.push((argument.name, value)),
                    Err(sentence) => wrong.push(sentence),
                },
                None if argument.is_required => wrong.push(format!("{}: It is required.", argument.name)),
                None => {}
            }
        }
        let names: Vec<&str> = known.iter().map(|argument| argument.name).collect();
        let others = sent.keys().filter(|name| !names.contains(&name.as_str()));
        wrong.extend(others.map(|name| format!("{name}: The tool has no such argument.")));
        if wrong.is_empty() { Ok(Self(given)) } else { Err(wrong.join(" ")) }
    }

    /// The value of an argument; a required one is there.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The value of an argument that is required.
    pub(crate) fn required(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// A query of the named arguments as far as they are given, after some fixed ones.
    pub(crate) fn query(&self, fixed: &[(&str, &str)], names: &[&str]) -> String {
        let given = names.iter().filter_map(|name| Some((*name, self.get(name)?)));
        let pairs = fixed.iter().copied().chain(given);
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARGUMENTS: [Argument; 3] = [
        Argument::required("project_id", Kind::Id, "The project."),
        Argument::optional("status", Kind::Word(&["OPEN", "CLOSED"]), "How it stands."),
        Argument::optional("days", Kind::Number(-5, 5), "By how many days."),
    ];

    fn read(sent: Value) -> Result<Given, String> {
        Given::read(&ARGUMENTS, sent.as_object().unwrap())
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let said = read(json!({ "status": "open", "days": 6, "more": 1 })).unwrap_err();
        assert_eq!(
            said,
            "project_id: It is required. status: one of OPEN, CLOSED is expected. \
             days: a whole number from -5 to 5 is expected. more: The tool has no such argument."
        );
    }

    #[test]
    fn null_is_nothing_and_values_are_escaped_in_a_query() {
        let project = Uuid::nil().to_string();
        let given = read(json!({ "project_id": project, "status": null, "days": -2 })).unwrap();
        assert_eq!(given.query(&[("q", "a b&c")], &["status", "days"]), "q=a+b%26c&days=-2");
        assert_eq!(given.required("project_id"), project);
    }
}
