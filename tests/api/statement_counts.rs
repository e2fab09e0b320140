//! What a page costs may not grow with its rows: every GET of the document is asked of a small world and of a large one, and
//! has to send as many statements to the database in both.

use http::Method;
use planwright_testkit::{TestApp, each_engine};

use crate::served::{Operation, document, operations};
use crate::world::World;

/// Rows in the lists of the small world.
const FEW: usize = 3;

/// Rows in the lists of the large one, which still fit on one page.
const MANY: usize = 20;

/// What goes on asking as long as somebody listens, so that no count would be that of one request.
const WITHOUT_END: &str = "GET /api/v1/projects/{}/events/stream";

/// What leads a browser to another place.
const LEADS_ELSEWHERE: [&str; 2] = ["GET /api/v1/auth/oidc/login/", "GET /api/v1/auth/oidc/callback/"];

/// What an operation sent, once whatever the process remembers has been read.
async fn cost(world: &World, app: &TestApp, operation: &Operation) -> u64 {
    let reader = world.person(app, world.reader(operation));
    let address = world.address(operation);
    let status = if LEADS_ELSEWHERE.contains(&operation.name_of_shape().as_str()) { 302 } else { 200 };
    reader.get(&address).await.expect(status);
    let before = app.app.db.statements();
    reader.get(&address).await.expect(status);
    app.app.db.statements() - before
}

each_engine! {
    async fn no_get_sends_more_statements_for_more_rows(engine: Engine) {
        let (small, large) = (World::of(engine, FEW).await, World::of(engine, MANY).await);
        let (few, many) = (small.start().await, large.start().await);
        let mut wrong = Vec::new();
        let is_counted = |operation: &&Operation| {
            operation.method == Method::GET && operation.name_of_shape() != WITHOUT_END
        };
        for operation in operations(document()).iter().filter(is_counted) {
            let (less, more) = (cost(&small, &few, operation).await, cost(&large, &many, operation).await);
            if more > less {
                wrong.push(format!("{}: {less} statements for {FEW} rows, {more} for {MANY}", operation.name()));
            }
        }
        assert!(wrong.is_empty(), "these grow with their rows:\n{}", wrong.join("\n"));
    }
}
