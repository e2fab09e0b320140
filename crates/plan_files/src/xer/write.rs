//! From a document to XER: what Primavera P6 and everything that reads its files can open.
//! Dates are those that planwright computed; P6 computes its own when it schedules the project.

mod around;
mod odd;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use chrono::NaiveDate;
use planwright_domain::words::{ConstraintType, LagCalendar};

use super::{calendars, codes};
use crate::seed::model::{Calendar, Dependency, Document, Project, Task};
use crate::seed::outline::{Outline, compare_paths};
use crate::unwritten::{self, Part};
use crate::{Computed, Losses, WrittenFile};

/// Working hours of a day in the file.
const HOURS: u32 = 8;
/// The longest id of an activity.
const LONGEST_CODE: usize = 40;
/// The longest name of an activity or of a branch.
const LONGEST_NAME: usize = 120;

/// The first project of a document as a file.
pub fn write(document: &Document, computed: &Computed) -> WrittenFile {
    let mut losses = Losses::default();
    let carried = [
        Part::ActualDates,
        Part::Calendars,
        Part::Constraints,
        Part::Deadlines,
        Part::Labels,
        Part::LagCalendar,
        Part::Project,
        Part::Resources,
    ];
    let document = &unwritten::on_one_calendar(document, &mut losses);
    unwritten::note(document, &carried, &mut losses);
    unwritten::note_planned_starts(document, 2, &mut losses);
    odd::note(document, computed, &mut losses);
    let mut out = Out::default();
    if let Some(project) = document.projects.first() {
        let mut file = File::of(document, project, computed, losses);
        file.content(&mut out);
        losses = file.losses;
    }
    out.0.push_str("%E\r\n");
    let (encoded, _, lacks) = encoding_rs::WINDOWS_1252.encode(&out.0);
    let content = match lacks {
        false => encoded.into_owned(),
        true => {
            losses.note(
                "Encoding",
                "The file is in UTF-8, because Windows-1252 lacks some of its letters.",
                "",
            );
            out.0.into_bytes()
        }
    };
    WrittenFile { content, losses }
}

/// The text of the file.
#[derive(Default)]
struct Out(String);

impl Out {
    /// One table. Tables without rows are left out.
    fn table(&mut self, name: &str, columns: &[&str], rows: Vec<Vec<String>>) {
        if rows.is_empty() {
            return;
        }
        let _ = write!(self.0, "%T\t{name}\r\n%F\t{}\r\n", columns.join("\t"));
        for row in rows {
            let clean = row.iter().map(|value| {
                value
                    .chars()
                    .map(|letter| if letter.is_control() && letter != '\u{7f}' { ' ' } else { letter })
                    .collect()
            });
            let clean: Vec<String> = clean.collect();
            let _ = write!(self.0, "%R\t{}\r\n", clean.join("\t"));
        }
    }
}

struct File<'d> {
    document: &'d Document,
    project: &'d Project,
    computed: &'d Computed,
    losses: Losses,
    /// The places of the phases, in the order in which people read them.
    branches: Vec<usize>,
    /// The places of all other rows, in the same order.
    work: Vec<usize>,
    outline: Outline,
    phases: Vec<bool>,
}

impl<'d> File<'d> {
    fn of(document: &'d Document, project: &'d Project, computed: &'d Computed, losses: Losses) -> Self {
        let path = |at: &usize| project.tasks[*at].wbs_path.as_str();
        let mut order: Vec<usize> = (0..project.tasks.len()).collect();
        order.sort_by(|left, right| compare_paths(path(left), path(right)));
        let outline = Outline::of(project.tasks.iter().map(|task| task.wbs_path.as_str()));
        let phases = unwritten::phases(project);
        let (branches, work) = order.into_iter().partition(|at| phases[*at]);
        Self { document, project, computed, losses, branches, work, outline, phases }
    }

    fn content(&mut self, out: &mut Out) {
        let data_date = self.project.status_date.unwrap_or(self.project.start_date);
        let _ = write!(
            out.0,
            "ERMHDR\t15.1\t{data_date}\tProject\tplanwright\tplanwright\tplanwright\tProject Management\tUSD\r\n"
        );
        out.table(
            "CURRTYPE",
            &[
                "curr_id",
                "decimal_digit_cnt",
                "curr_symbol",
                "decimal_symbol",
                "digit_group_symbol",
                "curr_type",
                "curr_short_name",
            ],
            vec![texts(["1", "2", "$", ".", ",", "Dollar", "USD"])],
        );
        self.calendars(out);
        self.project_row(out, data_date);
        let word = codes::lag_calendar_word(self.document.lag_calendar_of(self.project));
        out.table(
            "SCHEDOPTIONS",
            &[
                "schedoptions_id",
                "proj_id",
                "sched_retained_logic",
                "sched_progress_override",
                "sched_calendar_on_relationship_lag",
            ],
            vec![texts(["1", "1", "Y", "N", word])],
        );
        self.branches(out);
        self.resources(out);
        self.activities(out);
        self.links(out);
        self.assignments(out);
        self.labels(out);
        self.notes(out);
    }

    /// Calendars are numbered from 1. The last one is Monday to Friday, if the project names none.
    fn calendar_id(&self, slug: Option<&str>) -> usize {
        let calendars = &self.document.calendars;
        slug.and_then(|slug| calendars.iter().position(|one| one.slug == slug)).unwrap_or(calendars.len()) + 1
    }

    fn calendars(&mut self, out: &mut Out) {
        let standard = Calendar { name: "Standard".to_owned(), working_days: 31, ..Calendar::default() };
        let standard = self.project.calendar.is_none().then_some(&standard);
        let own = self.calendar_id(self.project.calendar.as_deref());
        let mut rows = Vec::new();
        for (id, one) in (1..).zip(self.document.calendars.iter().chain(standard)) {
            let is_default = if id == own { "Y" } else { "N" };
            let week = HOURS * one.working_days.count_ones();
            let data = calendars::written(one, &mut self.losses);
            rows.push(vec![
                id.to_string(),
                is_default.to_owned(),
                one.name.clone(),
                "CA_Base".to_owned(),
                HOURS.to_string(),
                week.to_string(),
                (week * 52 / 12).to_string(),
                (week * 52).to_string(),
                data,
            ]);
        }
        let columns = [
            "clndr_id",
            "default_flag",
            "clndr_name",
            "clndr_type",
            "day_hr_cnt",
            "week_hr_cnt",
            "month_hr_cnt",
            "year_hr_cnt",
            "clndr_data",
        ];
        out.table("CALENDAR", &columns, rows);
    }

    fn project_row(&self, out: &mut Out, data_date: NaiveDate) {
        let project = self.project;
        let code = if project.code.is_empty() { project.slug.to_uppercase() } else { project.code.clone() };
        let row = vec![
            "1".to_owned(),
            code.chars().take(LONGEST_CODE).collect(),
            self.calendar_id(project.calendar.as_deref()).to_string(),
            morning(project.start_date),
            morning(data_date),
            "Y".to_owned(),
            "CP_Phys".to_owned(),
            "TT_Task".to_owned(),
            "DT_FixedDUR2".to_owned(),
            "1".to_owned(),
        ];
        let columns = [
            "proj_id",
            "proj_short_name",
            "clndr_id",
            "plan_start_date",
            "last_recalc_date",
            "export_flag",
            "def_complete_pct_type",
            "def_task_type",
            "def_duration_type",
            "task_code_step",
        ];
        out.table("PROJECT", &columns, vec![row]);
    }

    /// A branch has the number of its row and 1; the project itself is number 1.
    fn branch_id(at: usize) -> usize {
        at + 2
    }

    /// The branch in which a row stands: the nearest phase above it.
    fn branch_of(&self, at: usize) -> usize {
        let mut above = self.outline.parent(at);
        while let Some(parent) = above.filter(|parent| !self.phases[*parent]) {
            above = self.outline.parent(parent);
        }
        above.map_or(1, Self::branch_id)
    }

    fn branches(&mut self, out: &mut Out) {
        let root = ["1", "1", "0", "Y", &self.project.slug, &self.project.name, "", "WS_Open"];
        let mut rows = vec![texts(root)];
        for at in self.branches.clone() {
            let task = &self.project.tasks[at];
            let place = task.wbs_path.rsplit('.').next().unwrap_or_default();
            if task.constraint.is_some() || task.deadline.is_some() {
                self.losses.note(
                    "constraint_type",
                    "A branch has no constraint and no deadline.",
                    unwritten::mark(task),
                );
            }
            if task.calendar.is_some() {
                self.losses.note("calendar", "A branch has no calendar.", unwritten::mark(task));
            }
            if !task.notes.is_empty() {
                self.losses.note("notes", "Notes of a phase are not written.", unwritten::mark(task));
            }
            let name = self.name(task);
            let (id, parent) = (Self::branch_id(at).to_string(), self.branch_of(at).to_string());
            rows.push(texts([&id, "1", place, "N", place, &name, &parent, "WS_Open"]));
        }
        let columns = [
            "wbs_id",
            "proj_id",
            "seq_num",
            "proj_node_flag",
            "wbs_short_name",
            "wbs_name",
            "parent_wbs_id",
            "status_code",
        ];
        out.table("PROJWBS", &columns, rows);
    }

    fn name(&mut self, task: &Task) -> String {
        if task.name.chars().count() > LONGEST_NAME {
            self.losses.note("name", "Names are cut after 120 characters.", unwritten::mark(task));
        }
        task.name.chars().take(LONGEST_NAME).collect()
    }

    fn activities(&mut self, out: &mut Out) {
        let follows: HashSet<&str> = self.own_links().map(|link| link.successor.wbs_path.as_str()).collect();
        let rows: Vec<Vec<String>> = self
            .work
            .clone()
            .into_iter()
            .map(|at| self.activity(at, follows.contains(self.project.tasks[at].wbs_path.as_str())))
            .collect();
        out.table("TASK", &TASK, rows);
    }

    fn activity(&mut self, at: usize, follows: bool) -> Vec<String> {
        let task = &self.project.tasks[at];
        let calendar = task.calendar.as_deref().or(self.project.calendar.as_deref());
        let calendar = self.calendar_id(calendar).to_string();
        let done = task.percent_done();
        let all = if task.is_milestone { 0.0 } else { f64::from(task.duration * HOURS) };
        let kind = match (all > 0.0, follows) {
            (true, _) => "TT_Task",
            (false, true) => "TT_FinMile",
            (false, false) => "TT_Mile",
        };
        let (status, is_begun) = match task.actual_start.is_some() || done > 0.0 {
            _ if done >= 100.0 => ("TK_Complete", true),
            true => ("TK_Active", true),
            false => ("TK_NotStart", false),
        };
        let (start, finish) = self.computed.get(&task.wbs_path).copied().unzip();
        let first = |day| if kind == "TT_FinMile" { evening(day) } else { morning(day) };
        let last = |day| if kind == "TT_Mile" { morning(day) } else { evening(day) };
        let planned = [start.map(first).unwrap_or_default(), finish.map(last).unwrap_or_default()];
        // Work that has begun or ended needs a date for it. The computed one stands in.
        let actual_start = task.actual_start.or(start).filter(|_| is_begun).map(first).unwrap_or_default();
        let actual_end =
            task.actual_finish.or(finish).filter(|_| done >= 100.0).map(last).unwrap_or_default();
        let (id, branch) = ((at + 1).to_string(), self.branch_of(at).to_string());
        let (name, code) = (self.name(task), self.code(task, at));
        // Days that have begun count, as in the plan.
        let rest =
            (f64::from(task.duration) * (100.0 - done) / 100.0 - 1e-9).ceil().max(0.0) * f64::from(HOURS);
        let remaining = number(rest.min(all));
        let mut row = texts([
            &id,
            "1",
            &branch,
            &calendar,
            &number(done),
            "CP_Phys",
            kind,
            "DT_FixedDUR2",
            status,
            &code,
            &name,
            &remaining,
            &number(all),
            &planned[0],
            &planned[1],
            &planned[0],
            &planned[1],
            &actual_start,
            &actual_end,
        ]);
        row.extend(self.limits(task));
        row.push("PT_Normal".to_owned());
        row
    }

    fn code(&mut self, task: &Task, at: usize) -> String {
        if task.wbs_path.len() > LONGEST_CODE {
            self.losses.note(
                "wbs_path",
                "A path of more than 40 characters became a number.",
                unwritten::mark(task),
            );
            return format!("R{at}");
        }
        task.wbs_path.clone()
    }

    /// The one or two constraints of a task: its own, its planned start, its deadline as a finish no later.
    fn limits(&mut self, task: &Task) -> [String; 4] {
        let planned = self.project.planned_start_of(task);
        let planned = planned.map(|day| (ConstraintType::StartNoEarlierThan, Some(day)));
        let deadline = task.deadline.map(|day| (ConstraintType::FinishNoLaterThan, Some(day)));
        let all: Vec<_> = task.constraint.into_iter().chain(planned).chain(deadline).collect();
        if all.len() > 2 {
            let reason = "An activity has two constraints. The deadline is left out.";
            self.losses.note("deadline", reason, unwritten::mark(task));
        }
        let mut cells: [String; 4] = Default::default();
        for ((kind, day), place) in all.into_iter().take(2).zip([0, 2]) {
            cells[place] = codes::constraint_word(kind).to_owned();
            let instant = |day| if codes::holds_finish(kind) { evening(day) } else { morning(day) };
            cells[place + 1] = day.map(instant).unwrap_or_default();
        }
        cells
    }

    fn own_links(&self) -> impl Iterator<Item = &'d Dependency> + use<'d> {
        let slug = &self.project.slug;
        self.project
            .dependencies
            .iter()
            .filter(move |link| link.predecessor.project == *slug && link.successor.project == *slug)
    }

    fn links(&mut self, out: &mut Out) {
        let places: HashMap<&str, usize> =
            self.project.tasks.iter().enumerate().map(|(at, task)| (task.wbs_path.as_str(), at)).collect();
        let hours = match self.document.lag_calendar_of(self.project) {
            LagCalendar::Elapsed => 24,
            _ => i64::from(HOURS),
        };
        let mut rows = Vec::new();
        for link in self.own_links() {
            let ends = [&link.predecessor.wbs_path, &link.successor.wbs_path];
            let [Some(from), Some(to)] = ends.map(|path| places.get(path.as_str()).copied()) else {
                continue;
            };
            if self.phases[from] || self.phases[to] {
                let mark = unwritten::mark(&self.project.tasks[to]);
                self.losses.note(
                    "dependencies",
                    "A link of a phase is left out. Branches have no links.",
                    mark,
                );
                continue;
            }
            let [id, to, from] = [rows.len() + 1, to + 1, from + 1].map(|id| id.to_string());
            let lag = (i64::from(link.lag) * hours).to_string();
            rows.push(texts([&id, &to, &from, "1", "1", codes::link_word(link.kind), &lag]));
        }
        let columns =
            ["task_pred_id", "task_id", "pred_task_id", "proj_id", "pred_proj_id", "pred_type", "lag_hr_cnt"];
        out.table("TASKPRED", &columns, rows);
    }
}

/// The columns of activities.
const TASK: [&str; 24] = [
    "task_id",
    "proj_id",
    "wbs_id",
    "clndr_id",
    "phys_complete_pct",
    "complete_pct_type",
    "task_type",
    "duration_type",
    "status_code",
    "task_code",
    "task_name",
    "remain_drtn_hr_cnt",
    "target_drtn_hr_cnt",
    "target_start_date",
    "target_end_date",
    "early_start_date",
    "early_end_date",
    "act_start_date",
    "act_end_date",
    "cstr_type",
    "cstr_date",
    "cstr_type2",
    "cstr_date2",
    "priority_type",
];

fn texts<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

fn number(value: f64) -> String {
    // The sum has no sign when nothing is left.
    ((value * 10_000.0).round() / 10_000.0 + 0.0).to_string()
}

fn morning(day: NaiveDate) -> String {
    format!("{day} 08:00")
}

fn evening(day: NaiveDate) -> String {
    format!("{day} 16:00")
}

#[cfg(test)]
mod tests;
