//! A plan read and computed for one answer. Nothing is kept of it.

use planwright_domain::ids::ProjectId;
use planwright_plan::schedule::{self, network};
use planwright_plan::settings::PlanSettings;
use planwright_web::{ApiResult, App};

/// The plan of a project with those that links tie to it; it is the first project of the network.
pub(crate) async fn plan(app: &App, project: ProjectId) -> ApiResult<network::Plan> {
    let settings = app.db.context::<PlanSettings>().copied().unwrap_or_default();
    let mut together = schedule::queries::recalculated_together(&app.db, project).await?;
    together.sort_by_key(|input| input.id != project);
    Ok(network::load(&app.db, together, &settings, app.clock.today()).await?)
}

/// The plan of a project without those that links tie to it.
pub(crate) async fn plan_alone(app: &App, project: ProjectId) -> ApiResult<network::Plan> {
    let settings = app.db.context::<PlanSettings>().copied().unwrap_or_default();
    let mut own = schedule::queries::recalculated_together(&app.db, project).await?;
    own.retain(|input| input.id == project);
    Ok(network::load(&app.db, own, &settings, app.clock.today()).await?)
}
