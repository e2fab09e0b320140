//! The dates of a document that nobody stored, computed by the engine.

use planwright_engine as engine;
use planwright_plan::schedule::network::date;
use planwright_plan_files::Computed;
use planwright_plan_files::seed::Document;

use crate::document_network::network;

/// The dates of the first project of a document, by outline path. Rows that take no part have none.
pub fn computed(document: &Document) -> Computed {
    let plan = network(document, None);
    let schedule = engine::schedule(&plan.network);
    let Some(project) = document.projects.first() else { return Computed::default() };
    let of_first = plan.rows.iter().zip(&schedule.tasks).filter(|(row, _)| row.project == 0);
    let dated = of_first.filter_map(|(row, task)| {
        let dates = task.as_ref()?;
        // The whole span: for work that has begun, the early start is only that of what is left.
        let dates = (date(dates.scheduled_start.0)?, date(dates.early_finish.0)?);
        Some((project.tasks.get(row.task)?.wbs_path.clone(), dates))
    });
    dated.collect()
}
