//! The XML that Jira exports for a search: issues with their subtasks, and links that say that one blocks another.
//! Comments and everything that only Jira knows are named as losses.

mod status;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, NaiveDate};
use planwright_domain::words::{DependencyType, TaskStatus, TaskType};

use super::assembly::{Found, FoundLink, FoundRow, MOST_DAYS};
use super::text::plain;
use super::unread::{Known, NOT_READ, says_nothing};
use super::xml::{self, Element};
use super::{Losses, PlanFile, Unreadable};
use crate::seed::model::Task;

/// Seconds of a working day of eight hours.
const DAY_SECONDS: f64 = 8.0 * 3600.0;

/// Elements of an issue that a plan has no place for.
const DROPPED: [(&str, &str); 9] = [
    ("comments", "Comments are not imported."),
    ("attachments", "Files are not imported."),
    ("reporter", "Who reported an issue is not imported."),
    ("priority", "Tasks have no priority."),
    ("fixVersion", "Versions are not imported."),
    ("updated", "The time of the last change in Jira is not imported."),
    ("votes", "Votes are not imported."),
    ("watches", "Who watches an issue is not imported."),
    ("assignee", "People are not imported. Assign them after the import."),
];

/// Elements of an issue that are read, and those that Jira computes.
const KNOWN: [&str; 21] = [
    "title",
    "link",
    "guid",
    "project",
    "key",
    "summary",
    "type",
    "status",
    "statusCategory",
    "description",
    "timeoriginalestimate",
    "labels",
    "issuelinks",
    "due",
    "parent",
    "subtasks",
    "customfields",
    "aggregatetimeoriginalestimate",
    "aggregatetimeremainingestimate",
    "aggregatetimespent",
    "timeoriginalestimateseconds",
];

/// Reads a file.
///
/// # Errors
/// When it is no export of Jira, or has no issues or too many.
pub fn read(bytes: &[u8], today: NaiveDate) -> Result<PlanFile, Unreadable> {
    let root = xml::read(bytes, "rss")?;
    let channel = root.child("channel").ok_or_else(|| Unreadable::because("The file has no channel."))?;
    let mut losses = Losses::default();
    let items = in_order(channel.all("item").collect(), &mut losses);
    let known = Known::of(&[&KNOWN, &DROPPED.map(|(field, _)| field)]);
    let mut rows: Vec<FoundRow> = Vec::with_capacity(items.len());
    for (item, is_subtask) in &items {
        let mut row = row(item, &mut losses);
        known.note(item, "", &row.mark, &mut losses);
        if *is_subtask {
            (row.level, row.task.is_subtask) = (2, true);
        }
        rows.push(row);
    }
    let items: Vec<&Element> = items.into_iter().map(|(item, _)| item).collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (at, item) in items.iter().enumerate() {
        match item.text("key") {
            Some(key) if places.insert(key, at).is_some() => {
                losses.note("key", "Two issues have the same key. Links go to the last one.", key);
            }
            Some(_) => {}
            None => losses.note("key", "An issue without a key has no links.", &*rows[at].task.name),
        }
    }
    let mut links: Vec<FoundLink> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        for (predecessor, successor) in blocked(item, at, &places, &mut losses) {
            // Each end of a link names the other, so every link is there twice.
            let is_known =
                links.iter().any(|one| (one.predecessor, one.successor) == (predecessor, successor));
            if !is_known {
                links.push(FoundLink { predecessor, successor, kind: DependencyType::FinishToStart, lag: 0 });
            }
        }
    }
    let name = channel.text("title").unwrap_or("Jira").to_owned();
    Found { name, rows, links, losses, ..Found::default() }.assemble(today)
}

/// The issues, each subtask behind its parent, with whether it is a subtask. A parent that is an epic, has a parent itself or
/// is not in the file has no issues below it.
fn in_order<'e>(items: Vec<&'e Element>, losses: &mut Losses) -> Vec<(&'e Element, bool)> {
    let is_epic = |item: &Element| kind(item.text("type").unwrap_or_default()) == TaskType::Epic;
    let may_have: HashSet<&str> = items
        .iter()
        .filter(|item| item.text("parent").is_none() && !is_epic(item))
        .filter_map(|item| item.text("key"))
        .collect();
    let mut below: HashMap<&str, Vec<&Element>> = HashMap::new();
    let mut top: Vec<&Element> = Vec::new();
    for item in items {
        match item.text("parent") {
            Some(parent) if may_have.contains(parent) => below.entry(parent).or_default().push(item),
            Some(_) => {
                let reason = "The parent is an epic, is a subtask, or is not in the file. The issue stands at the top.";
                losses.note("parent", reason, item.text("key").unwrap_or("?"));
                top.push(item);
            }
            None => top.push(item),
        }
    }
    let mut order = Vec::new();
    for item in top {
        order.push((item, false));
        let own = item.text("key").and_then(|key| below.remove(key)).unwrap_or_default();
        order.extend(own.into_iter().map(|one| (one, true)));
    }
    order
}

/// The working days of the estimate of an issue; one without an estimate.
fn days(item: &Element, mark: &str, losses: &mut Losses) -> u32 {
    let estimate = item.child("timeoriginalestimate");
    let Some(said) = estimate.and_then(|estimate| estimate.attribute("seconds")) else { return 1 };
    let seconds = said.trim().parse::<f64>().ok().filter(|seconds| seconds.is_finite());
    let days = seconds.map(|seconds| (seconds / DAY_SECONDS).ceil());
    let reason = match days {
        None => "An estimate that cannot be read counts as one day.",
        Some(days) if days < 0.0 => "A negative estimate counts as one day.",
        Some(days) if days > f64::from(MOST_DAYS) => {
            "An estimate of more than a century counts as a century."
        }
        Some(days) => return days.max(1.0) as u32,
    };
    losses.note("timeoriginalestimate", reason, mark);
    days.unwrap_or(1.0).clamp(1.0, f64::from(MOST_DAYS)) as u32
}

fn row(item: &Element, losses: &mut Losses) -> FoundRow {
    let mark = item.text("key").unwrap_or("?").to_owned();
    for (field, reason) in DROPPED {
        if item.text(field).is_some_and(|text| !says_nothing(text))
            || item.child(field).is_some_and(|child| !child.children.is_empty())
        {
            losses.note(field, reason, &*mark);
        }
    }
    let status = status::status(item, &mark, losses);
    let done = matches!(status, TaskStatus::Complete | TaskStatus::Review);
    let summary = item.text("summary").or_else(|| item.text("title")).unwrap_or_default();
    let key_and_text = |text: &str| if text.is_empty() { mark.clone() } else { format!("{mark} {text}") };
    let task = Task {
        name: summary.to_owned(),
        notes: key_and_text(&plain(item.text("description").unwrap_or_default())),
        kind: kind(item.text("type").unwrap_or_default()),
        status,
        duration: days(item, &mark, losses),
        percent_complete: if done { 100.0 } else { 0.0 },
        ..Task::default()
    };
    let labels = item.child("labels").map(|labels| labels.all("label")).into_iter().flatten();
    let mut labels: Vec<String> =
        labels.map(|label| label.text.trim().to_owned()).filter(|label| !label.is_empty()).collect();
    let mut task = Task { deadline: due(item, &mark, losses), ..task };
    custom_fields(item, &mark, &mut task, &mut labels, losses);
    FoundRow { mark, level: 1, task, labels, ..FoundRow::default() }
}

/// The day of `Thu, 5 Mar 2026 00:00:00 +0000`.
fn due(item: &Element, mark: &str, losses: &mut Losses) -> Option<NaiveDate> {
    let text = item.text("due")?;
    let day = DateTime::parse_from_rfc2822(text).ok().map(|moment| moment.date_naive());
    let day = day.or_else(|| text.get(..10)?.parse().ok());
    if day.is_none() {
        losses.note("due", "A date that cannot be read is left out.", mark);
    }
    day
}

/// Points become points and sprints become labels. Every other field that says something is named.
fn custom_fields(item: &Element, mark: &str, task: &mut Task, labels: &mut Vec<String>, losses: &mut Losses) {
    let fields = item.child("customfields").map(|all| all.all("customfield")).into_iter().flatten();
    for field in fields {
        let name = field.text("customfieldname").unwrap_or("?");
        let values = field.child("customfieldvalues").map(|all| all.children.iter()).into_iter().flatten();
        let values: Vec<&str> =
            values.map(|value| value.text.trim()).filter(|value| !says_nothing(value)).collect();
        let Some(last) = values.last() else { continue };
        match name.to_lowercase().as_str() {
            "story points" | "story point estimate" => {
                let points = last.parse::<f64>().ok().filter(|points| (0.0..=1_000_000.0).contains(points));
                task.story_points = points.map(|points| points.round() as u32);
                if points.is_none_or(|points| points.fract() != 0.0) {
                    let reason = "Points are whole numbers. Others are rounded or left out.";
                    losses.note("Story Points", reason, mark);
                }
            }
            "sprint" => {
                losses.note("Sprint", "A sprint became a label. Its dates are not in the file.", mark);
                labels.push((*last).to_owned());
            }
            _ => losses.note(&name.chars().take(60).collect::<String>(), NOT_READ, mark),
        }
    }
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

fn kind(name: &str) -> TaskType {
    match name.to_lowercase().as_str() {
        "epic" => TaskType::Epic,
        "story" => TaskType::Story,
        "bug" => TaskType::Bug,
        "spike" => TaskType::Spike,
        _ => TaskType::Task,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn due_dates_points_subtasks_and_sprints_are_carried_and_the_rest_is_named() {
        let text = r#"<rss><channel><title>Plan</title>
            <item><key>A-1</key><summary>Dig</summary><type>Story</type><status>Odd word</status>
              <due>Thu, 5 Mar 2026 00:00:00 +0000</due><component>Site</component><environment/>
              <customfields><customfield><customfieldname>Story Points</customfieldname><customfieldvalues>
                <customfieldvalue>5.0</customfieldvalue></customfieldvalues></customfield>
                <customfield><customfieldname>Sprint</customfieldname><customfieldvalues>
                <customfieldvalue>Sprint 7</customfieldvalue></customfieldvalues></customfield>
                <customfield><customfieldname>Colour</customfieldname><customfieldvalues>
                <customfieldvalue>red</customfieldvalue></customfieldvalues></customfield></customfields></item>
            <item><key>A-2</key><summary>Pour</summary></item>
            <item><key>A-3</key><summary>Shovel</summary><parent>A-1</parent></item>
            <item><key>A-2</key><summary>Again</summary></item><item><summary>Nameless</summary></item>
            </channel></rss>"#;
        let file = read(text.as_bytes(), NaiveDate::from_ymd_opt(2026, 1, 5).unwrap()).unwrap();
        let project = &file.document.projects[0];
        let rows: Vec<_> = project
            .tasks
            .iter()
            .map(|task| (task.wbs_path.as_str(), task.name.as_str(), task.is_subtask))
            .collect();
        assert_eq!(rows[..3], [("1", "Dig", false), ("1.1", "Shovel", true), ("2", "Pour", false)]);
        let dig = &project.tasks[0];
        assert_eq!((dig.story_points, dig.deadline), (Some(5), NaiveDate::from_ymd_opt(2026, 3, 5)));
        assert_eq!(dig.labels, ["sprint-7"]);
        let lost: Vec<&str> = file.losses.0.iter().map(|loss| loss.field.as_str()).collect();
        for field in ["status", "component", "Sprint", "Colour", "key"] {
            assert!(lost.contains(&field), "{field} is missing in {lost:?}");
        }
    }

    #[test]
    fn an_estimate_that_no_task_can_have_is_held_and_named() {
        let of = |seconds: &str| {
            let text = format!(
                "<rss><channel><item><key>A-1</key><summary>Dig</summary>\
                 <timeoriginalestimate seconds=\"{seconds}\"/></item></channel></rss>"
            );
            let file = read(text.as_bytes(), NaiveDate::from_ymd_opt(2026, 1, 5).unwrap()).unwrap();
            let is_named = file.losses.0.iter().any(|loss| loss.field == "timeoriginalestimate");
            (file.document.projects[0].tasks[0].duration, is_named)
        };
        assert_eq!([of("57600"), of("0")], [(2, false), (1, false)]);
        assert_eq!([of("-57600"), of("soon"), of("99999999999999")], [(1, true), (1, true), (36_525, true)]);
    }

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
