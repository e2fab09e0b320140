//! The risks of a register as events of the simulation: how likely they are, and what they cost the tasks that they
//! threaten. Who writes them is `governance`.

use std::collections::HashMap;

use planwright_domain::ids::{ProjectId, RiskId, TaskId};
use planwright_domain::words::RiskStatus;
use planwright_engine::{RiskEvent, ThreePoint};
use planwright_plan::schedule::network::Plan;
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

/// Where a risk stands that may still happen.
const OPEN: [RiskStatus; 3] = [RiskStatus::Open, RiskStatus::Mitigating, RiskStatus::Accepted];

row! {
    /// A risk and one of the tasks that it threatens.
    pub struct ThreatRow {
        id: RiskId,
        title: String,
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
    pub named: Vec<(RiskId, String)>,
}

/// The risks of some projects that may still happen, with the tasks of the plan that they threaten. A risk counts once it
/// says how likely it is and what it costs. A phase has no work of its own, so a risk of a phase costs nothing.
pub async fn counted(db: &impl Read, projects: &[ProjectId], plan: &Plan) -> Result<Risks> {
    let rows = threats(db, projects).await?;
    let is_phase: Vec<bool> = {
        let mut is_phase = vec![false; plan.network.tasks.len()];
        plan.network.tasks.iter().filter_map(|row| row.parent).for_each(|parent| is_phase[parent] = true);
        is_phase
    };
    let places: HashMap<TaskId, usize> =
        plan.of_node.iter().enumerate().map(|(node, at)| (plan.tasks[*at].id, node)).collect();
    let mut risks = Risks::default();
    for row in rows {
        let Some(node) = places.get(&row.task_id).copied().filter(|node| !is_phase[*node]) else { continue };
        let days = ThreePoint {
            optimistic: row.delay_low_days as f64,
            most_likely: row.delay_days as f64,
            pessimistic: row.delay_high_days as f64,
        };
        let is_known = risks.named.last().is_some_and(|(id, _)| *id == row.id);
        match risks.events.last_mut().filter(|_| is_known) {
            Some(event) => event.impacts.push((node, days)),
            None => {
                let probability = row.likelihood_percent as f64 / 100.0;
                risks.events.push(RiskEvent {
                    id: row.id.0.as_u128(),
                    probability,
                    impacts: vec![(node, days)],
                });
                risks.named.push((row.id, row.title));
            }
        }
    }
    Ok(risks)
}

async fn threats(db: &impl Read, projects: &[ProjectId]) -> Result<Vec<ThreatRow>> {
    let select = "SELECT r.id, r.title, r.likelihood_percent, COALESCE(r.delay_low_days, r.delay_days) AS delay_low_days,
            r.delay_days, COALESCE(r.delay_high_days, r.delay_days) AS delay_high_days, x.task_id
         FROM risks r JOIN risk_tasks x ON x.risk_id = r.id
         WHERE r.project_id IN (:projects) AND r.deletion_id IS NULL AND r.status IN (:open)
           AND r.likelihood_percent IS NOT NULL AND r.delay_days IS NOT NULL
         ORDER BY r.id, x.task_id";
    db.all(sql!(select, projects = list(projects.iter().copied()), open = list(OPEN))).await
}
