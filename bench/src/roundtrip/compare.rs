//! Compares our dates with those that MPXJ computed from a file of ours, and finds the rows where a difference begins.
//! A difference that begins at a row needs a reason; rows that follow such a row need none.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

/// What became of the rows of a file.
pub(super) struct Outcome {
    /// How many have the same dates.
    pub(super) same: usize,
    /// How many differ for a reason, or follow a row that differs.
    pub(super) explained: usize,
    /// The differences that nothing explains, as sentences.
    pub(super) unexplained: Vec<String>,
}

/// A link of ours into a row.
struct Link<'r> {
    from: &'r str,
    is_elapsed: bool,
    is_of_other_project: bool,
    /// Whether it holds the finish of its row, or lets it begin early.
    is_backward: bool,
}

struct Rows<'r> {
    by_path: HashMap<&'r str, &'r Value>,
    links: HashMap<&'r str, Vec<Link<'r>>>,
    is_primavera: bool,
    has_progress: bool,
    /// Whether lags count all days.
    is_elapsed: bool,
}

/// Compares the first project of our report with the answer of MPXJ.
pub(super) fn compare(ours: &Value, theirs: &Value, is_primavera: bool) -> Outcome {
    let rows = Rows::of(ours, is_primavera);
    let mut outcome = Outcome { same: 0, explained: 0, unexplained: Vec::new() };
    let differs = |path: &str| rows.by_path.get(path).is_some_and(|row| rows.differs(row, &theirs[path]));
    let differing: HashSet<&str> = rows.by_path.keys().copied().filter(|path| differs(path)).collect();
    let mut paths: Vec<&&str> = rows.by_path.keys().collect();
    paths.sort_unstable();
    for path in paths {
        match (theirs.get(*path), differing.contains(path)) {
            (None, _) => {}
            (Some(_), false) => outcome.same += 1,
            (Some(_), true) if rows.is_explained(path, &theirs[*path], &differing) => outcome.explained += 1,
            (Some(there), true) => {
                let row = rows.by_path[path];
                outcome.unexplained.push(format!(
                    "{path} {}: {} to {}, MPXJ {} to {}",
                    row["name"], row["early_start"], row["early_finish"], there[0], there[1]
                ));
            }
        }
    }
    outcome
}

impl<'r> Rows<'r> {
    fn of(ours: &'r Value, is_primavera: bool) -> Self {
        let project = &ours["projects"][0];
        let slug = project["slug"].as_str().unwrap_or_default();
        let all = project["tasks"].as_array().map(Vec::as_slice).unwrap_or_default();
        let work = all.iter().filter(|row| row["is_summary"] == false && row["is_scheduled"] == true);
        let by_path = work.filter_map(|row| Some((row["wbs_path"].as_str()?, row))).collect();
        let mut links: HashMap<&str, Vec<Link<'_>>> = HashMap::new();
        for link in ours["links"].as_array().into_iter().flatten() {
            let ends = ["predecessor", "successor"].map(|end| link[end].as_str().unwrap_or_default());
            let [(from_project, from), (to_project, to)] =
                ends.map(|end| end.split_once(':').unwrap_or((slug, end)));
            if to_project == slug {
                let holds_finish = link["type"] == "FF" || link["type"] == "SF";
                links.entry(to).or_default().push(Link {
                    from,
                    is_elapsed: link["lag_unit"] == "elapsed" && link["lag"] != 0,
                    is_of_other_project: from_project != slug,
                    is_backward: holds_finish || link["lag"].as_i64().is_some_and(|lag| lag < 0),
                });
            }
        }
        let has_progress = all.iter().any(|row| row["progress"] != "not_started");
        Self { by_path, links, is_primavera, has_progress, is_elapsed: project["lag_calendar"] == "elapsed" }
    }

    fn differs(&self, row: &Value, theirs: &Value) -> bool {
        let day = |at: usize| theirs[at].as_str().and_then(|text| text.get(..10));
        let (start, finish) = (row["early_start"].as_str(), row["early_finish"].as_str());
        // A milestone has one instant. MPXJ shows the evening of a day as the morning of the next in some of its fields.
        let is_same = match row["is_milestone"] == true {
            true => day(0) == start || day(1) == finish,
            false => day(0) == start && day(1) == finish,
        };
        theirs.is_array() && !is_same
    }

    fn is_explained(&self, path: &str, theirs: &Value, differing: &HashSet<&str>) -> bool {
        let row = self.by_path[path];
        let is_earlier = theirs[0].as_str() < row["early_start"].as_str();
        // Progress is read by other rules, and the scheduler of Microsoft plans has no data date.
        let is_about_progress =
            row["progress"] != "not_started" || (self.has_progress && !self.is_primavera && is_earlier);
        is_about_progress
            || self.links_to(path).any(|link| {
                // Branches have no links in an XER file.
                let is_of_phase = self.is_primavera && !self.by_path.contains_key(link.from);
                // The rules of Microsoft round such links otherwise, and those of Primavera where lags count all hours:
                // docs/schedule-checks.md, rule 1.
                let is_rounded = link.is_backward && (!self.is_primavera || self.is_elapsed);
                let is_of_file = link.is_of_other_project || is_of_phase;
                link.is_elapsed || is_rounded || is_of_file || follows(link.from, differing)
            })
    }

    /// The links into a row, and into the phases above it.
    fn links_to<'p>(&'p self, path: &'p str) -> impl Iterator<Item = &'p Link<'r>> + 'p {
        let above = std::iter::successors(Some(path), |path| path.rsplit_once('.').map(|(above, _)| above));
        above.filter_map(|path| self.links.get(path)).flatten()
    }
}

/// Whether a row differs, or one below it.
fn follows(path: &str, differing: &HashSet<&str>) -> bool {
    let below = |other: &&str| other.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
    differing.contains(path) || differing.iter().any(below)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_difference_needs_a_reason_where_it_begins_and_none_behind_it() {
        let row = |path: &str, start: &str| {
            json!({"wbs_path": path, "name": path, "is_summary": false, "is_scheduled": true, "is_milestone": false,
                "early_start": start, "early_finish": start, "progress": "not_started"})
        };
        let ours = json!({
            "projects": [{"slug": "a", "tasks": [row("1", "2026-01-05"), row("2", "2026-01-06"), row("3", "2026-01-07")]}],
            "links": [{"predecessor": "1", "successor": "2", "lag": 0, "lag_unit": "working"},
                {"predecessor": "a:2", "successor": "a:3", "lag": 0, "lag_unit": "working"}],
        });
        let at = |day: &str| json!([format!("{day}T08:00"), format!("{day}T16:00"), "x"]);
        let theirs = json!({"1": at("2026-01-05"), "2": at("2026-01-08"), "3": at("2026-01-09")});
        let Outcome { same, explained, unexplained } = compare(&ours, &theirs, true);
        assert_eq!((same, explained, unexplained.len()), (1, 1, 1));
        assert!(unexplained[0].starts_with("2 "));
    }
}
