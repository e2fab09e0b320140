//! Two people change the same row at once, both from the version that they have seen: one of them has to be told.
//! The walk finds every versioned resource by itself: a GET of the document that answers an `ETag`, with a PATCH beside it.

use futures_util::future::join;
use http::Method;
use planwright_testkit::{Answer, Engine, Person};
use serde_json::{Value, json};

use crate::served::{Operation, document, operations};
use crate::world::World;

/// How often it is tried at each resource; where a lock is missing, most attempts show it.
const ROUNDS: usize = 10;

/// A change of a resource that differs for any four numbers in a row, so that none asks for what is there already.
/// Most have a name.
fn change(shape: &str, number: usize) -> Value {
    let text = format!("Number {number}");
    match shape {
        "/api/v1/auth/me/profile/" => {
            let zones = ["Europe/Vienna", "Asia/Tokyo", "America/Lima", "auto"];
            json!({"timezone": zones[number % 4]})
        }
        // What holds at first is no change.
        "/api/v1/workspace/second-factor/" => json!({"sso_is_second_factor": number > 0}),
        "/api/v1/workspace/email-settings/" => json!({"from_name": text}),
        "/api/v1/acceptance-criteria/{}/" => json!({"text": text}),
        "/api/v1/programs/{}/backlog-items/{}/" => json!({"title": text}),
        "/api/v1/calendars/{}/exceptions/{}/" => json!({"description": text}),
        "/api/v1/dependencies/{}/" => json!({"lag": number}),
        "/api/v1/projects/{}/risks/{}/" => json!({"title": text, "probability": 1, "impact": 1}),
        "/api/v1/programs/{}/phase-gate-config/" => json!({"invite_template": text}),
        "/api/v1/programs/{}/risk-policy/" => json!({"escalation_days": 1 + number % 30}),
        "/api/v1/programs/{}/rollup-config/" => {
            let policies = ["average", "weighted_by_budget", "task_weighted", "worst"];
            json!({"aggregation_policy": policies[number % 4]})
        }
        "/api/v1/programs/{}/members/{}/" => json!({"role_title": text}),
        "/api/v1/projects/{}/members/{}/" => {
            let roles = [200, 300, 1, 100];
            json!({"role": roles[number % 4]})
        }
        "/api/v1/programs/{}/webhooks/{}/" | "/api/v1/projects/{}/webhooks/{}/" => {
            json!({"url": format!("https://8.8.8.8/{number}")})
        }
        "/api/v1/projects/{}/guardrail-policy/" => {
            let levels = ["block", "warn"];
            let (recurring, phase) = (levels[number % 2], levels[number / 2 % 2]);
            json!({"levels": {"recurring_in_sprint": recurring, "phase_in_sprint": phase}})
        }
        "/api/v1/project-resources/{}/" => json!({"role_title": text}),
        "/api/v1/recurrence-rules/{}/" => json!({"interval": 2 + number}),
        "/api/v1/resource-skills/{}/" => json!({"proficiency": level(number)}),
        "/api/v1/task-resources/{}/" => json!({"units": format!("1.{:02}", number % 100)}),
        "/api/v1/task-skill-requirements/{}/" => json!({"min_proficiency": level(number)}),
        "/api/v1/task-relations/{}/" => json!({"note": text}),
        "/api/v1/sprints/{}/" => json!({"notes": text}),
        "/api/v1/projects/{}/tasks/{}/comments/{}/" | "/api/v1/projects/{}/tasks/{}/notes/{}/" => {
            json!({"body": text})
        }
        "/api/v1/projects/{}/mention-groups/{}/" | "/api/v1/programs/{}/mention-groups/{}/" => {
            json!({"description": text})
        }
        "/api/v1/projects/{}/tasks/{}/links/{}/" => json!({"custom_title": text}),
        "/api/v1/programs/{}/external-stakeholders/{}/" => json!({"note": text}),
        _ => json!({"name": text}),
    }
}

/// Resources of which only one field can change, and that has few values: between two rounds they are set back.
const OF_FEW_VALUES: [&str; 3] = [
    "/api/v1/resource-skills/{}/",
    "/api/v1/task-skill-requirements/{}/",
    "/api/v1/workspace/second-factor/",
];

/// One of three values: that of 0 is neither that of odd nor that of even numbers.
fn level(number: usize) -> usize {
    if number == 0 { 3 } else { 1 + number % 2 }
}

fn statuses(answers: [&Answer; 2]) -> [u16; 2] {
    let mut statuses = answers.map(|answer| answer.status);
    statuses.sort_unstable();
    statuses
}

/// What is wrong with a resource, if anything is.
async fn fault(person: &Person<'_>, operation: &Operation, path: &str) -> Option<String> {
    let version = async || person.get(path).await.expect(200).header("etag").to_owned();
    let shape = operation.shape();
    let mut seen = version().await;
    let alone = person.with_header("if-match", &seen).patch(path, change(&shape, 0)).await;
    let next = version().await;
    if alone.status != 200 || next == seen {
        return Some(format!(
            "say in `change` how it is changed; {} was no change: {}",
            change(&shape, 0),
            alone.text
        ));
    }
    seen = next;
    for round in 1..=ROUNDS {
        let patch = async |number: usize| {
            person.with_header("if-match", &seen).patch(path, change(&shape, number)).await
        };
        let (one, other) = join(patch(round * 2 - 1), patch(round * 2)).await;
        let statuses = statuses([&one, &other]);
        if statuses != [200, 412] {
            let refused = if one.status == 200 { other.text } else { one.text };
            return Some(format!("in round {round} the answers are {statuses:?}: {refused}"));
        }
        if OF_FEW_VALUES.contains(&shape.as_str()) {
            person.patch(path, change(&shape, 0)).await.expect(200);
        }
        seen = version().await;
    }
    None
}

#[tokio::test]
#[cfg_attr(test, ignore = "needs PostgreSQL")]
async fn of_two_changes_at_once_from_the_same_version_one_is_refused() {
    let world = World::of(Engine::Postgres, 2).await;
    let document = document();
    let mut wrong = Vec::new();
    let mut walked = 0;
    for operation in operations(document).iter().filter(|operation| operation.method == Method::PATCH) {
        if document["paths"][&operation.path].get("get").is_none() {
            continue;
        }
        let app = world.start().await;
        let of_workspace = ["/api/v1/workspace/", "/api/v1/health/"];
        let is_of_workspace = of_workspace.iter().any(|start| operation.path.starts_with(start));
        let person = world.person(&app, if is_of_workspace { "admin" } else { "owner" });
        let path = world.path(operation);
        if person.get(&path).await.expect(200).header("etag").is_empty() {
            continue;
        }
        walked += 1;
        wrong.extend(
            fault(&person, operation, &path).await.map(|fault| format!("{}: {fault}", operation.path)),
        );
    }
    assert!(wrong.is_empty(), "{} of {walked} versioned resources:\n{}", wrong.len(), wrong.join("\n"));
}
