//! The errors of a body, nested like the body (facts-platform §1.1). `error.rs` turns them into an answer.

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// With the value.
    Messages(Vec<String>),
    /// With fields of an object.
    Fields(Problems),
    /// With items of a list of objects, in the order of the list. `None` for a correct item.
    Items(Vec<Option<Problems>>),
    /// With a part of which another refusal has said it already.
    Said(Map<String, Json>),
}

impl Problem {
    /// One message.
    pub fn says(message: impl Into<String>) -> Self {
        Problem::Messages(vec![message.into()])
    }

    fn into_json(self) -> Json {
        match self {
            Problem::Messages(messages) => json!(messages),
            Problem::Fields(problems) => Json::Object(problems.into_json()),
            Problem::Said(errors) => Json::Object(errors),
            Problem::Items(items) => Json::Array(
                items.into_iter().map(|item| Json::Object(item.unwrap_or_default().into_json())).collect(),
            ),
        }
    }
}

/// Problems by field, in the order they were found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problems(IndexMap<String, Problem>);

impl Problems {
    /// Adds a problem of a field. Messages of the same field are combined.
    pub fn add(&mut self, field: &str, problem: Problem) {
        match (self.0.get_mut(field), problem) {
            (Some(Problem::Messages(known)), Problem::Messages(more)) => known.extend(more),
            (_, problem) => {
                self.0.insert(field.to_owned(), problem);
            }
        }
    }

    /// Adds a message to a field.
    pub fn say(&mut self, field: &str, message: impl Into<String>) {
        self.add(field, Problem::says(message));
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether something is wrong with a field.
    pub fn names(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    /// The body of a 400.
    pub fn into_json(self) -> Map<String, Json> {
        self.0.into_iter().map(|(field, problem)| (field, problem.into_json())).collect()
    }
}
