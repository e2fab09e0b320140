//! `planwright convert`: a plan from a file of one program into a file of another, without a server and without a database.
//! What the new file does not carry is printed; exit code 1 means that there is such a loss and `--strict` was given.

use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use planwright_domain::Clock;
use planwright_exchange::computed;
use planwright_plan_files::{FileFormat, Losses, PlanFile};

/// Flags of `convert`.
#[derive(Args, Debug)]
pub struct Convert {
    /// The plan: JSON, XML of Microsoft Project or Jira, XER of Primavera, CSV or XLSX; `-` reads standard input
    from: PathBuf,
    /// The file to write: .json, .xml, .xer, .csv or .xlsx; `-` writes JSON to standard output
    to: PathBuf,
    /// The project of a plan with several; its slug
    #[arg(long)]
    project: Option<String>,
    /// Print the losses as JSON on standard output
    #[arg(long)]
    json: bool,
    /// End with code 1 if anything is lost
    #[arg(long)]
    strict: bool,
}

impl Convert {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<u8> {
        let is_streamed = self.to.as_os_str() == "-";
        let to = if is_streamed { FileFormat::Json } else { written_format(&self.to)? };
        if is_same_file(&self.from, &self.to) {
            bail!("{}: this is the file that is read; name another one to write", self.to.display());
        }
        if is_streamed && self.json {
            bail!("--json prints the losses where the plan would go; name a file to write");
        }
        let progress = progress()?;
        progress.set_message("reading");
        let mut plan = read(&self.from)?;
        if let Some(slug) = &self.project {
            let projects = &mut plan.document.projects;
            let place = projects.iter().position(|project| project.slug == *slug);
            let place = place.with_context(|| format!("there is no project {slug} in the file"))?;
            projects.swap(0, place);
        }
        progress.set_message("computing");
        let dates = computed(&plan.document);
        progress.set_message("writing");
        let written = to.write(&plan.document, &dates).with_context(|| self.to.display().to_string())?;
        match is_streamed {
            true => std::io::stdout().write_all(&written.content)?,
            false => std::fs::write(&self.to, &written.content)
                .with_context(|| format!("writing {}", self.to.display()))?,
        }
        progress.finish_and_clear();
        let is_whole = plan.losses.0.is_empty() && written.losses.0.is_empty();
        match self.json {
            true => report_as_json(&plan.losses, &written.losses)?,
            false => {
                report("not read", &plan.losses);
                report("not written", &written.losses);
            }
        }
        Ok(u8::from(self.strict && !is_whole))
    }
}

/// The format that the name of a file to be written asks for.
pub(super) fn written_format(path: &Path) -> anyhow::Result<FileFormat> {
    let format = FileFormat::of_name(path).filter(|format| format.is_written());
    format.with_context(|| format!("{}: write .json, .xml, .xer, .csv or .xlsx", path.display()))
}

/// Whether two names lead to one file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    place(one).is_some_and(|one| place(other) == Some(one))
}

/// Reads a plan from a file of any format.
pub(super) fn read(path: &Path) -> anyhow::Result<PlanFile> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    match name.as_str() {
        "-" => std::io::stdin().read_to_end(&mut bytes).map(drop),
        _ => std::fs::read(path).map(|read| bytes = read),
    }
    .with_context(|| format!("reading {name}"))?;
    read_bytes(path, &bytes)
}

/// The same for the content of a file that has been read.
pub(super) fn read_bytes(path: &Path, bytes: &[u8]) -> anyhow::Result<PlanFile> {
    let name = path.display().to_string();
    let format = FileFormat::of_content(path, bytes);
    if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("xls"))
        && format == Some(FileFormat::Mspdi)
    {
        bail!(
            "{name}: this is a workbook of an old form; open it in a spreadsheet program and save it as .xlsx"
        );
    }
    let format = format.with_context(|| format!("{name}: this is no plan in a format that is known"))?;
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    format.read(bytes, &stem, Clock::machine().today()).with_context(|| name)
}

/// Prints what was lost, field by field, on standard error.
pub(super) fn report(what: &str, losses: &Losses) {
    for loss in &losses.0 {
        let first: Vec<String> =
            loss.rows.iter().take(3).map(|row| row.replace(char::is_control, " ")).collect();
        let more = if loss.count > first.len() && !first.is_empty() { ", …" } else { "" };
        let rows = if first.is_empty() { String::new() } else { format!(" [{}{more}]", first.join(", ")) };
        eprintln!("{what}: {} ({}): {}{rows}", loss.field, loss.count, loss.reason);
    }
}

fn report_as_json(read: &Losses, written: &Losses) -> anyhow::Result<()> {
    super::say!("{}", serde_json::json!({ "not_read": read, "not_written": written }));
    Ok(())
}

fn progress() -> anyhow::Result<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        return Ok(ProgressBar::hidden());
    }
    let progress = ProgressBar::new_spinner();
    progress.set_style(ProgressStyle::with_template("{spinner} {msg} {elapsed}")?);
    progress.enable_steady_tick(Duration::from_millis(100));
    Ok(progress)
}
