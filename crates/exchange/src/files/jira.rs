//! The XML that Jira exports for a search: a flat list of issues, with links that say that one blocks another.
//! Sprints, comments and everything that only Jira knows are named as losses.

use std::collections::HashMap;

use chrono::NaiveDate;

use super::assembly::{Found, FoundLink, FoundRow};
use super::text::plain;
use super::xml::{self, Element};
use super::{Losses, PlanFile, Unreadable};
use crate::seed::model::Task;
use crate::seed::vocabulary::{DependencyKind, TaskKind, TaskStatus};

/// Seconds of a working day of eight hours.
const DAY_SECONDS: f64 = 8.0 * 3600.0;

/// Elements of an issue that a plan has no place for.
const DROPPED: [(&str, &str); 6] = [
    ("comments", "Comments are not imported."),
    ("attachments", "Files are not imported."),
    ("reporter", "Who reported an issue is not imported."),
    ("priority", "Tasks have no priority."),
    ("fixVersion", "Versions are not imported."),
    ("assignee", "People are not imported. Assign them after the import."),
];

/// Reads a file.
///
/// # Errors
/// When it is no export of Jira, or has no issues or too many.
pub fn read(bytes: &[u8], today: NaiveDate) -> Result<PlanFile, Unreadable> {
    let root = xml::read(bytes, "rss")?;
    let channel = root.child("channel").ok_or_else(|| Unreadable::because("The file has no channel."))?;
    let items: Vec<&Element> = channel.all("item").collect();
    let mut losses = Losses::default();
    let rows: Vec<FoundRow> = items.iter().map(|item| row(item, &mut losses)).collect();
    let places: HashMap<&str, usize> =
        items.iter().enumerate().filter_map(|(at, item)| Some((item.text("key")?, at))).collect();
    let mut links: Vec<FoundLink> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        for (predecessor, successor) in blocked(item, at, &places, &mut losses) {
            // Each end of a link names the other, so every link is there twice.
            let is_known =
                links.iter().any(|one| (one.predecessor, one.successor) == (predecessor, successor));
            if !is_known {
                links.push(FoundLink { predecessor, successor, kind: DependencyKind::FinishStart, lag: 0 });
            }
        }
    }
    let name = channel.text("title").unwrap_or("Jira").to_owned();
    Found { name, rows, links, losses, ..Found::default() }.assemble(today)
}

fn row(item: &Element, losses: &mut Losses) -> FoundRow {
    let mark = item.text("key").unwrap_or("?").to_owned();
    for (field, reason) in DROPPED {
        if item.text(field).is_some() || item.child(field).is_some_and(|child| !child.children.is_empty()) {
            losses.note(field, reason, &*mark);
        }
    }
    let status = status(item.text("status").unwrap_or_default());
    let seconds = item.child("timeoriginalestimate").and_then(|estimate| estimate.attribute("seconds"));
    let seconds: f64 = seconds.and_then(|seconds| seconds.parse().ok()).unwrap_or(0.0);
    let done = matches!(status, TaskStatus::Complete | TaskStatus::Review);
    let summary = item.text("summary").or_else(|| item.text("title")).unwrap_or_default();
    let key_and_text = |text: &str| if text.is_empty() { mark.clone() } else { format!("{mark} {text}") };
    let task = Task {
        name: summary.to_owned(),
        notes: key_and_text(&plain(item.text("description").unwrap_or_default())),
        kind: kind(item.text("type").unwrap_or_default()),
        status,
        duration: (seconds / DAY_SECONDS).ceil().clamp(1.0, 36_525.0) as u32,
        percent_complete: if done { 100.0 } else { 0.0 },
        ..Task::default()
    };
    let labels = item.child("labels").map(|labels| labels.all("label")).into_iter().flatten();
    let labels = labels.map(|label| label.text.trim().to_owned()).filter(|label| !label.is_empty()).collect();
    FoundRow { mark, level: 1, task, labels, ..FoundRow::default() }
}

/// The links of an issue that say that one blocks another, as predecessor and successor.
fn blocked(
    item: &Element,
    at: usize,
    places: &HashMap<&str, usize>,
    losses: &mut Losses,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let kinds = item.child("issuelinks").map(|links| links.all("issuelinktype")).into_iter().flatten();
    for kind in kinds {
        let is_blocking = kind.text("name").is_some_and(|name| name.eq_ignore_ascii_case("blocks"));
        for (direction, is_outward) in [("outwardlinks", true), ("inwardlinks", false)] {
            let links = kind.child(direction).map(|links| links.all("issuelink")).into_iter().flatten();
            for link in links {
                let key = link.text("issuekey").unwrap_or_default();
                let mark = item.text("key").unwrap_or("?");
                match places.get(key) {
                    _ if !is_blocking => {
                        losses.note("issuelinks", "Only links of the type Blocks are imported.", mark)
                    }
                    None => losses.note(
                        "issuelinks",
                        "A link to an issue that is not in the file is left out.",
                        mark,
                    ),
                    Some(other) if is_outward => pairs.push((at, *other)),
                    Some(other) => pairs.push((*other, at)),
                }
            }
        }
    }
    pairs
}

fn status(name: &str) -> TaskStatus {
    let name = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    match () {
        () if has(&["done", "closed", "resolved", "complete"]) => TaskStatus::Complete,
        () if has(&["review", "verif", "test"]) => TaskStatus::Review,
        () if has(&["progress", "develop", "doing", "started"]) => TaskStatus::InProgress,
        () if has(&["hold", "block", "wait"]) => TaskStatus::OnHold,
        () if has(&["backlog"]) => TaskStatus::Backlog,
        () => TaskStatus::NotStarted,
    }
}

fn kind(name: &str) -> TaskKind {
    match name.to_lowercase().as_str() {
        "epic" => TaskKind::Epic,
        "story" => TaskKind::Story,
        "bug" => TaskKind::Bug,
        "spike" => TaskKind::Spike,
        _ => TaskKind::Task,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issues_become_rows_and_blocking_becomes_a_link_once() {
        let text = r#"<rss version="0.92"><channel><title>Plan</title>
            <item><key>A-1</key><summary>Dig</summary><type>Story</type><status>Done</status>
              <timeoriginalestimate seconds="30000">1 day</timeoriginalestimate>
              <labels><label>dry</label></labels>
              <issuelinks><issuelinktype><name>Blocks</name><outwardlinks><issuelink><issuekey>A-2</issuekey></issuelink>
              </outwardlinks></issuelinktype></issuelinks></item>
            <item><key>A-2</key><summary>Pour</summary><status>In Progress</status><priority>High</priority>
              <issuelinks><issuelinktype><name>Blocks</name><inwardlinks><issuelink><issuekey>A-1</issuekey></issuelink>
              </inwardlinks></issuelinktype></issuelinks></item></channel></rss>"#;
        let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
        let file = read(text.as_bytes(), today).unwrap();
        let project = &file.document.projects[0];
        let shown: Vec<_> =
            project.tasks.iter().map(|t| (t.name.as_str(), t.duration, t.percent_complete)).collect();
        assert_eq!(shown, [("Dig", 2, 100.0), ("Pour", 1, 0.0)]);
        assert_eq!(project.dependencies.len(), 1);
        assert_eq!(project.labels.len(), 1);
        assert_eq!(file.losses.0.iter().map(|loss| loss.field.as_str()).collect::<Vec<_>>(), ["priority"]);
    }
}
