//! Resources: what a person can attach to a conversation by its address, without a tool. Each kind of address is read by one of
//! the tools, so a resource shows what the tool shows and no more.

use rmcp::model::{JsonObject, Resource, ResourceTemplate};
use serde_json::{Value, json};

use crate::arguments::Given;
use crate::calls;
use crate::reader::{Reader, Refusal};
use crate::tools;

/// What resources hold.
pub(crate) const MEDIA_TYPE: &str = "application/json";
const SCHEME: &str = "planwright://";

/// A kind of resource: an address with one id in it.
struct Template {
    name: &'static str,
    tells: &'static str,
    /// The address before the id.
    before: &'static str,
    /// The address after the id.
    after: &'static str,
    /// The argument of the tool that the id is.
    argument: &'static str,
    tool: &'static str,
}

const PROJECT: Template = Template {
    name: "project",
    tells: "A project with its overview: dates, counts, what is late.",
    before: "projects/",
    after: "",
    argument: "project_id",
    tool: "get_project",
};

const PROGRAM: Template = Template {
    name: "program",
    tells: "The key figures of a program over all of its projects.",
    before: "programs/",
    after: "",
    argument: "program_id",
    tool: "get_program_health",
};

const TEMPLATES: [Template; 5] = [
    PROJECT,
    Template {
        name: "schedule",
        tells: "When a project ends, and the tasks that decide that.",
        after: "/schedule",
        tool: "get_schedule_summary",
        ..PROJECT
    },
    Template {
        name: "risks",
        tells: "The risks of a project.",
        after: "/risks",
        tool: "list_risks",
        ..PROJECT
    },
    PROGRAM,
    Template {
        name: "task",
        tells: "One task in detail.",
        before: "tasks/",
        after: "",
        argument: "task_id",
        tool: "get_task",
    },
];

impl Template {
    fn address(&self, id: &str) -> String {
        format!("{SCHEME}{}{id}{}", self.before, self.after)
    }

    /// The id in an address of this kind.
    fn id_in<'a>(&self, address: &'a str) -> Option<&'a str> {
        let id = address.strip_prefix(SCHEME)?.strip_prefix(self.before)?.strip_suffix(self.after)?;
        (!id.contains('/')).then_some(id)
    }

    /// A row of a list as a resource. Its name is a text of people, so it is marked as in the answers of tools.
    fn resource(&self, row: &Value) -> Option<Resource> {
        let (id, name) = (row["id"].as_str()?, row["name"].as_str()?);
        let resource = Resource::new(self.address(id), format!("{}-{id}", self.name)).with_title(name);
        Some(resource.with_description(self.tells).with_mime_type(MEDIA_TYPE))
    }
}

/// The kinds of addresses.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let described = |template: &Template| {
        let address = template.address(&format!("{{{}}}", template.argument));
        ResourceTemplate::new(address, template.name)
            .with_description(template.tells)
            .with_mime_type(MEDIA_TYPE)
    };
    TEMPLATES.iter().map(described).collect()
}

/// The projects and the programs that the client sees.
///
/// # Errors
/// What the API said when it refused a read.
pub(crate) async fn seen(reader: &Reader) -> Result<Vec<Resource>, Refusal> {
    let mut resources = Vec::new();
    for (template, tool, part) in
        [(PROJECT, "list_projects", "projects"), (PROGRAM, "list_programs", "programs")]
    {
        let listed = calls::call(reader, tool, &Given::default()).await?;
        resources
            .extend(listed[part].as_array().into_iter().flatten().filter_map(|row| template.resource(row)));
    }
    Ok(resources)
}

/// What is at an address; `None` if no resource can have it.
///
/// # Errors
/// What the API said when it refused a read.
pub(crate) async fn read(reader: &Reader, address: &str) -> Result<Option<Value>, Refusal> {
    let Some((tool, given)) = tool_of(address) else { return Ok(None) };
    calls::call(reader, tool, &given).await.map(Some)
}

/// The tool that reads an address, with its argument.
fn tool_of(address: &str) -> Option<(&'static str, Given)> {
    let (template, id) = TEMPLATES.iter().find_map(|template| Some((template, template.id_in(address)?)))?;
    let mut sent = JsonObject::new();
    sent.insert(template.argument.to_owned(), json!(id));
    let given = Given::read(tools::tool(template.tool)?.arguments, &sent).ok()?;
    Some((template.tool, given))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0197a000-0000-7000-8000-00000000000a";

    #[test]
    fn every_kind_of_address_leads_to_its_own_tool() {
        for template in &TEMPLATES {
            let (tool, given) = tool_of(&template.address(ID)).expect(template.name);
            assert_eq!((tool, given.required(template.argument)), (template.tool, ID));
        }
    }

    #[test]
    fn an_address_of_another_kind_or_without_an_id_is_none() {
        for wrong in [
            format!("planwright://projects/{ID}/secrets"),
            format!("planwright://projects/{ID}/"),
            format!("https://projects/{ID}"),
            "planwright://projects/".to_owned(),
            "planwright://projects/../../users".to_owned(),
            String::new(),
        ] {
            assert!(tool_of(&wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_resource_has_the_marked_name_of_its_row() {
        let row = json!({"id": ID, "name": "<untrusted>Town hall</untrusted>"});
        let resource = PROJECT.resource(&row).unwrap();
        assert_eq!(resource.uri, format!("planwright://projects/{ID}"));
        assert_eq!(resource.title.as_deref(), Some("<untrusted>Town hall</untrusted>"));
    }
}
