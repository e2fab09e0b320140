//! The chains of work that lead to the finish of each project, or to one task, the most critical first.

use std::fmt::Write;

use planwright_engine::{self as engine, FloatPath, Progress};
use planwright_plan_files::seed::Rejection;
use serde_json::{Value, json};

use super::super::json::day;
use super::View;

/// Chains that lead to one place.
struct Chains {
    /// The project whose finish they lead to, if no task was asked about.
    project: Option<usize>,
    to: Option<usize>,
    paths: Vec<FloatPath>,
}

impl View<'_> {
    pub(super) fn float_paths(&self, count: usize, to: Option<&str>) -> Result<String, Rejection> {
        let mut text = String::new();
        for Chains { project, to, paths } in self.find_chains(count, to)? {
            let end = match (to, project) {
                (Some(task), _) => self.subject.label(task),
                (None, Some(index)) if self.subject.projects.len() > 1 => {
                    let name = super::super::terminal::printable(&self.subject.projects[index].name);
                    format!("the finish of {name}")
                }
                _ => "the finish".to_owned(),
            };
            let _ = writeln!(text, "Chains that lead to {end}, the most critical first");
            for (number, path) in paths.iter().enumerate() {
                let _ = writeln!(text, "  {}. float {} d", number + 1, path.float);
                for task in &path.tasks {
                    let float = self.schedule.tasks[*task].map(|dates| dates.total_float);
                    let own = float.filter(|float| to.is_none() && *float != path.float);
                    let own = own.map(|float| format!("  (float {float} d)")).unwrap_or_default();
                    let _ = writeln!(text, "       {}{own}", self.subject.label(*task));
                }
                if let Some(joins) = path.joins {
                    let _ = writeln!(text, "       → {}", self.subject.label(joins));
                }
            }
        }
        Ok(text)
    }

    pub(super) fn chains(&self, count: usize, to: Option<&str>) -> Result<Value, Rejection> {
        let chain = |path: &FloatPath| {
            json!({
                "float": path.float,
                "tasks": self.subject.references(&path.tasks),
                "joins": path.joins.map(|task| self.subject.reference(task)),
            })
        };
        let told = self.find_chains(count, to)?.into_iter().map(|Chains { project, to, paths }| {
            let finish = project.and_then(|index| self.schedule.projects.get(index)?.finish);
            json!({
                "project": project.map(|index| self.subject.projects[index].slug.as_str()),
                "finish": day(finish),
                "to": to.map(|task| self.subject.reference(task)),
                "paths": paths.iter().map(chain).collect::<Vec<_>>(),
            })
        });
        Ok(json!({ "study": "float_paths", "chains": told.collect::<Vec<_>>() }))
    }

    fn find_chains(&self, count: usize, to: Option<&str>) -> Result<Vec<Chains>, Rejection> {
        let network = &self.subject.network;
        let Some(name) = to else {
            let towards = |project| {
                let paths = engine::paths_to_finish(network, project, count);
                Chains { project: Some(project), to: None, paths }
            };
            return Ok((0..network.projects.len()).map(towards).collect());
        };
        let task = self.subject.find(name)?;
        if self.subject.rows[task].is_summary {
            return Err(self.refusal(task, "is a summary; name a row below it instead"));
        }
        if self.dates(task)?.progress == Progress::Complete {
            return Err(self.refusal(task, "is complete, so it has no such path"));
        }
        let paths = engine::float_paths(network, task, count);
        Ok(vec![Chains { project: None, to: Some(task), paths }])
    }
}
