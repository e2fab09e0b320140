//! What a process remembers of plans between two writes, so that a small change does not read a large plan again.
//! Losing it costs time and nothing else: a mark in the database tells whether it is still what the last recalculation left.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use planwright_domain::ids::ProjectId;
use planwright_store::Tx;
use uuid::Uuid;

use super::network::Plan;
use super::queries::{Computed, LinkInput};

/// Rows of all remembered plans together, at most; some 800 bytes each.
const MOST_ROWS: usize = 400_000;

/// A plan as the last recalculation left it.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    /// The rows and the network they became.
    pub(super) plan: Plan,
    /// Every link, those included whose ends take no part.
    pub(super) links: Vec<LinkInput>,
    /// What is stored of each row, in the order of `plan.tasks`.
    pub(super) computed: Vec<Computed>,
    /// The rows of which nothing is stored yet.
    pub(super) unstored: HashSet<usize>,
    /// Whether places in the outline have yet to be looked at.
    pub(super) is_new_shape: bool,
    /// The change of the project that it takes in.
    pub(super) counter: i64,
}

/// The plans that this process remembers, beside the database.
#[derive(Clone, Debug, Default)]
pub struct PlanMemory(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    plans: HashMap<ProjectId, (Uuid, u64, Picture)>,
    clock: u64,
}

impl PlanMemory {
    /// The memory beside the database of a transaction.
    pub(super) fn of(tx: &Tx) -> Self {
        tx.context::<Self>().cloned().unwrap_or_default()
    }

    /// Takes out what is remembered of a project, if it carries the mark; what carries another one is forgotten.
    pub(super) fn take(&self, project: ProjectId, mark: Uuid) -> Option<Picture> {
        let mut kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (known, _, picture) = kept.plans.remove(&project)?;
        (known == mark).then_some(picture)
    }

    /// Remembers a plan under a mark. It counts only once the transaction that wrote the mark has committed, since nobody
    /// reads the mark before.
    pub(super) fn keep(&self, project: ProjectId, mark: Uuid, picture: Picture) {
        let mut kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.clock += 1;
        let now = kept.clock;
        kept.plans.insert(project, (mark, now, picture));
        let rows =
            |kept: &Kept| kept.plans.values().map(|(_, _, picture)| picture.computed.len()).sum::<usize>();
        while kept.plans.len() > 1 && rows(&kept) > MOST_ROWS {
            let oldest = kept.plans.iter().min_by_key(|(_, (_, used, _))| *used).map(|(project, _)| *project);
            oldest.and_then(|project| kept.plans.remove(&project));
        }
    }
}
