//! `planwright schedule` by hand: `cargo run --example schedule -- FILE [--json] [--lag-calendar WORD] [--runs N] [--seed N]
//! [--simple] [--jsonl]`, with `-` for the standard input.

use std::io::Read;

use planwright_exchange::schedule_report::{Format, Options, schedule};
use planwright_exchange::seed::vocabulary::{LagCalendar, Word};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after =
        |flag: &str| arguments.iter().position(|a| a == flag).and_then(|place| arguments.get(place + 1));
    let mut bytes = Vec::new();
    match arguments.first().map(String::as_str) {
        Some("-") | None => drop(std::io::stdin().read_to_end(&mut bytes)?),
        Some(file) => bytes = std::fs::read(file)?,
    }
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let options = Options {
        format: match (has("--simple"), has("--jsonl")) {
            (_, true) => Format::SimpleLines,
            (true, false) => Format::Simple,
            (false, false) => Format::Seed,
        },
        lag_calendar: after("--lag-calendar").and_then(|word| LagCalendar::named(word)),
        json: has("--json"),
        runs: after("--runs").map_or(Ok(10_000), |runs| runs.parse())?,
        seed: after("--seed").map_or(Ok(0), |seed| seed.parse())?,
        ..Options::on(after("--today").map_or(Ok(Default::default()), |day| day.parse())?)
    };
    print!("{}", schedule(&bytes, &options)?.text);
    Ok(())
}
