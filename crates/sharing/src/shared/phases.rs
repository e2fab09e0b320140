//! The dates of phases in a schedule that does not tell the dates of milestones: a phase would tell them by its own.

use super::model::SharedTaskRow;

/// What is known of a phase while the rows below it are read.
struct Open {
    /// Its place among the rows.
    at: usize,
    /// What the outline of a row below it begins with.
    prefix: String,
    /// Whether its dates may be those of a milestone.
    has_milestone: bool,
    early_start: Option<i32>,
    early_finish: Option<i32>,
    scheduled_start: Option<i32>,
}

impl Open {
    fn new(at: usize, outline: &str) -> Self {
        let prefix = format!("{outline}.");
        Self {
            at,
            prefix,
            has_milestone: false,
            early_start: None,
            early_finish: None,
            scheduled_start: None,
        }
    }

    fn take(&mut self, row: &SharedTaskRow) {
        if row.is_milestone {
            self.has_milestone = true;
            return;
        }
        let earlier = |one: Option<i32>, other: Option<i32>| one.into_iter().chain(other).min();
        self.early_start = earlier(self.early_start, row.early_start);
        self.early_finish = self.early_finish.max(row.early_finish);
        self.scheduled_start = earlier(self.scheduled_start, row.scheduled_start);
    }

    /// Gives the phase the dates of what else is below it.
    fn close(self, rows: &mut [SharedTaskRow]) {
        if self.has_milestone {
            self.put(rows);
        }
    }

    /// Gives the phase no dates.
    fn hide(self, rows: &mut [SharedTaskRow]) {
        Self { early_start: None, early_finish: None, scheduled_start: None, ..self }.put(rows);
    }

    fn put(self, rows: &mut [SharedTaskRow]) {
        let row = &mut rows[self.at];
        if (row.early_start, row.early_finish) != (self.early_start, self.early_finish) {
            row.duration = 0;
        }
        row.early_start = self.early_start;
        row.early_finish = self.early_finish;
        row.scheduled_start = self.scheduled_start;
    }
}

/// Gives every phase above a milestone the dates of the other rows below it, or none. The rows are in the order of the outline.
/// Only so many of them will be shown. A phase of which not all rows are has no dates: part of them would be wrong.
pub fn leave_out_milestones(rows: &mut [SharedTaskRow], shown: usize) {
    let mut open: Vec<Open> = Vec::new();
    for at in 0..rows.len().min(shown) {
        let Some(outline) = rows[at].wbs_path.clone() else { continue };
        while let Some(phase) = open.pop_if(|phase| !outline.starts_with(&phase.prefix)) {
            phase.close(rows);
        }
        let phase = Open::new(at, &outline);
        let next = rows.get(at + 1).and_then(|next| next.wbs_path.as_deref());
        if next.is_some_and(|next| next.starts_with(&phase.prefix)) {
            open.push(phase);
        } else {
            open.iter_mut().for_each(|phase| phase.take(&rows[at]));
        }
    }
    let next = rows.get(shown).and_then(|row| row.wbs_path.clone()).unwrap_or_default();
    for phase in open {
        let is_cut = next.starts_with(&phase.prefix);
        if is_cut { phase.hide(rows) } else { phase.close(rows) }
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::words::TaskStatus;

    use super::*;

    fn row(outline: &str, is_milestone: bool, days: [i32; 2]) -> SharedTaskRow {
        SharedTaskRow {
            short_id: outline.to_owned(),
            name: outline.to_owned(),
            wbs_path: Some(outline.to_owned()),
            duration: 9,
            planned_start: None,
            early_start: Some(days[0]),
            early_finish: Some(days[1]),
            scheduled_start: Some(days[0]),
            actual_finish: None,
            is_milestone,
            is_critical: false,
            percent_complete: 0.0,
            status: TaskStatus::NotStarted,
            username: None,
            first_name: None,
            last_name: None,
        }
    }

    fn dates(rows: &[SharedTaskRow]) -> Vec<(Option<i32>, Option<i32>, i64)> {
        rows.iter().map(|row| (row.early_start, row.early_finish, row.duration)).collect()
    }

    #[test]
    fn a_phase_has_the_dates_of_the_work_below_it_and_not_those_of_its_gates() {
        let mut rows = vec![
            row("1", false, [10, 30]),
            row("1.1", false, [10, 30]),
            row("1.1.1", false, [10, 20]),
            row("1.1.2", true, [30, 30]),
            row("1.2", false, [12, 15]),
            row("2", false, [40, 40]),
            row("2.1", true, [40, 40]),
            row("3", false, [1, 2]),
            row("3.1", false, [1, 2]),
            row("10", false, [5, 6]),
        ];
        leave_out_milestones(&mut rows, 100);
        let dates = dates(&rows);
        assert_eq!(dates[0], (Some(10), Some(20), 0));
        assert_eq!(dates[1], (Some(10), Some(20), 0));
        assert_eq!(dates[5], (None, None, 0), "there is nothing else");
        assert_eq!(dates[7], (Some(1), Some(2), 9), "it has no milestone");
        assert_eq!(dates[9], (Some(5), Some(6), 9), "10 is not below 1");
    }

    #[test]
    fn a_phase_whose_rows_are_cut_has_no_dates() {
        let plan = || {
            let phases = [row("1", false, [10, 30]), row("1.1", false, [10, 30])];
            [&phases[..], &[row("1.1.1", false, [10, 20]), row("1.1.2", false, [15, 30])]].concat()
        };
        let seen = |shown| {
            let mut rows = plan();
            leave_out_milestones(&mut rows, shown);
            dates(&rows)[0]
        };
        assert_eq!(seen(4), (Some(10), Some(30), 9), "all of it is shown");
        assert_eq!(seen(3), (None, None, 0), "the last row is later");
        assert_eq!(seen(2), (None, None, 0));
        assert_eq!(seen(1), (None, None, 0));
    }
}
