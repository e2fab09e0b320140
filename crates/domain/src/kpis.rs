//! The figures a program can show of its projects: their names, which a methodology shows by default, which cannot be had yet.
//! They are computed elsewhere.

use std::collections::BTreeMap;

use crate::words::Methodology;
use serde_json::Value as Json;

/// Every figure there is.
pub const ALL: [&str; 10] = [
    "schedule_variance",
    "cost_variance",
    "budget_utilization",
    "schedule_health",
    "critical_tasks",
    "at_risk_tasks",
    "baseline_variance",
    "risk_score",
    "milestone_health",
    "p80_completion",
];

const OF_WATERFALL: [&str; 6] = [
    "schedule_health",
    "baseline_variance",
    "critical_tasks",
    "milestone_health",
    "budget_utilization",
    "cost_variance",
];

const OF_AGILE: [&str; 4] = ["milestone_health", "p80_completion", "at_risk_tasks", "risk_score"];

/// Figures that need costs.
const OF_COSTS: [&str; 2] = ["cost_variance", "budget_utilization"];
/// Why they are not available without costs.
pub const NO_COST_DATA: &str = "no_cost_data";

/// The figures shown while nobody chose any.
pub fn by_default(methodology: Methodology) -> Vec<String> {
    let shown = |name: &&str| match methodology {
        Methodology::Waterfall => OF_WATERFALL.contains(name),
        Methodology::Agile => OF_AGILE.contains(name),
        Methodology::Hybrid => OF_WATERFALL.contains(name) || OF_AGILE.contains(name),
    };
    ALL.into_iter().filter(|name| shown(name)).map(str::to_owned).collect()
}

/// The figures a program shows: those that were chosen, else those of its methodology.
pub fn enabled(chosen: Option<&Json>, methodology: Methodology) -> Vec<String> {
    match chosen.and_then(Json::as_array) {
        None => by_default(methodology),
        Some(list) => list.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
    }
}

/// Whether any of these figures needs costs.
pub fn need_costs(enabled: &[String]) -> bool {
    enabled.iter().any(|name| OF_COSTS.contains(&name.as_str()))
}

/// The key figures that are not available, and why.
pub fn unavailable(enabled: &[String], has_costs: bool) -> BTreeMap<String, String> {
    let missing = enabled.iter().filter(|name| !has_costs && OF_COSTS.contains(&name.as_str()));
    missing.map(|name| (name.clone(), NO_COST_DATA.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hybrid_program_shows_what_either_kind_shows() {
        let hybrid = by_default(Methodology::Hybrid);
        for name in by_default(Methodology::Waterfall).iter().chain(&by_default(Methodology::Agile)) {
            assert!(hybrid.contains(name), "{name}");
        }
        assert!(!hybrid.contains(&"schedule_variance".to_owned()));
    }

    #[test]
    fn a_choice_of_nothing_is_a_choice() {
        assert!(enabled(Some(&serde_json::json!([])), Methodology::Agile).is_empty());
        assert_eq!(enabled(None, Methodology::Agile).len(), 4);
    }

    #[test]
    fn figures_of_costs_are_available_where_there_are_costs() {
        let shown = by_default(Methodology::Waterfall);
        assert!(need_costs(&shown) && !need_costs(&by_default(Methodology::Agile)));
        assert_eq!(unavailable(&shown, false).len(), 2);
        assert!(unavailable(&shown, true).is_empty());
    }
}
