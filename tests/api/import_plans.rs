//! The bundled sample and real plans, imported and exported: the same bytes, and the dates that the engine gives the
//! document alone. Real plans are read from the folder that `PLANWRIGHT_REAL_PLANS` names; without it there are none.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use planwright_domain::ids::ProgramId;
use planwright_domain::words::LagCalendar;
use planwright_exchange::document_network::network;
use planwright_exchange::samples::SAMPLES;
use planwright_exchange::{ImportOptions, export_program, import_document};
use planwright_plan_files::seed::{Document, engine_day, parse};
use planwright_store::{row, sql};
use planwright_testkit::{Person, TestApp, both_engines};

row! {
    struct Stored { project: String, name: String, outline: Option<String>, early_start: Option<i32>,
        early_finish: Option<i32>, late_start: Option<i32>, late_finish: Option<i32>, total_float: Option<i32>,
        free_float: Option<i32>, is_critical: Option<bool> }
}

/// Dates and floats of a row, days counted from 1970-01-01.
type Dates = (i32, i32, i32, i32, i32, i32, bool);

const STORED: &str =
    "SELECT p.name AS project, t.name, s.outline, s.early_start, s.early_finish, s.late_start,
        s.late_finish, s.total_float, s.free_float, s.is_critical
     FROM tasks t JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
     LEFT JOIN task_schedule s ON s.task_id = t.id
     WHERE p.program_id = :program AND t.deletion_id IS NULL";

async fn stored(app: &TestApp, program: ProgramId) -> BTreeMap<String, Option<Dates>> {
    let rows: Vec<Stored> = app.app.db.all(sql!(STORED, program = program)).await.unwrap();
    rows.into_iter()
        .map(|row| {
            let path = row.outline.unwrap_or_default();
            let dates = (|| {
                Some((
                    row.early_start?,
                    row.early_finish?,
                    row.late_start?,
                    row.late_finish?,
                    row.total_float?,
                    row.free_float?,
                    row.is_critical?,
                ))
            })();
            (format!("{} {path} {}", row.project, row.name), dates)
        })
        .collect()
}

/// The same of a document that was never stored. Its paths must be numbers without gaps.
fn computed(document: &Document) -> BTreeMap<String, Option<Dates>> {
    let plan = network(document, None);
    let schedule = planwright_engine::schedule(&plan.network);
    assert!(schedule.faults.is_empty(), "{:?}", schedule.faults);
    let rows =
        document.projects.iter().flat_map(|project| project.tasks.iter().map(move |task| (project, task)));
    let name = |project: &str, path: &str, name: &str| format!("{project} {path} {name}");
    let mut dates: BTreeMap<String, Option<Dates>> =
        rows.map(|(project, task)| (name(&project.name, &task.wbs_path, &task.name), None)).collect();
    for (row, found) in plan.rows.iter().zip(&schedule.tasks) {
        let project = &document.projects[row.project];
        let task = &project.tasks[row.task];
        let found = found.as_ref().map(|d| {
            (
                d.early_start.0,
                d.early_finish.0,
                d.late_start.0,
                d.late_finish.0,
                d.total_float,
                d.free_float,
                d.critical,
            )
        });
        dates.insert(name(&project.name, &task.wbs_path, &task.name), found);
    }
    dates
}

fn options(lag_calendar: Option<LagCalendar>) -> ImportOptions {
    ImportOptions { replace: true, lag_calendar, ..ImportOptions::default() }
}

/// Imports, exports, imports the export and exports again; returns the first export.
async fn round_trip(
    app: &TestApp,
    person: &Person<'_>,
    name: &str,
    text: &str,
    lags: Option<LagCalendar>,
) -> String {
    let today = app.clock.today();
    let db = &app.app.db;
    let first = import_document(db, person.id, text.as_bytes(), options(lags)).await.unwrap();
    let export = export_program(db, first.program).await.unwrap();
    let dates = stored(app, first.program).await;
    let document = parse(export.as_bytes(), today).unwrap_or_else(|error| panic!("{name}: {error}"));
    let original = parse(text.as_bytes(), today).unwrap();
    let count = |document: &Document| -> Vec<(usize, usize, usize)> {
        let sizes = |p: &planwright_plan_files::seed::model::Project| {
            (p.tasks.len(), p.dependencies.len(), p.tasks.iter().map(|task| task.assignments.len()).sum())
        };
        document.projects.iter().map(sizes).collect()
    };
    assert_eq!(count(&original), count(&document), "{name}");
    assert_eq!(original.resources.len(), document.resources.len(), "{name}");
    assert_eq!(
        dates.len(),
        document.projects.iter().map(|project| project.tasks.len()).sum::<usize>(),
        "{name}"
    );
    assert_eq!(dates, computed(&document), "{name}: as the engine computes the export alone");

    let second = import_document(db, person.id, export.as_bytes(), options(None)).await.unwrap();
    assert_eq!(second.replaced, Some(first.program), "{name}");
    assert_eq!(export_program(db, second.program).await.unwrap(), export, "{name}");
    assert_eq!(stored(app, second.program).await, dates, "{name}");
    finish_is(&original, lags, &dates, name);
    export
}

/// The finish of the original document, computed alone, is that of the stored plan.
fn finish_is(
    original: &Document,
    lags: Option<LagCalendar>,
    stored: &BTreeMap<String, Option<Dates>>,
    name: &str,
) {
    let plan = network(original, lags.map(|_| LagCalendar::Successor));
    let finish = planwright_engine::schedule(&plan.network).finish.map(|day| day.0);
    assert_eq!(stored.values().flatten().map(|dates| dates.1).max(), finish, "{name}");
}

fn real_plans() -> Vec<(String, String)> {
    let Some(folder) = std::env::var_os("PLANWRIGHT_REAL_PLANS") else { return Vec::new() };
    let files = std::fs::read_dir(folder).expect("the folder that PLANWRIGHT_REAL_PLANS names");
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    assert!(!paths.is_empty());
    let name = |path: &std::path::Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// When each plan finishes with lags in working days, as a separate calculation found.
const FINISHES: [(&str, &str); 8] = [
    ("debt-collection-system", "2014-05-19"),
    ("hotel-renovation", "2011-08-22"),
    ("offshore-wind-installation", "2014-01-20"),
    ("railway-station-rebuild", "2014-03-11"),
    ("recreation-complex", "2012-08-08"),
    ("supply-planning-system", "2013-03-15"),
    ("tasting-event", "2014-04-22"),
    ("town-square", "2005-03-07"),
];

both_engines! {
    async fn the_sample_survives_import_and_export_with_the_same_bytes_and_dates(app: &TestApp) {
        for (at, person) in [app.person("ines").await, app.person("somebody").await].iter().enumerate() {
            let export = round_trip(app, person, "sample", SAMPLES[0].text, None).await;
            assert!(export.contains("\"lag_calendar\": \"successor\""));
            assert!(export.contains("\"board_columns\"") && export.contains("\"events\""), "{at}");
            assert!(export.contains("\"assignee\": \"ravi\""), "accounts that stand for nobody come back");
        }
    }

    async fn real_plans_survive_import_and_export_with_the_same_bytes_and_dates(app: &TestApp) {
        let owner = app.person("owner").await;
        for (name, text) in real_plans() {
            round_trip(app, &owner, &name, &text, None).await;
            let export = round_trip(app, &owner, &name, &text, Some(LagCalendar::Successor)).await;
            assert!(export.contains("\"lag_calendar\": \"successor\""), "{name}");
            let day = |text: &str| engine_day(text.parse::<NaiveDate>().unwrap()).0;
            let code = parse(text.as_bytes(), app.clock.today()).unwrap().program.slug;
            let program: Option<ProgramId> = app.app.db.scalar(sql!(
                "SELECT id FROM programs WHERE code = :code AND deletion_id IS NULL", code = code)).await.unwrap();
            let finish = stored(app, program.unwrap()).await.values().flatten().map(|dates| dates.1).max();
            if let Some((_, expected)) = FINISHES.iter().find(|(known, _)| *known == name) {
                assert_eq!(finish, Some(day(expected)), "{name}");
            }
        }
    }
}
