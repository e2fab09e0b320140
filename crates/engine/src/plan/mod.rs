//! A compiled network that can be edited and read at any time. An edit computes again only what it reaches. `rows`
//! edits rows, `structure` edits the sorted structure, `cone` computes the dates.

mod cone;
mod marks;
mod refresh;
mod rows;
mod structure;

use std::collections::HashSet;
use std::fmt;

use crate::compiled::Compiled;
use crate::day::Day;
use crate::engine::{State, assemble};
use crate::network::{Constraint, Link, Network, Task};
use crate::passes::Forward;
use crate::report::gather;
use crate::schedule::{Schedule, TaskDates};

/// A compiled network with its computed dates. After every edit it gives exactly the same answers as
/// [`schedule`](crate::schedule) for the edited network.
#[derive(Debug, Clone)]
pub struct CompiledPlan {
    network: Network,
    compiled: Compiled,
    state: State,
    /// Place of each node in the sequence of the compiled network.
    place: Vec<u32>,
    /// Nodes of removed rows.
    gone: usize,
    /// Ids of the rows, once a row was added.
    ids: Option<HashSet<u128>>,
}

/// One change to a plan. Positions are those of the network before the edit.
#[derive(Debug, Clone)]
pub enum Edit {
    /// A new duration in working days.
    Duration {
        /// Position of the row.
        task: usize,
        /// 0..=366 000.
        days: i32,
    },
    /// A new planned start, or none.
    PlannedStart {
        /// Position of the row.
        task: usize,
        /// Work starts no earlier than this day.
        day: Option<Day>,
    },
    /// A new constraint, or none.
    Constraint {
        /// Position of the row.
        task: usize,
        /// The limit on its dates.
        constraint: Option<Constraint>,
    },
    /// A new deadline, or none.
    Deadline {
        /// Position of the row.
        task: usize,
        /// The deadline: the day by whose end the task should be finished.
        day: Option<Day>,
    },
    /// The progress of a row.
    Progress {
        /// Position of the row.
        task: usize,
        /// 0.0..=100.0.
        percent_complete: f64,
        /// The day on which work began.
        actual_start: Option<Day>,
        /// The day by whose end work was finished.
        actual_finish: Option<Day>,
    },
    /// Any other change of a row, including its project, parent and calendar.
    Row {
        /// Position of the row.
        task: usize,
        /// The new row.
        row: Box<Task>,
    },
    /// A new data date of a project, or none.
    DataDate {
        /// Position of the project.
        project: usize,
        /// Remaining work is planned on or after it.
        day: Option<Day>,
    },
    /// A new lag, in the unit that the link has.
    Lag {
        /// Position of the link.
        link: usize,
        /// ±366 000.
        lag: i32,
    },
    /// Adds a link at the end of the list.
    AddLink(Link),
    /// Removes a link. The last link of the list takes its place.
    RemoveLink(usize),
    /// Adds a row at the end of the list.
    AddTask(Box<Task>),
    /// Removes a row, and its links as with `RemoveLink`, the last ones first. Rows below it move to its parent. The
    /// last row of the list takes its place.
    RemoveTask(usize),
}

/// An edit names a row, a link or a project that does not exist. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownPosition {
    /// What it names.
    pub named: Named,
    /// The position that it names.
    pub position: usize,
    /// How many of them the plan has.
    pub count: usize,
}

/// The kinds of positions in an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Named {
    /// A row of `Network::tasks`.
    Task,
    /// A link of `Network::links`.
    Link,
    /// A project of `Network::projects`.
    Project,
}

impl fmt::Display for UnknownPosition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = match self.named {
            Named::Task => "task",
            Named::Link => "link",
            Named::Project => "project",
        };
        let UnknownPosition { position, count, .. } = self;
        write!(formatter, "the edit names {named} {position}, and the plan has {count}, counted from 0")
    }
}

impl std::error::Error for UnknownPosition {}

/// The rows that an edit reached.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Changes {
    /// Rows whose dates or floats may have changed, in ascending order. All other rows are unchanged. Positions are
    /// those after the edit.
    pub tasks: Vec<usize>,
    /// The structure was built again, because rows became summaries or the reverse, links form a cycle, or a row
    /// cannot be used.
    pub rebuilt: bool,
}

impl Changes {
    /// The union with the rows of another edit that neither added nor removed a row.
    pub fn and(self, other: Changes) -> Changes {
        let rebuilt = self.rebuilt || other.rebuilt;
        Changes { rebuilt, ..self.with(other.tasks) }
    }

    fn with(mut self, rows: Vec<usize>) -> Changes {
        if !rows.is_empty() {
            self.tasks.extend(rows);
            self.tasks.sort_unstable();
            self.tasks.dedup();
        }
        self
    }
}

/// How far an edit reaches.
enum Reach {
    /// Values of these nodes or of their links changed, and also these rows.
    Nodes(Vec<u32>, Vec<usize>),
    /// Values of many nodes may have changed, and certainly those of these rows.
    Values(Vec<usize>),
    /// The structure must be built again.
    Structure,
}

impl CompiledPlan {
    /// Compiles and computes a network. Everything that cannot be used is a fault of the schedule.
    pub fn new(network: Network) -> CompiledPlan {
        let compiled = Compiled::new(&network);
        let state = State::compute(&network, &compiled);
        let place = compiled.sequence.clone();
        CompiledPlan { network, compiled, state, place, gone: 0, ids: None }
    }

    pub(crate) fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Whether the numbers of nodes are those of a new compilation, as before edits of the structure.
    pub(crate) fn is_numbered_in_order(&self) -> bool {
        self.compiled.in_order && self.gone == 0
    }

    /// The result of the forward pass.
    pub(crate) fn placed(&self) -> Forward<'_> {
        let (inputs, early) = (&self.state.inputs, &self.state.early);
        Forward { network: &self.network, compiled: &self.compiled, inputs, early }
    }

    /// The current network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Applies one edit and recomputes what it reaches.
    pub fn edit(&mut self, edit: Edit) -> Result<Changes, UnknownPosition> {
        self.check(&edit)?;
        // Where an edited node ended before decides whether its project's finish has to be looked up.
        let ended = self.ends_of(&edit);
        Ok(match self.apply(edit) {
            Reach::Nodes(nodes, rows) => self.update(&nodes, &ended).with(self.and_above(rows)),
            Reach::Values(rows) => self.recompute().with(self.and_above(rows)),
            Reach::Structure => {
                let ids = self.ids.take();
                *self = CompiledPlan::new(std::mem::take(&mut self.network));
                self.ids = ids;
                Changes { tasks: (0..self.network.tasks.len()).collect(), rebuilt: true }
            }
        })
    }

    /// Runs the forward and the backward pass over everything, including floats, and nothing else. Rows are not read
    /// again and nothing is compared. The values are the same as before.
    pub fn passes(&mut self) {
        self.state.passes(&self.network, &self.compiled);
    }

    /// Reads all rows again and runs both passes, without sorting or packing anything.
    pub fn recompute(&mut self) -> Changes {
        let next = State::compute(&self.network, &self.compiled);
        let before = std::mem::replace(&mut self.state, next);
        self.differences(&before)
    }

    /// Dates and floats of one row; `None` if there is no such row or a fault left it out.
    pub fn task(&self, task: usize) -> Option<TaskDates> {
        let results = self.state.results(&self.network, &self.compiled);
        match self.compiled.node_of.get(task).copied()? {
            u32::MAX => gather(&results, task),
            node => Some(results.leaf(node as usize)),
        }
    }

    /// The whole schedule with links, conflicts and critical path.
    pub fn schedule(&self) -> Schedule {
        assemble(&self.state.results(&self.network, &self.compiled))
    }

    /// The memory in bytes of the compiled and computed plan, without the network itself and calendar tables.
    pub fn bytes(&self) -> usize {
        4 * self.place.capacity() + self.compiled.bytes() + self.state.bytes()
    }

    /// Rows and the summaries above them.
    fn and_above(&self, mut rows: Vec<usize>) -> Vec<usize> {
        let mut next = 0;
        while let Some(row) = rows.get(next) {
            rows.extend(self.compiled.outline.parent[*row].map(|parent| parent as usize));
            next += 1;
        }
        rows
    }

    fn check(&self, edit: &Edit) -> Result<(), UnknownPosition> {
        let network = &self.network;
        let (named, position, count) = match edit {
            Edit::Duration { task, .. }
            | Edit::PlannedStart { task, .. }
            | Edit::Constraint { task, .. }
            | Edit::Deadline { task, .. }
            | Edit::Progress { task, .. }
            | Edit::Row { task, .. }
            | Edit::RemoveTask(task) => (Named::Task, *task, network.tasks.len()),
            Edit::Lag { link, .. } | Edit::RemoveLink(link) => (Named::Link, *link, network.links.len()),
            Edit::DataDate { project, .. } => (Named::Project, *project, network.projects.len()),
            Edit::AddLink(_) | Edit::AddTask(_) => return Ok(()),
        };
        let unknown = UnknownPosition { named, position, count };
        if position < count { Ok(()) } else { Err(unknown) }
    }
}
