//! Lags that would make a plan span more days than it may have, for new links and for those that are changed.
//! How many days that are is said in `span.rs`.

use std::collections::HashMap;

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::{Result, Tx};
use planwright_web::ApiResult;

use super::model::{DependencyRow, LinkEnd, NewLink};
use super::rules::{Consent, Outcome, Refusal};
use crate::span;

/// A long lag is counted together with all durations and lags of its successor's project.
pub(super) async fn refuse_long_ones(
    tx: &Tx,
    requests: &[NewLink],
    ends: &HashMap<TaskId, LinkEnd>,
    planned: &mut [Outcome<Consent>],
) -> Result<()> {
    let lags = || requests.iter().map(|request| request.lag.abs());
    if lags().sum::<i64>() <= span::LONG_DAYS {
        return Ok(());
    }
    let mut totals: HashMap<ProjectId, i64> = HashMap::new();
    for ((request, lag), outcome) in requests.iter().zip(lags()).zip(planned) {
        let Some(end) = ends.get(&request.successor).filter(|_| outcome.is_ok() && lag > 0) else { continue };
        let before = match totals.get(&end.project_id) {
            Some(total) => *total,
            None => span::total(tx, end.project_id).await?,
        };
        let is_too_long = before + lag > span::MOST_DAYS;
        totals.insert(end.project_id, if is_too_long { before } else { before + lag });
        if is_too_long {
            *outcome = Err(Refusal::TooLong);
        }
    }
    Ok(())
}

/// The same for a link whose lag becomes a longer one.
pub(super) async fn refuse_longer(tx: &Tx, old: &DependencyRow, new: &DependencyRow) -> ApiResult<()> {
    let grows = new.lag.abs() - old.lag.abs();
    if new.lag.abs() <= span::LONG_DAYS || grows <= 0 {
        return Ok(());
    }
    match span::total(tx, new.successor_project_id).await? + grows > span::MOST_DAYS {
        true => Err(Refusal::TooLong.into()),
        false => Ok(()),
    }
}
