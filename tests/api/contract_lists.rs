//! What the contract promises of lists: their envelopes, pages, orders, searches and filters, and who finds what in them.
//! What a single row holds is tested by area.

use std::collections::BTreeSet;

use planwright_domain::Role;
use planwright_testkit::{Engine, Person, both_engines};
use serde_json::{Value as Json, json};

use crate::bridges::Bridges;
use crate::served::{Operation, document, operations};
use crate::world::World;

/// How a list comes.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Envelope {
    /// `count`, `next`, `previous`, `results`.
    Counted,
    /// `next`, `previous`, `results`, and no count.
    Cursor,
    /// A bare array.
    Bare,
}

use Envelope::{Bare, Counted, Cursor};

/// The lists whose envelope contract and schema agree on, with the names of path parameters left out.
const LISTS: [(&str, Envelope); 73] = [
    ("/api/v1/acceptance-criteria/", Counted),
    ("/api/v1/admin/failed-tasks/", Counted),
    ("/api/v1/agent-actions/", Counted),
    ("/api/v1/auth/me/pinned/", Bare),
    ("/api/v1/calendars/", Counted),
    ("/api/v1/calendars/{}/exceptions/", Counted),
    ("/api/v1/cascade-classification-operations/", Counted),
    ("/api/v1/dependencies/", Counted),
    ("/api/v1/me/active-sprints/", Bare),
    ("/api/v1/me/api-token-audit/", Counted),
    ("/api/v1/me/api-tokens/", Counted),
    ("/api/v1/me/credentials/", Bare),
    ("/api/v1/me/external-items/", Counted),
    ("/api/v1/me/notification-preferences/", Counted),
    ("/api/v1/me/notifications/", Counted),
    ("/api/v1/me/recent-projects/", Bare),
    ("/api/v1/me/work/", Counted),
    ("/api/v1/paste-many-operations/", Counted),
    ("/api/v1/programs/", Counted),
    ("/api/v1/programs/samples/", Bare),
    ("/api/v1/programs/{}/api-token-audit/", Counted),
    ("/api/v1/programs/{}/api-tokens/", Counted),
    ("/api/v1/programs/{}/backlog-items/", Counted),
    ("/api/v1/programs/{}/ceremonies/", Counted),
    ("/api/v1/programs/{}/external-stakeholders/", Bare),
    ("/api/v1/programs/{}/projects/", Bare),
    ("/api/v1/programs/{}/label-tasks/", Counted),
    ("/api/v1/programs/{}/webhooks/", Counted),
    ("/api/v1/programs/{}/webhooks/{}/deliveries/", Cursor),
    ("/api/v1/project-resources/", Counted),
    ("/api/v1/project-templates/", Counted),
    ("/api/v1/projects/", Counted),
    ("/api/v1/projects/health-summary/", Bare),
    ("/api/v1/projects/trash/", Bare),
    ("/api/v1/projects/{}/api-token-audit/", Counted),
    ("/api/v1/projects/{}/api-tokens/", Counted),
    ("/api/v1/projects/{}/baselines/", Counted),
    ("/api/v1/projects/{}/board-views/", Bare),
    ("/api/v1/projects/{}/decisions/", Counted),
    ("/api/v1/projects/{}/forecast-snapshots/", Counted),
    ("/api/v1/projects/{}/labels/", Counted),
    ("/api/v1/projects/{}/milestones/", Bare),
    ("/api/v1/projects/{}/risks/", Counted),
    ("/api/v1/projects/{}/scheduler-runs/", Counted),
    ("/api/v1/projects/{}/share-links/", Bare),
    ("/api/v1/projects/{}/sprints/", Counted),
    ("/api/v1/projects/{}/task-runs/", Counted),
    ("/api/v1/projects/{}/tasks/{}/attachments/", Counted),
    ("/api/v1/projects/{}/tasks/{}/comments/", Counted),
    ("/api/v1/projects/{}/tasks/{}/links/", Bare),
    ("/api/v1/projects/{}/tasks/{}/notes/", Counted),
    ("/api/v1/projects/{}/teams/", Counted),
    ("/api/v1/projects/{}/webhooks/", Counted),
    ("/api/v1/projects/{}/webhooks/{}/deliveries/", Cursor),
    ("/api/v1/recurrence-rules/", Counted),
    ("/api/v1/resource-skills/", Counted),
    ("/api/v1/resources/", Counted),
    ("/api/v1/resources/{}/assignments/", Counted),
    ("/api/v1/skills/", Counted),
    ("/api/v1/slip-conflicts/", Counted),
    ("/api/v1/sprints/{}/poker/", Bare),
    ("/api/v1/task-relations/", Bare),
    ("/api/v1/task-resources/", Counted),
    ("/api/v1/task-skill-requirements/", Counted),
    ("/api/v1/tasks/", Counted),
    ("/api/v1/tasks/{}/duration-events/", Counted),
    ("/api/v1/teams/{}/members/", Counted),
    ("/api/v1/template-applications/", Counted),
    ("/api/v1/users/search/", Bare),
    ("/api/v1/velocity-suggestions/", Counted),
    ("/api/v1/workspace/audit-events/", Cursor),
    ("/api/v1/workspace/members/", Cursor),
    ("/api/v1/workspace/sso/providers/", Bare),
];

#[test]
fn the_document_declares_the_envelope_that_the_contract_names() {
    let document = document();
    let mut wrong = Vec::new();
    let mut served = BTreeSet::new();
    for operation in operations(document).iter().filter(|operation| operation.method == http::Method::GET) {
        let shape = operation.shape();
        let Some((path, envelope)) = LISTS.iter().find(|(path, _)| *path == shape) else { continue };
        served.insert(*path);
        let declared = declared(document, operation);
        if declared != Some(*envelope) {
            wrong.push(format!("{path} declares {declared:?}, not {envelope:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing: Vec<&str> =
        LISTS.iter().map(|(path, _)| *path).filter(|path| !served.contains(path)).collect();
    // Shrinks with every area that moves in, so that no list is left out without being seen.
    insta::assert_snapshot!("lists_not_served_yet", missing.join("\n"));
}

#[tokio::test]
async fn a_list_comes_in_the_envelope_that_is_declared_for_it() {
    let world = World::of(Engine::Sqlite, 2).await;
    let app = world.start().await;
    let document = document();
    let mut wrong = Vec::new();
    for operation in operations(document).iter().filter(|operation| operation.method == http::Method::GET) {
        let Some(declared) = declared(document, operation) else { continue };
        let reader = world.person(&app, world.reader(operation));
        let answer = reader.get(&world.address(operation)).await;
        if answer.status != 200 || envelope_of(&answer.json) != Some(declared) {
            wrong.push(format!("{} declares {declared:?} and answers {}", operation.name(), answer.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

both_engines! {
    async fn a_page_has_fifty_rows_unless_asked_otherwise_and_links_to_its_neighbours(app: &TestApp) {
        let admin = app.admin().await;
        for number in 0..51 {
            let request = json!({"name": format!("Calendar {number:02}")});
            admin.post("/api/v1/calendars/", request).await.expect(201);
        }
        let first = admin.get("/api/v1/calendars/").await.expect(200);
        assert_eq!((first["count"].as_i64(), first.results().len()), (Some(51), 50));
        assert_eq!(first["previous"], Json::Null);
        let link = first["next"].as_str().unwrap();
        assert!(link.starts_with("http://") && link.contains("/api/v1/calendars/?"), "{link}");
        let second = admin.get(&behind_host(link)).await.expect(200);
        assert_eq!(second.results().len(), 1);
        assert_eq!(second["next"], Json::Null);
        let back = admin.get(&behind_host(second["previous"].as_str().unwrap())).await.expect(200);
        assert_eq!(back["results"], first["results"]);
        assert_eq!(admin.get("/api/v1/calendars/?page_size=500").await.expect(200).results().len(), 51);
        assert_eq!(admin.get("/api/v1/calendars/?page_size=7").await.expect(200).results().len(), 7);
    }

    async fn a_page_that_is_not_there_is_404_on_every_counted_list(app: &TestApp) {
        let admin = app.admin().await;
        Bridges::of(app, &admin).await;
        for list in ["calendars", "programs", "projects", "tasks", "dependencies"] {
            admin.get(&format!("/api/v1/{list}/?page=1")).await.expect(200);
            for page in ["0", "-1", "999", "many"] {
                let lost = admin.get(&format!("/api/v1/{list}/?page={page}")).await.expect(404);
                assert!(lost["detail"].is_string(), "{}", lost.text);
            }
        }
    }

    async fn rows_that_are_alike_keep_their_order_from_page_to_page(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::with(app, &owner, &[("Same", "task"); 9]).await;
        for order in ["", "name", "-name", "status", "-early_start", "wbs_path"] {
            let order = if order.is_empty() { String::new() } else { format!("&ordering={order}") };
            let path = format!("/api/v1/tasks/?project={}{order}", plan.project);
            let whole = ids(&walk(&owner, &path).await);
            assert_eq!(whole.len(), 11, "{order}");
            let distinct: BTreeSet<String> = whole.iter().map(Json::to_string).collect();
            assert_eq!(distinct.len(), 11, "{order}");
            for size in [1, 4] {
                let in_pages = walk(&owner, &format!("{path}&page_size={size}")).await;
                assert_eq!(ids(&in_pages), whole, "{order} by {size}");
            }
        }
    }

    async fn an_order_is_turned_round_by_a_minus_and_an_unknown_one_is_refused_by_name(app: &TestApp) {
        let owner = app.person("owner").await;
        for (name, start) in [("Beech", "2026-03-02"), ("Ash", "2026-02-02"), ("Cedar", "2026-01-05")] {
            let request = json!({"name": name, "start_date": start});
            owner.post("/api/v1/projects/", request).await.expect(201);
            owner.post("/api/v1/programs/", json!({"name": name})).await.expect(201);
        }
        let by = |order: &str| format!("/api/v1/projects/?ordering={order}");
        assert_eq!(names(&walk(&owner, &by("name")).await), ["Ash", "Beech", "Cedar"]);
        assert_eq!(names(&walk(&owner, &by("-name")).await), ["Cedar", "Beech", "Ash"]);
        assert_eq!(names(&walk(&owner, &by("start_date")).await), ["Cedar", "Ash", "Beech"]);
        assert_eq!(names(&walk(&owner, "/api/v1/programs/?ordering=-name").await), ["Cedar", "Beech", "Ash"]);
        for list in ["calendars", "programs", "projects", "tasks", "dependencies"] {
            let refused = owner.get(&format!("/api/v1/{list}/?ordering=colour")).await.expect(400);
            assert!(refused["ordering"].is_array(), "{}", refused.text);
        }
    }

    async fn a_search_ignores_case_and_takes_wildcards_literally(app: &TestApp) {
        let owner = app.person("owner").await;
        let names_of_tasks = ["Élan vital", "élan 100%", "elan 100 x", "under_score", "underXscore"];
        let plan = Bridges::with(app, &owner, &names_of_tasks.map(|name| (name, "task"))).await;
        let found = async |text: &str| {
            let path = format!("/api/v1/tasks/?project={}&search={text}", plan.project);
            let mut found = names(&walk(&owner, &path).await);
            found.sort();
            found
        };
        assert_eq!(found("%C3%89LAN").await, ["Élan vital", "élan 100%"]);
        assert_eq!(found("100%25").await, ["élan 100%"]);
        assert_eq!(found("under_score").await, ["under_score"]);
        assert!(found("nothing%20like%20it").await.is_empty());
        let projects = walk(&owner, "/api/v1/projects/?search=NORTH").await;
        assert_eq!(names(&projects), ["North bridge"]);
        let programs = walk(&owner, "/api/v1/programs/?search=bridg").await;
        assert_eq!(names(&programs), ["Bridges"]);
    }

    async fn tasks_are_filtered_by_project_criticality_status_and_type(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::with(app, &owner, &[("Side path", "bug")]).await;
        let other = Bridges::of(app, &owner).await;
        let mine = |filter: &str| format!("/api/v1/tasks/?project={}{filter}", plan.project);
        assert_eq!(walk(&owner, &mine("")).await.len(), 3);
        let critical = walk(&owner, &mine("&is_critical=true&ordering=wbs_path")).await;
        assert_eq!(names(&critical), ["Survey", "Drawing"]);
        assert_eq!(names(&walk(&owner, &mine("&is_critical=false")).await), ["Side path"]);
        assert_eq!(names(&walk(&owner, &mine("&type=bug")).await), ["Side path"]);
        assert_eq!(walk(&owner, &mine("&status=NOT_STARTED")).await.len(), 3);
        assert_eq!(walk(&owner, &mine("&status=COMPLETE")).await.len(), 0);
        assert_eq!(walk(&owner, "/api/v1/tasks/").await.len(), 5);
        assert_eq!(walk(&owner, &format!("/api/v1/tasks/?project={}", other.project)).await.len(), 2);
        let refused = owner.get("/api/v1/tasks/?project=no-uuid").await.expect(400);
        assert!(refused["project"].is_array(), "{}", refused.text);
    }

    async fn links_are_filtered_by_project_kind_and_task(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let other = Bridges::of(app, &owner).await;
        let count = async |query: String| walk(&owner, &format!("/api/v1/dependencies/?{query}")).await.len();
        assert_eq!(count(String::new()).await, 2);
        assert_eq!(count(format!("project={}", plan.project)).await, 1);
        assert_eq!(count(format!("project={}&dep_type=FS", plan.project)).await, 1);
        assert_eq!(count(format!("project={}&dep_type=SS", plan.project)).await, 0);
        assert_eq!(count(format!("task={}", plan.task)).await, 1);
        assert_eq!(count(format!("task={}&project={}", plan.task, other.project)).await, 0);
        owner.get("/api/v1/dependencies/?task=no-uuid").await.expect(400);
    }

    async fn a_list_shows_only_what_its_caller_belongs_to(app: &TestApp) {
        let owner = app.person("owner").await;
        let viewer = app.person("viewer").await;
        let outsider = app.person("outsider").await;
        let plan = Bridges::of(app, &owner).await;
        plan.let_in(&owner, &viewer, Role::Viewer).await;
        let sizes = async |person: &Person<'_>| {
            let mut sizes = Vec::new();
            for list in ["programs", "projects", "tasks", "dependencies"] {
                sizes.push(walk(person, &format!("/api/v1/{list}/")).await.len());
            }
            sizes
        };
        assert_eq!(sizes(&owner).await, [1, 1, 2, 1]);
        assert_eq!(sizes(&viewer).await, [1, 1, 2, 1]);
        assert_eq!(sizes(&outsider).await, [0, 0, 0, 0]);
        let asked = outsider.get(&format!("/api/v1/tasks/?project={}", plan.project)).await;
        assert!(asked.status == 404 || asked["count"] == 0, "{}", asked.text);
    }

    async fn what_was_deleted_leaves_its_list_at_once(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        owner.delete(&format!("/api/v1/projects/{}/", plan.project)).await.expect(204);
        for list in ["projects", "tasks", "dependencies"] {
            assert_eq!(walk(&owner, &format!("/api/v1/{list}/")).await.len(), 0, "{list}");
        }
        owner.get(&format!("/api/v1/tasks/{}/", plan.task)).await.expect(404);
        owner.delete(&format!("/api/v1/programs/{}/", plan.program)).await.expect(204);
        assert_eq!(walk(&owner, "/api/v1/programs/").await.len(), 0);
    }

    async fn a_search_for_tasks_needs_a_project_and_a_text_and_answers_slim_rows(app: &TestApp) {
        let owner = app.person("owner").await;
        let outsider = app.person("outsider").await;
        let plan = Bridges::of(app, &owner).await;
        let refused = owner.get("/api/v1/tasks/search/").await.expect(400);
        assert!(refused["project"].is_array(), "{}", refused.text);
        let path = format!("/api/v1/tasks/search/?project={}&q=surv", plan.project);
        let found = owner.get(&path).await.expect(200);
        let rows = found.json.as_array().expect("the search answers a bare array");
        assert_eq!(rows.len(), 1);
        let keys: BTreeSet<&str> = rows[0].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, BTreeSet::from(["id", "name", "short_id", "status"]));
        let foreign = outsider.get(&path).await;
        assert!(foreign.status == 404 || foreign.json == json!([]), "{}", foreign.text);
    }

    async fn the_members_of_the_workspace_come_behind_a_cursor_that_survives_newcomers(app: &TestApp) {
        let admin = app.admin().await;
        for name in ["bela", "dora", "fred", "hana", "ivan"] {
            app.person(name).await;
        }
        let mut seen = Vec::new();
        let mut next = Some("/api/v1/workspace/members/?page_size=2".to_owned());
        while let Some(path) = next {
            let page = admin.get(&path).await.expect(200);
            assert_eq!(envelope_of(&page.json), Some(Cursor), "{}", page.text);
            assert!(page.results().len() <= 2);
            seen.extend(ids(page.results()));
            if seen.len() == 2 {
                app.person("aaron").await;
            }
            next = page["next"].as_str().map(behind_host);
        }
        let distinct: BTreeSet<String> = seen.iter().map(Json::to_string).collect();
        assert_eq!((seen.len(), distinct.len()), (6, 6));
        admin.get("/api/v1/workspace/members/?cursor=made-up").await.expect(400);
    }

    async fn a_member_of_the_workspace_finds_only_themselves_among_its_members(app: &TestApp) {
        app.admin().await;
        let mara = app.person("mara").await;
        let page = mara.get("/api/v1/workspace/members/").await.expect(200);
        let addresses: Vec<&Json> = page.results().iter().map(|row| &row["email"]).collect();
        assert_eq!(addresses, ["mara@example.test"]);
    }

    async fn a_typeahead_over_people_waits_for_two_letters(app: &TestApp) {
        let ines = app.person("ines").await;
        for name in ["mara", "marek"] {
            app.person(name).await;
        }
        let found = async |text: &str| {
            let answer = ines.get(&format!("/api/v1/users/search/?q={text}")).await.expect(200);
            let rows = answer.json.as_array().cloned().expect("the typeahead answers a bare array");
            rows.iter().map(|row| row["username"].as_str().unwrap_or_default().to_owned()).collect::<BTreeSet<_>>()
        };
        assert!(found("m").await.is_empty());
        assert_eq!(found("mar").await, BTreeSet::from(["mara".to_owned(), "marek".to_owned()]));
        assert_eq!(found("mare").await, BTreeSet::from(["marek".to_owned()]));
    }
}

/// The envelope that the document declares for the answer of an operation, if it is one.
fn declared(document: &Json, operation: &Operation) -> Option<Envelope> {
    let schema = &operation.said["responses"]["200"]["content"]["application/json"]["schema"];
    let target = schema["$ref"].as_str().and_then(|target| document.pointer(target.strip_prefix('#')?));
    let schema = target.unwrap_or(schema);
    match schema["type"].as_str() {
        Some("array") => Some(Bare),
        _ => envelope_of_keys(&schema["properties"]),
    }
}

/// The envelope of an answer, if it is one.
fn envelope_of(answer: &Json) -> Option<Envelope> {
    if answer.is_array() { Some(Bare) } else { envelope_of_keys(answer) }
}

fn envelope_of_keys(object: &Json) -> Option<Envelope> {
    let keys: BTreeSet<&str> = object.as_object()?.keys().map(String::as_str).collect();
    // My Work has sections beside its page.
    let with = |wanted: &[&str]| wanted.iter().all(|key| keys.contains(key));
    match keys.len() {
        _ if with(&["count", "next", "previous", "results"]) => Some(Counted),
        3 if with(&["next", "previous", "results"]) => Some(Cursor),
        _ => None,
    }
}

/// The rows of every page, from the first on.
async fn walk(person: &Person<'_>, first: &str) -> Vec<Json> {
    let mut rows = Vec::new();
    let mut next = Some(first.to_owned());
    while let Some(path) = next {
        let page = person.get(&path).await.expect(200);
        rows.extend(page.results().iter().cloned());
        assert!(rows.len() < 1000, "{first} does not end");
        next = page["next"].as_str().map(behind_host);
    }
    rows
}

/// Path and query of an absolute link.
fn behind_host(link: &str) -> String {
    let (_, rest) = link.split_once("://").expect("links are absolute");
    let path = rest.find('/').expect("links have a path");
    rest[path..].to_owned()
}

fn ids(rows: &[Json]) -> Vec<Json> {
    rows.iter().map(|row| row["id"].clone()).collect()
}

fn names(rows: &[Json]) -> Vec<String> {
    rows.iter().map(|row| row["name"].as_str().unwrap_or_default().to_owned()).collect()
}
