//! What a process remembers of plans between two writes, so that a small change does not read a large plan again.
//! Losing it costs time and nothing else: a mark in the database tells whether it is still what the last recalculation left.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex};

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_engine::{CompiledPlan, Schedule};
use planwright_store::Tx;
use uuid::Uuid;

use super::network::OwnCalendars;
use super::queries::{Computed, LinkInput, ProjectInput, TaskInput};
use super::rollup::Family;
use crate::standing::counts::Share;
use crate::standing::queries::Promises;

/// What all remembered plans together may take, by the estimate of [`CachedPlan::bytes`]. A plan that is larger alone is read
/// anew each time.
const MOST_BYTES: usize = 48 * 1024 * 1024;
/// What the engine keeps of a row beside the row itself: its places in the order, its figures and those of its links.
const ENGINE_BYTES: usize = 300;

/// A plan as the last recalculation left it, or as it is about to be compared with that.
#[derive(Clone, Debug)]
pub(super) struct CachedPlan {
    /// The projects, in the order of the network's frames.
    pub(super) projects: Vec<ProjectInput>,
    /// Every live row, in the order of ids.
    pub(super) tasks: Vec<TaskInput>,
    /// Who stands below whom among them.
    pub(super) family: Family,
    /// Every link, those included whose ends take no part.
    pub(super) links: Vec<LinkInput>,
    /// The links that hold something, in the order of the network's links.
    pub(super) held: Vec<LinkInput>,
    /// For each task of the network its place in `tasks`.
    pub(super) of_node: Vec<usize>,
    /// Where in the network the calendars stand that tasks have of their own.
    pub(super) own_calendars: OwnCalendars,
    /// The network that they became, ready for edits.
    pub(super) compiled: CompiledPlan,
    /// What the engine says of it.
    pub(super) schedule: Schedule,
    /// The critical leaves of each project, in order, as they were last stored.
    pub(super) paths: Vec<Vec<TaskId>>,
    /// What the active baseline of each project promised.
    pub(super) promises: Vec<Promises>,
    /// What is stored of each row, in the order of `tasks`.
    pub(super) computed: Vec<Computed>,
    /// What each row adds to where its project stands, in the order of `tasks`; empty when it has to be looked up.
    pub(super) shares: Vec<Share>,
    /// What has yet to be compared with what is stored.
    pub(super) due: Due,
    /// The change of the project that it takes in.
    pub(super) counter: i64,
}

impl CachedPlan {
    /// About what it takes in memory.
    fn bytes(&self) -> usize {
        let network = self.compiled.network();
        size_of_val(self.tasks.as_slice())
            + size_of_val(self.computed.as_slice())
            + size_of_val(self.shares.as_slice())
            + size_of_val(self.links.as_slice())
            + size_of_val(self.held.as_slice())
            + size_of_val(network.tasks.as_slice())
            + size_of_val(network.links.as_slice())
            + self.paths.iter().map(|path| size_of_val(path.as_slice())).sum::<usize>()
            + self.promises.iter().map(Promises::bytes).sum::<usize>()
            + self.computed.iter().map(Computed::text_bytes).sum::<usize>()
            + self.tasks.len() * ENGINE_BYTES
    }
}

/// What has yet to be compared with what is stored.
#[derive(Clone, Debug)]
pub(super) enum Due {
    /// Everything, places in the outline included; of some rows nothing is stored yet.
    Everything {
        /// The rows that are not stored yet.
        unstored: HashSet<usize>,
    },
    /// The dates of all rows; their places are as they were.
    Dates,
    /// Some rows alone.
    Rows {
        /// The rows.
        rows: BTreeSet<usize>,
        /// Whether the critical path is another one.
        path: bool,
    },
}

/// The plans that this process remembers, beside the database.
#[derive(Clone, Debug, Default)]
pub struct PlanCache(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    plans: HashMap<ProjectId, Remembered>,
    clock: u64,
}

/// A plan that is remembered under a mark.
#[derive(Debug)]
struct Remembered {
    mark: Uuid,
    used: u64,
    bytes: usize,
    plan: CachedPlan,
}

impl PlanCache {
    /// The memory beside the database of a transaction.
    pub(super) fn of(tx: &Tx) -> Self {
        tx.context::<Self>().cloned().unwrap_or_default()
    }

    /// Takes out what is remembered of a project, if it carries the mark; what carries another one is forgotten.
    pub(super) fn take(&self, project: ProjectId, mark: Uuid) -> Option<CachedPlan> {
        let mut kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let known = kept.plans.remove(&project)?;
        (known.mark == mark).then_some(known.plan)
    }

    /// How many rows a plan had when it was last remembered here.
    pub(super) fn rows_of(&self, project: ProjectId) -> Option<usize> {
        let kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.plans.get(&project).map(|known| known.plan.tasks.len())
    }

    /// Remembers a plan under a mark. It counts only once the transaction that wrote the mark has committed, since nobody
    /// reads the mark before.
    pub(super) fn keep(&self, project: ProjectId, mark: Uuid, plan: CachedPlan) {
        let bytes = plan.bytes();
        let mut kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.clock += 1;
        let used = kept.clock;
        kept.plans.insert(project, Remembered { mark, used, bytes, plan });
        while kept.plans.values().map(|known| known.bytes).sum::<usize>() > MOST_BYTES {
            let oldest = kept.plans.iter().min_by_key(|(_, known)| known.used).map(|(project, _)| *project);
            oldest.and_then(|project| kept.plans.remove(&project));
        }
    }
}
