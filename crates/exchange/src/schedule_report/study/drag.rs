//! What holds the finish up: the drag of each task, the work that is nearly critical, and the longest path to a task.

use std::fmt::Write;

use planwright_engine::{CompiledPlan, Drag};
use planwright_plan_files::seed::Rejection;
use serde_json::{Value, json};

use super::View;

impl View<'_> {
    fn compiled(&self) -> CompiledPlan {
        CompiledPlan::new(self.subject.network.clone())
    }

    fn projects(&self) -> std::ops::Range<usize> {
        0..self.subject.network.projects.len()
    }

    /// The name of a project where there are several.
    fn heading(&self, project: usize) -> String {
        match self.subject.projects.get(project) {
            Some(known) if self.subject.projects.len() > 1 => {
                format!(" of {}", super::super::terminal::printable(&known.name))
            }
            _ => String::new(),
        }
    }

    pub(super) fn drag(&self) -> String {
        let (plan, mut text) = (self.compiled(), String::new());
        for project in self.projects() {
            let _ = writeln!(
                text,
                "Drag{}: days that the finish comes earlier if a task takes no time",
                self.heading(project)
            );
            for Drag { task, days } in plan.drags(project) {
                let _ = writeln!(text, "  {days:>4} d  {}", self.subject.label(task));
            }
        }
        text
    }

    pub(super) fn drags(&self) -> Value {
        let plan = self.compiled();
        let of = |drag: Drag| json!({"task": self.subject.reference(drag.task), "days": drag.days});
        let told = self.projects().map(|project| {
            json!({
                "project": self.subject.projects[project].slug.as_str(),
                "drags": plan.drags(project).into_iter().map(of).collect::<Vec<_>>(),
            })
        });
        json!({"study": "drag", "projects": told.collect::<Vec<_>>()})
    }

    pub(super) fn nearly_critical(&self, most_days: i32) -> String {
        let (plan, mut text) = (self.compiled(), String::new());
        for project in self.projects() {
            let _ =
                writeln!(text, "Nearly critical{}: a float of {most_days} d or less", self.heading(project));
            for task in plan.near_critical(project, most_days) {
                let float = self.schedule.tasks[task].map_or(0, |dates| dates.total_float);
                let _ = writeln!(text, "  {float:>4} d  {}", self.subject.label(task));
            }
        }
        text
    }

    pub(super) fn band(&self, most_days: i32) -> Value {
        let plan = self.compiled();
        let of = |task: usize| {
            let float = self.schedule.tasks[task].map(|dates| dates.total_float);
            json!({"task": self.subject.reference(task), "float": float})
        };
        let told = self.projects().map(|project| {
            json!({
                "project": self.subject.projects[project].slug.as_str(),
                "tasks": plan.near_critical(project, most_days).into_iter().map(of).collect::<Vec<_>>(),
            })
        });
        json!({"study": "near_critical", "most_days": most_days, "projects": told.collect::<Vec<_>>()})
    }

    pub(super) fn longest_path(&self, task: usize) -> Result<String, Rejection> {
        let mut text = format!("The longest path to {}\n", self.subject.label(task));
        for row in self.path_to(task)? {
            let _ = writeln!(text, "  {}", self.subject.label(row));
        }
        Ok(text)
    }

    pub(super) fn path(&self, task: usize) -> Result<Value, Rejection> {
        let path = self.path_to(task)?;
        Ok(json!({
            "study": "longest_path",
            "to": self.subject.reference(task),
            "tasks": self.subject.references(&path),
        }))
    }

    fn path_to(&self, task: usize) -> Result<Vec<usize>, Rejection> {
        let path = self.compiled().longest_path_to(task);
        match path.is_empty() {
            true => Err(self.refusal(task, "is a summary, complete or left out, so it has no such path")),
            false => Ok(path),
        }
    }
}
