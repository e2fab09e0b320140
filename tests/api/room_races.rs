//! Two people in the room of a project at the same time: one task is split twice, a baseline is made active while it goes, a risk
//! is closed by both.

use planwright_testkit::{Answer, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, task_path, text};

/// The statuses of answers, lowest first.
fn statuses(answers: &[&Answer]) -> Vec<u16> {
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    statuses
}

both_engines! {
    async fn two_splits_of_one_task_at_once_keep_the_sum_of_its_work(app: &TestApp) {
        let site = Site::new(app).await;
        let manager = site.person("pam", 300).await;
        let task = site.create(json!({"name": "Dig", "duration": 8, "story_points": 8})).await.id();
        let split = format!("{}split/", task_path(&task));
        let (one, other) = tokio::join!(site.owner.post(&split, json!({})), manager.post(&split, json!({})));
        assert_eq!(statuses(&[&one, &other]), [201, 201], "{} {}", one.text, other.text);
        let rows = site.tasks().await;
        let sum = |field: &str| rows.iter().map(|row| row[field].as_i64().unwrap()).sum::<i64>();
        assert_eq!((rows.len(), sum("duration"), sum("story_points")), (3, 8, 8));
        // Both are undone, the later one first, whoever it was of.
        let mut parts = [one.id(), other.id()];
        let undo = async |part: &str| site.owner.post(&format!("{}unsplit/", task_path(part)), json!({})).await.status;
        if undo(&parts[1]).await != 200 {
            parts.reverse();
            assert_eq!(undo(&parts[1]).await, 200);
        }
        assert_eq!(undo(&parts[0]).await, 200);
        let whole = site.read(&task).await;
        assert_eq!((&whole["duration"], &whole["story_points"], site.tasks().await.len()), (&json!(8), &json!(8), 1));
    }

    async fn of_two_splits_of_two_days_at_once_one_finds_nothing_left(app: &TestApp) {
        let site = Site::new(app).await;
        let manager = site.person("pam", 300).await;
        let task = site.task("Dig", 2).await;
        let split = format!("{}split/", task_path(&task));
        let (one, other) = tokio::join!(site.owner.post(&split, json!({})), manager.post(&split, json!({})));
        assert_eq!(statuses(&[&one, &other]), [201, 400], "{} {}", one.text, other.text);
        let days: i64 = site.tasks().await.iter().map(|row| row["duration"].as_i64().unwrap()).sum();
        assert_eq!((site.tasks().await.len(), days), (2, 2));
    }

    async fn a_baseline_is_deleted_while_it_becomes_active(app: &TestApp) {
        let site = Site::new(app).await;
        let manager = site.person("pam", 300).await;
        site.task("Dig", 3).await;
        let all = site.at("baselines/");
        let stays = site.owner.post(&all, json!({})).await.expect(201).id();
        for _ in 0..4 {
            let goes = site.owner.post(&all, json!({})).await.expect(201).id();
            let (goes, activate) = (format!("{all}{goes}/"), format!("{all}{goes}/activate/"));
            let other = format!("{all}{stays}/activate/");
            let (made, gone, also) = tokio::join!(
                manager.post(&activate, json!({})), site.owner.delete(&goes), manager.post(&other, json!({})));
            assert!(matches!(made.status, 200 | 404), "{}", made.text);
            assert_eq!((gone.status, also.status), (204, 200), "{} {}", gone.text, also.text);
            let left = site.owner.get(&all).await.expect(200);
            let active: Vec<&Value> = left.results().iter().filter(|row| row["is_active"] == true).collect();
            assert!(active.iter().all(|row| text(&row["id"]) == stays) && active.len() <= 1, "{}", left.text);
            // The figures are against what is active now, or against nothing.
            let summary = site.owner.get(&site.at("status-summary/")).await.expect(200);
            assert_eq!(summary["baseline_finish_date"].is_null(), active.is_empty());
            app.kept_standings().await;
        }
    }

    async fn a_risk_that_two_close_at_once_is_told_of_once(app: &TestApp) {
        let site = Site::new(app).await;
        let manager = site.person("pam", 300).await;
        for round in 0..3 {
            let risk = json!({"title": format!("Rain {round}"), "probability": 2, "impact": 3});
            let risk = site.owner.post(&site.at("risks/"), risk).await.expect(201).id();
            let one = site.at(&format!("risks/{risk}/"));
            site.hush().await;
            let closed = json!({"status": "CLOSED"});
            let (mine, theirs) = tokio::join!(site.owner.patch(&one, closed.clone()), manager.patch(&one, closed));
            assert_eq!(statuses(&[&mine, &theirs]), [200, 200], "{} {}", mine.text, theirs.text);
            let told = site.payloads("risk.closed").await;
            assert_eq!(told.len(), 1, "{told:?}");
            assert_eq!(site.owner.get(&one).await.expect(200)["server_version"], 2);
        }
    }

    async fn where_a_project_stands_differs_from_its_baseline_in_working_days_too(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, _) = (site.task("Dig", 3).await, site.create(json!({"name": "Handover", "is_milestone": true})).await);
        let gate = site.tasks().await.iter().find(|row| row["name"] == "Handover").map(|row| text(&row["id"]).to_owned()).unwrap();
        site.link(&dig, &gate).await;
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        // From Wednesday the 7th to Monday the 12th: five days, three of them working days.
        site.change(&dig, json!({"duration": 6})).await;
        let summary = site.owner.get(&site.at("status-summary/")).await.expect(200);
        assert_eq!((&summary["finish_delta_days"], &summary["finish_delta_working_days"]), (&json!(5), &json!(3)), "{}", summary.text);
        let overview = site.owner.get(&site.at("overview/")).await.expect(200);
        assert_eq!(overview["status"], summary.json);
        let milestone = &overview["milestones"][0];
        assert_eq!((&milestone["finish_delta_days"], &milestone["finish_delta_working_days"]), (&json!(5), &json!(3)));
        // Nobody moves a date here, and the figures follow all the same.
        site.change(&dig, json!({"status": "COMPLETE"})).await;
        assert_eq!(site.owner.get(&site.at("status-summary/")).await.expect(200)["complete_count"], 1);
        site.owner.delete(&site.at(&format!("baselines/{baseline}/"))).await.expect(204);
        let summary = site.owner.get(&site.at("status-summary/")).await.expect(200);
        assert_eq!((&summary["baseline_finish_date"], &summary["finish_delta_days"]), (&Value::Null, &Value::Null));
    }
}
