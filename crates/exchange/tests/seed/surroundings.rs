//! What valid documents from version 2.1 on hold besides the plan itself, from the same tape of random numbers.

use planwright_domain::words::{
    BlockerType, CalendarLayer, ConstraintType, FieldType, GoalOutcome, RecurrenceEnd, RecurrenceFrequency,
    ResourceKind, Word,
};
use planwright_plan_files::seed::Slugs;
use planwright_plan_files::seed::model::*;
use serde_json::{Value, json};

use super::arbitrary::{Names, Tape};

impl Tape {
    /// Adds to resources and projects what only documents from version 2.1 on can hold.
    pub(crate) fn surround(&mut self, resources: &mut [Resource], projects: &mut [Project], names: &Names) {
        for resource in resources {
            let kinds = [None, Some(ResourceKind::Contractor), Some(ResourceKind::Equipment)];
            resource.kind = kinds[self.below(3) as usize];
            resource.skills = self.skills();
        }
        for project in projects {
            project.custom_fields = self.custom_fields();
            project.overlays = self.overlays(project.calendar.as_ref(), names);
            let working = |slug: &String| {
                project.tasks.iter().any(|task| task.assignments.iter().any(|one| one.resource == *slug))
            };
            // An entry that says nothing is written only where somebody does not work.
            let mut roster: Vec<RosterEntry> = Vec::new();
            for resource in names.resources.iter().filter(|slug| working(slug)) {
                if self.chance() {
                    roster.push(self.roster_entry(resource));
                }
            }
            project.roster = (!roster.is_empty()).then_some(roster);
            project.sprints.iter_mut().for_each(|sprint| sprint.record = self.sprint_record());
            let paths: Vec<String> = project.tasks.iter().map(|task| task.wbs_path.clone()).collect();
            let is_leaf = |path: &str| !paths.iter().any(|other| other.starts_with(&format!("{path}.")));
            let mut template: Option<String> = None;
            for task in &mut project.tasks {
                self.promise(task, names);
                task.around = self.around(&project.custom_fields);
                let may_recur = is_leaf(&task.wbs_path) && !task.is_milestone && !task.is_subtask;
                match &template {
                    None if may_recur && self.below(4) == 3 => {
                        task.around.recurrence = Some(self.recurrence());
                        template = Some(task.wbs_path.clone());
                    }
                    Some(path) if may_recur && self.below(4) == 3 => {
                        task.around.occurrence = Some((path.clone(), self.day()));
                        template = None;
                    }
                    _ => {}
                }
            }
        }
    }

    fn promise(&mut self, task: &mut Task, names: &Names) {
        task.calendar = self.one_of(&names.calendars);
        task.deadline = self.maybe(Self::day);
        task.constraint = match self.below(3) {
            0 => None,
            1 => Some((ConstraintType::AsLateAsPossible, None)),
            _ => Some((ConstraintType::StartNoEarlierThan, Some(self.day()))),
        };
    }

    fn skills(&mut self) -> Vec<Skill> {
        let names = ["Excavator", "Über-Skill", "Zoning law"];
        let mut skills = Vec::new();
        for name in names {
            if self.chance() {
                let proficiency = self.below(3) as u8 + 1;
                skills.push(Skill { name: name.to_owned(), category: "site".to_owned(), proficiency });
            }
        }
        skills
    }

    fn roster_entry(&mut self, resource: &str) -> RosterEntry {
        RosterEntry {
            resource: resource.to_owned(),
            role_title: "Foreman".to_owned(),
            units: self.maybe(Self::share),
            notes: self.text(),
        }
    }

    /// Overlays that leave a weekday to work on.
    fn overlays(&mut self, base: Option<&String>, names: &Names) -> Vec<Overlay> {
        let base = base.and_then(|slug| names.calendars.iter().position(|calendar| calendar == slug));
        let mut week = base.map_or(31, |place| names.weeks[place]);
        let mut overlays = Vec::new();
        for (calendar, days) in names.calendars.iter().zip(&names.weeks).take(2) {
            if self.chance() && week & days != 0 {
                week &= days;
                let role = CalendarLayer::ALL[self.below(CalendarLayer::ALL.len() as u32) as usize];
                overlays.push(Overlay { calendar: calendar.clone(), role });
            }
        }
        overlays
    }

    fn custom_fields(&mut self) -> Vec<CustomField> {
        let mut slugs = Slugs::new();
        let kinds =
            [FieldType::Text, FieldType::Number, FieldType::MultiSelect, FieldType::Boolean, FieldType::Date];
        let mut fields = Vec::new();
        for kind in kinds {
            if self.chance() {
                let name = format!("Field {}", kind.as_str());
                let options = match kind {
                    FieldType::MultiSelect => {
                        vec![("a".to_owned(), "A".to_owned()), ("b".to_owned(), "b".to_owned())]
                    }
                    _ => Vec::new(),
                };
                fields.push(CustomField {
                    slug: slugs.make(&name, "field"),
                    name,
                    kind,
                    is_required: self.chance(),
                    show_on_card: self.chance(),
                    options,
                });
            }
        }
        fields
    }

    fn sprint_record(&mut self) -> SprintRecord {
        SprintRecord {
            goal_outcome: self.maybe(|tape| GoalOutcome::ALL[tape.below(3) as usize]),
            wip_limit: self.maybe(|tape| tape.below(9) + 1),
            exclude_from_velocity: self.chance(),
            committed_task_count: self.maybe(|tape| tape.below(99)),
            completed_task_count: self.maybe(|tape| tape.below(99)),
            begun_on: self.maybe(Self::day),
            activated_at: self.maybe(Self::time),
            closed_at: self.maybe(Self::time),
        }
    }

    fn around(&mut self, fields: &[CustomField]) -> Around {
        let mut values = std::collections::BTreeMap::new();
        for field in fields {
            if self.chance() {
                values.insert(field.slug.clone(), self.said(field.kind));
            }
        }
        let met = self.chance();
        let criteria = self.several(2, |tape| Criterion {
            text: tape.name(),
            scenario: [tape.text(), tape.text(), tape.text()],
            met,
            met_at: if met { Some(tape.time()) } else { None },
        });
        Around {
            criteria,
            skills: self.skills(),
            field_values: values,
            recurrence: None,
            occurrence: None,
            scores: self.scores(),
            blocked: self.maybe(|tape| Blocker {
                reason: tape.name(),
                kind: tape.maybe(|tape| BlockerType::ALL[tape.below(5) as usize]),
                since: Some(tape.time()),
            }),
        }
    }

    fn said(&mut self, kind: FieldType) -> Value {
        match kind {
            FieldType::Number => json!(f64::from(self.below(999)) / 4.0),
            FieldType::MultiSelect => json!(["a", "b"]),
            FieldType::Boolean => json!(self.chance()),
            FieldType::Date => json!(self.day().to_string()),
            _ => json!(self.name()),
        }
    }

    fn scores(&mut self) -> Scores {
        let mut scores = Scores::default();
        for key in Scores::WHOLE {
            if self.chance() {
                scores.whole.insert(key, i64::from(self.below(99)));
            }
        }
        for key in Scores::FRACTIONAL {
            if self.chance() {
                scores.fractional.insert(key, f64::from(self.below(99)) / 4.0);
            }
        }
        scores
    }

    fn recurrence(&mut self) -> Recurrence {
        let end_type = RecurrenceEnd::ALL[self.below(3) as usize];
        Recurrence {
            frequency: RecurrenceFrequency::Weekly,
            every: self.below(9) + 1,
            weekdays: self.below(126) as u8 + 1,
            day_of_month: self.maybe(|tape| tape.below(31) as u8 + 1),
            time_of_day: "08:30:00".to_owned(),
            timezone: "Europe/Berlin".to_owned(),
            end_type,
            end_date: Some(self.day()),
            end_count: Some(self.below(9) + 1),
            inherits: [self.chance(), self.chance(), self.chance(), self.chance()],
            begins: self.day(),
            generated_through: self.maybe(Self::day),
            occurrence_count: self.below(9),
        }
    }
}
