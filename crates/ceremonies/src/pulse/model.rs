//! Pulses on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{PulseId, RetroId, SprintId};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Int, Patch};
use schemars::JsonSchema;
use serde::Serialize;

row! {
    /// How its reader felt in a sprint.
    #[derive(PartialEq, Serialize, JsonSchema)]
    pub struct Pulse {
        pub id: PulseId,
        /// The retrospective it belongs to.
        pub retro: RetroId,
        /// From 1 to 5.
        pub mood: i64,
        /// From 1 to 5.
        pub energy: i64,
        /// From 1 to 5; null when it was not said.
        pub confidence: Option<i64>,
        pub updated_at: DateTime<Utc>,
    }
}

input! {
    /// How you felt in a sprint.
    pub struct PulseRequest {
        /// From 1 to 5.
        pub mood: Int<1, 5>,
        /// From 1 to 5.
        pub energy: Int<1, 5>,
        /// From 1 to 5.
        pub confidence: Patch<Option<Int<1, 5>>>,
    }
}

row! {
    /// The answers of a sprint, added up.
    pub struct SumRow {
        pub sprint_id: SprintId,
        pub sprint_name: String,
        pub answers: i64,
        pub mood: i64,
        pub energy: i64,
        pub confident: i64,
        pub confidence: i64,
    }
}

/// The means of a sprint.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PulsePoint {
    pub sprint_id: SprintId,
    pub sprint_name: String,
    pub avg_mood: f64,
    pub avg_energy: f64,
    /// Null when fewer than four people said how confident they were.
    pub avg_confidence: Option<f64>,
    pub response_count: i64,
}

/// The pulse of a team over its last sprints. When `gated` is true, nothing else is said.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PulseTrend {
    /// Whether the means are not for the reader, or no sprint has four answers.
    pub gated: bool,
    /// The sprints that have four answers or more, oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<PulsePoint>>,
    /// Whether the energy fell from sprint to sprint over the last three points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_declining: Option<bool>,
    /// Your own answer in this sprint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub my_response: Option<Option<Pulse>>,
}
