//! What stands around the activities: resources, assignments, labels and notes.

use std::collections::HashMap;

use super::{File, HOURS, Out, morning, number, texts};
use crate::text::html;

impl File<'_> {
    pub(super) fn resources(&self, out: &mut Out) {
        let mut rows = Vec::new();
        let mut rates = Vec::new();
        for (id, one) in (1usize..).zip(&self.document.resources) {
            let id = id.to_string();
            let calendar =
                self.calendar_id(one.calendar.as_deref().or(self.project.calendar.as_deref())).to_string();
            let email = one.email.as_deref().unwrap_or_default();
            let kind = "RT_Labor";
            rows.push(texts([&id, &calendar, &one.slug, &one.name, email, &one.job_role, kind, "1", "Y"]));
            rates.push(texts([&id, &id, &number(one.max_units), "0", &morning(self.project.start_date)]));
        }
        let columns = [
            "rsrc_id",
            "clndr_id",
            "rsrc_short_name",
            "rsrc_name",
            "email_addr",
            "rsrc_title_name",
            "rsrc_type",
            "def_qty_per_hr",
            "active_flag",
        ];
        out.table("RSRC", &columns, rows);
        out.table(
            "RSRCRATE",
            &["rsrc_rate_id", "rsrc_id", "max_qty_per_hr", "cost_per_qty", "start_date"],
            rates,
        );
    }

    pub(super) fn assignments(&self, out: &mut Out) {
        let places: HashMap<&str, usize> =
            self.document.resources.iter().zip(1..).map(|(one, id)| (one.slug.as_str(), id)).collect();
        let mut rows = Vec::new();
        for at in &self.work {
            let task = &self.project.tasks[*at];
            for one in &task.assignments {
                let Some(resource) = places.get(one.resource.as_str()) else { continue };
                let quantity = f64::from(task.duration * HOURS) * one.units;
                let done = quantity * task.percent_done() / 100.0;
                let [id, of, resource] = [rows.len() + 1, at + 1, *resource].map(|id| id.to_string());
                let (units, all, done, rest) =
                    (number(one.units), number(quantity), number(done), number(quantity - done));
                rows.push(texts([
                    &id, &of, "1", &resource, &units, &units, &all, &done, "0", &rest, "0", "RT_Labor",
                ]));
            }
        }
        let columns = [
            "taskrsrc_id",
            "task_id",
            "proj_id",
            "rsrc_id",
            "target_qty_per_hr",
            "remain_qty_per_hr",
            "target_qty",
            "act_reg_qty",
            "act_ot_qty",
            "remain_qty",
            "target_cost",
            "rsrc_type",
        ];
        out.table("TASKRSRC", &columns, rows);
    }

    /// An activity has one value of each type of codes, so every label is a type with one value.
    pub(super) fn labels(&self, out: &mut Out) {
        let labels: HashMap<&str, usize> =
            self.project.labels.iter().zip(1..).map(|(label, id)| (label.slug.as_str(), id)).collect();
        let mut rows = [Vec::new(), Vec::new(), Vec::new()];
        for (id, label) in (1usize..).zip(&self.project.labels) {
            let id = id.to_string();
            rows[0].push(texts([&id, &label.name, "AS_Project", "1", &id]));
            rows[1].push(texts([&id, &id, &label.slug, &label.name, "1"]));
        }
        for at in &self.work {
            // In the order of the project, so that reading the file finds the labels in the same order.
            let own = &self.project.tasks[*at].labels;
            let mut own: Vec<usize> =
                own.iter().filter_map(|slug| labels.get(slug.as_str()).copied()).collect();
            own.sort_unstable();
            for id in own {
                let [task, id] = [at + 1, id].map(|id| id.to_string());
                rows[2].push(texts([&task, &id, &id, "1"]));
            }
        }
        let [types, values, used] = rows;
        let columns = ["actv_code_type_id", "actv_code_type", "actv_code_type_scope", "proj_id", "seq_num"];
        out.table("ACTVTYPE", &columns, types);
        let columns = ["actv_code_id", "actv_code_type_id", "short_name", "actv_code_name", "seq_num"];
        out.table("ACTVCODE", &columns, values);
        out.table("TASKACTV", &["task_id", "actv_code_type_id", "actv_code_id", "proj_id"], used);
    }

    pub(super) fn notes(&self, out: &mut Out) {
        let mut rows = Vec::new();
        for at in &self.work {
            let notes = &self.project.tasks[*at].notes;
            if !notes.is_empty() {
                let [id, task] = [rows.len() + 1, at + 1].map(|id| id.to_string());
                rows.push(texts([&id, &task, "1", "1", &html(notes)]));
            }
        }
        if !rows.is_empty() {
            out.table(
                "MEMOTYPE",
                &["memo_type_id", "seq_num", "memo_type"],
                vec![texts(["1", "1", "Notes"])],
            );
        }
        out.table("TASKMEMO", &["memo_id", "task_id", "memo_type_id", "proj_id", "task_memo"], rows);
    }
}
