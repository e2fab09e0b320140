//! What imports, exports and applications of templates have in common while a job works on them: how they begin and fail, how
//! far they have come, and that somebody may cancel them.

use planwright_jobs::JobError;
use planwright_plan::import::slices::Progress;
use planwright_store::{Db, Result, Sql, StoreError, Tx, sql};
use planwright_web::{ApiError, ApiResult, App};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::failure;
use crate::stops::Stops;

/// What is read of work that was cancelled.
const CANCELLED: &str = "It was cancelled. Nothing was written.";

/// How far a job has come.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct JobProgress {
    /// What it does: `library`, `tasks`, `surroundings`, `links`, `dates`, `history`, `opening`, `reading` or `packing`.
    pub phase: String,
    /// How many rows of the phase are done.
    pub done: i64,
    /// How many there are. 0 if that is not known.
    pub total: i64,
}

impl JobProgress {
    /// As it is stored; nothing before the job has begun.
    pub(crate) fn of(phase: String, done: i64, total: i64) -> Option<Self> {
        (!phase.is_empty()).then_some(Self { phase, done, total })
    }
}

/// A table whose rows are worked on by a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Work {
    SeedImport,
    FileImport,
    Application,
    Export,
}

impl Work {
    fn table(self) -> &'static str {
        match self {
            Self::SeedImport => "seed_imports",
            Self::FileImport => "file_imports",
            Self::Application => "template_applications",
            Self::Export => "export_jobs",
        }
    }

    /// The words for work that waits, work under way and work that failed.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::FileImport => ("pending", "dispatched", "dead"),
            _ => ("pending", "running", "failed"),
        }
    }

    /// What is forgotten of work that was cancelled or failed.
    fn forgotten(self) -> &'static str {
        match self {
            Self::SeedImport => ", document = ''",
            Self::FileImport => ", document = '', report = '{}'",
            Self::Application | Self::Export => "",
        }
    }

    /// The statement that notes how far work has come; it touches no row when the work has ended in the meantime.
    pub(crate) fn note(self, id: Uuid, progress: Progress) -> Sql {
        let update = format!(
            "UPDATE {} SET phase = :phase, rows_done = :done, rows_total = :total
             WHERE id = :id AND status = :running",
            self.table()
        );
        sql!(
            update,
            id = id,
            phase = progress.phase,
            done = i64::try_from(progress.done).unwrap_or(i64::MAX),
            total = i64::try_from(progress.total).unwrap_or(i64::MAX),
            running = self.words().1,
        )
    }

    /// Notes how far work has come, for everybody to see at once.
    ///
    /// # Errors
    /// `Missing` when the work was cancelled in the meantime.
    pub(crate) async fn tell(self, db: &Db, id: Uuid, phase: &'static str, of: (usize, usize)) -> Result<()> {
        let mut tx = db.begin().await?;
        match tx.run(self.note(id, Progress { phase, done: of.0, total: of.1 })).await? {
            0 => Err(StoreError::Missing),
            _ => tx.commit().await,
        }
    }

    /// Marks work as under way; false when it has ended.
    async fn begin(self, tx: &mut Tx, id: Uuid) -> Result<bool> {
        let (waiting, running, _) = self.words();
        let update = format!(
            "UPDATE {} SET status = :running, started_at = COALESCE(started_at, :now)
             WHERE id = :id AND status IN (:waiting, :running)",
            self.table()
        );
        let statement = sql!(update, running = running, now = tx.now(), id = id, waiting = waiting);
        Ok(tx.run(statement).await? == 1)
    }

    /// Ends work that waits or is under way, and says why; false when it has ended.
    async fn end(self, tx: &mut Tx, id: Uuid, detail: &str, more: &str) -> Result<bool> {
        let (waiting, running, failed) = self.words();
        let update = format!(
            "UPDATE {} SET status = :failed, error_detail = :detail, completed_at = :now{}{more}
             WHERE id = :id AND status IN (:waiting, :running)",
            self.table(),
            self.forgotten()
        );
        let statement = sql!(
            update,
            failed = failed,
            detail = detail,
            now = tx.now(),
            id = id,
            waiting = waiting,
            running = running,
        );
        Ok(tx.run(statement).await? == 1)
    }

    /// Cancels work that waits or is under way.
    ///
    /// # Errors
    /// 409 when it has ended.
    pub(crate) async fn cancel(self, tx: &mut Tx, id: Uuid) -> ApiResult<()> {
        match self.end(tx, id, CANCELLED, ", cancelled_at = :now").await? {
            true => Ok(()),
            false => Err(ApiError::conflict("It has ended already.").with_code("already_ended")),
        }
    }

    /// What a job does with work: it begins it, does it, and tells the person who waits when it fails. Who stops it notes that
    /// it is cancelled; if that does not succeed, it begins again.
    ///
    /// # Errors
    /// When the same work may succeed in a moment.
    pub(crate) async fn carry_out<F>(
        self,
        app: &App,
        id: Uuid,
        write: impl Fn() -> F + Send + Sync,
    ) -> std::result::Result<(), JobError>
    where
        F: Future<Output = ApiResult<()>> + Send,
    {
        let ended = loop {
            let mut tx = app.db.begin().await?;
            let is_due = self.begin(&mut tx, id).await?;
            tx.commit().await?;
            if !is_due {
                return Ok(());
            }
            if let Some(ended) = app.get::<Stops>().unless_stopped(id, write()).await {
                break ended;
            }
        };
        let Err(error) = ended else { return Ok(()) };
        let detail = failure::sentence(error)?;
        tracing::warn!(table = self.table(), %id, detail, "work for somebody failed");
        let mut tx = app.db.begin().await?;
        self.end(&mut tx, id, &detail, "").await?;
        tx.commit().await.map_err(JobError::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_progress_before_a_job_has_begun() {
        assert_eq!(JobProgress::of(String::new(), 0, 0), None);
        let begun = JobProgress::of("tasks".into(), 3, 9);
        assert_eq!(begun, Some(JobProgress { phase: "tasks".into(), done: 3, total: 9 }));
    }
}
