//! Real plans, read from the folder that `PLANWRIGHT_REAL_PLANS` names; without it these tests have nothing to do.

use std::fs;
use std::path::PathBuf;

use planwright_domain::words::LagCalendar;
use planwright_exchange::document_network::network;
use planwright_plan_files::seed::{Document, parse, render};

use super::today;

fn plans() -> Vec<(String, Document)> {
    let Some(folder) = std::env::var_os("PLANWRIGHT_REAL_PLANS").map(PathBuf::from) else {
        return Vec::new();
    };
    let files = fs::read_dir(&folder).expect("the folder that PLANWRIGHT_REAL_PLANS names");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    assert!(!paths.is_empty(), "{} holds no plan", folder.display());
    let read = |path: &PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let document = parse(&fs::read(path).expect("readable"), today());
        (name.clone(), document.unwrap_or_else(|problems| panic!("{name}: {problems}")))
    };
    paths.iter().map(read).collect()
}

#[test]
fn every_real_plan_is_valid_and_survives_writing() {
    for (name, document) in plans() {
        assert_eq!(parse(render(&document).as_bytes(), today()).as_ref(), Ok(&document), "{name}");
    }
}

#[test]
fn every_row_and_link_of_a_real_plan_takes_part() {
    for (name, document) in plans() {
        let plan = network(&document, None);
        assert_eq!(plan.rows.len(), document.projects[0].tasks.len(), "{name}");
        assert_eq!(plan.links.len(), document.projects[0].dependencies.len(), "{name}");
    }
}

/// Computed with nothing but working-day numbers by a separate script, lags in working days.
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

#[test]
fn real_plans_finish_when_an_independent_calculation_says() {
    for (name, document) in plans() {
        let plan = network(&document, Some(LagCalendar::Successor));
        let schedule = planwright_engine::schedule(&plan.network);
        assert!(schedule.faults.is_empty(), "{name}: {:?}", schedule.faults);
        if let Some((_, finish)) = FINISHES.iter().find(|(known, _)| *known == name) {
            assert_eq!(schedule.finish.map(|day| day.to_string()).as_deref(), Some(*finish), "{name}");
        }
    }
}
