//! Nobody learns the velocity of a team that does not show it: every read of the interface is walked as each role.
//! The mark is a number of completed points that nothing else has.

use http::Method;
use planwright_testkit::{Person, TestApp, each_engine};
use serde_json::{Value, json};

use crate::served::{document, operations};
use crate::site::{TASKS, project_path, task_path};
use crate::world::World;

/// Who looks.
const READERS: [&str; 7] = ["viewer", "member", "scheduler", "manager", "owner", "admin", "outsider"];

/// What goes on answering as long as somebody listens.
const WITHOUT_END: &str = "GET /api/v1/projects/{}/events/stream";

/// Points of two finished tasks and of one that is not; only their sum tells what was completed.
const POINTS: [(i64, bool); 3] = [(3001, true), (3010, true), (1908, false)];
const COMPLETED: f64 = 6011.0;
const RATIO: f64 = 6011.0 / 7919.0;

/// Whether a number that gives the velocity away stands anywhere in an answer.
fn holds(answer: &Value) -> bool {
    match answer {
        Value::Number(number) => {
            let tells = |number: f64| number == COMPLETED || (number - RATIO).abs() < 0.0005;
            number.as_f64().is_some_and(tells)
        }
        Value::Array(rows) => rows.iter().any(holds),
        Value::Object(fields) => fields.values().any(holds),
        _ => false,
    }
}

/// Closes a sprint of North in which the points above were promised.
async fn close_one(owner: &Person<'_>, project: &str) {
    let request = json!({"name": "Counted", "start_date": "2026-01-05", "finish_date": "2026-01-16"});
    let sprint = owner.post(&format!("{}sprints/", project_path(project)), request).await.expect(201).id();
    for (points, is_done) in POINTS {
        let request = json!({"name": format!("{points} points"), "project": project, "sprint": sprint,
            "story_points": points});
        let task = owner.post(TASKS, request).await.expect(201).id();
        if is_done {
            owner.patch(&task_path(&task), json!({"status": "COMPLETE"})).await.expect(200);
        }
    }
    let one = format!("/api/v1/sprints/{sprint}/");
    owner.post(&format!("{one}activate/"), json!({})).await.expect(200);
    owner.post(&format!("{one}close/"), json!({})).await.expect(202);
}

async fn is_shown_velocity(app: &TestApp, world: &World, reader: &'static str) -> bool {
    let reader = world.person(app, reader);
    let answer = reader.lenient().get(&format!("{}velocity/", project_path(world.row("projects")))).await;
    answer.status == 200 && answer["velocity_suppressed"] == false
}

each_engine! {
    async fn no_read_of_the_interface_tells_a_velocity_to_those_who_are_not_shown_it(engine: Engine) {
        let world = World::of(engine, 2).await;
        let app = world.start().await;
        let owner = world.person(&app, "owner");
        close_one(&owner, world.row("projects")).await;
        app.run_jobs().await;
        let (mut wrong, mut shown) = (Vec::new(), Vec::new());
        for name in READERS {
            if is_shown_velocity(&app, &world, name).await {
                shown.push(name);
                continue;
            }
            let reader = world.person(&app, name);
            for operation in operations(document()) {
                if operation.method != Method::GET || operation.name_of_shape() == WITHOUT_END {
                    continue;
                }
                let address = world.address(&operation);
                let sign = if address.contains('?') { '&' } else { '?' };
                for path in [address.clone(), format!("{address}{sign}entity=all&include_deleted=true&page_size=200")] {
                    if holds(&reader.lenient().get(&path).await.json) {
                        wrong.push(format!("{name}: GET {path}"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "these tell the velocity of the team:\n{}", wrong.join("\n"));
        assert!(shown.contains(&"member"), "the team sees its own velocity; {shown:?}");
        assert!(!shown.contains(&"owner") && !shown.contains(&"viewer") && !shown.contains(&"manager"), "{shown:?}");
    }
}
