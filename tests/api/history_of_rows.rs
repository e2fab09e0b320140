//! Every kind of row that a history tells of is written by somebody in the world, and its history says who it was.

use planwright_testkit::{Person, each_engine};
use serde_json::{Value, json};

use crate::site::{listed, project_path, text};
use crate::world::World;

/// The kinds that the members of a project may read about. A team is not among them: it comes with its project, and
/// nobody can change it.
const KINDS: [&str; 30] = [
    "project",
    "project_member",
    "task",
    "dependency",
    "task_relation",
    "label",
    "sprint",
    "scope_change",
    "sprint_task_outcome",
    "velocity_suggestion",
    "signal_privacy",
    "ceiling_proposal",
    "risk",
    "risk_comment",
    "baseline",
    "team_member",
    "task_resource",
    "project_resource",
    "recurrence_rule",
    "guardrail_policy",
    "acceptance_criterion",
    "board_config",
    "board_view",
    "custom_field",
    "decision_policy",
    "mention_group",
    "task_comment",
    "task_note",
    "task_attachment",
    "task_link",
];

/// Changes the rows that the world finds and does not write itself.
async fn change_the_rest(owner: &Person<'_>, world: &World) {
    let north = project_path(world.row("projects"));
    let dismiss = format!("/api/v1/velocity-suggestions/{}/dismiss/", world.row("velocity-suggestions"));
    owner.post(&dismiss, json!({})).await.expect(200);
    let note = format!("/api/v1/sprint-task-outcomes/{}/set-note/", world.row("sprint-task-outcomes"));
    owner.post(&note, json!({"note": "Shown to the mayor"})).await.expect(200);
    let wider = json!({"signal": "throughput_rollup", "audience": "team_sm_pm"});
    owner.patch(&format!("{north}signal-privacy/"), wider).await.expect(200);
    let team = owner.get(&format!("{north}teams/")).await.expect(200);
    let members = format!("/api/v1/teams/{}/members/", text(&listed(&team)[0]["id"]));
    let member = text(&listed(&owner.get(&members).await.expect(200))[0]["id"]).to_owned();
    owner.patch(&format!("{members}{member}/"), json!({"is_product_owner": true})).await.expect(200);
    let levels = json!({"levels": {"summary_in_sprint": "block"}});
    owner.patch(&format!("{north}guardrail-policy/"), levels).await.expect(200);
    let columns = owner.get(&format!("{north}board-config/")).await.expect(200)["columns"].clone();
    let mut columns: Vec<Value> = columns.as_array().unwrap().clone();
    columns[2]["wip_limit"] = json!(3);
    owner.lenient().put(&format!("{north}board-config/"), json!({"columns": columns})).await.expect(200);
    let policy = owner.get(&format!("{north}decisions-policy/")).await.expect(200);
    let (key, level) = policy.json.as_object().unwrap().iter().find(|(_, value)| value.is_boolean()).unwrap();
    owner.patch(&format!("{north}decisions-policy/"), json!({key: level == false})).await.expect(200);
}

each_engine! {
    async fn every_kind_of_row_has_a_history_with_its_author(engine: Engine) {
        let world = World::of(engine, 1).await;
        let app = world.start().await;
        let owner = world.person(&app, "owner");
        change_the_rest(&owner, &world).await;
        let projects = owner.get("/api/v1/projects/").await.expect(200);
        let projects: Vec<String> = projects.results().iter().map(|row| project_path(text(&row["id"]))).collect();
        let mut silent = Vec::new();
        for kind in KINDS {
            let mut told = 0;
            for project in &projects {
                let path = format!("{project}history/?entity={kind}&page_size=200");
                let answer = owner.get(&path).await.expect(200);
                told += answer.results().iter().filter(|row| row["history_user"].is_object()).count();
            }
            if told == 0 {
                silent.push(kind);
            }
        }
        assert!(silent.is_empty(), "nobody is named in the history of {silent:?}");
    }
}
