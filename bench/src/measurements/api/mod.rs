//! Measures the interface with the work that has bars, on SQLite and on a private PostgreSQL. This file has the list
//! of work with bars and order. The other files of the folder do the work.

mod bars;
mod governance;
mod outside;
pub(crate) mod plans;
mod reads;
pub(crate) mod session;
mod stage;
mod writes;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use xtask::running_server::{PACKAGE, PASSWORD, RunningServer, USERNAME};
use xtask::services::{Durability, Services};
use xtask::workspace::Workspace;

use super::kernel;
use super::release;
use super::table::Table;
use bars::{Bar, Database};
use plans::Plans;
use session::Session;
use stage::{Figures, Stage};

/// After this time no measurement is started on a database, so that both end within eight minutes.
const TIME_FOR_ONE: Duration = Duration::from_secs(220);

const HEAD: [&str; 8] =
    ["work", "on", "bar", "by the clock", "processor time each", "pace", "at the recorded pace", "reached"];

/// One row of the bars.
struct Work {
    name: &'static str,
    bar: Bar,
    measure: fn(&mut Stage<'_>, &Plans) -> Result<Figures>,
}

/// Those that leave a plan as large as it was come before those that make one larger.
static WORKS: [Work; 25] = [
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
        bar: Bar::Within { sqlite: 6.0, postgres: 12.0 },
        measure: writes::side_of_large,
    },
    Work {
        name: "rename one of 10 000 tasks",
        bar: Bar::Within { sqlite: 3.0, postgres: 5.0 },
        measure: writes::rename,
    },
    Work {
        name: "50 of 10 000 tasks in full, 8 clients",
        bar: Bar::AtLeast(1500.0),
        measure: reads::first_page,
    },
    Work {
        name: "the last page of them against the first, one client",
        bar: Bar::Times(1.2),
        measure: reads::last_page,
    },
    Work { name: "one task, 8 clients", bar: Bar::AtLeast(8000.0), measure: reads::one_task },
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
        bar: Bar::Within { sqlite: 20.0, postgres: 35.0 },
        measure: reads::program_schedule,
    },
    Work {
        name: "the key figures of a program of 20 projects of 1 000 tasks",
        bar: Bar::Within { sqlite: 15.0, postgres: 30.0 },
        measure: governance::rollup,
    },
    Work {
        name: "the overview of a project of 10 000 tasks",
        bar: Bar::Within { sqlite: 3.0, postgres: 3.0 },
        measure: governance::overview,
    },
    Work {
        name: "its status summary",
        bar: Bar::Within { sqlite: 3.0, postgres: 3.0 },
        measure: governance::status_summary,
    },
    Work {
        name: "a baseline of 10 000 tasks",
        bar: Bar::Within { sqlite: 200.0, postgres: 200.0 },
        measure: governance::baseline,
    },
    Work {
        name: "earned value of 10 000 tasks, half of them done, over at least 52 weeks",
        bar: Bar::Within { sqlite: 30.0, postgres: 30.0 },
        measure: governance::earned_value,
    },
    Work {
        name: "what 200 estimates cost the finish of 1 000 tasks, as a job",
        bar: Bar::Within { sqlite: 5000.0, postgres: 5000.0 },
        measure: governance::drivers,
    },
    Work {
        name: "everything of a project of 5 000 tasks for an offline client",
        bar: Bar::Within { sqlite: 150.0, postgres: 150.0 },
        measure: outside::full_pull,
    },
    Work {
        name: "the same when nothing has changed",
        bar: Bar::Within { sqlite: 2.0, postgres: 2.0 },
        measure: outside::empty_delta,
    },
    Work {
        name: "a shared schedule of 1 000 tasks as a page",
        bar: Bar::Within { sqlite: 5.0, postgres: 5.0 },
        measure: outside::shared_page,
    },
    Work {
        name: "the same as JSON",
        bar: Bar::Within { sqlite: 5.0, postgres: 5.0 },
        measure: outside::shared_schedule,
    },
    Work {
        name: "the same for somebody who has it already, 304",
        bar: Bar::Within { sqlite: 1.0, postgres: 1.0 },
        measure: outside::shared_before,
    },
    Work {
        name: "a tool of an agent, beyond the read that it makes",
        bar: Bar::Within { sqlite: 5.0, postgres: 5.0 },
        measure: outside::tool_call,
    },
    Work {
        name: "tasks that machines push by their keys, 8 clients",
        bar: Bar::AtLeast(300.0),
        measure: outside::task_sync,
    },
    Work {
        name: "500 new tasks and 500 new links in one request, into a project of 5 000",
        bar: Bar::Within { sqlite: 150.0, postgres: 400.0 },
        measure: writes::batch,
    },
    Work {
        name: "500 rows of an offline client, half of them new, into a project of 5 000",
        bar: Bar::Within { sqlite: 150.0, postgres: 400.0 },
        measure: outside::push,
    },
];

/// The result of one measurement on one database and one binary.
struct Outcome {
    database: Database,
    is_beside: bool,
    figures: Result<Figures>,
}

/// Builds the release binary and measures it on both databases, with another binary beside it in turns where one is named;
/// nothing when there is no server crate.
pub(crate) fn measure(workspace: &Workspace, beside: Option<&Path>) -> Result<Table> {
    let mut table = Table::new(&HEAD);
    if !workspace.has(PACKAGE) {
        return Ok(table);
    }
    let built = release::build(workspace)?;
    let binaries: Vec<&Path> = std::iter::once(built.as_path()).chain(beside).collect();
    let scratch = workspace.target.join("bench");
    let mut outcomes = measure_on(Database::Sqlite, &binaries, &scratch)?;
    let postgres = measure_on(Database::Postgres, &binaries, &scratch).unwrap_or_else(|error| {
        let reason = format!("{error:#}");
        let missing = || Outcome {
            database: Database::Postgres,
            is_beside: false,
            figures: Err(anyhow!(reason.clone())),
        };
        WORKS.iter().map(|_| vec![missing()]).collect()
    });
    outcomes.iter_mut().zip(postgres).for_each(|(all, further)| all.extend(further));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for (work, outcomes) in WORKS.iter().zip(outcomes) {
        for outcome in outcomes {
            table.add(row(work, outcome, cores));
        }
    }
    Ok(table)
}

/// A binary with a database of its own.
struct Side {
    // Dropped in this order: the server goes before its database.
    server: RunningServer,
    services: Option<Services>,
}

impl Side {
    fn start(database: Database, binary: &Path, scratch: &Path) -> Result<Self> {
        let services = match database {
            Database::Sqlite => None,
            // Measuring installs nothing: a machine without PostgreSQL gets half of the table.
            Database::Postgres => Some(Services::start(true, Durability::AsInstalled)?),
        };
        let server = RunningServer::start_on(binary, scratch, services.as_ref(), &[])?;
        Ok(Self { server, services })
    }
}

/// The result of each measurement on each of the binaries.
fn measure_on(database: Database, binaries: &[&Path], scratch: &Path) -> Result<Vec<Vec<Outcome>>> {
    let until = Instant::now() + TIME_FOR_ONE * binaries.len() as u32;
    let place = |number: usize| scratch.join(number.to_string());
    let sides = binaries.iter().enumerate();
    let sides: Vec<Side> =
        sides.map(|(number, binary)| Side::start(database, binary, &place(number))).collect::<Result<_>>()?;
    let mut stages = Vec::new();
    for side in &sides {
        let session = Session::sign_in(side.server.address, USERNAME, PASSWORD)?;
        let mut stage = Stage::new(&side.server, side.services.as_ref(), session);
        eprintln!("{}: making the plans", database.name());
        let plans = Plans::make(&mut stage.session, until)?;
        stages.push((stage, plans));
    }
    let outcomes = WORKS.iter().map(|work| {
        let turns = stages.iter_mut().enumerate().map(|(number, (stage, plans))| {
            eprintln!("{}: {}", database.name(), work.name);
            let figures = match Instant::now() > until {
                true => Err(anyhow!("there was no time left for it")),
                false => at_a_pace(|| (work.measure)(stage, plans)),
            };
            Outcome { database, is_beside: number > 0, figures }
        });
        turns.collect()
    });
    Ok(outcomes.collect())
}

/// Measures between two measurements of the speed of the machine.
fn at_a_pace(measure: impl FnOnce() -> Result<Figures>) -> Result<Figures> {
    let before = kernel::pace();
    let mut figures = measure()?;
    figures.pace = f64::midpoint(before, kernel::pace());
    Ok(figures)
}

fn row(work: &Work, Outcome { database, is_beside, figures }: Outcome, cores: usize) -> [String; 8] {
    let bar = &work.bar;
    let [clock, processor, pace, recorded, reached] = match figures {
        Ok(figures) => [
            bar.by_the_clock(&figures),
            bar.by_the_processor(&figures),
            format!("{:.2}", figures.pace),
            bar.at_recorded_pace(&figures),
            bar.reached(database, &figures, cores).to_owned(),
        ],
        Err(error) => [format!("{error:#}"), "–".into(), "–".into(), "–".into(), "not measured".into()],
    };
    let on =
        if is_beside { format!("{}, the other binary", database.name()) } else { database.name().into() };
    [work.name.to_owned(), on, bar.wanted(database), clock, processor, pace, recorded, reached]
}
