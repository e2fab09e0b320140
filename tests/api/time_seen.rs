//! Nobody sees another person's minutes: every read of the interface is walked as each role, after each has logged some.
//! The marks of the minutes are numbers and notes that nothing else has.

use http::Method;
use planwright_testkit::{TestApp, each_engine};
use serde_json::{Value, json};

use crate::served::{document, operations};
use crate::time_entries::log;
use crate::world::World;

/// Who logs time: minutes on an entry of each, and how many such entries, so that a sum gives somebody away as well.
const AUTHORS: [(&str, i64); 4] = [("member", 1201), ("scheduler", 1213), ("manager", 1217), ("owner", 1223)];

/// Who looks.
const READERS: [&str; 7] = ["viewer", "member", "scheduler", "manager", "owner", "admin", "outsider"];

/// What goes on answering as long as somebody listens.
const WITHOUT_END: &str = "GET /api/v1/projects/{}/events/stream";

fn note(name: &str) -> String {
    format!("minutes-of-the-{name}")
}

/// Whether a number stands anywhere in an answer.
fn holds(answer: &Value, numbers: &[i64]) -> bool {
    match answer {
        Value::Number(number) => number.as_i64().is_some_and(|number| numbers.contains(&number)),
        Value::Array(rows) => rows.iter().any(|row| holds(row, numbers)),
        Value::Object(fields) => fields.values().any(|value| holds(value, numbers)),
        _ => false,
    }
}

/// Everybody logs the same number of minutes on a task and on another below the same phase, and starts a timer.
async fn log_as_each(world: &World, app: &TestApp) {
    let task = world.row("tasks");
    for (name, minutes) in AUTHORS {
        let person = world.person(app, name);
        for at in 0..2 {
            let entry = json!({"minutes": minutes, "note": format!("{} {at}", note(name))});
            person.post(&log(task), entry).await.expect(201);
        }
        person.post("/api/v1/me/timer/start", json!({"task": task, "note": note(name)})).await.expect(201);
        person.post("/api/v1/me/timesheets/2026-01-05/submit", json!({})).await.expect(200);
    }
}

each_engine! {
    async fn no_read_of_the_interface_shows_anybody_the_minutes_of_others(engine: Engine) {
        let world = World::of(engine, 2).await;
        let app = world.start().await;
        log_as_each(&world, &app).await;
        app.run_jobs().await;
        let (mut wrong, mut own_seen) = (Vec::new(), Vec::new());
        for name in READERS {
            let reader = world.person(&app, name);
            let others = AUTHORS.iter().filter(|(author, _)| *author != name);
            let secrets: Vec<(String, [i64; 2])> =
                others.map(|(author, minutes)| (note(author), [*minutes, 2 * minutes])).collect();
            for operation in operations(document()) {
                if operation.method != Method::GET || operation.name_of_shape() == WITHOUT_END {
                    continue;
                }
                let address = world.address(&operation);
                let sign = if address.contains('?') { '&' } else { '?' };
                for path in [address.clone(), format!("{address}{sign}entity=all&include_deleted=true&page_size=200")] {
                    let answer = reader.lenient().get(&path).await;
                    if secrets.iter().any(|(note, minutes)| answer.text.contains(note) || holds(&answer.json, minutes)) {
                        wrong.push(format!("{name}: GET {path}"));
                    }
                    if answer.text.contains(&note(name)) {
                        own_seen.push((name, operation.shape()));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "these show the minutes of others:\n{}", wrong.join("\n"));
        for (author, _) in AUTHORS {
            for shape in ["/api/v1/me/time-entries/", "/api/v1/me/timer/", "/api/v1/tasks/{}/time-entries/"] {
                assert!(own_seen.contains(&(author, shape.to_owned())), "{author} does not see their own at {shape}");
            }
        }
    }
}
