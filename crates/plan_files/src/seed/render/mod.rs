//! Writes a document as canonical JSON: keys sorted, two spaces of indent, dates absolute, defaults left out. The
//! same document gives the same bytes, and reading them gives the same document.

mod around;
mod object;
mod project;
mod settings;
mod shared;
mod task;

use serde_json::Value;

use super::model::Document;
use object::Object;

/// The canonical text, with a newline at its end.
pub fn render(document: &Document) -> String {
    let mut root = Object::new();
    root.put("schema_version", document.schema_version.to_string());
    root.put("program", shared::program(&document.program));
    root.put_list("accounts", &document.accounts, shared::account);
    root.put_list("calendars", &document.calendars, shared::calendar);
    root.put_list("resources", &document.resources, shared::resource);
    root.put("projects", Value::Array(document.projects.iter().map(project::project).collect()));
    root.put_list("risks", &document.risks, |risk| shared::risk(risk, None));
    root.put_list("events", &document.events, shared::event);
    // Writing a value that holds no maps with odd keys cannot fail; the alternate form of Display is pretty.
    format!("{:#}\n", root.finish())
}
