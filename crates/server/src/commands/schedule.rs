//! `planwright schedule`: the engine alone, on a file, without a database.
//! Exit code 1 means that something in the file could not be scheduled and is named in the output.

use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use planwright_domain::Clock;
use planwright_exchange::schedule_report::{self, Format, Options, Study, Watch};
use planwright_exchange::seed::vocabulary::LagCalendar;

/// Flags of `schedule`.
#[derive(Args, Debug)]
pub struct Schedule {
    /// The file; `-` reads standard input
    file: PathBuf,
    /// What the file is
    #[arg(long, value_enum, default_value = "seed")]
    format: FileFormat,
    /// One project a line in, one result a line out; for --format simple
    #[arg(long)]
    jsonl: bool,
    /// JSON instead of text, for programs; closer looks come as one object with a list of `studies`
    #[arg(long)]
    json: bool,
    /// Tell on standard error how a long run gets on, even where that is no terminal
    #[arg(long)]
    progress: bool,
    /// The calendar that lags are counted on, whatever the file says
    #[arg(long, value_enum)]
    lag_calendar: Option<Lags>,
    /// Runs of the simulation; 0 leaves it out
    #[arg(long, default_value_t = 10_000)]
    runs: u32,
    /// The key of the random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Why a task stands where it stands: every bound on its dates; the task by its path
    #[arg(long, value_name = "TASK")]
    explain: Vec<String>,
    /// So many of the most critical chains that lead to the finish
    #[arg(long, value_name = "N")]
    float_paths: Option<usize>,
    /// The fourteen checks of schedule quality
    #[arg(long)]
    health: bool,
    /// What a change of duration would do, in working days: TASK=+5d
    #[arg(long, value_name = "TASK=DAYS", value_parser = read_what_if)]
    what_if: Vec<(String, i32)>,
    /// A bar for each row
    #[arg(long)]
    gantt: bool,
    /// The share of simulated runs finished by each day
    #[arg(long)]
    curve: bool,
}

/// How a long run gets on, on standard error: a bar that goes away again where that is a terminal, lines where they are
/// asked for, else nothing.
struct Meter {
    bar: ProgressBar,
    lines: bool,
    what: &'static str,
    /// A line every so often.
    step: u64,
}

impl Meter {
    fn of(what: &'static str, length: Option<u64>, asked_for: bool) -> Self {
        let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let template = match length {
            Some(_) => format!("{{bar:40}} {{pos}} of {{len}} {what}, {{eta}} left"),
            None => format!("{{spinner}} {{pos}} {what}, {{per_sec}}"),
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        let lines = asked_for && !std::io::stderr().is_terminal();
        Self { bar, lines, what, step: length.map_or(1_000, |length| length.div_ceil(10)).max(1) }
    }

    fn add(&self, more: u64) {
        self.bar.inc(more);
        let now = self.bar.position();
        if self.lines && now / self.step > (now - more) / self.step {
            let of = self.bar.length().map(|length| format!(" of {length}")).unwrap_or_default();
            eprintln!("{now}{of} {}", self.what);
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Reads `2.3=+5d`.
fn read_what_if(text: &str) -> Result<(String, i32), String> {
    let wrong = || format!("{text:?} is not written like 2.3=+5d");
    let (task, days) = text.rsplit_once('=').ok_or_else(wrong)?;
    let days = days.trim_end_matches('d').parse().map_err(|_| wrong())?;
    Ok((task.to_owned(), days))
}

/// What the file is.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum FileFormat {
    /// A seed document.
    Seed,
    /// The engine's simple format.
    Simple,
}

/// A calendar that lags are counted on.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Lags {
    /// Working days of the successor.
    Successor,
    /// Working days of the predecessor.
    Predecessor,
    /// Working days of the project.
    Project,
    /// Calendar days.
    Elapsed,
}

impl From<Lags> for LagCalendar {
    fn from(lags: Lags) -> Self {
        match lags {
            Lags::Successor => LagCalendar::Successor,
            Lags::Predecessor => LagCalendar::Predecessor,
            Lags::Project => LagCalendar::Project,
            Lags::Elapsed => LagCalendar::Elapsed,
        }
    }
}

impl Schedule {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<u8> {
        if self.jsonl {
            if self.format != FileFormat::Simple {
                bail!("--jsonl goes with --format simple");
            }
            return self.run_lines();
        }
        let mut bytes = Vec::new();
        self.open()?.read_to_end(&mut bytes).with_context(|| format!("reading {}", self.file.display()))?;
        let options = Options {
            format: if self.format == FileFormat::Seed { Format::Seed } else { Format::Simple },
            lag_calendar: self.lag_calendar.map(LagCalendar::from),
            runs: self.runs,
            seed: self.seed,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            json: self.json,
            watch: self.watch(),
            ..Options::on(Clock::machine().today())
        };
        let named = |rejection| anyhow::anyhow!("{}: {rejection}", self.file.display());
        let studies = self.studies();
        if !studies.is_empty() {
            if self.format != FileFormat::Seed {
                bail!("closer looks are for seed documents");
            }
            let text = schedule_report::study(&bytes, &options, &studies).map_err(named)?;
            std::io::stdout().write_all(text.as_bytes())?;
            return Ok(0);
        }
        let report = schedule_report::schedule(&bytes, &options).map_err(named)?;
        std::io::stdout().write_all(report.text.as_bytes())?;
        Ok(u8::from(!report.is_complete))
    }

    fn studies(&self) -> Vec<Study> {
        let explained = self.explain.iter().cloned().map(Study::Explain);
        let supposed = self.what_if.iter().map(|(task, days)| Study::WhatIf(task.clone(), *days));
        let rest = [
            self.float_paths.map(Study::FloatPaths),
            self.health.then_some(Study::Health),
            self.gantt.then_some(Study::Gantt),
            self.curve.then_some(Study::Curve),
        ];
        explained.chain(supposed).chain(rest.into_iter().flatten()).collect()
    }

    fn open(&self) -> anyhow::Result<Box<dyn BufRead>> {
        if self.file.as_os_str() == "-" {
            return Ok(Box::new(std::io::stdin().lock()));
        }
        let file =
            std::fs::File::open(&self.file).with_context(|| format!("opening {}", self.file.display()))?;
        Ok(Box::new(std::io::BufReader::new(file)))
    }

    /// Simulations tell how they get on; a closer look may simulate more than once.
    fn watch(&self) -> Watch {
        let once = u64::from(self.runs.max(1));
        let simulations = 2 * self.what_if.len() as u64 + u64::from(self.curve);
        let meter = Meter::of("runs", Some(once * simulations.max(1)), self.progress);
        Watch::by(move |runs| meter.add(u64::from(runs)))
    }

    /// Answers line by line, so that a long file needs no memory of its own.
    fn run_lines(self) -> anyhow::Result<u8> {
        let meter = Meter::of("projects", None, self.progress);
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let mut complete = true;
        for (number, line) in self.open()?.lines().enumerate() {
            let line = line.with_context(|| format!("reading line {}", number + 1))?;
            if line.trim().is_empty() {
                continue;
            }
            match schedule_report::simple_line(&line) {
                Ok(answer) => writeln!(out, "{}", answer.trim_end())?,
                Err(rejection) => {
                    complete = false;
                    let error = serde_json::json!({ "line": number + 1, "error": rejection.to_string() });
                    writeln!(out, "{error}")?;
                }
            }
            meter.add(1);
        }
        out.flush()?;
        Ok(u8::from(!complete))
    }
}
