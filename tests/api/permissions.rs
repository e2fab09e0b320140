//! Who gets through where: every route as nobody and as an outsider, and the routes of projects, programs and links in every role.
//! Which fields a role may write is tested by area.

use http::Method;
use planwright_domain::Role;
use planwright_testkit::{Answer, Engine, Person, TestApp, both_engines};
use serde_json::json;

use crate::bridges::Bridges;
use crate::served::{NOWHERE, Operation, WITHOUT_LIMITS, document, operations};

/// What the contract opens to anybody; a route that is not here needs a credential.
const PUBLIC: [&str; 17] = [
    "GET /api/schema/",
    "GET /api/v1/auth/oidc/callback/",
    "GET /api/v1/auth/oidc/discover/",
    "GET /api/v1/auth/oidc/login/",
    "GET /api/v1/edition/",
    "GET /api/v1/health/",
    "GET /api/v1/readyz",
    "GET /api/v1/share/board/{}/",
    "GET /api/v1/share/schedule/{}/",
    "GET /api/v1/workspace/logo/",
    "POST /api/v1/auth/logout/",
    "POST /api/v1/auth/password/reset/",
    "POST /api/v1/auth/password/reset/confirm/",
    "POST /api/v1/auth/token/",
    "POST /api/v1/auth/token/refresh/",
    "POST /api/v1/integrations/projects/{}/git-webhook/",
    "POST /api/v1/workspace/invites/accept/",
];

/// Routes that only a token of the project or program opens; a sign-in is no credential there.
const FOR_TOKENS: [&str; 2] = ["/task-sync/", "/acceptance-results/"];

/// The roles of the matrix, lowest first, by the name of the person who has it.
const ROLES: [(&str, Role); 5] = [
    ("viewer", Role::Viewer),
    ("member", Role::Member),
    ("scheduler", Role::ResourceManager),
    ("manager", Role::ProjectManager),
    ("owner", Role::Owner),
];

both_engines! {
    async fn whoever_shows_no_credential_gets_401_wherever_the_contract_asks_for_one(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let nobody = app.anonymous();
        let mut wrong = Vec::new();
        for operation in operations(&document()) {
            let is_public = PUBLIC.contains(&shape(&operation).as_str());
            if operation.is_public() != is_public && !is_for_tokens(&operation) {
                wrong.push(format!("{} is public in one of document and contract only", operation.name()));
            }
            if is_public {
                continue;
            }
            let answer = ask(&nobody, &operation, |_| NOWHERE.to_owned()).await;
            if answer.status != 401 || answer.header("www-authenticate") != "Bearer" {
                wrong.push(format!("{} answers {}: {}", operation.name(), answer.status, answer.text));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    async fn to_an_outsider_the_plans_of_others_are_like_plans_that_do_not_exist(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let owner = app.person("owner").await;
        let outsider = app.person("outsider").await;
        let plan = Bridges::of(app, &owner).await;
        let mut wrong = Vec::new();
        for operation in operations(&document()) {
            let of_others = |word: &str| plan.id_after(word);
            let of_nobody = |_: &str| NOWHERE.to_owned();
            if operation.path_with(of_others) == operation.path_with(of_nobody) {
                continue;
            }
            let foreign = ask(&outsider, &operation, of_others).await;
            let absent = ask(&outsider, &operation, of_nobody).await;
            let refusals = if is_for_tokens(&operation) { [401, 403, 404].as_slice() } else { &[403, 404] };
            if !refusals.contains(&foreign.status) {
                wrong.push(format!("{} answers {}: {}", operation.name(), foreign.status, foreign.text));
            }
            if (foreign.status, &foreign.text) != (absent.status, &absent.text) {
                wrong.push(format!(
                    "{} tells that it exists: {} {} instead of {} {}",
                    operation.name(), foreign.status, foreign.text, absent.status, absent.text
                ));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        owner.get(&format!("/api/v1/projects/{}/", plan.project)).await.expect(200);
        owner.get(&format!("/api/v1/programs/{}/", plan.program)).await.expect(200);
        owner.get(&format!("/api/v1/tasks/{}/", plan.task)).await.expect(200);
    }
}

#[tokio::test]
async fn the_statuses_by_role_are_the_golden_ones() {
    let app = TestApp::start_with(Engine::Sqlite, &WITHOUT_LIMITS).await;
    let mut people = Vec::new();
    for (name, _) in ROLES {
        people.push(app.person(name).await);
    }
    let mut wrong = Vec::new();
    let mut table = String::new();
    let mut plan = plan_of(&app, &people).await;
    for operation in operations(&document()) {
        let below = [
            "/api/v1/projects/{",
            "/api/v1/programs/{",
            "/api/v1/dependencies/{",
            "/api/v1/task-relations/{",
            "/api/v1/slip-conflicts/{",
        ];
        if !below.iter().any(|start| operation.path.starts_with(start)) {
            continue;
        }
        let mut statuses = Vec::new();
        for person in &people {
            let status = ask(person, &operation, |word| plan.id_after(word)).await.status;
            // What was refused changed nothing; after anything else the next one begins on a fresh plan.
            if status < 400 && operation.method != Method::GET {
                plan = plan_of(&app, &people).await;
            }
            statuses.push(status);
        }
        wrong.extend(faults(&statuses).map(|fault| format!("{} {statuses:?}: {fault}", operation.name())));
        let shown: Vec<String> = statuses.iter().map(u16::to_string).collect();
        table += &format!("{}  {:<6} {}\n", shown.join(" "), operation.method.as_str(), operation.path);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: Vec<&str> = ROLES.iter().map(|(name, _)| *name).collect();
    insta::assert_snapshot!("statuses_by_role", format!("{}\n{table}", names.join(" ")));
    app.finish().await;
}

/// What no row of the matrix may show, whatever the route.
fn faults(statuses: &[u16]) -> impl Iterator<Item = &'static str> {
    let defect = statuses.iter().any(|status| *status >= 500 && *status != 501);
    // A Resource Manager stands above a member and still authors no plan, so its column is left out.
    let ladder = [statuses[0], statuses[1], statuses[3], statuses[4]];
    let inverted = ladder.windows(2).any(|pair| pair[1] == 403 && pair[0] != 403);
    let unknown = statuses.contains(&405);
    [
        (defect, "a defect"),
        (inverted, "a higher role is refused what a lower one may do"),
        (unknown, "the method is listed and not known"),
    ]
    .into_iter()
    .filter_map(|(found, fault)| found.then_some(fault))
}

/// A fresh plan in which each of the people has the role of the same place in [`ROLES`].
async fn plan_of(app: &TestApp, people: &[Person<'_>]) -> Bridges {
    let (owner, others) = people.split_last().expect("somebody owns the plan");
    let plan = Bridges::of(app, owner).await;
    for (person, (_, role)) in others.iter().zip(ROLES) {
        plan.let_in(owner, person, role).await;
    }
    plan
}

/// Sends the operation with an empty body.
async fn ask(person: &Person<'_>, operation: &Operation, fill: impl Fn(&str) -> String) -> Answer {
    let body = (operation.method != Method::GET).then(|| json!({}));
    person.send(operation.method.clone(), &operation.path_with(fill), body).await
}

fn shape(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.shape())
}

fn is_for_tokens(operation: &Operation) -> bool {
    FOR_TOKENS.iter().any(|end| operation.path.ends_with(end))
}
