//! The lock of a plan: it holds its projects while they are written, numbers the change, and computes once at the end.
//! Every write of tasks or links takes one, so that two writers of a plan come one after the other.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use futures_util::future::BoxFuture;
use planwright_domain::ids::ProjectId;
use planwright_domain::words::RunReason;
use planwright_store::{Result, Tx};

use super::enqueue;
use super::plan_cache::PlanCache;
use super::queries::{self, ProjectInput};
use super::run::recalculate;
use crate::settings::PlanSettings;
use crate::standing::queries as standing;

/// What a change asks of the computed rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Need {
    /// What phases show may differ; dates stay.
    Rollup,
    /// Dates may move.
    Dates,
}

/// The projects that are held until the transaction ends, each with the number of this change.
#[derive(Debug, Default)]
#[must_use = "a lock was held too long, so dates are not recalculated yet"]
pub struct PlanLock {
    counters: HashMap<ProjectId, i64>,
    needs: BTreeMap<ProjectId, Need>,
    reason: Option<RunReason>,
}

impl PlanLock {
    /// Holds a project and those that links tie to it.
    pub async fn take(tx: &mut Tx, project: ProjectId) -> Result<Self> {
        let mut lock = Self::default();
        lock.hold(tx, project).await?;
        Ok(lock)
    }

    /// Holds one more project and those that links tie to it, and says which they are.
    ///
    /// Each project is held in the order of ids, so that two locks never wait for each other in a circle.
    pub fn hold<'a>(
        &'a mut self,
        tx: &'a mut Tx,
        project: ProjectId,
    ) -> BoxFuture<'a, Result<Vec<ProjectInput>>> {
        Box::pin(async move {
            loop {
                let together = queries::recalculated_together(tx, project).await?;
                if together.iter().all(|project| self.counters.contains_key(&project.id)) {
                    return Ok(together);
                }
                for project in together {
                    if let Entry::Vacant(entry) = self.counters.entry(project.id) {
                        entry.insert(queries::next_change(tx, project.id).await?);
                    }
                }
            }
        })
    }

    /// Numbers a change of a project that nobody else can write yet.
    pub(super) async fn number(&mut self, tx: &mut Tx, project: ProjectId) -> Result<()> {
        self.counters.insert(project, queries::next_change(tx, project).await?);
        Ok(())
    }

    /// The number of this change in a project; every row of tasks and links that is written is stamped with it.
    pub fn counter(&self, project: ProjectId) -> i64 {
        self.counters.get(&project).copied().unwrap_or_default()
    }

    /// Says why dates move, for those who read the list of runs.
    pub fn because(&mut self, reason: RunReason) {
        self.reason = Some(reason);
    }

    /// Notes that dates of a project may move.
    pub fn moves_dates(&mut self, project: ProjectId) {
        self.needs.insert(project, Need::Dates);
    }

    /// Notes that what phases of a project show may differ, though no date moves.
    pub fn changes_rollups(&mut self, project: ProjectId) {
        self.needs.entry(project).or_insert(Need::Rollup);
    }

    /// Whether anything was noted.
    pub fn is_due(&self) -> bool {
        !self.needs.is_empty()
    }

    /// Brings everything that was noted up to date and gives the lock up.
    pub async fn end(mut self, tx: &mut Tx) -> Result<()> {
        self.recalculate(tx).await
    }

    /// Brings everything that was noted up to date: at once when what is computed together is small enough, else by a job.
    pub fn recalculate<'a>(&'a mut self, tx: &'a mut Tx) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let (most, cache) = (PlanSettings::of(tx).inline_tasks, PlanCache::of(tx));
            let mut covered: HashSet<ProjectId> = HashSet::new();
            let needs = std::mem::take(&mut self.needs);
            for (project, need) in needs.clone() {
                if covered.contains(&project) {
                    continue;
                }
                let together = self.hold(tx, project).await?;
                covered.extend(together.iter().map(|input| input.id));
                let of_all = together.iter().filter_map(|input| needs.get(&input.id)).max();
                let need = of_all.copied().unwrap_or(need);
                // What is remembered may be a few rows behind, which makes no difference to what fits into a write.
                let (mut tasks, mut unknown) = (0, Vec::new());
                for input in &together {
                    match cache.rows_of(input.id) {
                        Some(rows) => tasks += rows as i64,
                        None => unknown.push(input.id),
                    }
                }
                if !unknown.is_empty() {
                    tasks += queries::count_tasks(tx, unknown).await?;
                }
                match tasks <= most {
                    true => recalculate(tx, self, together, need).await?,
                    false => {
                        standing::outdate(tx, together.iter().map(|input| input.id).collect()).await?;
                        enqueue(tx, project, self.reason.unwrap_or(RunReason::TaskChange)).await?;
                    }
                }
            }
            let same: Vec<ProjectId> =
                self.counters.keys().filter(|project| !covered.contains(project)).copied().collect();
            if !same.is_empty() {
                standing::carry_on(tx, same).await?;
            }
            #[cfg(debug_assertions)]
            self.agrees_with_rows(tx).await?;
            Ok(())
        })
    }

    /// Whether what is kept of the projects is what their rows say, for the check that tests make.
    #[cfg(debug_assertions)]
    async fn agrees_with_rows(&self, tx: &Tx) -> Result<()> {
        let held: Vec<ProjectId> = self.counters.keys().copied().collect();
        let kept = standing::kept(tx, &held).await?;
        let counted = standing::counted(tx, &held).await?;
        for (project, kept) in kept {
            assert!(
                kept.agrees_with(&counted[&project]),
                "{project} stands at {:?}, and kept is {kept:?}",
                counted[&project]
            );
        }
        Ok(())
    }
}

/// Locks projects and all those that links tie to them, so that what follows from a change of theirs can be computed without
/// waiting for anybody: a lock that grows later may wait in a circle.
pub async fn lock_with_linked(tx: &mut Tx, projects: Vec<ProjectId>) -> Result<()> {
    let mut all: HashSet<ProjectId> = projects.iter().copied().collect();
    for project in projects {
        all.extend(queries::linked(tx, project).await?);
    }
    tx.lock_rows("projects", all.into_iter().map(|project| project.0)).await
}
