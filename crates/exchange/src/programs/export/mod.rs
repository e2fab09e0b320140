//! From stored rows to a document: a program with everything in it, or one project in a program made up for it.
//! Names become slugs and places become paths; what has no word in a document stays behind.

mod around;
mod history;
mod library;
mod people;
mod project;
mod queries;
mod task;
pub(crate) mod tree;

use std::collections::{HashMap, HashSet};

use planwright_domain::color::is_color;
use planwright_domain::ids::{ProgramId, ProjectId, ResourceId, SprintId, UserId};
use planwright_plan::containers::NewProgram;
use planwright_plan_files::seed::model::{
    Document, Program, ProgramPolicies, ProgramSettings, SchemaVersion,
};
use planwright_plan_files::seed::{Slugs, render};
use planwright_store::{Read, Result};
use planwright_web::{Actor, Field, Problem};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use self::around::Gathered;
use self::library::Library;
use self::people::People;
use self::project::Inside;
use self::queries::ProjectRow;
use self::tree::Tree;
use super::leftovers::Leftovers;
use super::overrides;

/// A version that somebody asks for: the first has no events, and the second no deadlines and constraints.
#[allow(missing_docs, reason = "the names on the wire say it all")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub enum AskedVersion {
    #[serde(rename = "1.0")]
    WithoutHistory,
    #[serde(rename = "2.0")]
    WithoutConstraints,
    #[serde(rename = "2.1")]
    WithEverything,
}

impl Field for AskedVersion {
    fn from_json(value: &Json) -> std::result::Result<Self, Problem> {
        match value.as_str() {
            Some("1.0") => Ok(Self::WithoutHistory),
            Some("2.0") => Ok(Self::WithoutConstraints),
            Some("2.1") => Ok(Self::WithEverything),
            _ => {
                let shown: String = value.as_str().unwrap_or_default().chars().take(40).collect();
                Err(Problem::says(format!("\"{shown}\" is not a valid choice. Choose from: 1.0, 2.0, 2.1.")))
            }
        }
    }
}

/// A document ready to be handed out.
#[derive(Clone, Debug)]
pub(crate) struct Exported {
    /// The slug of its program.
    pub(crate) slug: String,
    /// The canonical text.
    pub(crate) text: String,
}

impl Exported {
    /// A document as a file: of the version that is asked for, else of the oldest that holds all of it.
    fn of(mut document: Document, version: Option<AskedVersion>) -> Self {
        let newest = SchemaVersion::WITH_EVERYTHING;
        let mut older = document.clone();
        older.drop_what_2_0_lacks();
        let is_asked = version == Some(AskedVersion::WithEverything);
        let must_be_newest = version.is_none() && older != document;
        match is_asked || must_be_newest {
            true => document.schema_version = newest,
            false => document = older,
        }
        if version == Some(AskedVersion::WithoutHistory) {
            document.schema_version = SchemaVersion { major: 1, minor: 0 };
            document.events.clear();
        }
        Self { text: render(&document), slug: document.program.slug }
    }
}

/// A program with its projects. A reader gets the projects that they may know of, and the velocity of the teams that show it
/// to them; without a reader all is there.
pub(crate) async fn program(
    db: &dyn Read,
    id: ProgramId,
    version: Option<AskedVersion>,
    reader: Option<&Actor>,
) -> Result<Option<Exported>> {
    let Some(row) = queries::program(db, id).await? else { return Ok(None) };
    let left = Leftovers::load(db, Some(id)).await?;
    let order: HashMap<ProjectId, usize> =
        left.projects.iter().enumerate().map(|(at, project)| (*project, at)).collect();
    let mut projects = queries::projects(db, id, reader).await?;
    projects.sort_by_key(|project| order.get(&project.id).copied().unwrap_or(usize::MAX));
    let usual = NewProgram::named("");
    let policies = ProgramPolicies {
        slip_propagation: unusual(row.risk_slip_propagation, usual.risk_slip_propagation),
        escalation_days: unusual(row.risk_escalation_days, usual.risk_escalation_days),
        aggregation: unusual(row.rollup_aggregation_policy, usual.rollup_aggregation_policy),
        figures: row.rollup_enabled_kpis.and_then(|figures| serde_json::from_value(figures).ok()),
    };
    let program = Program {
        slug: Slugs::new().make(&row.code, &row.name),
        name: row.name,
        methodology: row.methodology,
        description: row.description,
        color: row.color.filter(|color| is_color(color)),
        lead: None,
        policies,
        settings: ProgramSettings {
            health: unusual(row.health, usual.health),
            visibility: unusual(row.visibility, usual.visibility),
            target_date: row.target_date,
            overrides: overrides::from_columns(row.overrides),
        },
    };
    let lead = people::Reference { user: row.lead_id, account: left.lead.clone() };
    let whole = Whole { program, lead, projects, left, reader: reader.map(|reader| reader.id) };
    Ok(Some(Exported::of(whole.document(db).await?, version)))
}

/// What a document has to say of a setting: nothing while it is as at first.
fn unusual<T: PartialEq>(value: T, usual: T) -> Option<T> {
    (value != usual).then_some(value)
}

/// One project, in a program of the same name.
pub(crate) async fn project(
    db: &dyn Read,
    id: ProjectId,
    version: Option<AskedVersion>,
    reader: Option<UserId>,
) -> Result<Option<Exported>> {
    Ok(document_of(db, id, reader).await?.map(|document| Exported::of(document, version)))
}

/// The same as values.
pub(crate) async fn document_of(
    db: &dyn Read,
    id: ProjectId,
    reader: Option<UserId>,
) -> Result<Option<Document>> {
    let Some(row) = queries::project(db, id).await? else { return Ok(None) };
    let left = Leftovers::load(db, row.program_id).await?.only(id);
    let program = Program {
        slug: Slugs::new().make(&row.code, &row.name),
        name: row.name.clone(),
        methodology: row.methodology,
        ..Program::default()
    };
    let lead = people::Reference { user: None, account: None };
    let whole = Whole { program, lead, projects: vec![row], left, reader };
    Ok(Some(without_strangers(whole.document(db).await?)))
}

/// The document without accounts that nothing in it names.
fn without_strangers(mut document: Document) -> Document {
    let tasks = document.projects.iter().flat_map(|project| &project.tasks);
    let risks = document.projects.iter().flat_map(|project| &project.risks);
    let named: HashSet<String> = tasks
        .filter_map(|task| task.assignee.clone())
        .chain(risks.filter_map(|risk| risk.owner.clone()))
        .chain(document.resources.iter().filter_map(|resource| resource.account.clone()))
        .chain(
            document.events.iter().flat_map(|event| [event.actor.clone(), event.assignee.clone()]).flatten(),
        )
        .collect();
    document.accounts.retain(|account| named.contains(&account.slug));
    document
}

/// What a document is made of.
struct Whole {
    program: Program,
    lead: people::Reference,
    projects: Vec<ProjectRow>,
    left: Leftovers,
    reader: Option<UserId>,
}

/// What the parts of a document look one another up by.
struct Names<'a> {
    tree: &'a Tree,
    library: &'a Library,
    people: &'a People,
    left: &'a Leftovers,
    project_slugs: &'a [String],
    /// The resources that work in any of the projects.
    busy: &'a HashSet<ResourceId>,
}

impl Whole {
    async fn document(self, db: &dyn Read) -> Result<Document> {
        let ids: Vec<ProjectId> = self.projects.iter().map(|project| project.id).collect();
        let mut slugs = Slugs::new();
        let project_slugs: Vec<String> =
            self.projects.iter().map(|project| slugs.make(&project.name, "project")).collect();
        let mut inside = Inside::load(db, &ids, self.reader).await?;
        let mut tree = Tree::default();
        for (parts, slug) in inside.iter_mut().zip(&project_slugs) {
            tree.add(slug, std::mem::take(&mut parts.tasks));
        }
        let mut around = Gathered::load(db, &ids, self.reader).await?;
        let of_rows = tree.calendars().chain(inside.iter().flat_map(Inside::calendars));
        let library = Library::load(db, &self.projects, &ids, &around, of_rows).await?;
        let people = People::load(db, &ids, &self.left, &self.lead, &tree, &inside, &library).await?;
        let (left, project_slugs) = (&self.left, &project_slugs[..]);
        let busy: HashSet<ResourceId> = inside.iter().flat_map(Inside::working).collect();
        let names =
            Names { tree: &tree, library: &library, people: &people, left, project_slugs, busy: &busy };
        let mut projects = Vec::with_capacity(ids.len());
        let mut sprints: HashMap<SprintId, String> = HashMap::new();
        let mut risks = HashMap::new();
        for (at, (row, parts)) in self.projects.iter().zip(inside).enumerate() {
            projects.push(names.project(at, row, parts, &mut around, &mut sprints, &mut risks));
        }
        task::add_links(&mut projects, &tree, queries::links(db, &ids).await?);
        task::add_relations(&mut projects, &tree, queries::relations(db, &ids).await?);
        let events = history::events(&names, &ids, &sprints, &risks);
        Ok(Document {
            schema_version: SchemaVersion::default(),
            program: Program { lead: people.account(&self.lead), ..self.program },
            resources: library.resources(&people, left),
            calendars: library.calendars,
            accounts: people.accounts,
            projects,
            risks: Vec::new(),
            events,
        })
    }
}
