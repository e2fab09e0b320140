//! What a request makes of a risk, and what others are told of it: pure decisions.

use chrono::{DateTime, Utc};
use planwright_domain::events::WebhookEvent;
use planwright_domain::words::RiskStatus;
use planwright_web::{ApiResult, Problems};
use serde_json::{Value as Json, json};

use super::model::{PatchedRiskRequest, RiskRow};

/// The row with the wanted fields changed. Tasks are stored elsewhere.
pub fn changed(before: &RiskRow, request: PatchedRiskRequest, now: DateTime<Utc>) -> RiskRow {
    let mut row = before.clone();
    request.title.write_to(&mut row.title);
    request.description.write_to(&mut row.description);
    request.status.write_to(&mut row.status);
    request.probability.write_to(&mut row.probability);
    request.impact.write_to(&mut row.impact);
    request.category.write_to(&mut row.category);
    request.response.write_to(&mut row.response);
    request.mitigation_due_date.write_to(&mut row.mitigation_due_date);
    request.trigger.write_to(&mut row.trigger_text);
    request.contingency.write_to(&mut row.contingency);
    request.notes.write_to(&mut row.notes);
    request.owner.write_to(&mut row.owner_id);
    if let Some(percent) = request.likelihood_percent.given() {
        row.likelihood_percent = percent.map(i64::from);
    }
    let delays = [
        (request.delay_low_days, &mut row.delay_low_days),
        (request.delay_days, &mut row.delay_days),
        (request.delay_high_days, &mut row.delay_high_days),
    ];
    for (wanted, days) in delays {
        if let Some(given) = wanted.given() {
            *days = given.map(i64::from);
        }
    }
    row.updated_at = now;
    let is_open_again = row.status == RiskStatus::Open && before.status != RiskStatus::Open;
    if row.severity() != before.severity() || is_open_again {
        (row.severity_since, row.escalated_at) = (Some(now), None);
    }
    row
}

/// Refuses days that are not in the order low, most likely, high.
///
/// # Errors
/// 400 on the field that is out of order, or that needs `delay_days`.
pub fn check_delays(row: &RiskRow) -> ApiResult<()> {
    delay_problems([row.delay_low_days, row.delay_days, row.delay_high_days]).check()
}

/// What is wrong with the fewest, the most likely and the most days.
pub fn delay_problems([low, likely, high]: [Option<i64>; 3]) -> Problems {
    let mut problems = Problems::default();
    let ends = [
        ("delay_low_days", low, "Must not be more than delay_days.", i64::gt as fn(&i64, &i64) -> bool),
        ("delay_high_days", high, "Must not be less than delay_days.", i64::lt),
    ];
    for (field, end, message, is_out_of_order) in ends {
        match (end, likely) {
            (Some(_), None) => problems.say(field, "Say delay_days as well."),
            (Some(end), Some(likely)) if is_out_of_order(&end, &likely) => problems.say(field, message),
            _ => {}
        }
    }
    problems
}

/// What other services are told of a change. `before` is none for a new risk.
pub fn told(before: Option<&RiskRow>, after: &RiskRow) -> Vec<WebhookEvent> {
    let Some(before) = before else {
        return match after.status {
            RiskStatus::Open => vec![WebhookEvent::RiskOpened],
            _ => Vec::new(),
        };
    };
    let is_worse = after.severity() > before.severity();
    let is_closed = after.status == RiskStatus::Closed && before.status != RiskStatus::Closed;
    let escalated = is_worse.then_some(WebhookEvent::RiskEscalated);
    escalated.into_iter().chain(is_closed.then_some(WebhookEvent::RiskClosed)).collect()
}

/// The fields of a risk that other services are told.
pub fn webhook_body(row: &RiskRow, source: &str) -> Json {
    json!({
        "id": row.id,
        "project": row.project_id,
        "short_id": row.short_id,
        "title": row.title,
        "status": row.status,
        "probability": row.probability,
        "impact": row.impact,
        "severity": row.severity(),
        "category": row.category,
        "owner": row.owner_id,
        "source": source,
    })
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{ProjectId, RiskId, UserId};
    use planwright_web::Input;
    use uuid::Uuid;

    use super::*;

    fn risk(probability: i64, impact: i64, status: RiskStatus) -> RiskRow {
        let (id, project, by) = (RiskId(Uuid::nil()), ProjectId(Uuid::nil()), UserId(Uuid::nil()));
        let fresh = RiskRow::fresh(id, project, "00000001".into(), by, DateTime::UNIX_EPOCH);
        RiskRow { probability, impact, status, ..fresh }
    }

    #[test]
    fn a_new_risk_is_told_only_when_it_is_open() {
        assert_eq!(told(None, &risk(1, 1, RiskStatus::Open)), [WebhookEvent::RiskOpened]);
        assert_eq!(told(None, &risk(5, 5, RiskStatus::Closed)), []);
    }

    #[test]
    fn one_change_can_make_a_risk_worse_and_close_it() {
        let before = risk(2, 2, RiskStatus::Resolved);
        let both = [WebhookEvent::RiskEscalated, WebhookEvent::RiskClosed];
        assert_eq!(told(Some(&before), &risk(2, 3, RiskStatus::Closed)), both);
        assert_eq!(told(Some(&before), &risk(4, 1, RiskStatus::Accepted)), [], "the severity is the same");
        let closed = risk(1, 1, RiskStatus::Closed);
        assert_eq!(told(Some(&closed), &risk(1, 1, RiskStatus::Closed)), [], "it was closed before");
    }

    #[test]
    fn the_days_until_a_risk_is_escalated_begin_again_with_another_severity() {
        let (then, now) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH + chrono::Duration::days(9));
        let old = RiskRow { escalated_at: Some(then), ..risk(2, 2, RiskStatus::Open) };
        let change = |body: Json| {
            let request = PatchedRiskRequest::read(body.as_object().unwrap()).unwrap();
            changed(&old, request, now).severity_since
        };
        assert_eq!(change(json!({"impact": 3})), Some(now));
        assert_eq!(change(json!({"title": "Rain"})), None);
    }

    #[test]
    fn days_of_a_delay_are_in_order_and_need_the_most_likely_ones() {
        let wrong = |days| delay_problems(days).into_json().keys().cloned().collect::<Vec<_>>();
        assert!(wrong([Some(1), Some(2), Some(2)]).is_empty() && wrong([None, Some(2), None]).is_empty());
        assert_eq!(wrong([Some(3), Some(2), Some(1)]), ["delay_low_days", "delay_high_days"]);
        assert_eq!(wrong([Some(0), None, None]), ["delay_low_days"]);
    }
}
