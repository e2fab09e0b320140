//! The simulation part of a document: the shape of estimates, shared causes, risks. The caller chooses runs and seed.

use std::collections::HashMap;

use super::SimpleError;
use super::place::At;
use super::rows::id_of;
use crate::simulate::{Correlation, GroupFactor, RiskEvent, Shape, SimulationOptions};

/// The simulation of a document, as far as it says.
pub(super) fn of(root: &At<'_>, tasks: &HashMap<String, usize>) -> Result<SimulationOptions, SimpleError> {
    let mut options = SimulationOptions::default();
    let Some(at) = root.get("simulation") else { return Ok(options) };
    at.expect_keys(&["shape", "systemic", "groups", "risks"])?;
    let shapes = [("pert", Shape::Pert), ("triangular", Shape::Triangular)];
    options.shape = at.read("shape", |at| at.one_of(&shapes))?.unwrap_or_default();
    let systemic = at.read("systemic", |at| at.within(0.0, 1.0))?.unwrap_or(0.0);
    options.correlation = Correlation { systemic, groups: Vec::new() };
    for group in at.list("groups")? {
        group.expect_keys(&["tasks", "weight"])?;
        let members: Result<Vec<usize>, SimpleError> =
            group.need("tasks")?.items()?.iter().map(|at| at.index(tasks)).collect();
        let weight = group.need("weight")?.within(0.0, 1.0)?;
        options.correlation.groups.push(GroupFactor { tasks: members?, weight });
    }
    for risk in at.list("risks")? {
        options.risks.push(risk.risk(tasks)?);
    }
    Ok(options)
}

impl At<'_> {
    fn risk(&self, tasks: &HashMap<String, usize>) -> Result<RiskEvent, SimpleError> {
        self.expect_keys(&["id", "probability", "impacts", "comment"])?;
        let mut impacts = Vec::new();
        for impact in self.need("impacts")?.items()? {
            impact.expect_keys(&["task", "days"])?;
            impacts.push((impact.need("task")?.index(tasks)?, impact.need("days")?.estimate()?));
        }
        Ok(RiskEvent {
            id: id_of(self.need("id")?.text()?),
            probability: self.need("probability")?.within(0.0, 1.0)?,
            impacts,
        })
    }
}
