//! Pages for whoever operates the server: jobs that failed for good, and the health of the parts.
//! Only those who administer the workspace see them; probes for machines are in the server crate.

pub mod failed_tasks;
mod figures;
pub mod health;
pub mod retention;

use anyhow::Context;
use planwright_web::Routes;

/// The routes of the operator pages.
pub fn routes() -> Routes {
    failed_tasks::routes().and(health::routes()).and(retention::routes()).and(figures::table())
}

/// Settings of the operator pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperatorSettings {
    /// `SVC_BEAT_STALE_SECONDS`: so long after its last sign of life a worker counts as gone.
    pub beat_stale_seconds: i64,
    /// `SVC_FAILED_TASK_BULK_ACTION_MAX`: so many failed jobs are requeued or dropped in one request at most.
    pub bulk_action_max: i64,
}

impl OperatorSettings {
    /// Reads the settings; `setting` gives the value of one, or its default.
    pub fn from_settings(setting: impl Fn(&str) -> String) -> anyhow::Result<Self> {
        let number = |name: &str, default: i64| -> anyhow::Result<i64> {
            let text = setting(name);
            if text.trim().is_empty() {
                return Ok(default);
            }
            let read: Option<i64> = text.trim().parse().ok();
            read.filter(|number| *number >= 1)
                .with_context(|| format!("{name}: {text:?} is not a whole number above 0"))
        };
        Ok(Self {
            beat_stale_seconds: number("SVC_BEAT_STALE_SECONDS", 120)?,
            bulk_action_max: number("SVC_FAILED_TASK_BULK_ACTION_MAX", 500)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_a_number_above_nothing_or_its_default() {
        let empty = OperatorSettings::from_settings(|_| String::new()).unwrap();
        assert_eq!(empty, OperatorSettings { beat_stale_seconds: 120, bulk_action_max: 500 });
        let wrong = OperatorSettings::from_settings(|_| "0".to_owned()).unwrap_err();
        assert!(wrong.to_string().contains("SVC_BEAT_STALE_SECONDS"));
    }
}
