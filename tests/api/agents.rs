//! Agents: read-only tokens, which see nothing of a project that has not consented to them. Every route that answers a GET
//! is walked; what tokens are and how they end is tested in `tokens.rs`.

use http::Method;
use planwright_domain::Role;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value as Json, json};

use crate::crossing::Crossing;
use crate::served::{Operation, document, operations};

/// Somebody's agent.
async fn agent_of<'a>(person: &Person<'a>) -> Person<'a> {
    let request = json!({"name": "agent", "scopes": ["mcp:read"], "expires_at": "2026-06-01T00:00:00Z"});
    let minted = person.post("/api/v1/me/api-tokens/", request).await.expect(201);
    person.with_token(minted["token"].as_str().expect("a new token is shown"))
}

/// The addresses of an operation, with the ids of one project and one of its tasks wherever an id is wanted.
fn addresses(operation: &Operation, plan: &Crossing, project: &str, task: &Json) -> Vec<String> {
    let task = task.as_str().unwrap_or_default();
    let path = operation.path_with(|word| match word {
        "programs" => plan.program.clone(),
        "tasks" => task.to_owned(),
        _ => project.to_owned(),
    });
    let asked = format!("{path}?project={project}&q=o&task_id={task}&quantity=early_start&new_duration=9");
    vec![path, asked]
}

both_engines! {
    async fn no_answer_to_an_agent_tells_anything_of_a_project_that_refuses_agents(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let owner = app.admin().await;
        let links = json!([{"predecessor": "north:1.2", "successor": "1", "dep_type": "FS", "lag": 0}]);
        let plan = Crossing::linked(app, &owner, links).await;
        let agent = agent_of(&owner).await;
        let schedule = format!("/api/v1/programs/{}/schedule/", plan.program);
        let before = agent.get(&schedule).await.expect(200);
        assert!(before.text.contains(&plan.north) && before.text.contains("Pour"), "{}", before.text);
        for project in [&plan.north, &plan.south] {
            owner.post(&format!("/api/v1/projects/{project}/monte-carlo/"), json!({})).await.expect(200);
        }
        let refusing = format!("/api/v1/projects/{}/", plan.north);
        owner.patch(&refusing, json!({"mcp_enabled": false})).await.expect(200);
        let ids = ["Works", "Dig", "Pour", "Cure"].map(|name| plan.task(name).as_str().unwrap().to_owned());
        let secrets = ids.into_iter().chain(["Pour", "North"].map(str::to_owned)).chain([plan.north.clone()]);
        let secrets: Vec<String> = secrets.collect();
        let (mut wrong, mut seen) = (Vec::new(), 0);
        for operation in operations(document()).into_iter().filter(|one| one.method == Method::GET) {
            let of_north = addresses(&operation, &plan, &plan.north, plan.task("Pour"));
            for path in of_north.into_iter().chain(addresses(&operation, &plan, &plan.south, plan.task("Frame"))) {
                let answer = agent.get(&path).await;
                seen += usize::from(answer.status == 200);
                let told = secrets.iter().find(|secret| answer.text.contains(secret.as_str()));
                if let Some(secret) = told {
                    wrong.push(format!("{path} tells {secret}: {}", answer.text));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(seen > 10, "the agent was shown {seen} pages");
        let shown = agent.get(&schedule).await.expect(200);
        assert!(shown.text.contains("Frame") && shown["projects"].as_array().is_some_and(|all| all.len() == 1));
    }

    async fn a_private_project_is_not_in_the_schedule_that_others_of_its_program_see(app: &TestApp) {
        let (owner, ida) = (app.admin().await, app.person("ida").await);
        let links = json!([{"predecessor": "north:1.2", "successor": "1", "dep_type": "FS", "lag": 0}]);
        let plan = Crossing::linked(app, &owner, links).await;
        let member = json!({"user": ida.id, "role": Role::Viewer.rank()});
        owner.post(&format!("/api/v1/programs/{}/members/", plan.program), member).await.expect(201);
        owner.let_in(&format!("/api/v1/projects/{}/", plan.south), &ida, Role::Viewer).await;
        let schedule = format!("/api/v1/programs/{}/schedule/", plan.program);
        let open = ida.get(&schedule).await.expect(200);
        assert_eq!(open["cross_project_edge_count"], 1);
        assert!(open["tasks"].as_array().unwrap().iter().any(|task| task["title"] == "Pour"), "{}", open.text);
        let north = format!("/api/v1/projects/{}/", plan.north);
        owner.patch(&north, json!({"visibility": "PRIVATE"})).await.expect(200);
        let closed = ida.get(&schedule).await.expect(200);
        assert!(!closed.text.contains("Pour") && !closed.text.contains(&plan.north), "{}", closed.text);
        assert!(!closed.text.contains(plan.task("Pour").as_str().unwrap()), "{}", closed.text);
        assert_eq!(closed["cross_project_edge_count"], 0);
        assert_eq!((&closed["start_date"], &closed["finish_date"]), (&open["start_date"], &open["finish_date"]));
        assert_eq!(owner.get(&schedule).await.expect(200)["cross_project_edge_count"], 1);
    }

    async fn the_schedule_of_a_program_follows_every_change_of_its_projects(app: &TestApp) {
        let owner = app.admin().await;
        let links = json!([{"predecessor": "north:1.2", "successor": "1", "dep_type": "FS", "lag": 0}]);
        let plan = Crossing::linked(app, &owner, links).await;
        let schedule = format!("/api/v1/programs/{}/schedule/", plan.program);
        let shown = async |name: &str| {
            let answer = owner.get(&schedule).await.expect(200);
            let tasks = answer["tasks"].as_array().unwrap().clone();
            tasks.into_iter().find(|task| task["id"] == *plan.task(name)).unwrap_or_default()
        };
        assert_eq!(shown("Frame").await["early_start"], "2026-01-07");
        let pour = format!("/api/v1/tasks/{}/", plan.task("Pour").as_str().unwrap());
        owner.patch(&pour, json!({"duration": 3, "name": "Pour more"})).await.expect(200);
        assert_eq!(shown("Frame").await["early_start"], "2026-01-08");
        assert_eq!(shown("Pour").await["name"], "Pour more");
        let north = format!("/api/v1/projects/{}/", plan.north);
        owner.patch(&north, json!({"start_date": "2026-01-06"})).await.expect(200);
        assert_eq!(shown("Frame").await["early_start"], "2026-01-09");
        owner.delete(&pour).await.expect(204);
        assert_eq!(shown("Pour").await, Json::Null);
        assert_eq!(shown("Frame").await["early_start"], "2026-01-05");
    }
}
