//! The templates that come with the product: three plans that most teams know.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::words::{
    DeliveryMode, DependencyType, GovernanceClass, Methodology, TaskType, TemplateKind,
};
use planwright_jobs::{JobError, Registry};
use planwright_store::{Db, Result};
use planwright_web::App;
use serde_json::json;
use uuid::Uuid;

use super::queries::{self, NewTemplate};
use super::structure::{FrozenLink, FrozenRow, Structure};

/// The jobs of this file: the templates are there soon after the start of a fresh installation.
pub(super) fn jobs() -> Registry<App> {
    Registry::default().every("keep_community_templates", Duration::days(1), async |app: App| {
        keep(&app.db).await.map_err(JobError::from)
    })
}

/// A template in short: rows as path, name and working days, and links as pairs of paths.
struct Bundled {
    id: u128,
    name: &'static str,
    description: &'static str,
    methodology: Methodology,
    sprint_length_days: Option<i64>,
    rows: &'static [(&'static str, &'static str, u32)],
    links: &'static [(&'static str, &'static str)],
}

const BUNDLED: [Bundled; 3] = [
    Bundled {
        id: 0x0c0f_fee0_0000_7000_8000_0000_0000_0001,
        name: "Small building",
        description: "From the permit to the handover of a small building, with a gate after each phase.",
        methodology: Methodology::Waterfall,
        sprint_length_days: None,
        rows: &[
            ("1", "Preparation", 1),
            ("1.1", "Survey the site", 5),
            ("1.2", "Draw the plans", 20),
            ("1.3", "Obtain the permit", 40),
            ("1.4", "Permit granted", 0),
            ("2", "Shell", 1),
            ("2.1", "Clear the site", 5),
            ("2.2", "Lay the foundation", 12),
            ("2.3", "Raise the walls", 20),
            ("2.4", "Build the roof", 15),
            ("2.5", "Shell accepted", 0),
            ("3", "Fit-out", 1),
            ("3.1", "Install pipes and cables", 20),
            ("3.2", "Set windows and doors", 8),
            ("3.3", "Plaster and paint", 15),
            ("3.4", "Lay the floors", 10),
            ("3.5", "Fit-out accepted", 0),
            ("4", "Handover", 1),
            ("4.1", "Inspect", 3),
            ("4.2", "Mend defects", 8),
            ("4.3", "Keys handed over", 0),
        ],
        links: &[
            ("1.1", "1.2"),
            ("1.2", "1.3"),
            ("1.3", "1.4"),
            ("1.4", "2.1"),
            ("2.1", "2.2"),
            ("2.2", "2.3"),
            ("2.3", "2.4"),
            ("2.4", "2.5"),
            ("2.5", "3.1"),
            ("2.5", "3.2"),
            ("3.1", "3.3"),
            ("3.2", "3.3"),
            ("3.3", "3.4"),
            ("3.4", "3.5"),
            ("3.5", "4.1"),
            ("4.1", "4.2"),
            ("4.2", "4.3"),
        ],
    },
    Bundled {
        id: 0x0c0f_fee0_0000_7000_8000_0000_0000_0002,
        name: "Software release",
        description: "A release in two-week sprints, from the idea to the first week in use.",
        methodology: Methodology::Agile,
        sprint_length_days: Some(14),
        rows: &[
            ("1", "Discover", 1),
            ("1.1", "Talk to ten users", 8),
            ("1.2", "Write down the goal", 2),
            ("1.3", "Cut the first scope", 3),
            ("2", "Build", 1),
            ("2.1", "Set up the pipeline", 3),
            ("2.2", "First slice end to end", 8),
            ("2.3", "Complete the scope", 20),
            ("2.4", "Feature complete", 0),
            ("3", "Release", 1),
            ("3.1", "Test with pilot users", 8),
            ("3.2", "Mend what they found", 5),
            ("3.3", "Write the release notes", 2),
            ("3.4", "Released", 0),
            ("3.5", "Watch the first week", 5),
        ],
        links: &[
            ("1.1", "1.2"),
            ("1.2", "1.3"),
            ("1.3", "2.2"),
            ("2.1", "2.2"),
            ("2.2", "2.3"),
            ("2.3", "2.4"),
            ("2.4", "3.1"),
            ("3.1", "3.2"),
            ("3.2", "3.4"),
            ("3.3", "3.4"),
            ("3.4", "3.5"),
        ],
    },
    Bundled {
        id: 0x0c0f_fee0_0000_7000_8000_0000_0000_0003,
        name: "Event",
        description: "A conference or a fair, counted back from the day itself.",
        methodology: Methodology::Hybrid,
        sprint_length_days: None,
        rows: &[
            ("1", "Concept", 1),
            ("1.1", "Agree on goal and budget", 5),
            ("1.2", "Choose the date and the place", 10),
            ("1.3", "Contract signed", 0),
            ("2", "Programme", 1),
            ("2.1", "Invite speakers", 20),
            ("2.2", "Publish the programme", 3),
            ("3", "Guests", 1),
            ("3.1", "Open the registration", 2),
            ("3.2", "Advertise", 30),
            ("4", "The days", 1),
            ("4.1", "Set up", 2),
            ("4.2", "Event", 2),
            ("4.3", "Take down", 1),
            ("4.4", "Thank everybody and look back", 3),
        ],
        links: &[
            ("1.1", "1.2"),
            ("1.2", "1.3"),
            ("1.3", "2.1"),
            ("2.1", "2.2"),
            ("1.3", "3.1"),
            ("2.2", "3.2"),
            ("3.1", "3.2"),
            ("3.2", "4.1"),
            ("4.1", "4.2"),
            ("4.2", "4.3"),
            ("4.3", "4.4"),
        ],
    },
];

impl Bundled {
    fn structure(&self, now: DateTime<Utc>) -> Structure {
        let is_gate = self.methodology == Methodology::Waterfall;
        let row = |(path, name, days): &(&str, &str, u32)| FrozenRow {
            r#ref: (*path).to_owned(),
            name: (*name).to_owned(),
            wbs_path: (*path).to_owned(),
            duration: *days,
            is_milestone: *days == 0,
            delivery_mode: (*days == 0).then_some(DeliveryMode::Milestone),
            governance_class: (*days == 0 && is_gate).then_some(GovernanceClass::Gated),
            r#type: TaskType::Task,
            is_subtask: false,
            notes: String::new(),
        };
        let link = |(from, to): &(&str, &str)| FrozenLink {
            predecessor: (*from).to_owned(),
            successor: (*to).to_owned(),
            dep_type: DependencyType::FinishToStart,
            lag: 0,
        };
        Structure {
            version: 1,
            extracted_at: now,
            methodology: self.methodology,
            sprint_length_days: self.sprint_length_days,
            tasks: self.rows.iter().map(row).collect(),
            dependencies: self.links.iter().map(link).collect(),
        }
    }
}

/// Adds those that are not there yet.
async fn keep(db: &Db) -> Result<()> {
    let mut tx = db.begin().await?;
    for bundled in &BUNDLED {
        let structure = bundled.structure(tx.now());
        let counts = structure.counts();
        let new = NewTemplate {
            id: Uuid::from_u128(bundled.id),
            name: bundled.name.to_owned(),
            name_key: bundled.name.to_lowercase(),
            scope_key: "community".to_owned(),
            description: bundled.description.to_owned(),
            kind: TemplateKind::Community,
            program: None,
            methodology: bundled.methodology,
            version: 1,
            task_count: i64::try_from(counts.task_count).unwrap_or_default(),
            structure: json!(structure),
            counts: json!(counts),
            publisher: None,
            project: None,
            supersedes: None,
        };
        queries::insert(&mut tx, &new).await?;
    }
    tx.commit().await
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_link_of_a_bundled_template_ties_two_of_its_rows_that_are_no_phases() {
        for bundled in &BUNDLED {
            let structure = bundled.structure(DateTime::<Utc>::MIN_UTC);
            let paths: HashSet<&str> = structure.tasks.iter().map(|row| row.wbs_path.as_str()).collect();
            let is_leaf = |path: &str| paths.contains(path) && path.contains('.');
            assert!(
                structure
                    .dependencies
                    .iter()
                    .all(|link| is_leaf(&link.predecessor) && is_leaf(&link.successor))
            );
            assert!(structure.counts().milestone_count > 0, "{}", bundled.name);
        }
    }
}
