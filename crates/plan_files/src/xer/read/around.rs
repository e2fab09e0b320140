//! What stands around the activities of a file: notes, activity codes, resources and assignments.

use std::collections::{HashMap, HashSet};

use super::{People, Reading};
use crate::assembly::rate;
use crate::assigned;
use crate::seed::model::Resource;
use crate::text::plain;
use crate::unread::says_nothing;
use crate::xer::tables::Row;

impl Reading<'_, '_> {
    /// Notes lose their formatting.
    pub(super) fn notes(&mut self) {
        for row in self.tables.rows("TASKMEMO") {
            let place = row.text("task_id").and_then(|id| self.places.get(id).copied());
            let is_here = row.text("proj_id").is_none_or(|id| id == self.project);
            if let (None, Some(_), true) = (place, row.text("task_memo"), is_here) {
                let reason = "A note of an activity that takes no part, or is not there, is left out.";
                self.losses.note(
                    "TASKMEMO",
                    reason,
                    format!("activity {}", row.text("task_id").unwrap_or("?")),
                );
            }
            let (Some(place), Some(memo)) = (place, row.text("task_memo")) else { continue };
            let notes = &mut self.rows[place].task.notes;
            if !notes.is_empty() {
                notes.push('\n');
            }
            notes.push_str(&plain(memo));
        }
    }

    /// Notes the code of a branch, unless it is no more than a number.
    pub(super) fn note_code(&mut self, row: Row<'_, '_>, mark: &str) {
        let is_number = |code: &str| code.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if row.text("wbs_short_name").is_some_and(|code| !is_number(code)) {
            self.losses.note("wbs_short_name", "The code of a branch is not imported.", mark);
        }
    }

    /// Values of activity codes become labels.
    pub(super) fn labels(&mut self) {
        let names: HashMap<&str, &str> = self
            .tables
            .rows("ACTVCODE")
            .filter_map(|row| {
                let name = row.text("actv_code_name").or_else(|| row.text("short_name"))?;
                Some((row.text("actv_code_id")?, name))
            })
            .collect();
        for row in self.tables.rows("TASKACTV") {
            let place = row.text("task_id").and_then(|id| self.places.get(id).copied());
            let name = row.text("actv_code_id").and_then(|id| names.get(id));
            if let (Some(place), None) = (place, name) {
                let reason = "An activity code that is not in the file is left out.";
                self.losses.note("TASKACTV", reason, &*self.rows[place].mark);
            }
            if let (Some(place), Some(name)) = (place, name) {
                self.rows[place].labels.push((*name).to_owned());
            }
        }
    }

    /// Notes resources that nothing uses, roles, and rates besides the first of a resource.
    fn note_people_left_out(&mut self, used: &HashSet<&str>) {
        for row in self.tables.rows("RSRC") {
            let name = row.text("rsrc_name").or_else(|| row.text("rsrc_short_name")).unwrap_or("?");
            if row.text("rsrc_id").is_none_or(|id| !used.contains(id)) {
                self.losses.note("RSRC", "A resource without an assignment is left out.", name);
            }
        }
        for row in self.tables.rows("ROLES") {
            let name = row.text("role_name").or_else(|| row.text("role_short_name")).unwrap_or("?");
            self.losses.note("ROLES", "Roles are not imported.", name);
        }
        let mut rated = HashSet::new();
        for row in self.tables.rows("RSRCRATE") {
            if row.text("rsrc_id").is_some_and(|id| !rated.insert(id)) {
                self.losses.note(
                    "RSRCRATE",
                    "Of the rates of a resource only the first cost and the last quantity are kept.",
                    "",
                );
            }
        }
    }

    /// Notes what a resource that is used says and has no place for.
    fn note_resource(&mut self, row: Row<'_, '_>, name: &str) {
        let facts = [
            (row.is("rsrc_type", "RT_Mat"), "RSRC", "A material is assigned like other resources."),
            (
                row.text("parent_rsrc_id").is_some_and(|id| !says_nothing(id)),
                "RSRC.parent_rsrc_id",
                "Below which resource another stands is not imported.",
            ),
            (
                row.is("active_flag", "N"),
                "RSRC.active_flag",
                "A resource that is not active is imported like others.",
            ),
        ];
        for (_, field, reason) in facts.iter().filter(|(is_so, ..)| *is_so) {
            self.losses.note(field, reason, name);
        }
    }

    /// Notes an assignment of the project that names no resource or activity that is there.
    fn note_assignment(&mut self, row: Row<'_, '_>) {
        if row.text("proj_id").is_some_and(|id| id != self.project) {
            return;
        }
        let place = row.text("task_id").and_then(|id| self.places.get(id).copied());
        let mark = place.map(|at| self.rows[at].mark.clone()).unwrap_or_default();
        let reason = match row.text("rsrc_id") {
            None => "An assignment of a role without a resource is left out.",
            Some(_) => "An assignment to a resource or an activity that is not there is left out.",
        };
        self.losses.note("TASKRSRC", reason, mark);
    }

    /// The resources that activities use, and who works on what.
    pub(super) fn people(&mut self) -> People {
        let used: HashSet<&str> =
            self.tables.rows("TASKRSRC").filter_map(|row| row.text("rsrc_id")).collect();
        let mut units: HashMap<&str, &str> = HashMap::new();
        let mut rates: HashMap<&str, f64> = HashMap::new();
        for row in self.tables.rows("RSRCRATE") {
            if let (Some(id), Some(most)) = (row.text("rsrc_id"), row.text("max_qty_per_hr")) {
                units.insert(id, most);
            }
            if let (Some(id), Some(cost)) = (row.text("rsrc_id"), rate(row.number("cost_per_qty"))) {
                rates.entry(id).or_insert(cost);
            }
        }
        let mut places: HashMap<&str, usize> = HashMap::new();
        let (mut resources, mut calendars): People = Default::default();
        self.note_people_left_out(&used);
        for row in self.tables.rows("RSRC") {
            let Some(id) = row.text("rsrc_id").filter(|id| used.contains(id) && !places.contains_key(id))
            else {
                continue;
            };
            let name = row.text("rsrc_name").or_else(|| row.text("rsrc_short_name")).unwrap_or("Resource");
            self.note_resource(row, name);
            let most = units.get(id).copied().or_else(|| row.text("def_qty_per_hr"));
            places.insert(id, resources.len());
            // Every resource of a file has a calendar. That of the plan is none of its own.
            calendars.push(self.calendars.of(row.text("clndr_id").filter(|id| Some(*id) != self.calendar)));
            resources.push(Resource {
                name: name.to_owned(),
                email: assigned::address(row.text("email_addr"), "email_addr", name, &mut self.losses),
                job_role: row.text("rsrc_title_name").unwrap_or_default().to_owned(),
                max_units: assigned::most_units(most, "max_qty_per_hr", name, &mut self.losses),
                hourly_rate: rates.get(id).copied(),
                ..Resource::default()
            });
        }
        for row in self.tables.rows("TASKRSRC") {
            let task = row.text("task_id").and_then(|id| self.places.get(id).copied());
            let (Some(task), Some(resource)) = (task, row.text("rsrc_id").and_then(|id| places.get(id)))
            else {
                self.note_assignment(row);
                continue;
            };
            if row.number("target_cost").is_some_and(|cost| cost != 0.0) {
                self.losses.note("target_cost", "Costs are not planned.", &*self.rows[task].mark);
            }
            if row.text("role_id").is_some_and(|id| !says_nothing(id)) {
                let reason = "In which role a resource works on an activity is not imported.";
                self.losses.note("TASKRSRC.role_id", reason, &*self.rows[task].mark);
            }
            let share = match row.text("target_qty_per_hr") {
                None => 1.0,
                // Primavera writes 0 for work that is used up.
                Some(_) => row
                    .number("target_qty_per_hr")
                    .filter(|share| *share > 0.0)
                    .unwrap_or(assigned::UNKNOWN_UNITS),
            };
            self.rows[task].assignments.push((*resource, share));
        }
        (resources, calendars)
    }
}
