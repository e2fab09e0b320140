//! Plans in the engine's simple format, one or one a line. The format itself is the engine's.

use planwright_engine::simple::{SimpleError, SimpleProject, write};
use planwright_plan_files::seed::Rejection;
use serde_json::{Value, json};

use super::subject::Subject;
use super::{Options, Report, Study, forecast, json, outcome::Outcome, study};

/// Answers one plan with one line of JSON, without its newline: its dates, with `options.report` all that there is to
/// tell of it, or the looks that are asked for.
pub fn line(text: &str, options: &Options, studies: &[Study]) -> Result<String, Rejection> {
    let project = if options.report { parse_what_is_known(text)? } else { parse(text)? };
    if !studies.is_empty() {
        return study::object(&Subject::of_simple(project), options, studies).map(|told| told.to_string());
    }
    if options.report {
        return Ok(json::object(&Outcome::of(&Subject::of_simple(project), options)).to_string());
    }
    Ok(answer(&project, options).to_string())
}

pub(super) fn parse(text: &str) -> Result<SimpleProject, Rejection> {
    planwright_engine::simple::parse(text).map_err(rejection)
}

/// The same without what names a task that is not there, for a report, which tells of that.
pub(super) fn parse_what_is_known(text: &str) -> Result<SimpleProject, Rejection> {
    planwright_engine::simple::parse_what_is_known(text).map_err(rejection)
}

fn rejection(error: SimpleError) -> Rejection {
    Rejection::Invalid(vec![error.to_string()])
}

/// Dates, floats, and what the runs say where there is something to simulate.
fn answer(project: &SimpleProject, options: &Options) -> Value {
    let schedule = planwright_engine::schedule(&project.network);
    let mut answer = write(project, &schedule);
    if let Some(simulation) = forecast::of(&project.network, &project.simulation, options) {
        answer["simulation"] = json!({"runs": simulation.runs, "seed": simulation.seed});
        answer["forecast"] = json::forecast(simulation.finish.as_ref(), schedule.finish);
        for (name, told) in project.names.iter().zip(&simulation.tasks) {
            if let (Some(told), Value::Object(row)) = (told, &mut answer["tasks"][name]) {
                json::insert_forecast(row, told);
            }
        }
    }
    answer
}

pub(super) fn document(bytes: &[u8], options: &Options) -> Result<Report, Rejection> {
    let answer = answer(&parse(utf8(bytes)?)?, options);
    Ok(Report { text: format!("{answer}\n"), is_complete: answer.get("faults").is_none() })
}

/// Answers every line that is not blank. A line that cannot be read is answered with an object that says why under
/// `error`, so that answers stay beside their questions.
pub(super) fn lines(bytes: &[u8], options: &Options) -> Result<Report, Rejection> {
    let mut report = Report { text: String::new(), is_complete: true };
    for question in utf8(bytes)?.lines().filter(|line| !line.trim().is_empty()) {
        let answer = line(question, options, &[]).unwrap_or_else(|error| {
            report.is_complete = false;
            json!({"error": error.to_string()}).to_string()
        });
        report.text.push_str(&answer);
        report.text.push('\n');
    }
    Ok(report)
}

pub(super) fn utf8(bytes: &[u8]) -> Result<&str, Rejection> {
    std::str::from_utf8(bytes).map_err(|error| {
        Rejection::Unreadable(format!("The input is not UTF-8 text (byte {}).", error.valid_up_to()))
    })
}
