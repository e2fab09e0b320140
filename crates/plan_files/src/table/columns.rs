//! Which column of a table means which field, and how sure that is.
//! Sources of the names: exports of Microsoft Project, Smartsheet, Excel plans, and the template of this product.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;

/// The fields that a table can fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// An id of another system, by which predecessors name rows.
    ExternalId,
    /// The place in the outline, such as `1.2`.
    Wbs,
    /// How deep a row stands in the outline, from 1. Read where no row has a place.
    OutlineLevel,
    /// The name. The only one that is needed.
    Name,
    /// Working days.
    Duration,
    /// The task does not start before this day.
    PlannedStart,
    /// The last day; with a start it gives the duration.
    PlannedFinish,
    /// 0 to 100.
    PercentComplete,
    /// Names of resources.
    Resource,
    /// Links to earlier rows, such as `3FS+2d`.
    Predecessors,
    /// Whether it is a milestone.
    Milestone,
    /// Free text.
    Notes,
    /// Names of labels.
    Labels,
}

/// The columns of a file of ours with the dates that were computed. They are compared with those after an import.
pub(super) const COMPUTED: [&str; 2] = ["computed_start", "computed_finish"];

/// Every field, with the names that columns have for it. The first name is that of the field itself.
const FIELDS: [(Field, &[&str]); 13] = [
    (
        Field::ExternalId,
        &[
            "external_id",
            "id",
            "unique_id",
            "task_id",
            "key",
            "activity_id",
            "row",
            "row_number",
            "nr",
            "n",
            "nº",
            "no",
            "num",
        ],
    ),
    (
        Field::Wbs,
        &[
            "wbs",
            "wbs_code",
            "outline_number",
            "outline",
            "wbs_path",
            "wbs_id",
            "psp",
            "psp_code",
            "gliederungsnummer",
            "numéro_hiérarchique",
            "code_wbs",
            "edt",
            "número_de_esquema",
        ],
    ),
    (
        Field::OutlineLevel,
        &[
            "outline_level",
            "wbs_level",
            "task_level",
            "indent",
            "indent_level",
            "gliederungsebene",
            "niveau_hiérarchique",
            "nivel_de_esquema",
        ],
    ),
    (
        Field::Name,
        &[
            "name",
            "task_name",
            "task",
            "title",
            "activity",
            "activity_name",
            "summary",
            "subject",
            "vorgangsname",
            "aufgabe",
            "vorgang",
            "nom",
            "nom_de_la_tâche",
            "tâche",
            "nombre",
            "nombre_de_tarea",
            "tarea",
        ],
    ),
    (
        Field::Duration,
        &[
            "duration",
            "duration_days",
            "days",
            "planned_duration",
            "original_duration",
            "dauer",
            "durée",
            "duración",
        ],
    ),
    (
        Field::PlannedStart,
        &[
            "planned_start",
            "start",
            "start_date",
            "begin",
            "planned_start_date",
            "anfang",
            "beginn",
            "début",
            "comienzo",
            "inicio",
        ],
    ),
    (
        Field::PlannedFinish,
        &[
            "planned_finish",
            "finish",
            "end",
            "end_date",
            "finish_date",
            "due_date",
            "due",
            "planned_end",
            "ende",
            "fin",
        ],
    ),
    (
        Field::PercentComplete,
        &[
            "percent_complete",
            "complete",
            "%_complete",
            "progress",
            "percent",
            "%",
            "pct_complete",
            "done",
            "%_abgeschlossen",
            "%_achevé",
            "%_completado",
        ],
    ),
    (
        Field::Resource,
        &[
            "resource",
            "resources",
            "resource_names",
            "resource_name",
            "assigned_to",
            "assignee",
            "owner",
            "ressourcennamen",
            "ressourcen",
            "noms_ressources",
            "nom_des_ressources",
            "nombres_de_los_recursos",
            "recursos",
        ],
    ),
    (
        Field::Predecessors,
        &[
            "predecessors",
            "predecessor",
            "depends_on",
            "dependencies",
            "vorgaenger",
            "vorgänger",
            "prédécesseurs",
            "predecesoras",
            "predecesores",
        ],
    ),
    (Field::Milestone, &["milestone", "is_milestone", "meilenstein", "jalon", "hito"]),
    (
        Field::Notes,
        &["notes", "note", "description", "comments", "remarks", "details", "notizen", "remarques", "notas"],
    ),
    (
        Field::Labels,
        &["labels", "label", "tags", "tag", "category", "categories", "etiketten", "étiquettes", "etiquetas"],
    ),
];

impl Field {
    /// Every field, in the order of the template.
    pub fn all() -> impl Iterator<Item = Self> {
        FIELDS.iter().map(|(field, _)| *field)
    }

    /// The fields that a table of ours has. The level follows from the place in the outline.
    pub(super) fn written() -> impl Iterator<Item = Self> {
        Self::all().filter(|field| *field != Self::OutlineLevel)
    }

    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        FIELDS.iter().find(|(field, _)| *field == self).map_or("", |(_, names)| names[0])
    }

    fn named(name: &str) -> Option<Self> {
        Self::all().find(|field| field.name() == name)
    }
}

/// How sure it is what a column means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Its header is a known name.
    Exact,
    /// Its header resembles a known name.
    Fuzzy,
    /// Somebody said so.
    Override,
    /// Another column means the same, and this one is not read.
    Duplicate,
    /// It means nothing that is known.
    None,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Column {
    /// Its place, from 0.
    pub index: usize,
    /// What stands above it.
    pub header: String,
    /// The field that is read from it.
    pub field: Option<&'static str>,
    /// How sure that is.
    pub confidence: Confidence,
}

/// Words that make a header mean something else than the name of a field in it: the mode of a task is not its name.
const OTHER_MEANING: [&str; 12] = [
    "mode", "modo", "modus", "level", "type", "baseline", "actual", "variance", "cost", "calendar", "group",
    "initials",
];

/// Finds the field that a header means.
type Find<'a> = &'a dyn Fn(&str) -> Option<Field>;

/// What was said of columns: the field of each, or none for a column that is left out. A name that no field has says nothing.
pub(super) fn said(map: &HashMap<String, String>) -> HashMap<&str, Option<Field>> {
    let named = map.iter().map(|(header, name)| (header.as_str(), name.trim(), Field::named(name.trim())));
    let known = named.filter(|(_, name, field)| name.is_empty() || field.is_some());
    known.map(|(header, _, field)| (header, field)).collect()
}

/// What the columns mean, by what was said and by their headers. The first of several columns for a field is read.
pub(super) fn meant(head: &[String], said: &HashMap<&str, Option<Field>>) -> Vec<Column> {
    let mut taken: HashSet<Field> = HashSet::new();
    let mut columns: Vec<Column> =
        head.iter().enumerate().map(|(index, header)| unknown(index, header)).collect();
    let passes: [(Confidence, Find<'_>); 3] = [
        (Confidence::Override, &|header| said.get(header).copied().flatten()),
        (Confidence::Exact, &|header| exact(header).filter(|_| !said.contains_key(header))),
        (Confidence::Fuzzy, &|header| fuzzy(header).filter(|_| !said.contains_key(header))),
    ];
    for (confidence, find) in passes {
        for column in columns.iter_mut().filter(|column| column.confidence == Confidence::None) {
            let Some(field) = find(&column.header) else { continue };
            let is_first = taken.insert(field);
            // A header that only resembles a name of a field need not mean the same as the column of that field.
            if !is_first && confidence == Confidence::Fuzzy {
                continue;
            }
            column.field = is_first.then(|| field.name());
            column.confidence = if is_first { confidence } else { Confidence::Duplicate };
        }
    }
    columns
}

fn unknown(index: usize, header: &str) -> Column {
    Column { index, header: header.to_owned(), field: None, confidence: Confidence::None }
}

/// A header in small letters, with its words joined by one low line.
fn plain(header: &str) -> String {
    let lower = header.to_lowercase();
    let words = lower
        .split(|letter: char| !letter.is_alphanumeric() && letter != '%')
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

fn exact(header: &str) -> Option<Field> {
    let plain = plain(header);
    FIELDS.iter().find(|(_, names)| names.contains(&plain.as_str())).map(|(field, _)| *field)
}

/// A field whose longer names appear in a header as whole words, such as `Start (planned)`.
fn fuzzy(header: &str) -> Option<Field> {
    let plain = plain(header);
    if COMPUTED.contains(&header) || plain.split('_').any(|word| OTHER_MEANING.contains(&word)) {
        return None;
    }
    let padded = format!("_{plain}_");
    let names = FIELDS.iter().flat_map(|(field, names)| names.iter().map(move |name| (*field, *name)));
    let inside = names.filter(|(_, name)| name.len() > 3 && padded.contains(&format!("_{name}_")));
    inside.max_by_key(|(_, name)| name.len()).map(|(field, _)| field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(head: &[&str], said: &[(&str, &str)]) -> Vec<(Option<&'static str>, Confidence)> {
        let head: Vec<String> = head.iter().map(|text| (*text).to_owned()).collect();
        let map = said.iter().map(|(header, field)| ((*header).to_owned(), (*field).to_owned())).collect();
        meant(&head, &super::said(&map)).into_iter().map(|column| (column.field, column.confidence)).collect()
    }

    #[test]
    fn headers_are_known_resembled_repeated_or_unknown() {
        let found = read(&["Task Name", "Title", "Start (planned)", "Colour", "% Complete"], &[]);
        assert_eq!(
            found,
            [
                (Some("name"), Confidence::Exact),
                (None, Confidence::Duplicate),
                (Some("planned_start"), Confidence::Fuzzy),
                (None, Confidence::None),
                (Some("percent_complete"), Confidence::Exact),
            ]
        );
    }

    #[test]
    fn headers_of_other_languages_are_known() {
        let german = [
            "Nr.",
            "Vorgangsname",
            "Dauer",
            "Anfang",
            "Ende",
            "Vorgänger",
            "Ressourcennamen",
            "% Abgeschlossen",
        ];
        assert!(read(&german, &[]).iter().all(|(field, how)| field.is_some() && *how == Confidence::Exact));
        let french = ["N°", "Nom", "Durée", "Début", "Fin", "Prédécesseurs", "Noms ressources", "% achevé"];
        assert!(read(&french, &[]).iter().all(|(field, how)| field.is_some() && *how == Confidence::Exact));
        let spanish =
            ["Nº", "Nombre", "Duración", "Comienzo", "Fin", "Predecesoras", "Nombres de los recursos"];
        assert!(read(&spanish, &[]).iter().all(|(field, how)| field.is_some() && *how == Confidence::Exact));
    }

    #[test]
    fn a_level_is_no_outline_number_and_the_mode_of_a_task_is_not_its_name() {
        let project =
            ["ID", "Task Mode", "Name", "Outline Level", "Baseline Start", "Start", "Start (early)"];
        let fields: Vec<_> = read(&project, &[]).into_iter().map(|(field, _)| field).collect();
        let known =
            [Some("external_id"), None, Some("name"), Some("outline_level"), None, Some("planned_start")];
        assert_eq!(fields[..6], known);
        let others = read(&project, &[]);
        for at in [1, 4, 6] {
            assert_eq!(others[at], (None, Confidence::None), "{}", project[at]);
        }
        for level in ["Gliederungsebene", "Niveau hiérarchique", "Nivel de esquema", "outline_level"] {
            assert_eq!(read(&[level], &[]), [(Some("outline_level"), Confidence::Exact)], "{level}");
        }
        for mode in ["Task Mode", "Mode Tâche", "Modo de tarea", "Vorgang Modus"] {
            assert_eq!(read(&[mode], &[]), [(None, Confidence::None)], "{mode}");
        }
    }

    #[test]
    fn a_name_that_no_field_has_says_nothing() {
        let found = read(&["Title", "Duration"], &[("Duration", "durations")]);
        assert_eq!(found, [(Some("name"), Confidence::Exact), (Some("duration"), Confidence::Exact)]);
    }

    #[test]
    fn what_was_said_wins_over_the_header_and_may_leave_a_column_out() {
        let found = read(&["Title", "Aktivität", "Start"], &[("Aktivität", "name"), ("Start", "")]);
        assert_eq!(
            found,
            [(None, Confidence::Duplicate), (Some("name"), Confidence::Override), (None, Confidence::None),]
        );
    }
}
