//! Risks of the register in the simulation, and what each of them costs the finish.

use planwright_testkit::{Answer, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, text};

impl Site<'_> {
    /// A run with a fixed seed.
    async fn simulated(&self) -> Answer {
        let asked = json!({"n_simulations": 2000, "seed": 7});
        self.owner.post(&self.at("monte-carlo/"), asked).await.expect(200)
    }

    async fn note_risk(&self, title: &str, task: &str, fields: Value) -> String {
        let mut risk = json!({"title": title, "probability": 3, "impact": 3, "tasks": [task]});
        for (field, value) in fields.as_object().into_iter().flatten() {
            risk[field] = value.clone();
        }
        self.owner.post(&self.at("risks/"), risk).await.expect(201).id()
    }
}

/// Working days of February that are in a text such as `2026-02-13`.
fn later(run: &Answer, than: &Answer) -> bool {
    text(&run["p80"]) > text(&than["p80"])
}

both_engines! {
    async fn a_risk_with_days_moves_the_percentiles_until_it_is_over(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 5).await, site.task("Pour", 5).await);
        site.link(&dig, &pour).await;
        let plain = site.simulated().await;
        assert_eq!((&plain["risks_counted"], text(&plain["p80"])), (&json!(0), "2026-01-16"));
        let graded = site.note_risk("Only graded", &dig, json!({})).await;
        assert_eq!(site.simulated().await["p80"], plain["p80"], "a grade is no number of days");
        let rain = json!({"likelihood_percent": 90, "delay_days": 5});
        let rain = site.note_risk("Rain", &dig, rain).await;
        let wet = site.simulated().await;
        assert_eq!((&wet["risks_counted"], text(&wet["p80"])), (&json!(1), "2026-01-23"));
        assert_eq!(wet["cpm_finish"], plain["cpm_finish"], "a risk moves no date of the plan");
        let one = site.at(&format!("risks/{rain}/"));
        site.owner.patch(&one, json!({"delay_high_days": 15})).await.expect(200);
        assert!(later(&site.simulated().await, &wet));
        for over in ["RESOLVED", "CLOSED"] {
            site.owner.patch(&one, json!({"status": over})).await.expect(200);
            assert_eq!(site.simulated().await["p80"], plain["p80"], "{over}");
        }
        site.owner.patch(&one, json!({"status": "ACCEPTED"})).await.expect(200);
        assert!(later(&site.simulated().await, &plain));
        site.owner.delete(&one).await.expect(204);
        assert_eq!(site.simulated().await["risks_counted"], 0);
        site.owner.get(&site.at(&format!("risks/{graded}/"))).await.expect(200);
    }

    async fn days_of_a_risk_are_checked_by_name(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 5).await;
        let all = site.at("risks/");
        let risk = |fields: Value| {
            let mut risk = json!({"title": "Rain", "probability": 3, "impact": 3, "tasks": [dig]});
            fields.as_object().into_iter().flatten().for_each(|(field, value)| risk[field] = value.clone());
            risk
        };
        for (fields, wrong) in [
            (json!({"likelihood_percent": 0}), "likelihood_percent"),
            (json!({"likelihood_percent": 101}), "likelihood_percent"),
            (json!({"delay_days": -1}), "delay_days"),
            (json!({"delay_low_days": 1}), "delay_low_days"),
            (json!({"delay_days": 3, "delay_low_days": 4}), "delay_low_days"),
            (json!({"delay_days": 3, "delay_high_days": 2}), "delay_high_days"),
        ] {
            let refused = site.owner.post(&all, risk(fields)).await.expect(400);
            assert!(refused[wrong].is_array(), "{}", refused.text);
        }
        let made = site.owner.post(&all, risk(json!({"delay_days": 3, "delay_high_days": 9}))).await.expect(201);
        let one = format!("{all}{}/", made.id());
        let refused = site.owner.patch(&one, json!({"delay_days": 10})).await.expect(400);
        assert!(refused["delay_high_days"].is_array(), "{}", refused.text);
        let cleared = json!({"delay_days": null, "delay_high_days": null});
        assert_eq!(site.owner.patch(&one, cleared).await.expect(200)["delay_days"], json!(null));
    }

    async fn an_analysis_says_what_each_risk_and_each_estimate_costs(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, vera) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let dig = site.create(json!({"name": "Dig", "duration": 5, "optimistic_duration": 4, "most_likely_duration": 5, "pessimistic_duration": 30})).await.id();
        let pour = site.create(json!({"name": "Pour", "duration": 5, "optimistic_duration": 5, "most_likely_duration": 5, "pessimistic_duration": 6})).await.id();
        site.link(&dig, &pour).await;
        let rain = site.note_risk("Rain", &pour, json!({"likelihood_percent": 100, "delay_days": 10})).await;
        site.note_risk("Never counted", &pour, json!({})).await;
        let all = site.at("monte-carlo/drivers/");
        mara.get(&format!("{all}latest/")).await.expect(404);
        let asked = site.owner.post(&all, json!({"seed": 7})).await.expect(202);
        assert_eq!((&asked["status"], &asked["percentile"], &asked["result"]), (&json!("pending"), &json!(80), &json!(null)));
        site.hush().await;
        let one = format!("{all}{}/", asked.id());
        let found = vera.get(&one).await.expect(200);
        assert_eq!(found["status"], "completed", "{}", found.text);
        let drivers = found["result"]["drivers"].as_array().unwrap();
        let lines: Vec<(&str, &str)> = drivers.iter().map(|one| (text(&one["kind"]), text(&one["name"]))).collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[..2].contains(&("risk", "Rain")) && lines[..2].contains(&("task", "Dig")), "{lines:?}");
        assert_eq!(lines[2], ("task", "Pour"));
        let of = |id: &str| drivers.iter().find(|one| one["id"] == id).unwrap()["days"].as_i64().unwrap();
        assert!(of(&rain) >= 14 && of(&dig) >= 7 && of(&pour) <= 3, "{}", found.text);
        assert_eq!(mara.get(&format!("{all}latest/")).await.expect(200)["id"], found["id"]);
        let again = site.owner.post(&all, json!({"seed": 7})).await.expect(202).id();
        site.hush().await;
        let same = mara.get(&format!("{all}{again}/")).await.expect(200);
        assert_eq!(same["result"], found["result"], "the same seed gives the same answer");
        app.person("otto").await.get(&one).await.expect(404);
        let elsewhere = app.project(&site.owner, "Tunnel").await;
        site.owner.get(&format!("/api/v1/projects/{elsewhere}/monte-carlo/drivers/{}/", asked.id())).await.expect(404);
        let refused = site.owner.post(&all, json!({"percentile": 100, "n_simulations": 5})).await.expect(400);
        assert!(refused["percentile"].is_array() && refused["n_simulations"].is_array(), "{}", refused.text);
    }
}
