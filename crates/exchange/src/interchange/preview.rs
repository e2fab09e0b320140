//! What a file would bring, said before anything is kept: its counts, its first rows, and what is not carried. A plan also
//! tells whose dates would not be those of the file, and a table what each column is taken for.

use std::path::Path;

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::words::FileImportKind;
use planwright_plan_files::seed::model::{Project, Task};
use planwright_plan_files::table::{Field, TableRead};
use planwright_plan_files::{Computed, FileFormat, PlanFile};
use planwright_web::{Actor, ApiError, ApiResult, App, File, FileOrBody, Json, off_thread};

use super::model::{PlanImportRequest, PlanPreview, PreviewDifference, PreviewRow, TablePreview};
use super::report::{MOST_LISTED, days_apart};
use super::routes::read_plan;
use crate::computed;

/// How many rows are shown.
const FIRST_ROWS: usize = 20;

pub(super) async fn preview_plan(
    State(app): State<App>,
    _: Actor,
    sent: FileOrBody<PlanImportRequest>,
) -> ApiResult<Json<PlanPreview>> {
    let kind = kind_of(&sent.file)?;
    let plan = read_plan(&app, kind, sent.file.content).await?;
    let told = move || {
        let dates = computed(&plan.document);
        preview(kind, plan, &dates)
    };
    Ok(Json(off_thread(told).await?))
}

impl From<TableRead> for TablePreview {
    fn from(read: TableRead) -> Self {
        let projects = &read.plan.document.projects;
        let milestones = |project: &Project| project.tasks.iter().filter(|task| task.is_milestone).count();
        Self {
            task_count: projects.iter().map(|project| project.tasks.len()).sum(),
            dependency_count: projects.iter().map(|project| project.dependencies.len()).sum(),
            milestone_count: projects.iter().map(milestones).sum(),
            columns: read.columns,
            sample_rows: read.sample,
            row_count: read.rows,
            parked_row_count: read.parked,
            row_errors: read.problems,
            warnings: read.plan.losses.sentences(),
            losses: read.plan.losses.0,
            date_order: read.date_order,
            available_fields: Field::all().map(Field::name).collect(),
        }
    }
}

/// What program a file is of, told by what is in it.
///
/// # Errors
/// 400 on `file` for a table, for a document of our own, and for anything else.
fn kind_of(file: &File) -> ApiResult<FileImportKind> {
    match FileFormat::of_content(Path::new(&file.name), &file.content) {
        Some(FileFormat::Mspdi) => Ok(FileImportKind::MsProject),
        Some(FileFormat::Xer) => Ok(FileImportKind::Primavera),
        Some(FileFormat::Jira) => Ok(FileImportKind::Jira),
        _ => Err(ApiError::invalid_field(
            "file",
            "This is no XML file of Microsoft Project or Jira, and no XER file of Primavera.",
        )),
    }
}

fn preview(kind: FileImportKind, plan: PlanFile, dates: &Computed) -> PlanPreview {
    let document = &plan.document;
    let blank = Project::default();
    let project = document.projects.first().unwrap_or(&blank);
    let span = |task: &Task| dates.get(&task.wbs_path).copied();
    let differences: Vec<_> =
        project.tasks.iter().filter_map(|task| difference(task, &plan, dates)).collect();
    PlanPreview {
        kind,
        name: project.name.clone(),
        task_count: project.tasks.len(),
        milestone_count: project.tasks.iter().filter(|task| task.is_milestone).count(),
        dependency_count: project.dependencies.len(),
        resource_count: document.resources.len(),
        calendar_count: document.calendars.len(),
        baseline_count: project.baselines.len(),
        start: project.tasks.iter().filter_map(span).map(|(start, _)| start).min(),
        finish: project.tasks.iter().filter_map(span).map(|(_, finish)| finish).max(),
        first_rows: project.tasks.iter().take(FIRST_ROWS).map(|task| row(task, span(task))).collect(),
        date_difference_count: differences.len(),
        date_differences: differences.into_iter().take(MOST_LISTED).collect(),
        warnings: plan.losses.sentences(),
        losses: plan.losses.0,
    }
}

fn row(task: &Task, dates: Option<(NaiveDate, NaiveDate)>) -> PreviewRow {
    PreviewRow {
        wbs: task.wbs_path.clone(),
        name: task.name.clone(),
        is_milestone: task.is_milestone,
        start: dates.map(|(start, _)| start),
        finish: dates.map(|(_, finish)| finish),
    }
}

/// How the dates of a row would differ from those in its file. `None` if they would not.
fn difference(task: &Task, plan: &PlanFile, dates: &Computed) -> Option<PreviewDifference> {
    let in_file = plan.dates.get(&task.wbs_path).copied().unwrap_or_default();
    let (start, finish) = dates.get(&task.wbs_path).copied()?;
    let (start_days, finish_days) = days_apart(in_file, (Some(start), Some(finish)))?;
    Some(PreviewDifference {
        row: row(task, Some((start, finish))),
        file_start: in_file.0,
        file_finish: in_file.1,
        start_difference_days: start_days,
        finish_difference_days: finish_days,
    })
}
