//! The interface under the loads that its bars are set for, on SQLite and on a private PostgreSQL.
//! Here are the works, their bars and their order; what each does stands in the files beside this one.

mod bars;
mod plans;
mod reads;
pub(crate) mod session;
mod stage;
mod writes;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};

use super::process::{self, PACKAGE, PASSWORD, RunningServer, USERNAME};
use super::table::Table;
use crate::services::Services;
use crate::workspace::Workspace;
use bars::{Bar, Database};
use plans::Plans;
use session::Session;
use stage::{Figures, Stage};

/// After this no further work is begun on a database, so that both end within six minutes.
const TIME_FOR_ONE: Duration = Duration::from_secs(160);

const HEAD: [&str; 6] = ["work", "on", "bar", "by the clock", "processor time each", "reached"];

/// One row of the bars.
struct Work {
    name: &'static str,
    bar: Bar,
    measure: fn(&mut Stage<'_>, &Plans) -> Result<Figures>,
}

/// Those that leave a plan as large as it was come before those that make one larger.
static WORKS: [Work; 11] = [
    Work {
        name: "change the duration of the first task of 10 000, every date moves",
        bar: Bar::Within { sqlite: 80.0, postgres: 300.0 },
        measure: writes::first_of_large,
    },
    Work {
        name: "the same of 1 000",
        bar: Bar::Within { sqlite: 12.0, postgres: 40.0 },
        measure: writes::first_of_small,
    },
    Work {
        name: "change a duration near the end of 10 000 tasks, few dates move",
        bar: Bar::Within { sqlite: 10.0, postgres: 20.0 },
        measure: writes::side_of_large,
    },
    Work {
        name: "rename one of 10 000 tasks",
        bar: Bar::Within { sqlite: 3.0, postgres: 5.0 },
        measure: writes::rename,
    },
    Work {
        name: "50 of 10 000 tasks in full, 8 clients",
        bar: Bar::AtLeast(1000.0),
        measure: reads::first_page,
    },
    Work {
        name: "the last page of them against the first, one client",
        bar: Bar::Times(1.2),
        measure: reads::last_page,
    },
    Work { name: "one task, 8 clients", bar: Bar::AtLeast(5000.0), measure: reads::one_task },
    Work {
        name: "all 10 000 tasks in full, in pages of 500",
        bar: Bar::Within { sqlite: 1000.0, postgres: 1000.0 },
        measure: reads::whole_project,
    },
    Work {
        name: "simulate 1 000 tasks 1 000 times",
        bar: Bar::Within { sqlite: 15.0, postgres: 15.0 },
        measure: reads::simulation,
    },
    Work {
        name: "the schedule of a program of 5 000 tasks",
        bar: Bar::Within { sqlite: 60.0, postgres: 60.0 },
        measure: reads::program_schedule,
    },
    Work {
        name: "500 new tasks and 500 new links in one request, into a project of 5 000",
        bar: Bar::Within { sqlite: 150.0, postgres: 400.0 },
        measure: writes::batch,
    },
];

/// What became of each work, in their order.
type Outcomes = Vec<Result<Figures>>;

/// Builds the release binary and measures it on both databases; nothing when there is no server crate.
pub(crate) fn measure(workspace: &Workspace) -> Result<Table> {
    let mut table = Table::new(&HEAD);
    if !workspace.has(PACKAGE) {
        return Ok(table);
    }
    let binary = process::build(workspace)?;
    let scratch = workspace.target.join("bench");
    let sqlite = measure_on(Database::Sqlite, &binary, &scratch, None)?;
    let postgres = on_postgres(&binary, &scratch).unwrap_or_else(|error| {
        let reason = format!("{error:#}");
        WORKS.iter().map(|_| Err(anyhow!(reason.clone()))).collect()
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for ((work, sqlite), postgres) in WORKS.iter().zip(sqlite).zip(postgres) {
        table.add(row(work, Database::Sqlite, sqlite, cores));
        table.add(row(work, Database::Postgres, postgres, cores));
    }
    Ok(table)
}

fn on_postgres(binary: &Path, scratch: &Path) -> Result<Outcomes> {
    // Measuring installs nothing: a machine without PostgreSQL gets half of the table.
    let services = Services::start(true)?;
    measure_on(Database::Postgres, binary, scratch, Some(&services))
}

fn measure_on(
    database: Database,
    binary: &Path,
    scratch: &Path,
    services: Option<&Services>,
) -> Result<Outcomes> {
    let until = Instant::now() + TIME_FOR_ONE;
    let server = RunningServer::start_on(binary, scratch, services, &[])?;
    let session = Session::sign_in(server.address, USERNAME, PASSWORD)?;
    let mut stage = Stage::new(&server, services, session);
    eprintln!("{}: making the plans", database.name());
    let plans = Plans::make(&mut stage.session, until)?;
    let outcomes = WORKS.iter().map(|work| {
        eprintln!("{}: {}", database.name(), work.name);
        if Instant::now() > until {
            bail!("there was no time left for it");
        }
        (work.measure)(&mut stage, &plans)
    });
    Ok(outcomes.collect())
}

fn row(work: &Work, database: Database, outcome: Result<Figures>, cores: usize) -> [String; 6] {
    let (clock, processor, reached) = match outcome {
        Ok(figures) => (
            work.bar.by_the_clock(&figures),
            work.bar.by_the_processor(&figures),
            work.bar.reached(database, &figures, cores).to_owned(),
        ),
        Err(error) => (format!("{error:#}"), "–".to_owned(), "not measured".to_owned()),
    };
    [work.name.to_owned(), database.name().to_owned(), work.bar.wanted(database), clock, processor, reached]
}
