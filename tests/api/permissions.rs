//! Who gets through where: every route as nobody, and every route to a row of the world as an outsider and in every role.
//! Which fields a role may write is tested by area.

use http::Method;
use planwright_testkit::{Answer, Engine, Person, both_engines, each_engine};
use serde_json::json;

use crate::served::{NOWHERE, Operation, document, operations};
use crate::world::World;

/// What the contract opens to anybody; a route that is not here needs a credential.
const PUBLIC: [&str; 20] = [
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
    "POST /api/v1/auth/passkey/",
    "POST /api/v1/auth/passkey/options/",
    "POST /api/v1/auth/password/reset/",
    "POST /api/v1/auth/password/reset/confirm/",
    "POST /api/v1/auth/token/",
    "POST /api/v1/auth/token/refresh/",
    "POST /api/v1/auth/token/second-factor/",
    "POST /api/v1/integrations/projects/{}/git-webhook/",
    "POST /api/v1/workspace/invites/accept/",
];

/// Routes that only a token of the project or program opens; a sign-in is no credential there.
const FOR_TOKENS: [&str; 2] = ["/task-sync/", "/acceptance-results/"];

/// Who walks: the roles of the plan, lowest first, and the owner of the workspace, who is in no project.
const WALKERS: [&str; 6] = ["viewer", "member", "scheduler", "manager", "owner", "admin"];

/// How many rows the lists of the world have here.
const SIZE: usize = 2;

/// Kinds that belong to no plan and no person, or to whoever asks, as the weeks of timesheets do, the numbers of preferences
/// and the providers at which people have credentials.
const FOR_EVERYBODY: [&str; 14] = [
    "board",
    "calendars",
    "calendars/exceptions",
    "connections",
    "credentials",
    "groups",
    "notification-preferences",
    "project-templates",
    "resource-skills",
    "resources",
    "samples",
    "schedule",
    "skills",
    "timesheets",
];

/// Operations that are 404 for everybody although their rows are there, each with the reason.
const NOT_READABLE_YET: [(&str, &str); 2] = [
    ("POST /api/v1/integrations/projects/{}/git-webhook/", "whoever does not know the secret learns nothing"),
    ("POST /api/v1/me/connections/{}/sync/", "nobody in the world has connected a tracker"),
];

both_engines! {
    async fn whoever_shows_no_credential_gets_401_wherever_the_contract_asks_for_one(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let nobody = app.anonymous();
        let mut wrong = Vec::new();
        for operation in operations(document()) {
            let is_public = PUBLIC.contains(&operation.name_of_shape().as_str());
            if operation.is_public() != is_public && !is_for_tokens(&operation) {
                wrong.push(format!("{} is public in one of document and contract only", operation.name()));
            }
            if is_public {
                continue;
            }
            let answer = ask(&nobody, &operation, &operation.path_with(|_| NOWHERE.to_owned())).await;
            if answer.status != 401 || answer.header("www-authenticate") != "Bearer" {
                wrong.push(format!("{} answers {}: {}", operation.name(), answer.status, answer.text));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

each_engine! {
    async fn to_an_outsider_the_rows_of_others_are_like_rows_that_do_not_exist(engine: Engine) {
        let world = World::of(engine, SIZE).await;
        let app = world.start().await;
        let outsider = world.person(&app, "outsider");
        let mut wrong = Vec::new();
        for operation in operations(document()) {
            let kinds = operation.kinds();
            if kinds.is_empty() || kinds.iter().any(|kind| FOR_EVERYBODY.contains(&kind.as_str())) {
                continue;
            }
            let foreign = ask(&outsider, &operation, &world.path(&operation)).await;
            let absent = ask(&outsider, &operation, &operation.path_with(|_| NOWHERE.to_owned())).await;
            let refusals = match operation.name_of_shape().as_str() {
                _ if is_for_tokens(&operation) => [401, 403, 404].as_slice(),
                _ => &[403, 404],
            };
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
    }
}

#[tokio::test]
async fn every_parameter_of_every_path_has_a_row_in_the_world() {
    let world = World::of(Engine::Sqlite, SIZE).await;
    let mut lacking = Vec::new();
    for operation in operations(document()) {
        lacking.extend(
            world.lacking(&operation).into_iter().map(|kind| format!("{}: {kind}", operation.name())),
        );
    }
    assert!(lacking.is_empty(), "tests/api/world/build.rs makes no row for\n{}", lacking.join("\n"));
}

#[tokio::test]
async fn the_statuses_by_role_are_the_golden_ones() {
    let world = World::of(Engine::Sqlite, SIZE).await;
    let mut app = world.start().await;
    let mut wrong = Vec::new();
    let mut table = String::new();
    for operation in operations(document()) {
        if operation.kinds().is_empty() {
            continue;
        }
        let mut statuses = Vec::new();
        for name in WALKERS {
            let status = ask(&world.person(&app, name), &operation, &world.address(&operation)).await.status;
            // What was refused changed nothing; after anything else the next one begins on a fresh copy.
            if status < 400 && operation.method != Method::GET {
                app = world.start().await;
            }
            statuses.push(status);
        }
        wrong.extend(faults(&statuses).map(|fault| format!("{} {statuses:?}: {fault}", operation.name())));
        let is_hidden = statuses.iter().all(|status| *status == 404);
        if is_hidden != NOT_READABLE_YET.iter().any(|(shape, _)| *shape == operation.name_of_shape()) {
            wrong.push(format!("{} {statuses:?}: it is 404 for everybody, or no longer", operation.name()));
        }
        let shown: Vec<String> = statuses.iter().map(u16::to_string).collect();
        table += &format!("{}  {:<6} {}\n", shown.join(" "), operation.method.as_str(), operation.path);
    }
    assert!(wrong.is_empty(), "{}\n\n{table}", wrong.join("\n"));
    insta::assert_snapshot!("statuses_by_role", format!("{}\n{table}", WALKERS.join(" ")));
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

/// Sends the operation with an empty body.
async fn ask(person: &Person<'_>, operation: &Operation, path: &str) -> Answer {
    let body = (operation.method != Method::GET).then(|| json!({}));
    person.send(operation.method.clone(), path, body).await
}

fn is_for_tokens(operation: &Operation) -> bool {
    FOR_TOKENS.iter().any(|end| operation.path.ends_with(end))
}
