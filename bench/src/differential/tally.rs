//! Counts by kind of plan, and the table of results.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::groups::{GROUPS, Group};
use super::judge::Verdict;
use super::plan::Tool;
use super::reasons::Reason;

/// The result for the plans of one kind and one tool.
#[derive(Debug, Clone, Default)]
struct Counts {
    plans: u64,
    differ: u64,
    late: u64,
    reasons: BTreeMap<Reason, u64>,
    late_reasons: BTreeMap<Reason, u64>,
}

/// The result for all plans.
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

    /// A row for each kind: how many plans have other early dates, how many of the rest other late dates,
    /// and how many of these for which reason.
    pub(crate) fn table(&self) -> String {
        let mut text = String::from(
            "| Plans | Microsoft, early | late | Primavera, early | late |\n|---|---|---|---|---|\n",
        );
        for group in &GROUPS {
            if Tool::ALL.iter().any(|tool| self.counts.contains_key(&(group.name, tool.name()))) {
                let [first, second] = Tool::ALL.map(|tool| self.cells(group, tool));
                let _ = writeln!(text, "| {} | {first} | {second} |", group.name);
            }
        }
        text
    }

    fn cells(&self, group: &Group, tool: Tool) -> String {
        let Some(counts) = self.counts.get(&(group.name, tool.name())) else { return "– | –".to_owned() };
        let early = cell(counts.differ, counts.plans, &counts.reasons);
        let late = cell(counts.late, counts.plans - counts.differ, &counts.late_reasons);
        format!("{early} | {late}")
    }

    /// One line about everything.
    pub(crate) fn summary(&self, plans: u64) -> String {
        let total = |read: fn(&Counts) -> u64| self.counts.values().map(read).sum::<u64>();
        format!(
            "{} plans, {} comparisons: {} with other early dates, {} with other late dates alone; {} plans with a \
             difference that no reason explains",
            grouped(plans),
            grouped(total(|counts| counts.plans)),
            grouped(total(|counts| counts.differ)),
            grouped(total(|counts| counts.late)),
            grouped(self.unexplained)
        )
    }
}

fn cell(differ: u64, plans: u64, reasons: &BTreeMap<Reason, u64>) -> String {
    let (differ, plans) = (grouped(differ), grouped(plans));
    if reasons.is_empty() {
        return format!("{differ} of {plans}");
    }
    let list = reasons.iter().map(|(reason, count)| format!("{reason}: {}", grouped(*count)));
    format!("{differ} of {plans} ({})", list.collect::<Vec<_>>().join(", "))
}

/// A number with a space between thousands.
fn grouped(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{} {:03}", grouped(number / 1_000), number % 1_000),
    }
}
