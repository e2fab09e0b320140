//! The risks of a register as events of the simulation: how likely they are, and what they cost the tasks that they
//! threaten. Who writes them is `governance`.

use std::collections::{HashMap, HashSet};

use planwright_domain::ids::{ProjectId, RiskId, TaskId};
use planwright_domain::words::RiskStatus;
use planwright_engine::{Network, RiskEvent, ThreePoint};
use planwright_plan::schedule::network::Plan;
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

/// Where a risk stands that may still happen.
const OPEN: [RiskStatus; 3] = [RiskStatus::Open, RiskStatus::Mitigating, RiskStatus::Accepted];

row! {
    /// A risk and one of the tasks that it threatens.
    pub struct ThreatRow {
        id: RiskId,
        likelihood_percent: i64,
        delay_low_days: i64,
        delay_days: i64,
        delay_high_days: i64,
        task_id: TaskId,
    }
}

/// The risks that a simulation counts.
#[derive(Debug, Default)]
pub struct Risks {
    /// The events, as the engine takes them.
    pub events: Vec<RiskEvent>,
    /// The risk of each event.
    pub ids: Vec<RiskId>,
}

/// The risks of some projects that may still happen, with the tasks of the plan that they threaten. A risk counts once it
/// says how likely it is and what it costs.
pub async fn counted(db: &dyn Read, projects: &[ProjectId], plan: &Plan) -> Result<Risks> {
    let rows = threats(db, projects).await?;
    let places: HashMap<TaskId, usize> =
        plan.of_node.iter().enumerate().map(|(node, at)| (plan.tasks[*at].id, node)).collect();
    let below = Below::of(&plan.network);
    let mut risks = Risks::default();
    for row in rows {
        let Some(node) = places.get(&row.task_id).copied() else { continue };
        let struck = below.struck(&plan.network, node);
        if struck.is_empty() {
            continue;
        }
        let days = ThreePoint {
            optimistic: row.delay_low_days as f64,
            most_likely: row.delay_days as f64,
            pessimistic: row.delay_high_days as f64,
        };
        if risks.ids.last() != Some(&row.id) {
            let probability = row.likelihood_percent as f64 / 100.0;
            risks.events.push(RiskEvent { id: row.id.0.as_u128(), probability, impacts: Vec::new() });
            risks.ids.push(row.id);
        }
        let Some(event) = risks.events.last_mut() else { continue };
        for node in struck {
            // A task that is named itself and through its phase is struck once.
            if event.impacts.iter().all(|(known, _)| *known != node) {
                event.impacts.push((node, days));
            }
        }
    }
    Ok(risks)
}

/// The rows below each row.
struct Below(Vec<Vec<usize>>);

impl Below {
    fn of(network: &Network) -> Self {
        let mut below = vec![Vec::new(); network.tasks.len()];
        for (node, row) in network.tasks.iter().enumerate() {
            if let Some(parent) = row.parent {
                below[parent].push(node);
            }
        }
        Self(below)
    }

    /// The rows that a risk of a row delays: the row itself. A phase has no work of its own, so the delay comes at its end:
    /// to those open tasks in it that no other open task in it waits for. Each way through the phase is delayed once.
    fn struck(&self, network: &Network, node: usize) -> Vec<usize> {
        if self.0[node].is_empty() {
            return vec![node];
        }
        let mut waiting = self.0[node].clone();
        let mut open = Vec::new();
        while let Some(row) = waiting.pop() {
            waiting.extend(&self.0[row]);
            let task = &network.tasks[row];
            if self.0[row].is_empty() && task.actual_finish.is_none() && task.percent_complete < 100.0 {
                open.push(row);
            }
        }
        open.sort_unstable();
        let is_inside = |row: usize| open.binary_search(&row).is_ok();
        let awaited: HashSet<usize> = network
            .links
            .iter()
            .filter(|link| is_inside(link.predecessor) && is_inside(link.successor))
            .map(|link| link.predecessor)
            .collect();
        open.iter().copied().filter(|row| !awaited.contains(row)).collect()
    }
}

async fn threats(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<ThreatRow>> {
    let select =
        "SELECT r.id, r.likelihood_percent, COALESCE(r.delay_low_days, r.delay_days) AS delay_low_days,
            r.delay_days, COALESCE(r.delay_high_days, r.delay_days) AS delay_high_days, x.task_id
         FROM risks r JOIN risk_tasks x ON x.risk_id = r.id
         WHERE r.project_id IN (:projects) AND r.deletion_id IS NULL AND r.status IN (:open)
           AND r.likelihood_percent IS NOT NULL AND r.delay_days IS NOT NULL
         ORDER BY r.id, x.task_id";
    db.all(sql!(select, projects = list(projects.iter().copied()), open = list(OPEN))).await
}

#[cfg(test)]
mod tests {
    use planwright_engine::{Link, Task};

    use super::*;

    #[test]
    fn the_risk_of_a_phase_delays_each_way_through_it_once() {
        let inside =
            |id: u128, percent_complete: f64| Task { parent: Some(0), percent_complete, ..Task::new(id, 5) };
        let tasks = vec![
            Task::new(1, 0),
            inside(2, 0.0),
            inside(3, 0.0),
            inside(4, 0.0),
            inside(5, 100.0),
            Task::new(6, 5),
        ];
        let links = vec![Link::new(1, 2), Link::new(2, 5), Link::new(3, 4)];
        let network = Network { tasks, links, ..Network::default() };
        let below = Below::of(&network);
        assert_eq!(below.struck(&network, 0), [2, 3], "the last of a chain, and one whose successor is done");
        assert_eq!(below.struck(&network, 5), [5], "a task is delayed itself");
    }
}
