//! Counts by kind of plan, and the table that they end in.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::groups::{GROUPS, Group};
use super::judge::Verdict;
use super::plan::Tool;
use super::reasons::Reason;

/// What came out for the plans of one kind and one tool.
#[derive(Debug, Clone, Default)]
struct Counts {
    plans: u64,
    differ: u64,
    late: u64,
    reasons: BTreeMap<Reason, u64>,
    late_reasons: BTreeMap<Reason, u64>,
}

/// What came out for all plans.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    counts: BTreeMap<(&'static str, &'static str), Counts>,
    /// Plans with something that no reason explains.
    pub(crate) unexplained: u64,
}

impl Tally {
    /// Counts one plan for one tool.
    pub(crate) fn add(&mut self, group: &'static str, tool: Tool, verdict: &Verdict) {
        let counts = self.counts.entry((group, tool.name())).or_default();
        counts.plans += 1;
        counts.differ += u64::from(verdict.differs);
        counts.late += u64::from(verdict.late_differs);
        for reason in verdict.reasons.iter() {
            *counts.reasons.entry(reason).or_default() += 1;
        }
        for reason in verdict.late_reasons.iter() {
            *counts.late_reasons.entry(reason).or_default() += 1;
        }
    }

    /// A row for each kind: how many plans differ, and how many of these for which reason.
    pub(crate) fn table(&self) -> String {
        let mut text = String::from(
            "| Plans | Microsoft | Why | late | Primavera | Why | late |\n|---|---|---|---|---|---|---|\n",
        );
        for group in &GROUPS {
            if Tool::ALL.iter().any(|tool| self.counts.contains_key(&(group.name, tool.name()))) {
                let cells = Tool::ALL.map(|tool| self.cells(group, tool));
                let _ = writeln!(text, "| {} | {} | {} |", group.name, cells[0], cells[1]);
            }
        }
        text
    }

    fn cells(&self, group: &Group, tool: Tool) -> String {
        let Some(counts) = self.counts.get(&(group.name, tool.name())) else { return "– | | ".to_owned() };
        let list = |reasons: &BTreeMap<Reason, u64>| {
            reasons.iter().map(|(reason, count)| format!("{reason}: {count}")).collect::<Vec<_>>().join(", ")
        };
        let same = counts.plans - counts.differ;
        let late = if counts.late == 0 {
            format!("0 of {same}")
        } else {
            format!("{} of {same} ({})", counts.late, list(&counts.late_reasons))
        };
        format!("{} of {} | {} | {late}", counts.differ, counts.plans, list(&counts.reasons))
    }

    /// One line about everything.
    pub(crate) fn summary(&self, plans: u64) -> String {
        let total = |read: fn(&Counts) -> u64| self.counts.values().map(read).sum::<u64>();
        format!(
            "{plans} plans, {} comparisons, {} with other early dates, {} with other late dates, {} plans not explained",
            total(|counts| counts.plans),
            total(|counts| counts.differ),
            total(|counts| counts.late),
            self.unexplained
        )
    }
}
