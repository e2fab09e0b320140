//! `…/risks/matrix/`: how many risks there are of each probability and impact. Counted are risks that are open or worked on.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_store::{Read, Result, row, sql};
use planwright_web::{ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{project_pk}/risks/matrix/",
        show,
        says("How many risks are open or worked on, by probability and impact."),
    )
}

row! {
    /// How many risks there are of a probability and an impact.
    #[derive(Serialize, JsonSchema)]
    pub struct RiskMatrixCell {
        /// 1 to 5.
        pub probability: i64,
        /// 1 to 5.
        pub impact: i64,
        /// Their product, 1 to 25.
        pub severity: i64,
        pub count: i64,
    }
}

/// The risks of a project by probability and impact.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RiskMatrix {
    /// How many there are in all.
    pub total: i64,
    /// All cells, the lowest probability first, then the lowest impact. Cells without a risk have the count 0.
    pub cells: Vec<RiskMatrixCell>,
}

async fn show(State(app): State<App>, scope: ProjectScope<may::ReadProject>) -> ApiResult<Json<RiskMatrix>> {
    Ok(Json(whole(counted(&app.db, scope.project).await?)))
}

/// The counts with the cells that have none.
fn whole(counted: Vec<RiskMatrixCell>) -> RiskMatrix {
    let count = |probability: i64, impact: i64| {
        let found = counted.iter().find(|cell| (cell.probability, cell.impact) == (probability, impact));
        found.map_or(0, |cell| cell.count)
    };
    let places = (1..=5).flat_map(|probability| (1..=5).map(move |impact| (probability, impact)));
    let cell = |(probability, impact): (i64, i64)| RiskMatrixCell {
        probability,
        impact,
        severity: probability * impact,
        count: count(probability, impact),
    };
    RiskMatrix { total: counted.iter().map(|cell| cell.count).sum(), cells: places.map(cell).collect() }
}

/// How many risks there are of each probability and impact that has any.
async fn counted(db: &dyn Read, project: ProjectId) -> Result<Vec<RiskMatrixCell>> {
    let select =
        "SELECT r.probability, r.impact, r.probability * r.impact AS severity, COUNT(*) AS count FROM risks r
         WHERE r.project_id = :project AND r.deletion_id IS NULL AND r.status IN ('OPEN', 'MITIGATING')
         GROUP BY r.probability, r.impact ORDER BY r.probability, r.impact";
    db.all(sql!(select, project = project)).await
}
