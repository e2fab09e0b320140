//! What a result is, which types were asked for, and the order of results; without a database.

use std::collections::{HashMap, HashSet};

use planwright_domain::words::{BacklogItemType, TaskType};
use planwright_store::words::plain;
use planwright_web::{ApiError, ApiResult};
use uuid::Uuid;

use super::model::*;

/// The types that a request names; none means all of them.
pub fn types(asked: Option<&str>) -> ApiResult<Vec<FoundType>> {
    let words = asked.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty());
    let read = |word: &str| match word {
        "epic" => Ok(FoundType::Epic),
        "story" => Ok(FoundType::Story),
        "task" => Ok(FoundType::Task),
        "milestone" => Ok(FoundType::Milestone),
        other => {
            let problem =
                format!("\"{other}\" is not a valid choice. Choose from: epic, story, task, milestone.");
            Err(ApiError::invalid_field("type", problem))
        }
    };
    words.map(read).collect()
}

impl FoundRow {
    /// The type that people read.
    pub fn found_type(&self) -> FoundType {
        match (self.is_milestone, self.task_type, self.item_type) {
            (true, ..) => FoundType::Milestone,
            (_, Some(TaskType::Epic), _) | (_, _, Some(BacklogItemType::Epic)) => FoundType::Epic,
            (_, Some(TaskType::Story), _)
            | (_, _, Some(BacklogItemType::Story | BacklogItemType::Feature)) => FoundType::Story,
            _ => FoundType::Task,
        }
    }

    /// Where the row is.
    pub fn kind(&self) -> FoundKind {
        if self.item_type.is_some() { FoundKind::BacklogItem } else { FoundKind::Task }
    }
}

/// The results in their order, each row once: rows whose title begins with the request, then by where the words were found,
/// then by kind, type, title and id.
pub fn ranked(text: &str, mut rows: Vec<(FoundIn, FoundRow)>) -> Vec<FoundRow> {
    let text = plain(text);
    rows.sort_by_cached_key(|(place, row)| {
        let title = plain(&row.title);
        (!title.starts_with(&text), *place, row.kind(), row.found_type(), title, row.id)
    });
    let mut seen = HashSet::new();
    rows.retain(|(_, row)| seen.insert((row.kind() == FoundKind::Task, row.id)));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The rows with what they belong to. A row that is gone by now is left out.
pub fn shown(rows: Vec<FoundRow>, around: Vec<Around>) -> Vec<OmniSearchResult> {
    let mut around: HashMap<Uuid, Around> = around.into_iter().map(|around| (around.id, around)).collect();
    let one = |row: FoundRow| {
        let (kind, r#type) = (row.kind(), row.found_type());
        let around = around.remove(&row.id)?;
        Some(OmniSearchResult {
            id: row.id,
            kind,
            r#type,
            title: row.title,
            program_id: around.program_id,
            program_name: around.program_name,
            project_id: around.project_id,
            project_name: around.project_name,
            parent_epic_id: around.parent_epic_id,
            parent_epic_name: around.parent_epic_name,
        })
    };
    rows.into_iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(number: u128, title: &str) -> FoundRow {
        FoundRow {
            id: Uuid::from_u128(number),
            title: title.to_owned(),
            task_type: Some(TaskType::Task),
            item_type: None,
            is_milestone: false,
        }
    }

    fn titles(rows: Vec<(FoundIn, FoundRow)>) -> Vec<String> {
        ranked("pla", rows).into_iter().map(|result| result.title).collect()
    }

    #[test]
    fn a_title_that_begins_with_the_request_comes_first() {
        let rows = vec![
            (FoundIn::Text, task(1, "Other")),
            (FoundIn::Title, task(2, "A plan")),
            (FoundIn::Title, task(3, "Planks")),
        ];
        assert_eq!(titles(rows), ["Planks", "A plan", "Other"]);
    }

    #[test]
    fn a_row_that_was_found_in_two_places_is_shown_once() {
        let rows = vec![(FoundIn::Comment, task(1, "A plan")), (FoundIn::Title, task(1, "A plan"))];
        assert_eq!(titles(rows), ["A plan"]);
    }

    #[test]
    fn a_milestone_is_one_whatever_its_type() {
        let row = FoundRow { is_milestone: true, task_type: Some(TaskType::Epic), ..task(1, "M") };
        assert_eq!(row.found_type(), FoundType::Milestone);
    }

    #[test]
    fn an_unknown_type_is_refused() {
        assert!(types(Some("epic,sprint")).is_err());
        assert_eq!(types(Some("epic, milestone")).unwrap(), [FoundType::Epic, FoundType::Milestone]);
    }
}
