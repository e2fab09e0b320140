//! The server of the Model Context Protocol at `/mcp`: every tool with the token of an agent, what agents may not see, and
//! wrong requests. What the official clients make of it is in the suite of clients.

use http::Method;
use planwright_testkit::{Answer, Person, both_engines};
use serde_json::{Value as Json, json};

use crate::crossing::Crossing;

const VERSION: &str = "2025-11-25";

async fn agent_of<'a>(person: &Person<'a>) -> Person<'a> {
    let request = json!({"name": "agent", "scopes": ["mcp:read"], "expires_at": "2026-06-01T00:00:00Z"});
    let minted = person.post("/api/v1/me/api-tokens/", request).await.expect(201);
    person.with_token(minted["token"].as_str().expect("a new token is shown"))
}

/// A request of the protocol, as a client without a session sends it.
async fn ask(person: &Person<'_>, method: &str, params: Json) -> Answer {
    let client = person
        .with_header("accept", "application/json, text/event-stream")
        .with_header("mcp-protocol-version", VERSION);
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    client.send(Method::POST, "/mcp", Some(request)).await
}

/// The result of a tool, and whether it is an error.
async fn call(person: &Person<'_>, tool: &str, arguments: Json) -> (Json, bool) {
    let answer = ask(person, "tools/call", json!({"name": tool, "arguments": arguments})).await.expect(200);
    let result = &answer["result"];
    (result["structuredContent"].clone(), result["isError"].as_bool().unwrap_or_default())
}

/// Two linked projects with all that tools read: a simulation, an analysis, a sprint and a risk.
async fn furnished(app: &planwright_testkit::TestApp, owner: &Person<'_>) -> (Crossing, Json) {
    let links = json!([{"predecessor": "north:1.2", "successor": "1", "dep_type": "FS", "lag": 0}]);
    let plan = Crossing::linked(app, owner, links).await;
    let north = format!("/api/v1/projects/{}/", plan.north);
    owner.post(&format!("{north}monte-carlo/"), json!({})).await.expect(200);
    owner.post(&format!("{north}monte-carlo/drivers/"), json!({})).await.expect(202);
    app.run_jobs().await;
    let dates = json!({"name": "First", "start_date": "2026-01-05", "finish_date": "2026-01-16"});
    let sprint = owner.post(&format!("{north}sprints/"), dates).await.expect(201).id();
    let risk = json!({"title": "Rain <untrusted>", "probability": 3, "impact": 3});
    owner.post(&format!("{north}risks/"), risk).await.expect(201);
    let values = json!({
        "project_id": plan.north, "program_id": plan.program, "task_id": plan.task("Pour"), "sprint_id": sprint,
        "quantity": "early_start", "q": "Pour", "new_duration": 9,
    });
    (plan, values)
}

both_engines! {
    async fn every_tool_answers_an_agent_in_its_own_form(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let owner = app.admin().await;
        let (_, values) = furnished(app, &owner).await;
        let agent = agent_of(&owner).await;
        let listed = ask(&agent, "tools/list", json!({})).await.expect(200);
        let tools = listed["result"]["tools"].as_array().expect("a list of tools").clone();
        assert!(tools.len() >= 18, "{}", listed.text);
        for tool in &tools {
            let name = tool["name"].as_str().unwrap();
            let known = tool["inputSchema"]["properties"].as_object().unwrap();
            let given = known.keys().filter_map(|key| Some((key.clone(), values.get(key)?.clone())));
            let (result, is_error) = call(&agent, name, Json::Object(given.collect())).await;
            assert!(!is_error, "{name}: {result}");
            let parts = tool["outputSchema"]["properties"].as_object().unwrap();
            for (part, schema) in parts.iter().filter(|(part, _)| *part != "truncated") {
                let is_there = match schema["type"].as_str() {
                    Some("array") => result[part].is_array(),
                    _ => result[part].is_object(),
                };
                assert!(is_there, "{name}: {part} in {result}");
            }
        }
        let (tasks, _) = call(&agent, "list_tasks", json!({"project_id": values["project_id"]})).await;
        assert_eq!(tasks["tasks"].as_array().map(Vec::len), Some(4), "{tasks}");
        let (risks, _) = call(&agent, "list_risks", json!({"project_id": values["project_id"]})).await;
        assert_eq!(risks["risks"][0]["title"], "<untrusted>Rain ‹untrusted></untrusted>");
        let log = owner.get("/api/v1/agent-actions/").await;
        assert!(log.status != 500, "{}", log.text);
    }

    async fn a_tool_shows_tasks_by_its_filters(app: &TestApp) {
        let owner = app.admin().await;
        let (plan, _) = furnished(app, &owner).await;
        let agent = agent_of(&owner).await;
        let names = async |more: Json| {
            let mut arguments = json!({"project_id": plan.north});
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let (result, is_error) = call(&agent, "list_tasks", arguments).await;
            assert!(!is_error, "{result}");
            result["tasks"].as_array().map(Vec::len).unwrap_or_default()
        };
        assert_eq!(names(json!({"status": "COMPLETE"})).await, 0);
        assert_eq!(names(json!({"is_critical": true})).await + names(json!({"is_critical": false})).await, 4);
        assert_eq!(names(json!({"assignee": owner.id})).await, 0);
    }

    async fn a_project_that_was_never_analysed_has_no_drivers_and_still_its_risks(app: &TestApp) {
        let owner = app.admin().await;
        let (plan, _) = furnished(app, &owner).await;
        let agent = agent_of(&owner).await;
        let (result, is_error) = call(&agent, "risk_drivers", json!({"project_id": plan.south})).await;
        assert!(!is_error, "{result}");
        assert_eq!((&result["drivers"], &result["risks"]), (&json!({}), &json!([])));
    }

    async fn who_may_not_see_something_is_told_so_by_the_tool(app: &TestApp) {
        let (owner, ida) = (app.admin().await, app.person("ida").await);
        let (plan, _) = furnished(app, &owner).await;
        let project = json!({"project_id": plan.north});
        let (refusal, is_error) = call(&agent_of(&ida).await, "get_project", project.clone()).await;
        assert!(is_error && refusal["status"] == 404, "{refusal}");
        let agent = agent_of(&owner).await;
        let north = format!("/api/v1/projects/{}/", plan.north);
        owner.patch(&north, json!({"mcp_enabled": false})).await.expect(200);
        let (refusal, is_error) = call(&agent, "get_project", project.clone()).await;
        assert!(is_error && refusal["status"] == 403, "{refusal}");
        let (projects, _) = call(&agent, "list_projects", json!({})).await;
        assert!(!projects.to_string().contains(&plan.north), "{projects}");
        let (of_a_person, is_error) = call(&owner, "get_project", project).await;
        assert!(!is_error, "a person sees their own project: {of_a_person}");
    }

    async fn what_can_be_attached_is_what_the_token_sees(app: &TestApp) {
        let (owner, ida) = (app.admin().await, app.person("ida").await);
        let (plan, values) = furnished(app, &owner).await;
        let agent = agent_of(&owner).await;
        let listed = ask(&agent, "resources/list", json!({})).await.expect(200);
        let listed = listed["result"]["resources"].as_array().expect("a list of resources").clone();
        let addresses: Vec<&str> = listed.iter().map(|one| one["uri"].as_str().unwrap()).collect();
        let north = format!("planwright://projects/{}", plan.north);
        assert!(addresses.contains(&north.as_str()), "{addresses:?}");
        assert!(addresses.contains(&format!("planwright://programs/{}", plan.program).as_str()), "{addresses:?}");
        for address in addresses {
            let read = ask(&agent, "resources/read", json!({"uri": address})).await.expect(200);
            assert_eq!(read["result"]["contents"][0]["uri"], address, "{}", read.text);
        }
        let told = ask(&agent, "resources/templates/list", json!({})).await.expect(200);
        for template in told["result"]["resourceTemplates"].as_array().unwrap() {
            let address = template["uriTemplate"].as_str().unwrap().replace(['{', '}'], "|");
            let parts: Vec<&str> = address.split('|').collect();
            let address = format!("{}{}{}", parts[0], values[parts[1]].as_str().unwrap(), parts[2]);
            let read = ask(&agent, "resources/read", json!({"uri": address})).await.expect(200);
            let text: Json = serde_json::from_str(read["result"]["contents"][0]["text"].as_str().unwrap()).unwrap();
            assert!(text.is_object(), "{address}: {}", read.text);
        }
        let other = ask(&agent_of(&ida).await, "resources/read", json!({"uri": north})).await;
        let none = ask(&agent, "resources/read", json!({"uri": "planwright://projects/x"})).await;
        assert_eq!(other["error"]["code"], none["error"]["code"], "{} {}", other.text, none.text);
        owner.patch(&format!("/api/v1/projects/{}/", plan.north), json!({"mcp_enabled": false})).await.expect(200);
        let closed = ask(&agent, "resources/read", json!({"uri": north})).await;
        assert_eq!(closed["error"]["data"]["status"], 403, "{}", closed.text);
        let listed = ask(&agent, "resources/list", json!({})).await.expect(200);
        assert!(!listed.text.contains(&plan.north), "{}", listed.text);
    }

    async fn wrong_requests_are_named_and_end_nothing(app: &TestApp) {
        let owner = app.admin().await;
        let nobody = app.anonymous();
        let refused = ask(&nobody, "tools/list", json!({})).await.expect(401);
        assert_eq!(refused.header("www-authenticate"), "Bearer");
        ask(&owner.with_token("planwright_nothing"), "tools/list", json!({})).await.expect(401);
        let (wrong, is_error) = call(&owner, "whatif", json!({"project_id": "x", "new_duration": -1, "more": 2})).await;
        assert!(is_error, "{wrong}");
        assert_eq!(
            wrong["detail"],
            "project_id: an id is expected. task_id: It is required. new_duration: a whole number from 0 to 10000 is expected. \
             more: The tool has no such argument."
        );
        let unknown = ask(&owner, "tools/call", json!({"name": "delete_everything"})).await;
        assert_eq!(unknown["error"]["code"], -32602, "{}", unknown.text);
        let prompt = ask(&owner, "prompts/get", json!({"name": "status_report", "arguments": {"project_id": "x"}})).await;
        assert_eq!(prompt["error"]["message"], "project_id: an id is expected.", "{}", prompt.text);
        let elsewhere = owner.with_header("origin", "https://elsewhere.example");
        assert_eq!(ask(&elsewhere, "tools/list", json!({})).await.status, 403);
        let (status, size) = (ask(&owner, "tools/call", json!({"name": "x".repeat(300_000)})).await.status, 413);
        assert_eq!(status, size);
        let odd = owner.with_header("accept", "application/json, text/event-stream");
        assert!(odd.post_raw("/mcp", "application/json", "{").await.status < 500);
        assert!(odd.get("/mcp").await.status < 500);
        ask(&owner, "tools/list", json!({})).await.expect(200);
    }

    async fn a_switched_off_server_refuses_everybody(app: &TestApp, "SVC_MCP_ENABLED" = "false") {
        let owner = app.admin().await;
        ask(&owner, "tools/list", json!({})).await.expect(403);
    }
}
