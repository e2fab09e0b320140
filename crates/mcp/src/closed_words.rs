//! The names of fields that hold words of closed lists, such as `status`. Text of people is never in them, or is there only in
//! answers that no tool reads. A test compares them with the document of the API.

/// The names, sorted.
#[rustfmt::skip]
pub(crate) const FIELDS: &[&str] = &[
    "aggregation_policy", "attachments_override_policy", "audience", "basis", "blocker_type", "board_cadence",
    "breach", "burn_status", "cadence_type", "calendar_override_policy", "calendar_source", "capacity_label",
    "category", "ceiling", "change_type", "channel", "chart_type", "choice", "column", "confidence",
    "constraint_type", "content_kind", "date_format", "default_disposition", "default_landing", "default_view",
    "delivery_mode", "dep_type", "display_bucket", "disposition", "dkim", "dmarc", "dor", "dor_blockers",
    "duration_unit", "effective_estimation_scale", "effective_mc_history_attribution_audience",
    "effective_methodology", "effective_task_duration_change_percent_policy", "end_type", "estimate_status",
    "estimation_mode", "estimation_scale", "event_type", "events", "evm_mode", "field_type", "filter_due",
    "filter_priority", "final_status", "forecast_basis", "format", "frequency", "from_ceiling", "goal_outcome",
    "governance_class", "health", "inherited_estimation_scale", "inherited_mc_history_attribution_audience",
    "inherited_methodology", "inherited_task_duration_change_percent_policy", "intent", "item_type",
    "iteration_label_override_policy", "kind", "lag_calendar", "lifecycle", "load_band",
    "mc_history_attribution_audience", "mc_history_override_policy", "methodology", "methodology_override_policy",
    "metric", "mode", "model", "on_failure", "op", "outcome", "own_status", "policy_applied", "policy_source",
    "preview_type", "prioritization_model", "promoted_task_status", "public_sharing_override_policy", "quantity",
    "reason", "relation_type", "requester_tier", "resolution", "resolved_by", "response", "risk_slip_propagation",
    "role", "role_context", "rollup_aggregation_policy", "rollup_basis", "rule", "scope", "scope_change_status",
    "security", "signal", "skill_fit", "slip_propagation", "sort", "source_kind", "spf", "state", "status",
    "structure_role", "task_duration_change_percent_override_policy", "task_duration_change_percent_policy",
    "team_visibility", "to_ceiling", "transport_mode", "trigger", "triggered_by", "type", "unit", "visibility",
    "your_vote",
];

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use super::*;

    /// The kind of a schema: a word of a closed list, or its type.
    fn kind<'a>(document: &'a Value, schema: &'a Value) -> &'a str {
        if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
            return kind(document, &document["components"]["schemas"][name]);
        }
        match (schema["allOf"].as_array().map(Vec::as_slice), schema["type"].as_str()) {
            (Some([one]), _) => kind(document, one),
            (_, Some("array")) => kind(document, &schema["items"]),
            (_, Some("string")) if schema["enum"].is_array() => "word",
            (_, of) => of.unwrap_or("any"),
        }
    }

    #[test]
    fn every_field_that_only_holds_words_of_a_closed_list_is_named() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
        let document: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let mut kinds: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            let properties = schema["properties"].as_object().filter(|_| !name.ends_with("Request"));
            for (field, of) in properties.into_iter().flatten() {
                kinds.entry(field).or_default().insert(kind(&document, of));
            }
        }
        for (field, of) in &kinds {
            if of.contains("word") && !of.contains("string") && !of.contains("any") {
                assert!(FIELDS.binary_search(field).is_ok(), "{field} is missing");
            }
        }
        for field in FIELDS {
            assert!(kinds.get(field).is_some_and(|of| of.contains("word")), "{field} holds no such words");
        }
        assert!(FIELDS.is_sorted());
    }
}
