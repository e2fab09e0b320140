//! Taking in a file: it is read inside the request, so that what is wrong with it is answered at once. Its rows are
//! written by a job.

use chrono::NaiveDate;
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_domain::words::{FileImportKind, FileImportStatus};
use planwright_jobs::{NewJob, queue};
use planwright_plan::import::slices::Slices;
use planwright_plan::import::{self, Origin};
use planwright_plan_files::seed::{self, Document, render};
use planwright_plan_files::table::TableRead;
use planwright_plan_files::{PlanFile, Unreadable};
use planwright_store::Tx;
use planwright_web::{ApiError, ApiResult, App, off_thread};
use serde_json::json;
use uuid::Uuid;

use super::jobs::{IMPORT, ImportFile, source};
use super::model::{FileImportQueued, FileReport};
use super::queries::{self, NewFileImport};
use crate::packed::pack;
use crate::programs::intake::{self, Importer, Places};

/// A file that was read.
pub(super) struct Accepted {
    pub(super) kind: FileImportKind,
    pub(super) filename: String,
    pub(super) document: Document,
    pub(super) report: FileReport,
}

/// What is wrong with a file, on its field.
pub(super) fn unreadable(error: Unreadable) -> ApiError {
    ApiError::invalid_field("file", error.0)
}

impl Accepted {
    /// A file of a plan.
    pub(super) fn plan(kind: FileImportKind, filename: &str, plan: PlanFile) -> Self {
        let tasks = plan.document.projects.iter().flat_map(|project| &project.tasks);
        let dates = tasks.map(|task| plan.dates.get(&task.wbs_path).copied().unwrap_or_default()).collect();
        let report = FileReport { losses: plan.losses.0, dates, ..FileReport::default() };
        Self { kind, filename: filename.chars().take(255).collect(), document: plan.document, report }
    }

    /// A table.
    pub(super) fn table(filename: &str, table: TableRead) -> Self {
        let problems =
            table.problems.into_iter().map(|one| (one.row, one.field.to_owned(), one.message)).collect();
        let mut accepted = Self::plan(FileImportKind::Csv, filename, table.plan);
        accepted.report = FileReport { problems, parked: table.parked, ..accepted.report };
        accepted
    }

    /// The packed text of which the job makes rows. A plan that could not be read again would fail in the job, where nobody waits
    /// for it.
    async fn rendered(self, today: NaiveDate) -> ApiResult<(Self, String)> {
        let render = move || {
            let text = render(&self.document);
            seed::parse_with_cycles(text.as_bytes(), today).map(|_| (self, pack(&text)))
        };
        let refused = |rejection: seed::Rejection| ApiError::invalid_field("file", rejection.to_string());
        let (accepted, kept) = off_thread(render).await?.map_err(refused)?;
        Ok((accepted, kept?))
    }

    /// Adds the import and queues its job.
    async fn queue(
        self,
        tx: &mut Tx,
        kept: &str,
        project: ProjectId,
        user: UserId,
    ) -> ApiResult<FileImportQueued> {
        let warnings = planwright_plan_files::Losses(self.report.losses.clone()).sentences();
        let new = NewFileImport {
            project,
            kind: self.kind,
            filename: &self.filename,
            document: kept,
            report: json!(self.report),
            user,
        };
        let import = queries::insert(tx, &new).await?;
        let job = NewJob::new(IMPORT, &ImportFile { import })?;
        queue::enqueue(tx, job.once(format!("{IMPORT}:{import}"))).await?;
        Ok(FileImportQueued {
            queued: true,
            import_request_id: import,
            project_id: project,
            status: FileImportStatus::Pending,
            task_count: self.document.projects.iter().map(|project| project.tasks.len()).sum(),
            warnings,
        })
    }

    /// Creates the project of a file, without rows.
    async fn create_project(
        &self,
        tx: &mut Tx,
        user: UserId,
        program: Option<ProgramId>,
    ) -> ApiResult<ProjectId> {
        let importer = Importer { id: user, username: String::new() };
        let mut plan = intake::subtree_of_file(&Places::of(&self.document, &importer));
        plan.links.clear();
        plan.resources.clear();
        for project in &mut plan.projects {
            (project.tasks, project.labels, project.baselines, project.roster) = Default::default();
        }
        let id: Uuid = tx.mint();
        let origin = Origin { program, creator: user, kind: source(self.kind), id };
        let hidden = import::build(&mut Slices::whole(tx), &origin, &plan).await?;
        let built = hidden.open(tx, &origin).await?;
        let made = built.projects.first().map(|project| project.id);
        made.ok_or_else(|| ApiError::unexpected(anyhow::anyhow!("the plan of a file has no project")))
    }
}

/// Queues the import of a file into a project that is there.
pub(super) async fn into_project(
    app: &App,
    project: ProjectId,
    user: UserId,
    accepted: Accepted,
) -> ApiResult<FileImportQueued> {
    let (accepted, kept) = accepted.rendered(app.clock.today()).await?;
    let mut tx = app.db.begin().await?;
    let queued = accepted.queue(&mut tx, &kept, project, user).await?;
    tx.commit().await?;
    Ok(queued)
}

/// Creates the project of a file and queues the import of its rows.
pub(super) async fn into_new_project(
    app: &App,
    program: Option<ProgramId>,
    user: UserId,
    accepted: Accepted,
) -> ApiResult<FileImportQueued> {
    let (accepted, kept) = accepted.rendered(app.clock.today()).await?;
    let mut tx = app.db.begin().await?;
    let project = accepted.create_project(&mut tx, user, program).await?;
    let queued = accepted.queue(&mut tx, &kept, project, user).await?;
    tx.commit().await?;
    Ok(queued)
}
