//! What a request says that no field knows: it is named in the answer, or refused under strict handling.

use planwright_testkit::both_engines;
use serde_json::json;

use crate::site::{Site, TASKS, task_path};

const NAMED: &str = "x-svc-ignored-fields";

both_engines! {
    async fn a_field_that_nothing_knows_is_named_in_the_answer(app: &TestApp) {
        let site = Site::new(app).await;
        let lenient = site.owner.lenient();
        let body = json!({"project": site.project, "name": "Dig", "colour": "red", "owners": [{"resource": "x", "share": 1}]});
        let refused = lenient.post(TASKS, body).await.expect(400);
        assert!(refused["owners"].is_array() && refused.json.get("colour").is_none(), "{}", refused.text);
        assert_eq!(refused.header(NAMED), "colour, owners.0.share");
        let made = lenient.post(TASKS, json!({"project": site.project, "name": "Dig", "colour": "red"})).await.expect(201);
        assert_eq!(made.header(NAMED), "colour");
        let listed = lenient.get(&format!("{TASKS}?project={}&colour=red&page_size=5", site.project)).await.expect(200);
        assert_eq!(listed.header(NAMED), "colour");
        assert_eq!(lenient.get(&task_path(&made.id())).await.expect(200).header(NAMED), "");
    }

    async fn strict_handling_refuses_what_no_field_knows_and_writes_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        let strict = site.owner.with_header("prefer", "respond-async, handling=strict");
        let body = json!({"project": site.project, "name": "", "colour": "red"});
        let refused = strict.post(TASKS, body).await.expect(400);
        assert!(refused["colour"].is_array() && refused["name"].is_array(), "both are told: {}", refused.text);
        assert_eq!(refused.header("preference-applied"), "handling=strict");
        strict.post(TASKS, json!({"project": site.project, "name": "Dig", "colour": "red"})).await.expect(400);
        assert_eq!(site.tasks().await.len(), 0);
        let refused = strict.get(&format!("{TASKS}?colour=red")).await.expect(400);
        assert!(refused["colour"].is_array());
        let made = strict.post(TASKS, json!({"project": site.project, "name": "Dig"})).await.expect(201);
        assert_eq!((made.header("preference-applied"), made.header(NAMED)), ("handling=strict", ""));
    }

    async fn an_action_without_fields_refuses_a_body_that_says_something(app: &TestApp) {
        let site = Site::new(app).await;
        site.task("Dig", 1).await;
        let second = site.task("Pour", 1).await;
        let indent = site.at(&format!("tasks/{second}/indent/"));
        let refused = site.owner.post(&indent, json!({"levels": 2})).await.expect(400);
        assert!(refused["non_field_errors"].is_array(), "{}", refused.text);
        site.owner.post_raw(&indent, "application/json", "nonsense").await.expect(400);
        site.owner.post(&indent, json!({})).await.expect(200);
        site.owner.post_raw(&site.at(&format!("tasks/{second}/outdent/")), "application/json", "").await.expect(200);
    }

    async fn an_action_whose_clients_send_the_whole_row_names_what_it_leaves_aside(app: &TestApp) {
        let site = Site::new(app).await;
        let lenient = site.owner.lenient();
        let archived = lenient.post(&site.at("archive/"), json!({"name": "Bridge"})).await.expect(200);
        assert_eq!((archived.header(NAMED), &archived["name"]), ("name", &json!("Bridge")));
    }
}
