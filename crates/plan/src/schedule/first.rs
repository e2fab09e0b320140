//! The first recalculation of projects that an import has written and that nobody sees yet: computed beside the writer,
//! written in slices, and told when the projects are opened.

use planwright_domain::ids::ProjectId;
use planwright_store::{Result, Tx};

use super::cached_plan::{self, Changed};
use super::network::Frames;
use super::plan_cache::CachedPlan;
use super::plan_lock::{Need, PlanLock};
use super::{queries, request_all, run};
use crate::import::slices::Slices;
use crate::settings::PlanSettings;

/// Projects whose dates are written, and that nobody was told of.
pub(crate) struct First {
    projects: Vec<ProjectId>,
    lock: PlanLock,
    cached: CachedPlan,
    changed: Changed,
}

impl First {
    /// Computes projects together and writes their dates.
    pub(crate) async fn compute(rows: &mut Slices<'_>, projects: Vec<ProjectId>) -> Result<Self> {
        let mut lock = PlanLock::default();
        for project in &projects {
            lock.number(rows.tx().await?, *project).await?;
        }
        rows.pause().await?;
        let settings = rows.context::<PlanSettings>().copied().unwrap_or_default();
        let inputs = queries::projects(rows, &projects).await?;
        let mut cached = cached_plan::read(rows, &settings, inputs, rows.now().date_naive()).await?;
        let changed = cached.take_in();
        let driving = cached.take_in_driving();
        let due = |(at, _): &(usize, _)| (&cached.computed[*at], cached.tasks[*at].project_id);
        let due: Vec<queries::Due<'_>> = changed.rows.iter().map(due).collect();
        rows.phase("dates", due.len() + driving.len()).await?;
        for part in due.chunks(rows.part()) {
            queries::write_computed(rows.tx().await?, part, &lock).await?;
            rows.wrote(part.len()).await?;
        }
        drop(due);
        for part in driving.chunks(rows.part()) {
            queries::write_driving(rows.tx().await?, part).await?;
            rows.wrote(part.len()).await?;
        }
        Ok(Self { projects, lock, cached, changed })
    }

    /// Tells of the dates of projects that were opened just now. They are computed again if a calendar or a setting that they
    /// inherit has changed since.
    pub(crate) async fn conclude(self, tx: &mut Tx) -> Result<()> {
        let inputs = queries::projects(tx, &self.projects).await?;
        let frames = Frames::read(tx, &inputs, &PlanSettings::of(tx), tx.now().date_naive()).await?;
        let is_same = frames.surround(self.cached.compiled.network(), &self.cached.own_calendars);
        run::conclude(tx, &self.lock, self.cached, &self.changed, Need::Dates).await?;
        match is_same {
            true => Ok(()),
            false => request_all(tx, self.projects).await,
        }
    }
}
