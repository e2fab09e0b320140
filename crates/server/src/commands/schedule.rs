//! `planwright schedule`: the engine alone, on a file, without a database.
//! Exit code 1 means that something in the file could not be scheduled and is named in the output.

use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use planwright_domain::Clock;
use planwright_domain::words::LagCalendar;
use planwright_exchange::schedule_report::{self, Change, Options, Study, Watch};
use planwright_plan_files::json::Format;
use planwright_plan_files::seed::Rejection;

/// Flags of `schedule`.
#[derive(Args, Debug)]
pub struct Schedule {
    /// The file; `-` reads standard input
    file: PathBuf,
    /// The format of the file; by default its keys decide
    #[arg(long, value_enum)]
    format: Option<FileFormat>,
    /// Every line of the file is a plan in the simple format; the output has one line of JSON for each
    #[arg(long)]
    jsonl: bool,
    /// Print JSON for programs; several studies are one object with a list `studies`
    #[arg(long)]
    json: bool,
    /// Print the whole report of a plan in the simple format, instead of one line with its dates
    #[arg(long)]
    report: bool,
    /// Show the progress on standard error, even if it is not a terminal
    #[arg(long)]
    progress: bool,
    /// The lag calendar, instead of the one in the file
    #[arg(long, value_enum)]
    lag_calendar: Option<Lags>,
    /// The number of runs of the simulation; 0 leaves out the simulation
    #[arg(long, default_value_t = 10_000)]
    runs: u32,
    /// The seed of the random numbers; the same seed gives the same runs
    #[arg(long, alias = "seed", value_name = "KEY", default_value_t = 0)]
    random_key: u64,
    /// Show every bound on the dates of a task; name the task by its path or its name
    #[arg(long, value_name = "TASK")]
    explain: Vec<String>,
    /// Show the N most critical chains that lead to the finish of each project
    #[arg(long, value_name = "N")]
    float_paths: Option<usize>,
    /// With --float-paths: show the chains that lead to this task
    #[arg(long, value_name = "TASK", requires = "float_paths")]
    to: Option<String>,
    /// Show by how many days each task delays the finish of its project
    #[arg(long)]
    drag: bool,
    /// Show the tasks that have some float, but at most this number of working days
    #[arg(long, value_name = "DAYS")]
    near_critical: Option<i32>,
    /// Show the chain of tasks that limits the dates of a task, such as a milestone
    #[arg(long, value_name = "TASK")]
    longest_path: Vec<String>,
    /// Show the fourteen checks of schedule quality
    #[arg(long)]
    health: bool,
    /// Show what another duration would change: TASK=+5d and TASK=-5d change it by working days, TASK=5d sets it
    #[arg(long, value_name = "TASK=DAYS", value_parser = read_what_if)]
    what_if: Vec<(String, Change)>,
    /// Show a bar for each row
    #[arg(long)]
    gantt: bool,
    /// Show the share of simulated runs that are finished by each day
    #[arg(long)]
    curve: bool,
    /// Write a picture with bars, critical path, today and, if something is uncertain, the P80 finish; `-` writes to standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
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

/// Reads `2.3=+5d`, or `2.3=5d`.
fn read_what_if(text: &str) -> Result<(String, Change), String> {
    let wrong = || format!("{text:?} must be written like 2.3=+5d, 2.3=-5d or 2.3=5d");
    let (task, days) = text.rsplit_once('=').ok_or_else(wrong)?;
    let number = days.strip_suffix('d').unwrap_or(days).parse().map_err(|_| wrong())?;
    let change = if days.starts_with(['+', '-']) { Change::By(number) } else { Change::To(number) };
    Ok((task.to_owned(), change))
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
            self.check(Format::SimpleLines)?;
            return self.run_lines();
        }
        let mut bytes = Vec::new();
        self.open()?.read_to_end(&mut bytes).with_context(|| format!("reading {}", self.file.display()))?;
        let format = match self.format {
            Some(FileFormat::Seed) => Format::Seed,
            Some(FileFormat::Simple) => Format::Simple,
            None => Format::of(&bytes),
        };
        self.check(format)?;
        let options = self.options(format);
        let named = |rejection| anyhow::anyhow!("{}: {}", self.file.display(), shown(&rejection));
        let studies = self.studies();
        if !studies.is_empty() {
            let text = schedule_report::study(&bytes, &options, &studies).map_err(named)?;
            std::io::stdout().write_all(text.as_bytes())?;
            return Ok(0);
        }
        if let Some(picture) = &self.svg {
            let text = schedule_report::svg(&bytes, &options).map_err(named)?;
            return self.write_picture(picture, &text);
        }
        let report = schedule_report::schedule(&bytes, &options).map_err(named)?;
        std::io::stdout().write_all(report.text.as_bytes())?;
        Ok(u8::from(!report.is_complete))
    }

    fn write_picture(&self, to: &Path, text: &str) -> anyhow::Result<u8> {
        match to.as_os_str() == "-" {
            true => std::io::stdout().write_all(text.as_bytes())?,
            false => std::fs::write(to, text).with_context(|| format!("writing {}", to.display()))?,
        }
        Ok(0)
    }

    /// Flags that do not go together.
    fn check(&self, format: Format) -> anyhow::Result<()> {
        if self.jsonl && self.format == Some(FileFormat::Seed) {
            bail!("--jsonl needs --format simple");
        }
        if self.svg.is_some() && (self.jsonl || !self.studies().is_empty()) {
            bail!("--svg only writes a picture; leave out the other studies");
        }
        if self.lag_calendar.is_some() && format != Format::Seed {
            bail!("--lag-calendar is for seed documents; the simple format has its own key for lags");
        }
        Ok(())
    }

    fn options(&self, format: Format) -> Options {
        Options {
            format,
            lag_calendar: self.lag_calendar.map(LagCalendar::from),
            runs: self.runs,
            seed: self.random_key,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            json: self.json,
            report: self.report,
            width: console::Term::stdout().size_checked().map_or(80, |(_, columns)| usize::from(columns)),
            watch: self.watch(),
            ..Options::on(Clock::machine().today())
        }
    }

    fn studies(&self) -> Vec<Study> {
        let explained = self.explain.iter().cloned().map(Study::Explain);
        let supposed = self.what_if.iter().map(|(task, change)| Study::WhatIf(task.clone(), *change));
        let paths = self.longest_path.iter().cloned().map(Study::LongestPath);
        let rest = [
            self.drag.then_some(Study::Drag),
            self.near_critical.map(Study::NearCritical),
            self.float_paths.map(|count| Study::FloatPaths { count, to: self.to.clone() }),
            self.health.then_some(Study::Health),
            self.gantt.then_some(Study::Gantt),
            self.curve.then_some(Study::Curve),
        ];
        explained.chain(supposed).chain(paths).chain(rest.into_iter().flatten()).collect()
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
        let (options, studies) =
            (Options { watch: Watch::default(), ..self.options(Format::SimpleLines) }, self.studies());
        let meter = Meter::of("plans", None, self.progress);
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let mut complete = true;
        for (number, line) in self.open()?.lines().enumerate() {
            let line = line.with_context(|| format!("reading line {}", number + 1))?;
            if line.trim().is_empty() {
                continue;
            }
            match schedule_report::simple_line(&line, &options, &studies) {
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

/// A refusal for a terminal: names of a file may hold what would drive it.
fn shown(rejection: &Rejection) -> String {
    let lines = match rejection {
        Rejection::Unreadable(line) => std::slice::from_ref(line),
        Rejection::Invalid(lines) => lines,
    };
    let clean = |line: &String| line.replace(char::is_control, " ");
    lines.iter().map(clean).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_with_a_sign_is_a_difference_and_without_one_a_duration() {
        let read = |text: &str| read_what_if(text).map_err(|_| ());
        assert_eq!(read("2.3=+5d"), Ok(("2.3".to_owned(), Change::By(5))));
        assert_eq!(read("a=b=-2"), Ok(("a=b".to_owned(), Change::By(-2))));
        assert_eq!(read("2.3=5"), Ok(("2.3".to_owned(), Change::To(5))));
        assert_eq!((read("2.3"), read("2.3=soon"), read("2.3=5dd")), (Err(()), Err(()), Err(())));
    }
}
