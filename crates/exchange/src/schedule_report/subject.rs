//! A plan as reports and looks see it, whatever file it came from: what the engine computes on, and what people call
//! its rows. Nothing here is computed.

use std::collections::HashMap;

use planwright_domain::words::Word;
use planwright_engine::simple::SimpleProject;
use planwright_engine::{self as engine, Fault};
use planwright_plan_files::seed::outline::{Outline, compare_paths};
use planwright_plan_files::seed::{Document, Rejection, TaskReference, engine_day, parse_with_cycles};

use super::simple::{parse, parse_what_is_known};
use super::terminal::printable;
use super::{Format, Options};
use crate::document_network::network;

pub(super) struct Subject {
    /// What the plan is called.
    pub(super) name: String,
    pub(super) network: engine::Network,
    /// One entry per project of the network.
    pub(super) projects: Vec<ProjectName>,
    /// One entry per task of the network.
    pub(super) rows: Vec<RowName>,
    /// All rows as people list them: project after project, in the order of its outline.
    pub(super) order: Vec<usize>,
    /// Shapes, shared causes and risks; runs and seed are up to the caller.
    pub(super) simulation: engine::SimulationOptions,
    /// Resources and the baseline that is measured against.
    pub(super) records: engine::Records,
    /// What the file says without effect.
    pub(super) warnings: Vec<String>,
    /// What the file says of tasks that it does not have, and was left out for that.
    pub(super) refused: Vec<String>,
}

pub(super) struct ProjectName {
    /// How references name it; empty where there is only one, without a name.
    pub(super) slug: String,
    pub(super) name: String,
    /// The calendar that plain lags count on.
    pub(super) lags: &'static str,
    /// Rows that take no part.
    pub(super) left_out: usize,
}

pub(super) struct RowName {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) depth: usize,
    pub(super) is_summary: bool,
    pub(super) is_milestone: bool,
}

impl Subject {
    /// Reads what the bytes hold; a file of one project a line is read line by line.
    pub(super) fn read(bytes: &[u8], options: &Options) -> Result<Self, Rejection> {
        match options.format {
            Format::Seed => Ok(Self::of_seed(&parse_with_cycles(bytes, options.today)?, options)),
            Format::Simple | Format::SimpleLines => {
                let text = super::simple::utf8(bytes)?;
                // Only a report tells what was left out.
                let read = if options.report { parse_what_is_known } else { parse };
                read(text).map(Self::of_simple)
            }
        }
    }

    pub(super) fn of_seed(document: &Document, options: &Options) -> Self {
        let plan = network(document, options.lag_calendar);
        let records = records(document, &plan);
        let mut rows = Vec::with_capacity(plan.rows.len());
        let mut order = Vec::with_capacity(plan.rows.len());
        let mut projects = Vec::new();
        for (index, project) in document.projects.iter().enumerate() {
            let outline = Outline::of(project.tasks.iter().map(|task| task.wbs_path.as_str()));
            let first = rows.len();
            for row in plan.rows.iter().filter(|row| row.project == index) {
                let task = &project.tasks[row.task];
                rows.push(RowName {
                    path: task.wbs_path.clone(),
                    name: task.name.clone(),
                    depth: outline.depth(row.task),
                    is_summary: row.is_summary,
                    is_milestone: task.is_milestone,
                });
            }
            let mut own: Vec<usize> = (first..rows.len()).collect();
            own.sort_by(|left, right| compare_paths(&rows[*left].path, &rows[*right].path));
            order.extend(own);
            let lags = options.lag_calendar.unwrap_or_else(|| document.lag_calendar_of(project));
            projects.push(ProjectName {
                slug: project.slug.clone(),
                name: project.name.clone(),
                lags: lags.as_str(),
                left_out: project.tasks.len() - (rows.len() - first),
            });
        }
        Self {
            name: document.program.slug.clone(),
            network: plan.network,
            projects,
            rows,
            order,
            simulation: engine::SimulationOptions::default(),
            records,
            warnings: Vec::new(),
            refused: Vec::new(),
        }
    }

    pub(super) fn of_simple(project: SimpleProject) -> Self {
        let SimpleProject { network, names, titles, title, projects, simulation, records, warnings, refused } =
            project;
        let refused = refused.iter().map(ToString::to_string).collect();
        let (children, is_summary) = outline(&network);
        let slug = |index: usize| projects.get(index).cloned().unwrap_or_default();
        let named = |(index, frame): (usize, &engine::ProjectFrame)| ProjectName {
            slug: slug(index),
            name: if projects.is_empty() { title.clone() } else { slug(index) },
            lags: match frame.lag_calendar {
                engine::LagCalendar::Successor => "successor",
                engine::LagCalendar::Predecessor => "predecessor",
                engine::LagCalendar::Project => "project",
                engine::LagCalendar::Elapsed => "elapsed",
            },
            left_out: 0,
        };
        let project_names = network.projects.iter().enumerate().map(named).collect();
        let mut rows: Vec<RowName> = names
            .into_iter()
            .zip(titles)
            .zip(network.tasks.iter().zip(is_summary))
            .map(|((path, name), (task, is_summary))| RowName {
                path,
                name,
                depth: 0,
                is_summary,
                is_milestone: !is_summary && task.duration == 0,
            })
            .collect();
        let mut order = Vec::with_capacity(rows.len());
        for index in 0..network.projects.len() {
            let is_top = |row: &usize| {
                let task = &network.tasks[*row];
                task.project == index && task.parent.is_none()
            };
            let mut pending: Vec<usize> = (0..rows.len()).rev().filter(is_top).collect();
            while let Some(row) = pending.pop() {
                order.push(row);
                for child in children[row].iter().rev() {
                    rows[*child].depth = rows[row].depth + 1;
                    pending.push(*child);
                }
            }
        }
        // Rows whose parents lead in a circle hang on nothing.
        let mut listed = vec![false; rows.len()];
        order.iter().for_each(|row| listed[*row] = true);
        order.extend((0..rows.len()).filter(|row| !listed[*row]));
        Self {
            name: title,
            projects: project_names,
            rows,
            order,
            simulation,
            records,
            warnings,
            refused,
            network,
        }
    }

    /// The place of a task that was named by its path, with its project in front when there are several, or by what people
    /// call it.
    pub(super) fn find(&self, name: &str) -> Result<usize, Rejection> {
        let is_it = |place: &usize| self.rows[*place].path == name || self.reference(*place) == name;
        let mut found: Vec<usize> = (0..self.rows.len()).filter(is_it).collect();
        if found.is_empty() {
            let is_called = |place: &usize| self.rows[*place].name.eq_ignore_ascii_case(name.trim());
            found = (0..self.rows.len()).filter(is_called).collect();
            if found.len() > 1 {
                let paths = self.references(&found).join(", ");
                let name = printable(name);
                return Err(Rejection::Unreadable(format!("several tasks are called {name}: {paths}")));
            }
        }
        let name = printable(name);
        match found.as_slice() {
            [one] => Ok(*one),
            [] => Err(Rejection::Unreadable(format!("no scheduled task has the path or the name {name}"))),
            _ => Err(Rejection::Unreadable(format!(
                "several projects have a task at {name}; write project:{name}"
            ))),
        }
    }

    /// How programs name a row: `project:path`, or the path alone where the project has no name.
    pub(super) fn reference(&self, place: usize) -> String {
        let slug = &self.projects[self.network.tasks[place].project].slug;
        let path = &self.rows[place].path;
        if slug.is_empty() { path.clone() } else { TaskReference::new(slug, path).to_string() }
    }

    pub(super) fn references(&self, places: &[usize]) -> Vec<String> {
        places.iter().map(|place| self.reference(*place)).collect()
    }

    /// How people read a row: path and name, with its project in front when there are several.
    pub(super) fn label(&self, place: usize) -> String {
        let row = &self.rows[place];
        let path = if self.projects.len() > 1 { self.reference(place) } else { row.path.clone() };
        let name = if row.name == row.path { "" } else { &row.name };
        printable(format!("{path} {name}").trim_end())
    }

    /// A link by the references of its ends.
    pub(super) fn link(&self, link: usize) -> [String; 2] {
        let link = &self.network.links[link];
        [self.reference(link.predecessor), self.reference(link.successor)]
    }

    /// A fault with the rows that it is about.
    pub(super) fn fault(&self, fault: &Fault) -> String {
        match fault {
            Fault::Cycle { path, links, .. } => {
                let place = |id: &u128| self.network.tasks.iter().position(|task| task.id == *id);
                let rows: Vec<usize> = path.iter().filter_map(place).collect();
                let dropped: Vec<String> = links.iter().map(|link| self.link(*link).join(" → ")).collect();
                let way = self.references(&rows).join(" → ");
                format!("{}: {way}; left out: {}", fault.problem(), dropped.join(", "))
            }
            Fault::InvalidTask { task, .. }
            | Fault::InvalidParent { task, .. }
            | Fault::BeyondCalendar { task, .. } => {
                format!("{}: {}", self.reference(*task), fault.problem())
            }
            Fault::InvalidLink { link, .. } => {
                format!("{}: {}", self.link(*link).join(" → "), fault.problem())
            }
            _ => fault.to_string(),
        }
    }

    /// Leaves below a summary.
    pub(super) fn leaves_below(&self, summary: usize) -> Vec<usize> {
        let tasks = &self.network.tasks;
        let above = |row: usize| std::iter::successors(tasks[row].parent, |at| tasks[*at].parent);
        let is_below = |row: &usize| above(*row).take(tasks.len()).any(|at| at == summary);
        (0..tasks.len()).filter(|row| !self.rows[*row].is_summary).filter(is_below).collect()
    }
}

/// The rows below each row, and which rows have any.
fn outline(network: &engine::Network) -> (Vec<Vec<usize>>, Vec<bool>) {
    let mut children = vec![Vec::new(); network.tasks.len()];
    for (row, task) in network.tasks.iter().enumerate() {
        if let Some(parent) = task.parent {
            children[parent].push(row);
        }
    }
    let is_summary = children.iter().map(|below| !below.is_empty()).collect();
    (children, is_summary)
}

/// What a document says of resources and of the baseline that is measured against.
fn records(document: &Document, plan: &crate::document_network::Plan) -> engine::Records {
    let mut records = engine::Records::default();
    let is_staffed = |row: &crate::document_network::Row| {
        let task = &document.projects[row.project].tasks[row.task];
        !task.assignments.is_empty() || task.assignee.is_some()
    };
    if plan.rows.iter().any(is_staffed) {
        records.has_resources = plan.rows.iter().map(is_staffed).collect();
    }
    let active = document.projects.iter().filter_map(|project| {
        let baseline = project.baselines.iter().find(|baseline| baseline.is_active)?;
        Some(baseline.tasks.iter())
    });
    let finishes: HashMap<&TaskReference, engine::Day> =
        active.flatten().filter_map(|frozen| Some((&frozen.task, engine_day(frozen.finish?)))).collect();
    let finish = |row: &crate::document_network::Row| {
        let project = &document.projects[row.project];
        finishes.get(&TaskReference::new(&project.slug, &project.tasks[row.task].wbs_path)).copied()
    };
    records.baseline_finish = plan.rows.iter().map(finish).collect();
    records
}
