//! The test of the telemetry, against a collector that the test starts.

use planwright_domain::Role;
use planwright_testkit::{TestApp, each_engine};
use serde_json::json;

use crate::receiver::{Mood, Receiver};
use crate::site::text;

const TEST: &str = "/api/v1/health/telemetry/test/";

each_engine! {
    async fn a_trace_and_a_metric_reach_the_collector_or_the_answer_says_why_not(engine: Engine) {
        let collector = Receiver::that(Mood::Answers(200)).await;
        let endpoint = collector.url().split("/hook").next().unwrap().to_owned();
        let app = TestApp::start_with(engine, &[("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str())]).await;
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        app.person("mara").await.post(TEST, json!({})).await.expect(403);
        let tried = admin.post(TEST, json!({})).await.expect(200);
        assert_eq!((text(&tried["mode"]), text(&tried["outcome"])), ("export", "success"), "{}", tried.text);
        let paths: Vec<String> = collector.received().iter().map(|request| request.path.clone()).collect();
        for path in ["/v1/traces", "/v1/metrics"] {
            assert!(paths.iter().any(|sent| sent == path), "{path}: {paths:?}");
        }
        let names = ["telemetry_test", "planwright_telemetry_tests_total"];
        for name in names {
            let is_there = |body: &[u8]| body.windows(name.len()).any(|part| part == name.as_bytes());
            assert!(
                collector.received().iter().any(|request| is_there(&request.body)),
                "{name} was not sent"
            );
        }
        collector.becomes(Mood::Answers(403));
        let refused = admin.post(TEST, json!({})).await.expect(200);
        assert_eq!(text(&refused["outcome"]), "reachable", "{}", refused.text);
        assert!(!text(&refused["detail"]).is_empty());
        app.finish().await;
        let app = TestApp::start(engine).await;
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        let unset = admin.post(TEST, json!({})).await.expect(200);
        assert_eq!((text(&unset["mode"]), text(&unset["outcome"])), ("probe", "failure"));
        app.finish().await;
    }
}
