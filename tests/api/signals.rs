//! Who sees the figures of a team, and how the team decides on that.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, text};
use crate::sprints::sprint_path;

both_engines! {
    async fn figures_are_for_the_team_until_it_votes_for_more(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, nora) = (site.person("mara", 100).await, site.person("nora", 100).await);
        let viewer = site.person("vera", 1).await;
        let policy = site.at("signal-privacy/");
        let begun = site.owner.get(&policy).await.expect(200);
        assert_eq!((&begun["signals"]["velocity"], &begun["requester_tier"]), (&json!({"audience": "team", "ceiling": "team"}), &json!("team_sm_pm")));
        assert_eq!(begun["signals"]["throughput_rollup"]["ceiling"], "program_shared");
        assert_eq!((&begun["can_set_audience"], &begun["can_vote"]), (&json!(true), &json!(true)));
        let seen = viewer.get(&policy).await.expect(200);
        assert_eq!((&seen["requester_tier"], &seen["can_set_audience"], &seen["can_vote"]), (&json!("program_shared"), &json!(false), &json!(false)));
        let wider = json!({"signal": "velocity", "audience": "team_sm_pm"});
        let refused = site.owner.patch(&policy, wider.clone()).await.expect(400);
        assert!(refused["audience"].is_array(), "{}", refused.text);
        mara.patch(&policy, wider.clone()).await.expect(403);
        let raise = format!("{policy}raise-ceiling/");
        let asked = json!({"signal": "velocity", "ceiling": "team_sm_pm"});
        let proposal = site.owner.post(&raise, asked.clone()).await.expect(202);
        assert_eq!((&proposal["status"], &proposal["eligible_count"], &proposal["threshold"]), (&json!("open"), &json!(3), &json!(2)));
        assert_eq!(site.owner.post(&raise, asked).await.expect(409)["code"], "proposal_already_open");
        let vote = format!("{policy}ceiling-proposals/{}/vote/", proposal.id());
        viewer.post(&vote, json!({"choice": "approve"})).await.expect(403);
        let once = mara.post(&vote, json!({"choice": "reject"})).await.expect(200);
        assert_eq!((&once["reject_count"], &once["your_vote"]), (&json!(1), &json!("reject")));
        let changed = mara.post(&vote, json!({"choice": "approve"})).await.expect(200);
        assert_eq!((&changed["approve_count"], &changed["status"]), (&json!(1), &json!("open")));
        assert_eq!(viewer.get(&format!("{policy}ceiling-proposals/")).await.expect(200).json[0]["votes"], json!([]));
        let ratified = nora.post(&vote, json!({"choice": "approve"})).await.expect(200);
        assert_eq!(ratified["status"], "ratified");
        assert_eq!(nora.post(&vote, json!({"choice": "reject"})).await.expect(409)["code"], "proposal_closed");
        let (sprint, tasks) = site.running("First", &[3]).await;
        site.change(&tasks[0], json!({"status": "COMPLETE"})).await;
        site.act(&sprint, "close", json!({})).await.expect(202);
        assert_eq!(site.read_sprint(&sprint).await["completed_points"], Value::Null, "only the ceiling has risen");
        site.owner.patch(&policy, wider).await.expect(200);
        assert_eq!(site.read_sprint(&sprint).await["completed_points"], 3);
        assert_eq!(viewer.get(&sprint_path(&sprint)).await.expect(200)["completed_points"], Value::Null);
        let down = site.owner.post(&format!("{policy}ratchet-down/"), json!({})).await.expect(200);
        assert_eq!(down["signals"]["velocity"], json!({"audience": "team", "ceiling": "team"}));
        assert_eq!(site.read_sprint(&sprint).await["completed_points"], Value::Null);
    }

    async fn a_proposal_is_rejected_withdrawn_or_runs_out(app: &TestApp) {
        let mut site = Site::new(app).await;
        let mut mara = site.person("mara", 100).await;
        let policy = site.at("signal-privacy/");
        let propose = async |site: &Site<'_>| {
            let asked = json!({"signal": "pulse", "ceiling": "program_shared"});
            site.owner.post(&site.at("signal-privacy/raise-ceiling/"), asked).await.expect(202).id()
        };
        let at = |id: &str, action: &str| format!("{policy}ceiling-proposals/{id}/{action}/");
        let first = propose(&site).await;
        let rejected = mara.post(&at(&first, "vote"), json!({"choice": "reject"})).await.expect(200);
        assert_eq!(rejected["status"], "rejected", "two of two have to approve");
        let second = propose(&site).await;
        mara.post(&at(&second, "withdraw"), json!({})).await.expect(403);
        site.owner.post(&at(&second, "withdraw"), json!({})).await.expect(200);
        let third = propose(&site).await;
        app.later(chrono::Duration::hours(73));
        mara.sign_in_again().await;
        site.owner.sign_in_again().await;
        let late = mara.post(&at(&third, "vote"), json!({"choice": "approve"})).await.expect(409);
        assert_eq!(late["code"], "proposal_closed");
        assert_eq!(site.owner.get(&policy).await.expect(200)["open_proposals"], json!({}));
        let listed = site.owner.get(&format!("{policy}ceiling-proposals/")).await.expect(200);
        let statuses: Vec<&str> = listed.json.as_array().unwrap().iter().map(|row| text(&row["status"])).collect();
        assert_eq!(statuses, ["expired", "superseded", "rejected"]);
        let fourth = propose(&site).await;
        let lowered = json!({"signal": "pulse", "ceiling": "team"});
        site.owner.post(&format!("{policy}raise-ceiling/"), lowered).await.expect(200);
        let listed = site.owner.get(&format!("{policy}ceiling-proposals/")).await.expect(200);
        assert_eq!((&listed.json[0]["id"], &listed.json[0]["status"]), (&json!(fourth), &json!("superseded")));
    }

    async fn a_scrum_master_sets_audiences_and_stands_between_team_and_managers(app: &TestApp) {
        let site = Site::new(app).await;
        let master = site.person("mara", 100).await;
        site.give_facet(&master, json!({"is_scrum_master": true})).await;
        let policy = site.at("signal-privacy/");
        let set = json!({"signal": "throughput_rollup", "audience": "team_sm"});
        master.patch(&policy, set).await.expect(200);
        let manager = site.person("petra", 300).await;
        assert_eq!(manager.get(&policy).await.expect(200)["requester_tier"], "team_sm_pm");
        site.give_facet(&manager, json!({"is_scrum_master": true})).await;
        assert_eq!(manager.get(&policy).await.expect(200)["requester_tier"], "team_sm");
        assert_eq!(master.get(&policy).await.expect(200)["can_set_audience"], false, "there is one Scrum Master");
    }
}
