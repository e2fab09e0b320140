//! From the rows that a reader found to a document that holds together: paths by outline level, names within their
//! limits, slugs, and links whose ends exist. What has to give way is noted as a loss.

use std::collections::{HashMap, HashSet};

use chrono::{Datelike, NaiveDate};
use planwright_domain::words::{DependencyType, LabelColor, LagCalendar, Word};

use super::{Losses, PlanFile, Unreadable, assigned};
use crate::seed::model::{
    Baseline, BaselineCalendar, BaselineTask, Calendar, Dependency, Document, Label, Program, Project,
    Resource, SchemaVersion, Task,
};
use crate::seed::{Slugs, TaskReference};

/// The longest name of a task, in characters.
const LONGEST_TASK_NAME: usize = 512;
/// The longest name of anything else.
const LONGEST_NAME: usize = 255;
/// The longest role of a resource.
const LONGEST_JOB_ROLE: usize = 120;
/// The longest name of a label.
const LONGEST_LABEL: usize = 50;
/// The longest duration of a task and lag of a link, in days.
pub(super) const MOST_DAYS: u32 = 36_525;

/// The longest outline path, in characters.
const LONGEST_PATH: usize = 255;
/// Dates after this year cannot be counted on.
const LAST_YEAR: i32 = 2999;

/// The slug of a plan whose name has no letter that a slug can have: the numbers of its letters tell it from others.
fn slug_by_numbers(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.fold("plan".to_owned(), |slug, letter| format!("{slug}-{:x}", u32::from(letter)))
}

/// A row as a reader found it. Its path, labels and assignments are filled in here.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundRow {
    /// How the file refers to it in messages, such as its number.
    pub(super) mark: String,
    /// The level in the outline, from 1.
    pub(super) level: usize,
    pub(super) task: Task,
    pub(super) labels: Vec<String>,
    /// The place of the calendar that it is worked on instead of that of the project.
    pub(super) calendar: Option<usize>,
    /// Names of resources with their units.
    pub(super) assignments: Vec<(usize, f64)>,
    /// The dates that the file has for it.
    pub(super) dates: (Option<NaiveDate>, Option<NaiveDate>),
    /// What it was in each baseline.
    pub(super) frozen: Vec<(u8, BaselineTask)>,
}

/// A link between two rows, by their places.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundLink {
    pub(super) predecessor: usize,
    pub(super) successor: usize,
    pub(super) kind: DependencyType,
    pub(super) lag: i64,
}

/// Everything that a reader found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) start_date: Option<NaiveDate>,
    /// How its lags count; in working days of the successor unless the file says otherwise.
    pub(super) lag_calendar: Option<LagCalendar>,
    pub(super) status_date: Option<NaiveDate>,
    pub(super) calendars: Vec<Calendar>,
    /// The place of the project's calendar.
    pub(super) calendar: Option<usize>,
    pub(super) resources: Vec<Resource>,
    /// The places of the calendars of the resources; those without one may be missing at the end.
    pub(super) resource_calendars: Vec<Option<usize>>,
    pub(super) rows: Vec<FoundRow>,
    pub(super) links: Vec<FoundLink>,
    pub(super) losses: Losses,
}

impl Found {
    /// The document, complete.
    ///
    /// # Errors
    /// When there are no rows, or they are nested too deeply.
    pub(super) fn assemble(mut self, today: NaiveDate) -> Result<PlanFile, Unreadable> {
        if self.rows.is_empty() {
            return Err(Unreadable::because("The file has no tasks."));
        }
        for (above, below) in self.rows.iter().zip(self.rows.iter().skip(1)) {
            if below.level > above.level.saturating_add(1) {
                let reason = "A row that leaps deeper stands one level below the row above it.";
                self.losses.note("OutlineLevel", reason, &*below.mark);
            }
        }
        self.drop_far_dates();
        self.clean_texts();
        let paths = paths(&self.rows.iter().map(|row| row.level).collect::<Vec<_>>());
        if let Some((path, row)) = paths.iter().zip(&self.rows).find(|(path, _)| path.len() > LONGEST_PATH) {
            let levels = path.split('.').count() - 1;
            return Err(Unreadable::because(format!(
                "The rows are nested too deeply: {} stands below {levels} others. Its outline number may have {LONGEST_PATH} characters.",
                row.mark
            )));
        }
        self.shorten_names();
        let home = Slugs::new().make(&self.name, &slug_by_numbers(&self.name));
        self.name_shared();
        let labels = self.labels();
        let parents: HashSet<&str> =
            paths.iter().filter_map(|path| path.rsplit_once('.').map(|(parent, _)| parent)).collect();
        let mut project = Project {
            slug: home.clone(),
            name: self.name.clone(),
            calendar: self.calendar.and_then(|at| self.calendars.get(at)).map(|one| one.slug.clone()),
            lag_calendar: Some(self.lag_calendar.unwrap_or(LagCalendar::Successor)),
            status_date: self.status_date,
            dependencies: self.dependencies(&home, &paths),
            baselines: self.baselines(&home, &paths),
            labels: labels.values().cloned().collect(),
            ..Project::default()
        };
        project.labels.sort_by_key(|label| label.position);
        let mut dates = HashMap::with_capacity(paths.len());
        for (path, row) in paths.iter().zip(&mut self.rows) {
            let calendar = row.calendar.filter(|own| Some(*own) != self.calendar);
            row.task.calendar = calendar.and_then(|at| self.calendars.get(at)).map(|one| one.slug.clone());
            let is_leaf = !parents.contains(path.as_str());
            dates.insert(path.clone(), row.dates);
            project.tasks.push(finished(path, row, is_leaf, &labels, &self.resources, &mut self.losses));
        }
        let first = project.tasks.iter().filter_map(|task| task.planned_start.or(task.actual_start)).min();
        let earliest = dates.values().filter_map(|(start, _)| *start).min();
        project.start_date = self.start_date.or(earliest).or(first).unwrap_or(today);
        let program = Program { slug: home, name: project.name.clone(), ..Program::default() };
        let document = Document {
            schema_version: SchemaVersion::WITH_EVERYTHING,
            program,
            accounts: Vec::new(),
            calendars: self.calendars,
            resources: self.resources,
            projects: vec![project],
            risks: Vec::new(),
            events: Vec::new(),
        };
        Ok(PlanFile { document, losses: self.losses, dates })
    }

    /// Leaves out dates that lie too far away to be computed with.
    fn drop_far_dates(&mut self) {
        let is_far = |day: &mut NaiveDate| !(1..=LAST_YEAR).contains(&day.year());
        let reason = "A date outside the years 1 to 2999 is left out.";
        for (field, date) in [("StartDate", &mut self.start_date), ("StatusDate", &mut self.status_date)] {
            if date.take_if(is_far).is_some() {
                self.losses.note(field, reason, "");
            }
        }
        for row in &mut self.rows {
            let task = &mut row.task;
            let dates = [
                ("planned_start", &mut task.planned_start),
                ("deadline", &mut task.deadline),
                ("actual_start", &mut task.actual_start),
                ("actual_finish", &mut task.actual_finish),
            ];
            for (field, date) in dates {
                if date.take_if(is_far).is_some() {
                    self.losses.note(field, reason, &*row.mark);
                }
            }
            if task.constraint.take_if(|(_, day)| day.as_mut().is_some_and(is_far)).is_some() {
                self.losses.note("constraint_date", reason, &*row.mark);
            }
            row.dates.0.take_if(is_far);
            row.dates.1.take_if(is_far);
        }
    }

    fn shorten_names(&mut self) {
        if self.name.trim().is_empty() {
            self.name = "Imported plan".to_owned();
        }
        cut(&mut self.name, LONGEST_NAME, &mut self.losses, "Name", None);
        for row in &mut self.rows {
            if row.task.name.trim().is_empty() {
                self.losses.note("Name", "A task without a name got one.", &*row.mark);
                row.task.name = format!("Task {}", row.mark);
            }
            cut(&mut row.task.name, LONGEST_TASK_NAME, &mut self.losses, "Name", Some(&row.mark));
        }
    }

    /// Slugs for calendars and resources; a calendar that works on no weekday is left out.
    fn name_shared(&mut self) {
        let mut slugs = Slugs::new();
        for (at, calendar) in self.calendars.iter_mut().enumerate() {
            name_blank(&mut calendar.name, "Calendar", at, &mut self.losses);
            cut(&mut calendar.name, LONGEST_NAME, &mut self.losses, "Calendar", None);
            calendar.slug = slugs.make(&calendar.name, "calendar");
            if calendar.working_days == 0 {
                self.losses.note(
                    "Calendar",
                    "A calendar without working days became Monday to Friday.",
                    &*calendar.name,
                );
                calendar.working_days = 31;
            }
            if calendar.exceptions.len() > 500 {
                self.losses.note("Calendar", "Only the first 500 exceptions were imported.", &*calendar.name);
                calendar.exceptions.truncate(500);
            }
        }
        let mut slugs = Slugs::new();
        for (at, resource) in self.resources.iter_mut().enumerate() {
            name_blank(&mut resource.name, "Resource", at, &mut self.losses);
            cut(&mut resource.name, LONGEST_NAME, &mut self.losses, "Resource", None);
            cut(&mut resource.job_role, LONGEST_JOB_ROLE, &mut self.losses, "Resource", Some(&resource.name));
            resource.slug = slugs.make(&resource.name, "resource");
            let calendar = self.resource_calendars.get(at).copied().flatten();
            resource.calendar =
                calendar.and_then(|at| self.calendars.get(at)).map(|calendar| calendar.slug.clone());
        }
    }

    fn labels(&mut self) -> HashMap<String, Label> {
        let mut labels: HashMap<String, Label> = HashMap::new();
        let mut slugs = Slugs::new();
        for row in &mut self.rows {
            for name in &mut row.labels {
                if name.chars().count() > LONGEST_LABEL {
                    let reason = "The names of labels are cut after 50 characters.";
                    self.losses.note("labels", reason, &*row.mark);
                }
                *name = shortened(name, LONGEST_LABEL);
                let at = labels.len();
                labels.entry(name.to_lowercase()).or_insert_with(|| Label {
                    slug: slugs.make(name, "label"),
                    name: name.clone(),
                    color: LabelColor::ALL[at % LabelColor::ALL.len()],
                    position: u32::try_from(at + 1).ok(),
                });
            }
        }
        labels
    }

    fn dependencies(&mut self, home: &str, paths: &[String]) -> Vec<Dependency> {
        let mut known = HashSet::new();
        let mut kept = Vec::with_capacity(self.links.len());
        for link in std::mem::take(&mut self.links) {
            let mark = || {
                let of = |at: usize| self.rows[at].mark.as_str();
                format!("{} → {}", of(link.predecessor), of(link.successor))
            };
            let (from, to) = (&paths[link.predecessor], &paths[link.successor]);
            let is_above =
                |one: &str, other: &str| other.strip_prefix(one).is_some_and(|rest| rest.starts_with('.'));
            if from == to || is_above(from, to) || is_above(to, from) {
                let reason = "A link between a task and itself, or a phase and its own row, is left out.";
                let mark = mark();
                self.losses.note("Predecessor", reason, mark);
            } else if !known.insert((link.predecessor, link.successor, link.kind)) {
                let mark = mark();
                self.losses.note("Predecessor", "A link that is there twice is imported once.", mark);
            } else {
                let most = i64::from(MOST_DAYS);
                if link.lag.unsigned_abs() > u64::from(MOST_DAYS) {
                    let mark = mark();
                    self.losses.note("Predecessor", "Lags are cut at 36525 days.", mark);
                }
                kept.push(Dependency {
                    predecessor: TaskReference::new(home, from),
                    successor: TaskReference::new(home, to),
                    kind: link.kind,
                    lag: i32::try_from(link.lag.clamp(-most, most)).unwrap_or_default(),
                });
            }
        }
        kept
    }

    fn baselines(&mut self, home: &str, paths: &[String]) -> Vec<Baseline> {
        let mut numbers: Vec<u8> =
            self.rows.iter().flat_map(|row| row.frozen.iter().map(|(number, _)| *number)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let baseline = |number: u8| {
            let rows = paths.iter().zip(&self.rows);
            let frozen = rows.filter_map(|(path, row)| {
                let (_, kept) = row.frozen.iter().find(|(of, _)| *of == number)?;
                let finish = kept.finish.filter(|finish| kept.start.is_none_or(|start| start <= *finish));
                Some(BaselineTask { task: TaskReference::new(home, path), finish, ..kept.clone() })
            });
            Baseline {
                calendar: BaselineCalendar::default(),
                name: if number == 0 { "Baseline".to_owned() } else { format!("Baseline {number}") },
                tasks: frozen.collect(),
                is_active: Some(&number) == numbers.first(),
                captured_at: None,
            }
        };
        numbers.iter().map(|number| baseline(*number)).collect()
    }
}

/// Gives what has no name one, and says so.
fn name_blank(name: &mut String, what: &str, at: usize, losses: &mut Losses) {
    if name.trim().is_empty() {
        *name = format!("{what} {}", at + 1);
        losses.note(what, "What had no name got one.", name.as_str());
    }
}

/// A row with its path, labels and assignments, and with nothing that a row of its kind cannot have.
fn finished(
    path: &str,
    row: &FoundRow,
    is_leaf: bool,
    labels: &HashMap<String, Label>,
    resources: &[Resource],
    losses: &mut Losses,
) -> Task {
    let mut task = Task { wbs_path: path.to_owned(), ..row.task.clone() };
    if task.is_milestone && !is_leaf {
        losses.note("Milestone", "A row with rows below it is a phase and no milestone.", &*row.mark);
        task.is_milestone = false;
    }
    if task.is_milestone && task.duration > 0 {
        losses.note("Milestone", "A milestone with a duration became a task.", &*row.mark);
        task.is_milestone = false;
    }
    if is_leaf && task.duration == 0 {
        task.is_milestone = true;
    }
    if task.duration > MOST_DAYS {
        losses.note("Duration", "Durations are cut at 36525 days.", &*row.mark);
        task.duration = MOST_DAYS;
    }
    if let (Some(start), Some(finish)) = (task.actual_start, task.actual_finish)
        && finish < start
    {
        losses.note("ActualFinish", "An actual finish before the actual start is left out.", &*row.mark);
        task.actual_finish = None;
    }
    let mut slugs: Vec<String> = row
        .labels
        .iter()
        .filter_map(|name| labels.get(&name.to_lowercase()))
        .map(|label| label.slug.clone())
        .collect();
    slugs.sort();
    slugs.dedup();
    task.labels = slugs;
    task.assignments = assigned::once_each(row, resources, losses);
    task
}

/// Outline paths for rows by their levels. A level may rise by one at a time; a row that leaps deeper is taken as one
/// level below the row before it.
fn paths(levels: &[usize]) -> Vec<String> {
    let mut numbers: Vec<u32> = Vec::new();
    let path = |level: &usize| {
        let level = (*level).clamp(1, numbers.len() + 1);
        numbers.truncate(level);
        match numbers.get_mut(level - 1) {
            Some(number) => *number += 1,
            None => numbers.push(1),
        }
        numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
    };
    levels.iter().map(path).collect()
}

/// What an hour of a resource costs, if it costs anything that a plan can hold.
pub(super) fn rate(amount: Option<f64>) -> Option<f64> {
    amount.filter(|rate| *rate > 0.0 && *rate <= 99_999.99).map(|rate| (rate * 100.0).round() / 100.0)
}

/// A name as it can be stored. One that had to be cut is a loss of the row `mark`, or of itself.
fn cut(name: &mut String, longest: usize, losses: &mut Losses, field: &str, mark: Option<&str>) {
    let kept = shortened(name, longest);
    if name.trim().chars().count() > longest {
        let reason = format!("Names are cut after {longest} characters.");
        losses.note(field, &reason, mark.unwrap_or(&kept));
    }
    *name = kept;
}

/// A text without characters that cannot be stored, cut to a length.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    let clean: String = text.chars().map(|letter| if letter == '\0' { ' ' } else { letter }).collect();
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    clean.chars().take(longest).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(level: usize, name: &str, duration: u32) -> FoundRow {
        let task = Task { name: name.to_owned(), duration, ..Task::default() };
        FoundRow { mark: name.to_owned(), level, task, ..FoundRow::default() }
    }

    fn day() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, 5).unwrap()
    }

    #[test]
    fn levels_become_paths_and_a_leap_goes_one_level_down() {
        assert_eq!(paths(&[1, 2, 2, 1, 3, 2, 0]), ["1", "1.1", "1.2", "2", "2.1", "2.2", "3"]);
    }

    #[test]
    fn links_that_no_plan_can_hold_are_left_out_and_named() {
        let link = |predecessor, successor| FoundLink {
            predecessor,
            successor,
            kind: DependencyType::FinishToStart,
            lag: 0,
        };
        let found = Found {
            rows: vec![row(1, "Phase", 5), row(2, "A", 2), row(2, "B", 0)],
            links: vec![link(1, 2), link(1, 2), link(0, 1), link(1, 1)],
            ..Found::default()
        };
        let file = found.assemble(day()).unwrap();
        let project = &file.document.projects[0];
        assert_eq!(project.dependencies.len(), 1);
        assert!(project.tasks[2].is_milestone);
        assert_eq!(file.losses.0.iter().map(|loss| loss.count).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn dates_too_far_away_and_leaps_are_named_and_rows_too_deep_are_refused() {
        let far = NaiveDate::from_ymd_opt(9999, 12, 31);
        let mut rows = vec![row(1, "A", 1), row(3, "B", 1)];
        rows[0].task.planned_start = far;
        let found = Found { start_date: far, rows, ..Found::default() };
        let file = found.assemble(day()).unwrap();
        assert_eq!(file.document.projects[0].start_date, day());
        let lost: Vec<&str> = file.losses.0.iter().map(|loss| loss.field.as_str()).collect();
        assert_eq!(lost, ["OutlineLevel", "StartDate", "planned_start"]);
        let rows = (1..=200).map(|level| row(level, &format!("row {level}"), 1)).collect();
        let refusal = Found { rows, ..Found::default() }.assemble(day()).unwrap_err();
        assert!(refusal.0.contains("row 129 stands below 128 others"), "{refusal}");
    }

    #[test]
    fn a_lag_that_is_cut_is_named() {
        let link = |lag| FoundLink { predecessor: 0, successor: 1, kind: DependencyType::FinishToStart, lag };
        let found = Found {
            rows: vec![row(1, "A", 2), row(1, "B", 2)],
            links: vec![link(-2_000_000_000)],
            ..Found::default()
        };
        let file = found.assemble(day()).unwrap();
        assert_eq!(file.document.projects[0].dependencies[0].lag, -36_525);
        assert_eq!(file.losses.0[0].reason, "Lags are cut at 36525 days.");
    }

    #[test]
    fn a_plan_is_called_after_its_name_so_that_two_plans_have_two_codes() {
        let named = |name: &str| {
            let found = Found { name: name.to_owned(), rows: vec![row(1, "A", 1)], ..Found::default() };
            let document = found.assemble(day()).unwrap().document;
            assert_eq!(document.program.slug, document.projects[0].slug);
            document.program.slug
        };
        assert_eq!(
            [named("House of glass"), named(""), named("工程")],
            ["house-of-glass", "imported-plan", "plan-5de5-7a0b"]
        );
    }

    #[test]
    fn a_file_without_tasks_is_refused() {
        assert!(Found::default().assemble(day()).unwrap_err().0.contains("no tasks"));
    }

    #[test]
    fn the_same_label_in_other_letters_is_one_label() {
        let mut found = Found { rows: vec![row(1, "A", 1), row(1, "B", 1)], ..Found::default() };
        found.rows[0].labels = vec!["Dry".into(), "dry".into()];
        found.rows[1].labels = vec!["DRY".into()];
        let file = found.assemble(day()).unwrap();
        let project = &file.document.projects[0];
        assert_eq!(project.labels.len(), 1);
        assert_eq!(project.tasks[0].labels, project.tasks[1].labels);
    }
}
