//! What stands around the rows of exported projects: rosters, calendars that count too, own fields, criteria, recurrence.
//! One statement a kind reads it for all projects at once.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_plan_files::seed::Slugs;
use planwright_plan_files::seed::model::{
    Around, Blocker, Criterion, CustomField, Overlay, Recurrence, RosterEntry, Scores, Skill,
};
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};
use serde_json::Value as Json;

use super::library::{Library, units};
use super::queries::TaskRow;
use super::tree::Tree;

row! {
    /// A resource on a roster.
    pub(super) struct RosterRow {
        pub(super) project_id: ProjectId,
        pub(super) resource_id: ResourceId,
        pub(super) role_title: String,
        pub(super) units_override: Option<i64>,
        pub(super) notes: String,
    }
}

row! {
    struct FieldRow {
        project_id: ProjectId,
        id: CustomFieldId,
        name: String,
        field_type: FieldType,
        is_required: bool,
        show_on_card: bool,
        options: Json,
    }
}

row! {
    struct CriterionRow {
        task_id: TaskId,
        text: String,
        given_text: String,
        when_text: String,
        then_text: String,
        met: bool,
        met_at: Option<DateTime<Utc>>,
    }
}

row! {
    struct RuleRow {
        task_id: TaskId,
        frequency: RecurrenceFrequency,
        every: i64,
        weekdays: i64,
        day_of_month: Option<i64>,
        time_of_day: String,
        timezone: String,
        end_type: RecurrenceEnd,
        end_date: Option<NaiveDate>,
        end_count: Option<i64>,
        inherit_assignee: bool,
        inherit_subtasks: bool,
        inherit_attachments: bool,
        inherit_morning_notification: bool,
        begun_on: NaiveDate,
        generated_through: Option<NaiveDate>,
        occurrence_count: i64,
    }
}

/// The rosters of the projects, in the order in which resources came onto them.
pub(super) async fn roster(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<RosterRow>> {
    let select = "SELECT project_id, resource_id, role_title, units_override, notes FROM project_resources
         WHERE project_id IN (:projects) AND deletion_id IS NULL ORDER BY created_at, id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// The calendars that count in the projects besides their own, in their order.
pub(super) async fn layers(
    db: &dyn Read,
    projects: &[ProjectId],
) -> Result<Vec<(ProjectId, CalendarId, CalendarLayer)>> {
    let select = "SELECT l.project_id, l.calendar_id, l.role FROM project_calendar_layers l
         JOIN calendars c ON c.id = l.calendar_id AND c.deletion_id IS NULL
         WHERE l.project_id IN (:projects) ORDER BY l.sort_order, l.id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// What resources are good at.
pub(super) async fn owned_skills(
    db: &dyn Read,
    resources: &[ResourceId],
) -> Result<HashMap<ResourceId, Vec<Skill>>> {
    let select = "SELECT x.resource_id, s.name, s.category, x.proficiency FROM resource_skills x
         JOIN skills s ON s.id = x.skill_id AND s.deletion_id IS NULL
         WHERE x.resource_id IN (:resources) AND x.deletion_id IS NULL ORDER BY s.normalized_name";
    let mut by_resource: HashMap<ResourceId, Vec<Skill>> = HashMap::new();
    for some in resources.chunks(1_000) {
        let rows: Vec<(ResourceId, String, String, i64)> =
            db.all(sql!(select, resources = list(some.iter().copied()))).await?;
        for (resource, name, category, level) in rows {
            by_resource.entry(resource).or_default().push(skill(name, category, level));
        }
    }
    Ok(by_resource)
}

fn skill(name: String, category: String, level: i64) -> Skill {
    Skill { name, category, proficiency: u8::try_from(level.clamp(1, 3)).unwrap_or(1) }
}

async fn fields(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<FieldRow>> {
    let select =
        "SELECT project_id, id, name, field_type, is_required, show_on_card, options FROM custom_fields
         WHERE project_id IN (:projects) AND deletion_id IS NULL ORDER BY place, name_key, id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

async fn values(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<(TaskId, CustomFieldId, Json)>> {
    let select = "SELECT x.task_id, x.field_id, x.value FROM custom_field_values x
         JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
         JOIN custom_fields f ON f.id = x.field_id AND f.deletion_id IS NULL
         WHERE t.project_id IN (:projects)";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

async fn criteria(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<CriterionRow>> {
    let select =
        "SELECT x.task_id, x.text, x.given_text, x.when_text, x.then_text, x.met, x.met_at FROM acceptance_criteria x
         JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
         WHERE t.project_id IN (:projects) AND x.deletion_id IS NULL ORDER BY x.position, x.id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

async fn required_skills(
    db: &dyn Read,
    projects: &[ProjectId],
) -> Result<Vec<(TaskId, String, String, i64)>> {
    let select = "SELECT x.task_id, s.name, s.category, x.min_proficiency FROM task_skill_requirements x
         JOIN skills s ON s.id = x.skill_id AND s.deletion_id IS NULL
         JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
         WHERE t.project_id IN (:projects) AND x.deletion_id IS NULL ORDER BY s.normalized_name";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

async fn rules(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<RuleRow>> {
    let select = format!(
        "SELECT {} FROM recurrence_rules r JOIN tasks t ON t.id = r.task_id AND t.deletion_id IS NULL
         WHERE r.project_id IN (:projects) AND r.deletion_id IS NULL",
        planwright_store::record::select_list::<RuleRow>("r")
    );
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

async fn occurrences(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<(TaskId, TaskId, NaiveDate)>> {
    let select = "SELECT o.task_id, o.template_id, o.on_date FROM recurrence_occurrences o
         JOIN tasks t ON t.id = o.task_id AND t.deletion_id IS NULL
         WHERE t.project_id IN (:projects) ORDER BY o.on_date";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// All of it, by what it belongs to.
pub(super) struct Gathered {
    /// Who gets the document; nobody in particular for whoever runs the server.
    reader: Option<UserId>,
    roster: Vec<RosterRow>,
    layers: Vec<(ProjectId, CalendarId, CalendarLayer)>,
    fields: HashMap<ProjectId, Vec<CustomField>>,
    values: HashMap<TaskId, BTreeMap<String, Json>>,
    criteria: HashMap<TaskId, Vec<Criterion>>,
    skills: HashMap<TaskId, Vec<Skill>>,
    rules: HashMap<TaskId, Recurrence>,
    occurrences: HashMap<TaskId, (TaskId, NaiveDate)>,
}

impl Gathered {
    /// Reads it.
    pub(super) async fn load(db: &dyn Read, projects: &[ProjectId], reader: Option<UserId>) -> Result<Self> {
        let (fields, slugs) = named_fields(fields(db, projects).await?);
        let mut gathered = Self {
            reader,
            roster: roster(db, projects).await?,
            layers: layers(db, projects).await?,
            fields,
            values: HashMap::new(),
            criteria: HashMap::new(),
            skills: HashMap::new(),
            rules: HashMap::new(),
            occurrences: HashMap::new(),
        };
        for (task, field, value) in values(db, projects).await? {
            if let Some(slug) = slugs.get(&field) {
                gathered.values.entry(task).or_default().insert(slug.clone(), value);
            }
        }
        for row in criteria(db, projects).await? {
            gathered.criteria.entry(row.task_id).or_default().push(criterion(row));
        }
        for (task, name, category, level) in required_skills(db, projects).await? {
            gathered.skills.entry(task).or_default().push(skill(name, category, level));
        }
        gathered.rules = rules(db, projects).await?.into_iter().map(|row| (row.task_id, rule(row))).collect();
        let made = occurrences(db, projects).await?.into_iter();
        gathered.occurrences = made.map(|(task, template, on)| (task, (template, on))).collect();
        Ok(gathered)
    }

    /// The calendars that count besides those of the projects.
    pub(super) fn calendars(&self) -> impl Iterator<Item = CalendarId> + '_ {
        self.layers.iter().map(|(_, calendar, _)| *calendar)
    }

    /// The resources on rosters, the oldest row first.
    pub(super) fn on_rosters(&self) -> impl Iterator<Item = ResourceId> + '_ {
        self.roster.iter().map(|row| row.resource_id)
    }

    /// The calendars that count in a project besides its own.
    pub(super) fn overlays(&self, project: ProjectId, library: &Library) -> Vec<Overlay> {
        let own = self.layers.iter().filter(|(of, _, _)| *of == project);
        let mut seen = HashSet::new();
        let named = own.filter_map(|(_, calendar, role)| {
            let calendar = library.calendar(Some(*calendar)).filter(|slug| seen.insert(slug.clone()))?;
            Some(Overlay { calendar, role: *role })
        });
        named.collect()
    }

    /// The fields of a project.
    pub(super) fn custom_fields(&mut self, project: ProjectId) -> Vec<CustomField> {
        self.fields.remove(&project).unwrap_or_default()
    }

    /// The roster of a project as far as it says more than who works in it. `working` are those who do; whoever works
    /// nowhere is on the roster of the first project anyway.
    pub(super) fn roster(
        &self,
        project: ProjectId,
        is_first: bool,
        working: &HashSet<ResourceId>,
        busy: &HashSet<ResourceId>,
        library: &Library,
    ) -> Option<Vec<RosterEntry>> {
        let mut listed: Vec<(usize, RosterEntry)> = Vec::new();
        for row in self.roster.iter().filter(|row| row.project_id == project) {
            let Some((place, slug)) = library.resource(row.resource_id) else { continue };
            let is_elsewhere = || {
                self.roster
                    .iter()
                    .any(|other| other.resource_id == row.resource_id && other.project_id != project)
            };
            let is_idle = is_first && !busy.contains(&row.resource_id) && !is_elsewhere();
            let is_plain = row.role_title.is_empty() && row.units_override.is_none() && row.notes.is_empty();
            if is_plain && (working.contains(&row.resource_id) || is_idle) {
                continue;
            }
            let entry = RosterEntry {
                resource: slug.to_owned(),
                role_title: row.role_title.chars().take(255).collect(),
                units: row.units_override.map(units),
                notes: row.notes.clone(),
            };
            listed.push((place, entry));
        }
        listed.sort_by_key(|(place, _)| *place);
        let listed: Vec<RosterEntry> = listed.into_iter().map(|(_, entry)| entry).collect();
        (!listed.is_empty()).then_some(listed)
    }

    /// What stands around a row of the project `home`.
    pub(super) fn of_task(&mut self, row: &TaskRow, tree: &Tree, home: &str) -> Around {
        let path = |template: TaskId| {
            tree.reference(template).filter(|one| one.project == home).map(|one| one.wbs_path)
        };
        let recurrence = self.rules.remove(&row.id);
        let occurrence = self.occurrences.remove(&row.id).filter(|_| recurrence.is_none());
        Around {
            criteria: self.criteria.remove(&row.id).unwrap_or_default(),
            skills: self.skills.remove(&row.id).unwrap_or_default(),
            field_values: self.values.remove(&row.id).unwrap_or_default(),
            recurrence,
            occurrence: occurrence.and_then(|(template, on)| Some((path(template)?, on))),
            scores: scores(row),
            blocked: blocker(row, self.reader),
        }
    }
}

/// Whether a row says why it is held up. The reason is for whoever does the task alone.
fn is_reason_shown(row: &TaskRow, reader: Option<UserId>) -> bool {
    reader.is_none_or(|reader| row.assignee_id == Some(reader))
}

/// Whether a reader gets a row without the reason that holds it up.
pub(super) fn hides_reason(row: &TaskRow, reader: Option<UserId>) -> bool {
    !row.blocked_reason.is_empty() && !is_reason_shown(row, reader)
}

/// What holds a row up. Those who may not read the reason learn that there is one.
fn blocker(row: &TaskRow, reader: Option<UserId>) -> Option<Blocker> {
    let has_reason = !row.blocked_reason.is_empty();
    let is_shown = is_reason_shown(row, reader);
    (has_reason || row.blocker_type.is_some()).then(|| Blocker {
        reason: if is_shown { row.blocked_reason.clone() } else { String::new() },
        kind: row.blocker_type.or((has_reason && !is_shown).then_some(BlockerType::Other)),
        since: row.blocked_since,
    })
}

/// The fields by project, and their slugs. A field for people has no counterpart in a document.
fn named_fields(
    rows: Vec<FieldRow>,
) -> (HashMap<ProjectId, Vec<CustomField>>, HashMap<CustomFieldId, String>) {
    let mut names: HashMap<ProjectId, Slugs> = HashMap::new();
    let mut by_project: HashMap<ProjectId, Vec<CustomField>> = HashMap::new();
    let mut slugs = HashMap::new();
    for row in rows {
        let slug = names.entry(row.project_id).or_default().make(&row.name, "field");
        if row.field_type != FieldType::User {
            slugs.insert(row.id, slug.clone());
        }
        let option = |option: &Json| {
            let text = |key: &str| option.get(key).and_then(Json::as_str).map(str::to_owned);
            let value = text("value")?;
            Some((value.clone(), text("label").unwrap_or(value)))
        };
        by_project.entry(row.project_id).or_default().push(CustomField {
            slug,
            name: row.name,
            kind: row.field_type,
            is_required: row.is_required,
            show_on_card: row.show_on_card,
            options: row.options.as_array().into_iter().flatten().filter_map(option).collect(),
        });
    }
    (by_project, slugs)
}

fn criterion(row: CriterionRow) -> Criterion {
    Criterion {
        text: row.text,
        scenario: [row.given_text, row.when_text, row.then_text],
        met: row.met,
        met_at: row.met_at,
    }
}

fn rule(row: RuleRow) -> Recurrence {
    let small = |number: i64| u8::try_from(number.clamp(0, 127)).unwrap_or_default();
    let count = |number: i64| u32::try_from(number.clamp(0, i32::MAX.into())).unwrap_or_default();
    Recurrence {
        frequency: row.frequency,
        every: count(row.every).clamp(1, 365),
        weekdays: small(row.weekdays),
        day_of_month: row.day_of_month.map(small),
        time_of_day: row.time_of_day,
        timezone: row.timezone,
        end_type: row.end_type,
        end_date: row.end_date,
        end_count: row.end_count.map(count),
        inherits: [
            row.inherit_assignee,
            row.inherit_subtasks,
            row.inherit_attachments,
            row.inherit_morning_notification,
        ],
        begins: row.begun_on,
        generated_through: row.generated_through,
        occurrence_count: count(row.occurrence_count),
    }
}

fn scores(row: &TaskRow) -> Scores {
    let whole = [
        ("business_value", row.business_value),
        ("time_criticality", row.time_criticality),
        ("risk_reduction", row.risk_reduction),
        ("job_size", row.job_size),
        ("reach", row.reach),
        ("value", row.value),
        ("priority_rank", row.priority_rank),
    ];
    let fractional = [
        ("impact", row.impact),
        ("confidence", row.confidence),
        ("effort", row.effort),
        ("effort_estimate", row.effort_estimate),
    ];
    Scores {
        whole: whole.into_iter().filter_map(|(key, number)| Some((key, number?.max(0)))).collect(),
        fractional: fractional
            .into_iter()
            .filter_map(|(key, number)| Some((key, number?.max(0.0))))
            .collect(),
    }
}
