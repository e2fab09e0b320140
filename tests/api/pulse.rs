//! The pulse of a team: an answer is for the eyes of its person, and others see means of at least four.

use planwright_ceremonies::pulse::personal_data;
use planwright_store::sql;
use planwright_testkit::{Person, both_engines};
use serde_json::json;

use crate::site::Site;

both_engines! {
    async fn an_answer_is_shown_to_its_person_alone(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        let (mara, viewer, stranger) = (site.person("mara", 100).await, site.person("vera", 1).await, app.person("sid").await);
        let path = format!("/api/v1/sprints/{sprint}/pulse/");
        mara.get(&path).await.expect(204);
        let told = mara.put(&path, json!({"mood": 2, "energy": 4, "confidence": 3})).await.expect(200);
        let again = mara.put(&path, json!({"mood": 5, "energy": 1})).await.expect(200);
        assert_eq!((&again["id"], &again["mood"], &again["confidence"]), (&told["id"], &json!(5), &json!(null)));
        assert_eq!(mara.get(&path).await.expect(200).json, again.json);
        site.owner.get(&path).await.expect(204);
        viewer.put(&path, json!({"mood": 1, "energy": 1})).await.expect(403);
        stranger.get(&path).await.expect(404);
        for wrong in [json!({"mood": 0, "energy": 6}), json!({"mood": "high", "energy": {}}), json!({})] {
            let refused = mara.put(&path, wrong).await.expect(400);
            assert!(refused["mood"].is_array() && refused["energy"].is_array(), "{}", refused.text);
        }
        assert!(app.told("pulse").await.is_empty() && app.told("sprint_retro").await.is_empty(), "nobody hears of it");
        let kept = sql!("SELECT COUNT(*) FROM history WHERE entity LIKE '%pulse%' OR fields LIKE '%mood%'");
        assert_eq!(app.app.db.count(kept).await.unwrap(), 0, "no history tells how people feel");
    }

    async fn a_mean_is_shown_from_four_answers_on_to_those_whom_the_team_lets_see_it(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        let (pulse, trend) = (format!("/api/v1/sprints/{sprint}/pulse/"), format!("/api/v1/sprints/{sprint}/pulse-trend/"));
        let mut people: Vec<Person<'_>> = Vec::new();
        for name in ["mara", "otto", "pia", "quin"] {
            people.push(site.person(name, 100).await);
        }
        for (person, energy) in people.iter().zip([5, 4, 3, 3]) {
            assert_eq!(people[0].get(&trend).await.expect(200).json, json!({"gated": true}), "fewer than four");
            person.put(&pulse, json!({"mood": 4, "energy": energy})).await.expect(200);
        }
        let shown = people[3].get(&trend).await.expect(200);
        let point = &shown["points"][0];
        assert_eq!((&point["avg_mood"], &point["avg_energy"], &point["avg_confidence"]), (&json!(4.0), &json!(3.8), &json!(null)));
        assert_eq!((&point["response_count"], &shown["energy_declining"]), (&json!(4), &json!(false)));
        assert_eq!(shown["my_response"]["energy"], 3);
        assert_eq!(site.owner.get(&trend).await.expect(200).json, json!({"gated": true}), "managers see what they are shown");
    }

    async fn the_answers_of_a_person_can_be_handed_over_and_erased(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        let mara = site.person("mara", 100).await;
        let path = format!("/api/v1/sprints/{sprint}/pulse/");
        for person in [&mara, &site.owner] {
            person.put(&path, json!({"mood": 4, "energy": 2})).await.expect(200);
        }
        let kept = json!(personal_data::of(&app.app.db, mara.id).await.unwrap());
        assert_eq!((kept.as_array().unwrap().len(), &kept[0]["energy"]), (1, &json!(2)));
        assert_eq!(personal_data::erase(&app.app.db, mara.id).await.unwrap(), 1);
        mara.get(&path).await.expect(204);
        site.owner.get(&path).await.expect(200);
    }
}
