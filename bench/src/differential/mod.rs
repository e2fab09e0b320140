//! `cargo xtask differential`: schedules random plans with the engine and with the schedulers of MPXJ. Every
//! difference needs a reason that is checked at the task where it begins. Otherwise the run fails.

mod answers;
mod behind;
mod calendar;
pub(crate) mod day;
mod generate;
mod groups;
mod judge;
mod late;
mod local;
mod microsoft;
mod microsoft_late;
mod ours;
mod plan;
mod primavera;
mod primavera_late;
mod reasons;
pub(crate) mod sides;
mod tally;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use xtask::workspace::Workspace;

use ours::Ours;
use plan::Plan;
use sides::Side;
use tally::Tally;

const SHOWN: u64 = 10;
const REPORT_EVERY: u64 = 5_000;

/// The options of the comparison.
struct Options {
    plans: u64,
    seed: u64,
    from: u64,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Self { plans: 10_000, seed: 1, from: 0 };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let number = || rest.clone().next().and_then(|text| text.parse::<u64>().ok());
            let value = number().with_context(|| format!("`{name}` is not known, or needs a number"))?;
            match name.as_str() {
                "--plans" => options.plans = value,
                "--seed" => options.seed = value,
                "--from" => options.from = value,
                unknown => bail!("`cargo xtask differential` does not know `{unknown}`"),
            }
            rest.next();
        }
        Ok(options)
    }
}

/// Compares the requested number of plans and prints the results.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    let Options { plans, seed, from } = Options::parse(arguments)?;
    let workspace = Workspace::read()?;
    let numbers = from..from + plans;
    let mut engine = Side::engine(&workspace, seed, numbers.clone())?;
    let mut mpxj = Side::mpxj(&workspace, seed, numbers.clone())?;
    let mut tally = Tally::default();
    let begin = Instant::now();
    for number in numbers {
        let plan = generate::plan(seed, number);
        let lines = [engine.next()?, mpxj.next()?];
        let faults = compare(&plan, &lines, &mut tally)?;
        if !faults.is_empty() {
            tally.unexplained += 1;
            if tally.unexplained <= SHOWN {
                let [ours, theirs] = &lines;
                println!("plan {number} of seed {seed}: {}", faults.join("; "));
                println!("{}\nengine {ours}\nMPXJ {theirs}\n", plan.json());
            }
        }
        let done = number + 1 - from;
        if done % REPORT_EVERY == 0 {
            let speed = done as f64 / begin.elapsed().as_secs_f64();
            eprintln!("{done} of {plans} plans, {speed:.0} a second, {} not explained", tally.unexplained);
        }
    }
    println!("{}\n{}", tally.table(), tally.summary(plans));
    Ok(if tally.unexplained == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares the answers to one plan and returns what nothing explains.
fn compare(plan: &Plan, [engine, mpxj]: &[String; 2], tally: &mut Tally) -> Result<Vec<String>> {
    let ours = Ours::of(plan);
    let mut faults = judge::check_engine(plan, &ours, &answers::ours(plan, engine)?);
    let answer: Value = serde_json::from_str(mpxj).context("MPXJ answered no JSON")?;
    for tool in plan.against {
        match answers::theirs(plan, *tool, &answer) {
            Ok(theirs) => {
                let verdict = judge::judge(plan, *tool, &ours, &theirs);
                tally.add(plan.group, *tool, &verdict);
                faults.extend(verdict.unexplained);
            }
            Err(error) => faults.push(format!("{error:#}")),
        }
    }
    Ok(faults)
}
