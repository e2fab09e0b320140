//! Measures the frames of the schedule in headless Chromium with 10 000 rows: wheel, fast wheel, pan, zoom and drag, and the
//! time to the first rows. The measuring is in `ui/tools/frames.mjs`; here its lines become a table.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use xtask::running_server::{PASSWORD, RunningServer};
use xtask::workspace::Workspace;

use super::release;
use super::table::Table;

const HEAD: [&str; 3] = ["measure", "bar", "result"];
/// The most that 95 of 100 frames may take; an empty page reads 16.7 to 16.8 ms.
const FRAME: &str = "p95 17.5 ms";
const FIRST_ROWS: &str = "500 ms";

/// Measures the pages of `ui/dist` on the release binary; nothing where the packages of `ui/` are not installed.
pub(crate) fn measure(workspace: &Workspace) -> Result<Table> {
    let mut table = Table::new(&HEAD);
    let folder = workspace.root.join("ui");
    if !folder.join("node_modules").is_dir() {
        eprintln!("application: run `npm ci` in ui/ first");
        return Ok(table);
    }
    let server =
        RunningServer::start_on(&release::build(workspace)?, &workspace.target.join("bench"), None, &[])?;
    let output = Command::new("node")
        .args(["tools/frames.mjs", &format!("http://{}", server.address)])
        .env("PLANWRIGHT_STORY_PASSWORD", PASSWORD)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("could not run node")?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let rows = printed.lines().filter_map(row);
    rows.for_each(|row| table.add(row));
    // It also ends with an error when a bar is missed, and a bad number is no failure of a bench.
    if table.is_empty() {
        bail!("the frames could not be measured ({}):\n{printed}", output.status);
    }
    Ok(table)
}

/// Reads a line of the measuring; a line without a figure is none.
fn row(line: &str) -> Option<[String; 3]> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let ["first", "rows", time, ..] = words.as_slice() {
        return Some(["first rows".to_owned(), FIRST_ROWS.to_owned(), format!("{time} ms")]);
    }
    let frames = words.iter().position(|word| *word == "frames")?;
    let name = words.get(..frames.checked_sub(1)?)?.join(" ");
    let figures: Vec<String> =
        words[frames + 1..].chunks(2).map(|pair| format!("{} ms", pair.join(" "))).collect();
    Some([format!("{name}, 10 000 rows"), FRAME.to_owned(), figures.join(", ")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_frames_becomes_a_row() {
        let line = "fast wheel     98 frames  p50   16.7  p95   16.8  p99   33.3  longest   50.0";
        let result = "p50 16.7 ms, p95 16.8 ms, p99 33.3 ms, longest 50.0 ms";
        assert_eq!(row(line), Some(["fast wheel, 10 000 rows", FRAME, result].map(str::to_owned)));
    }

    #[test]
    fn the_first_rows_have_a_bar_of_their_own() {
        let line = "first rows   412 ms after the navigation began (limit 500)";
        assert_eq!(row(line), Some(["first rows", FIRST_ROWS, "412 ms"].map(str::to_owned)));
        assert_eq!(row("every p95 is at most 17.5 ms"), None);
    }
}
