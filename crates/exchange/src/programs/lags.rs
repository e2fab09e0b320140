//! On which calendar the lags of an imported document count: said in every project, and told to whoever imports it.
//! What a version means by default is in `seed/`.

use planwright_domain::words::{LagCalendar, Word};
use planwright_plan_files::seed::Document;
use planwright_plan_files::seed::model::{Project, SchemaVersion};

/// Says in every project which calendar its lags are counted on, so that nothing depends on what was left unsaid.
/// Returns for each project how its lags are read and why, as a sentence.
pub(super) fn settle_lags(document: &mut Document, overruled: Option<LagCalendar>) -> Vec<String> {
    let readings = document.projects.iter().map(|project| reading(document, project, overruled)).collect();
    let said: Vec<_> = document.projects.iter().map(|project| document.lag_calendar_of(project)).collect();
    for (project, said) in document.projects.iter_mut().zip(said) {
        project.lag_calendar = Some(overruled.unwrap_or(said));
    }
    readings
}

/// How the lags of a project are read, and why.
fn reading(document: &Document, project: &Project, overruled: Option<LagCalendar>) -> String {
    let chosen = overruled.unwrap_or_else(|| document.lag_calendar_of(project));
    let days = match chosen.as_str() {
        "successor" => "working days of the successor",
        "predecessor" => "working days of the predecessor",
        "project" => "working days of the project",
        _ => "calendar days",
    };
    let SchemaVersion { major, minor } = document.schema_version;
    let why = match (overruled, project.lag_calendar) {
        (Some(_), _) => "as requested for the import".to_owned(),
        (None, Some(_)) => "as set in the project".to_owned(),
        (None, None) => {
            format!("because the project does not set it, and this is the default of version {major}.{minor}")
        }
    };
    format!("lags of {} are counted in {days}, {why}", project.slug)
}
