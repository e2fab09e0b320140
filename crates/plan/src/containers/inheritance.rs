//! What is in force in a program or project after inheritance: its own value, else its program's, else the workspace's.
//! It is pure; the rows come from whoever asks, or through [`in_force`] for one project.

use std::collections::HashMap;

use planwright_domain::ids::{CalendarId, ProgramId, ProjectId};
use planwright_domain::words::{
    AttributionAudience, CalendarSource, EstimationScale, Methodology, PercentPolicy,
};
use planwright_store::{Read, Result, StoreError, record, row};

use super::{AttachmentTypes, Overrides, queries};

row! {
    /// Settings of one scope with nothing left to inherit.
    #[derive(PartialEq)]
    pub struct Settings {
        /// How work is run.
        pub methodology: Methodology,
        /// Whether public links may be created.
        pub public_sharing: bool,
        /// Whether guests may be let in.
        pub allow_guests: bool,
        /// Whether simulation runs are kept.
        pub mc_history_enabled: bool,
        /// How many simulation runs are kept.
        pub mc_history_retention_cap: i64,
        /// Who may see who ran a simulation.
        pub mc_history_attribution_audience: AttributionAudience,
        /// Whether files may be uploaded.
        pub attachments_enabled: bool,
        /// What kinds of files may be uploaded.
        pub allowed_attachment_types: AttachmentTypes,
        /// Whether agents may read.
        pub mcp_enabled: bool,
        /// The scale story points are picked from.
        pub estimation_scale: EstimationScale,
        /// Whether the sprint picker shows only what is ready.
        pub sprint_picker_ready_only_default: bool,
        /// What a duration change does to percent complete.
        pub task_duration_change_percent_policy: PercentPolicy,
        /// The word for an iteration, such as sprint.
        pub iteration_label: String,
        /// The calendar; without any, Monday to Friday.
        pub calendar_id: Option<CalendarId>,
        /// The scope that the calendar comes from.
        pub calendar_source: CalendarSource,
    }
}

record! {
    /// What one scope says for itself.
    #[derive(Default)]
    pub struct Layer {
        /// How work is run, if it says so.
        pub methodology: Option<Methodology>,
        /// Its calendar, if it has one.
        pub calendar_id: Option<CalendarId>,
    }
    and
    /// Everything else.
    pub overrides: Overrides
}

impl Settings {
    /// The settings of a scope below this one, which `source` names.
    pub fn under(&self, layer: &Layer, source: CalendarSource) -> Settings {
        let own = &layer.overrides;
        let types = own.allowed_attachment_types.as_ref().unwrap_or(&self.allowed_attachment_types);
        Settings {
            methodology: layer.methodology.unwrap_or(self.methodology),
            public_sharing: own.public_sharing.unwrap_or(self.public_sharing),
            allow_guests: own.allow_guests.unwrap_or(self.allow_guests),
            mc_history_enabled: own.mc_history_enabled.unwrap_or(self.mc_history_enabled),
            mc_history_retention_cap: own.mc_history_retention_cap.unwrap_or(self.mc_history_retention_cap),
            mc_history_attribution_audience: own
                .mc_history_attribution_audience
                .unwrap_or(self.mc_history_attribution_audience),
            attachments_enabled: own.attachments_enabled.unwrap_or(self.attachments_enabled),
            allowed_attachment_types: types.clone(),
            mcp_enabled: own.mcp_enabled.unwrap_or(self.mcp_enabled),
            estimation_scale: own.estimation_scale.unwrap_or(self.estimation_scale),
            sprint_picker_ready_only_default: own
                .sprint_picker_ready_only_default
                .unwrap_or(self.sprint_picker_ready_only_default),
            task_duration_change_percent_policy: own
                .task_duration_change_percent_policy
                .unwrap_or(self.task_duration_change_percent_policy),
            iteration_label: own.iteration_label.as_ref().unwrap_or(&self.iteration_label).clone(),
            calendar_id: layer.calendar_id.or(self.calendar_id),
            calendar_source: if layer.calendar_id.is_some() { source } else { self.calendar_source },
        }
    }
}

/// The settings of the workspace, where every chain begins.
pub async fn of_workspace(db: &dyn Read) -> Result<Settings> {
    queries::workspace_settings(db).await
}

/// What several programs say for themselves.
pub async fn program_layers(
    db: &dyn Read,
    programs: impl IntoIterator<Item = ProgramId>,
) -> Result<HashMap<ProgramId, Layer>> {
    let rows = queries::program_layers(db, programs).await?;
    Ok(rows.into_iter().map(|row| (ProgramId(row.id), row.layer)).collect())
}

/// What is in force in one project.
pub async fn in_force(db: &dyn Read, project: ProjectId) -> Result<Settings> {
    let workspace = of_workspace(db).await?;
    let row = queries::project_layer(db, project).await?.ok_or(StoreError::Missing)?;
    let above = match row.program_id {
        None => workspace,
        Some(program) => match program_layers(db, [program]).await?.get(&program) {
            Some(layer) => workspace.under(layer, CalendarSource::Program),
            None => workspace,
        },
    };
    Ok(above.under(&row.layer, CalendarSource::Project))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn workspace() -> Settings {
        Settings {
            methodology: Methodology::Hybrid,
            public_sharing: false,
            allow_guests: true,
            mc_history_enabled: true,
            mc_history_retention_cap: 100,
            mc_history_attribution_audience: AttributionAudience::AdminOwner,
            attachments_enabled: true,
            allowed_attachment_types: AttachmentTypes::of(["image/png"]),
            mcp_enabled: true,
            estimation_scale: EstimationScale::Fibonacci,
            sprint_picker_ready_only_default: true,
            task_duration_change_percent_policy: PercentPolicy::Keep,
            iteration_label: "Sprint".into(),
            calendar_id: None,
            calendar_source: CalendarSource::System,
        }
    }

    #[test]
    fn an_empty_layer_changes_nothing() {
        assert_eq!(workspace().under(&Layer::default(), CalendarSource::Project), workspace());
    }

    #[test]
    fn the_nearest_scope_that_says_something_wins() {
        let calendar = CalendarId(Uuid::from_u128(7));
        let program = Layer {
            methodology: Some(Methodology::Agile),
            calendar_id: Some(calendar),
            overrides: Overrides { public_sharing: Some(true), ..Overrides::default() },
        };
        let nothing = Some(AttachmentTypes::default());
        let project = Layer {
            overrides: Overrides {
                public_sharing: Some(false),
                allowed_attachment_types: nothing.clone(),
                ..Overrides::default()
            },
            ..Layer::default()
        };
        let inherited = workspace().under(&program, CalendarSource::Program);
        let effective = inherited.under(&project, CalendarSource::Project);
        assert!(inherited.public_sharing);
        assert!(!effective.public_sharing);
        assert_eq!(Some(effective.allowed_attachment_types), nothing);
        assert_eq!(effective.methodology, Methodology::Agile);
        assert_eq!(
            (effective.calendar_id, effective.calendar_source),
            (Some(calendar), CalendarSource::Program)
        );
    }
}
