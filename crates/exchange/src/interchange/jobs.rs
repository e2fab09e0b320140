//! Writing the rows of a file into its project. They come in all at once or not at all; rights are those of this moment.

use anyhow::anyhow;
use planwright_domain::access::may;
use planwright_domain::words::{FileImportKind, SourceKind};
use planwright_jobs::Registry;
use planwright_plan::Edit;
use planwright_plan::containers::inheritance::in_force;
use planwright_plan::import::append::{Source, append};
use planwright_plan_files::seed;
use planwright_store::StoreError;
use planwright_web::{Actor, ApiResult, App, ProjectScope, off_thread};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::model::FileReport;
use super::{queries, report};
use crate::packed::unpack;
use crate::programs::intake::{self, Importer, Places};
use crate::under_way::Work;

/// The kind of job that writes the rows of a file.
pub(super) const IMPORT: &str = "import_file";

/// What the job needs to know.
#[derive(Serialize, Deserialize)]
pub(super) struct ImportFile {
    /// The import.
    pub(super) import: Uuid,
}

pub(super) fn registry() -> Registry<App> {
    Registry::default().on(IMPORT, async |app: App, job: ImportFile| {
        Work::FileImport.carry_out(&app, job.import, || write(&app, job.import)).await
    })
}

async fn write(app: &App, id: Uuid) -> ApiResult<()> {
    let Some(work) = queries::find_work(&app.db, id).await? else { return Ok(()) };
    let actor = Actor::in_background(&app.db, work.created_by).await?;
    let scope = ProjectScope::<may::ImportPlan>::of(&app.db, &actor, work.project_id).await?;
    let (kept, today) = (work.document, app.clock.today());
    let methodology = in_force(&app.db, work.project_id).await?.methodology;
    let importer = Importer { id: actor.id, username: actor.username.clone() };
    let read = off_thread(move || {
        let text = unpack(kept)?;
        let read = seed::parse_with_cycles(text.as_bytes(), today);
        let mut document = read.map_err(|rejection| StoreError::Unexpected(anyhow!(rejection)))?;
        document.projects.iter_mut().for_each(|project| project.methodology = methodology);
        let plan = intake::subtree_of_file(&Places::of(&document, &importer));
        Ok::<_, StoreError>((document, plan))
    });
    let (document, plan) = read.await??;
    let total = document.projects.iter().map(|project| project.tasks.len()).sum();
    Work::FileImport.tell(&app.db, id, "tasks", (0, total)).await?;
    let mut edit = Edit::of_plan(app, &scope).await?;
    // The row is not locked, so that somebody can cancel the import on another node.
    if queries::find_work(&edit, id).await?.is_none() {
        return Ok(());
    }
    let source = Source { kind: source(work.kind), id, version: String::new() };
    let appended = append(&mut edit, &source, &plan).await?;
    edit.recalculate_within_reach("file").await?;
    let dated = queries::dated(&edit, &appended.tasks).await?;
    let file: FileReport = serde_json::from_value(work.report).map_err(anyhow::Error::from)?;
    let summary = report::summary(&document, file, &appended, dated);
    let versions = appended.tasks.iter().map(|task| (*task, 1)).collect();
    match queries::finish(&mut edit, id, json!(summary), &versions).await? {
        true => Ok(edit.commit().await?),
        false => Ok(()),
    }
}

/// What wrote the rows of an import.
pub(super) fn source(kind: FileImportKind) -> SourceKind {
    match kind {
        FileImportKind::Csv => SourceKind::CsvImport,
        FileImportKind::MsProject => SourceKind::MsprojectImport,
        FileImportKind::Primavera => SourceKind::PrimaveraImport,
        FileImportKind::Jira => SourceKind::JiraImport,
    }
}
