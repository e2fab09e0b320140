//! What a project promised and what threatens it, where it meets others: private projects, agents, simulations, escalation.

use chrono::Duration;
use planwright_domain::Role;
use planwright_store::sql;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

use crate::site::{LINKS, Site, ids, listed, text};

/// A program with an open project of Ona and a private one of Sid. Ona runs the program, and both are members of it.
struct Secret<'a> {
    site: Site<'a>,
    sid: Person<'a>,
    program: String,
    secret: String,
}

impl<'a> Secret<'a> {
    async fn new(app: &'a planwright_testkit::TestApp) -> Self {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        site.settle(json!({"program": program})).await;
        let sid = app.person("sid").await;
        let member = json!({"user": sid.id, "role": 300});
        site.owner.post(&format!("/api/v1/programs/{program}/members/"), member).await.expect(201);
        let body =
            json!({"name": "Vault", "start_date": "2026-01-05", "program": program, "visibility": "PRIVATE"});
        let secret = sid.post("/api/v1/projects/", body).await.expect(201).id();
        Self { site, sid, program, secret }
    }

    fn of_program(&self, rest: &str) -> String {
        format!("/api/v1/programs/{}/{rest}", self.program)
    }
}

const VARIES: [(&str, i64); 3] =
    [("optimistic_duration", 4), ("most_likely_duration", 5), ("pessimistic_duration", 30)];

fn varying(name: &str, project: &str) -> Value {
    let mut task = json!({"name": name, "duration": 5, "project": project});
    VARIES.iter().for_each(|(field, days)| task[field] = json!(days));
    task
}

both_engines! {
    async fn what_drives_a_finish_has_a_name_only_for_those_who_see_its_project(app: &TestApp) {
        let plan = Secret::new(app).await;
        let (site, sid) = (&plan.site, &plan.sid);
        let hidden = sid.post("/api/v1/tasks/", varying("s3crettask", &plan.secret)).await.expect(201).id();
        let risk = json!({"title": "s3cretrisk", "probability": 3, "impact": 3, "tasks": [hidden], "likelihood_percent": 90, "delay_days": 9});
        sid.post(&format!("/api/v1/projects/{}/risks/", plan.secret), risk).await.expect(201);
        let open = site.owner.post("/api/v1/tasks/", varying("Dig", &site.project)).await.expect(201).id();
        site.owner.let_in(&site.at(""), sid, Role::ProjectManager).await;
        let link = sid.post(LINKS, json!({"predecessor": hidden, "successor": open})).await.expect(201);
        assert_eq!(link["pending_acceptance"], false, "{}", link.text);
        let all = site.at("monte-carlo/drivers/");
        let one = format!("{all}{}/", sid.post(&all, json!({"seed": 7})).await.expect(202).id());
        site.hush().await;
        let seen = sid.get(&one).await.expect(200);
        assert!(seen.text.contains("s3crettask") && seen.text.contains("s3cretrisk"), "{}", seen.text);
        for path in [one, format!("{all}latest/")] {
            let found = site.owner.get(&path).await.expect(200);
            assert!(found.text.contains("Dig"), "{}", found.text);
            assert!(!found.text.contains("s3cret") && !found.text.contains(&hidden), "{}", found.text);
            assert_eq!(found["result"]["drivers"].as_array().unwrap().len(), 3);
        }
    }

    async fn private_projects_of_others_are_no_part_of_a_program_for_its_owner(app: &TestApp) {
        let plan = Secret::new(app).await;
        let (site, sid) = (&plan.site, &plan.sid);
        sid.post("/api/v1/tasks/", varying("s3crettask", &plan.secret)).await.expect(201);
        let export = plan.of_program("export/");
        let (whole, part) = (sid.get(&export).await.expect(200), site.owner.get(&export).await.expect(200));
        assert!(whole.text.contains("s3crettask") && whole.text.contains("Vault"));
        assert!(part.text.contains("Bridge") && !part.text.contains("s3cret") && !part.text.contains("Vault"), "{}", part.text);
        let count = |answer: planwright_testkit::Answer| answer["project_count"].clone();
        assert_eq!(count(sid.get(&plan.of_program("")).await.expect(200)), 2);
        assert_eq!(count(site.owner.get(&plan.of_program("")).await.expect(200)), 1);
        let job = site.owner.post(&export, json!({})).await.expect(202).id();
        site.hush().await;
        let packed = site.owner.get(&plan.of_program(&format!("export/jobs/{job}/download/"))).await.expect(200);
        assert!(!packed.text.is_empty());
        sid.get(&plan.of_program(&format!("export/jobs/{job}/download/"))).await.expect(404);
    }

    async fn figures_of_a_program_leave_out_projects_that_refuse_agents(app: &TestApp) {
        let plan = Secret::new(app).await;
        let sid = &plan.sid;
        let risk = json!({"title": "Rain", "probability": 5, "impact": 5});
        sid.post(&format!("/api/v1/projects/{}/risks/", plan.secret), risk).await.expect(201);
        let config = json!({"enabled_kpis": ["risk_score"]});
        plan.site.owner.patch(&plan.of_program("rollup-config/"), config).await.expect(200);
        let request = json!({"name": "agent", "scopes": ["mcp:read"], "expires_at": "2026-06-01T00:00:00Z"});
        let minted = sid.post("/api/v1/me/api-tokens/", request).await.expect(201);
        let agent = sid.with_token(text(&minted["token"]));
        let rollup = plan.of_program("rollup/");
        let score = |answer: &planwright_testkit::Answer| (answer["project_count"].clone(), answer["kpis"]["risk_score"]["value"].clone());
        assert_eq!(score(&agent.get(&rollup).await.expect(200)), (json!(2), json!(25)));
        sid.patch(&format!("/api/v1/projects/{}/", plan.secret), json!({"mcp_enabled": false})).await.expect(200);
        assert_eq!(score(&agent.get(&rollup).await.expect(200)), (json!(1), json!(0)));
        assert_eq!(score(&sid.get(&rollup).await.expect(200)), (json!(2), json!(25)));
    }

    async fn a_simulation_is_seen_at_once_wherever_its_days_are_shown(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        site.settle(json!({"program": program})).await;
        let config = json!({"enabled_kpis": ["p80_completion", "milestone_health"]});
        site.owner.patch(&format!("/api/v1/programs/{program}/rollup-config/"), config).await.expect(200);
        let dig = site.owner.post("/api/v1/tasks/", varying("Dig", &site.project)).await.expect(201).id();
        let rollup = format!("/api/v1/programs/{program}/rollup/");
        let none = site.owner.get(&rollup).await.expect(200);
        assert_eq!(none["kpis"]["p80_completion"]["reason"], "no_simulation_yet");
        assert_eq!(none["kpis"]["milestone_health"]["reason"], "no_milestones");
        let gate = site.create(json!({"name": "Gate", "is_milestone": true})).await.id();
        site.link(&dig, &gate).await;
        let asked = json!({"n_simulations": 500, "seed": 7});
        let run = site.owner.post(&site.at("monte-carlo/"), asked).await.expect(200);
        let chance = &run["milestones"][0]["confidence"];
        assert!(chance.as_f64().is_some_and(|chance| chance > 0.0 && chance < 100.0), "{}", run.text);
        assert_eq!(site.owner.get(&rollup).await.expect(200)["kpis"]["p80_completion"]["value"], run["p80"]);
        let page = site.owner.get(&site.at("overview/")).await.expect(200);
        assert_eq!((&page["forecast"]["p80"], &page["milestones"][0]["confidence"]), (&run["p80"], chance));
        let milestones = site.owner.get(&site.at("milestones/")).await.expect(200);
        assert_eq!(&milestones.json[0]["confidence"], chance);
    }

    async fn the_risk_of_a_phase_delays_the_end_of_the_phase(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("Works", 1).await;
        let (dig, pour) = (site.under(&phase, "Dig", 5).await, site.under(&phase, "Pour", 5).await);
        site.link(&dig, &pour).await;
        let asked = json!({"n_simulations": 500, "seed": 7});
        let plain = site.owner.post(&site.at("monte-carlo/"), asked.clone()).await.expect(200);
        let risk = json!({"title": "Rain", "probability": 3, "impact": 3, "tasks": [phase], "likelihood_percent": 100, "delay_days": 5});
        site.owner.post(&site.at("risks/"), risk).await.expect(201);
        let wet = site.owner.post(&site.at("monte-carlo/"), asked).await.expect(200);
        assert_eq!((text(&plain["p80"]), text(&wet["p80"])), ("2026-01-16", "2026-01-23"), "five working days, once");
        assert_eq!(wet["risks_counted"], 1);
    }

    async fn a_risk_that_stays_open_is_escalated_once_after_the_days_of_its_program(app: &TestApp) {
        let mut site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        site.settle(json!({"program": program})).await;
        site.owner.patch(&format!("/api/v1/programs/{program}/risk-policy/"), json!({"escalation_days": 4})).await.expect(200);
        let note = |title: &str, status: &str| json!({"title": title, "probability": 2, "impact": 3, "status": status});
        let all = site.at("risks/");
        let rain = site.owner.post(&all, note("Rain", "OPEN")).await.expect(201).id();
        site.owner.post(&all, note("Snow", "MITIGATING")).await.expect(201);
        let wind = site.owner.post(&all, note("Wind", "OPEN")).await.expect(201).id();
        let hook = json!({"url": "https://hooks.example.com/x", "events": ["risk.escalated"]});
        site.owner.post(&site.at("webhooks/"), hook).await.expect(201);
        let deliveries = |site: &Site<'_>| site.at("webhooks/");
        let hook = text(&listed(&site.owner.get(&deliveries(&site)).await.expect(200))[0]["id"]).to_owned();
        let told = site.at(&format!("webhooks/{hook}/deliveries/"));
        site.hush().await;
        app.later(Duration::days(3));
        site.owner.sign_in_again().await;
        site.owner.patch(&format!("{all}{wind}/"), json!({"impact": 2})).await.expect(200);
        site.hush().await;
        assert_eq!(listed(&site.owner.get(&told).await.expect(200)).len(), 0);
        for _ in 0..2 {
            app.later(Duration::hours(36));
            site.owner.sign_in_again().await;
            site.hush().await;
        }
        let rows = listed(&site.owner.get(&told).await.expect(200));
        let names: Vec<&str> = rows.iter().map(|row| text(&row["payload"]["title"])).collect();
        assert_eq!(names, ["Rain"], "{rows:?}");
        app.later(Duration::days(3));
        site.owner.sign_in_again().await;
        site.hush().await;
        assert_eq!(listed(&site.owner.get(&told).await.expect(200)).len(), 2, "Wind has had its severity for five days");
        site.owner.patch(&format!("{all}{rain}/"), json!({"title": "Hail"})).await.expect(200);
    }

    async fn the_matrix_counts_risks_that_are_open_or_worked_on(app: &TestApp) {
        let site = Site::new(app).await;
        let vera = site.person("vera", 1).await;
        let all = site.at("risks/");
        for (probability, impact, status) in [(2, 3, "OPEN"), (2, 3, "MITIGATING"), (2, 3, "CLOSED"), (5, 5, "OPEN")] {
            let risk = json!({"title": "Rain", "probability": probability, "impact": impact, "status": status});
            site.owner.post(&all, risk).await.expect(201);
        }
        let found = vera.get(&site.at("risks/matrix/")).await.expect(200);
        assert_eq!((&found["total"], found["cells"].as_array().unwrap().len()), (&json!(3), 25));
        let cell = |probability, impact| found["cells"].as_array().unwrap().iter().find(|cell| cell["probability"] == probability && cell["impact"] == impact).unwrap().clone();
        assert_eq!(cell(2, 3), json!({"probability": 2, "impact": 3, "severity": 6, "count": 2}));
        assert_eq!((&cell(5, 5)["count"], &cell(1, 1)["count"]), (&json!(1), &json!(0)));
        app.person("otto").await.get(&site.at("risks/matrix/")).await.expect(404);
    }

    async fn sections_of_figures_that_break_are_named(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        site.settle(json!({"program": program})).await;
        let config = json!({"enabled_kpis": ["risk_score", "p80_completion"]});
        site.owner.patch(&format!("/api/v1/programs/{program}/rollup-config/"), config).await.expect(200);
        for table in ["risks", "forecast_snapshots", "milestone_forecasts"] {
            app.write(sql!(format!("ALTER TABLE {table} RENAME TO {table}_gone"))).await;
        }
        let rollup = site.owner.get(&format!("/api/v1/programs/{program}/rollup/")).await.expect(503);
        assert_eq!((text(&rollup["failed"]), &rollup["project_count"]), ("risks, forecasts", &json!(1)));
        assert_eq!(site.owner.get(&site.at("forecast/")).await.expect(503)["failed"], "milestones");
        for table in ["risks", "forecast_snapshots", "milestone_forecasts"] {
            app.write(sql!(format!("ALTER TABLE {table}_gone RENAME TO {table}"))).await;
        }
    }

    async fn small_things_of_a_project_are_as_the_contract_says(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        let gates = format!("/api/v1/programs/{program}/phase-gate-config/");
        let written = site.owner.put(&gates, json!({"enabled": true, "invite_template": "Come"})).await.expect(200);
        assert_eq!((&written["enabled"], &written["invite_template"]), (&json!(true), &json!("Come")));
        app.project(&site.owner, "Tunnel").await;
        let ordered = site.owner.get("/api/v1/projects/health-summary/?ordering=-name").await.expect(200);
        let names: Vec<Value> = listed(&ordered).iter().map(|row| row["name"].clone()).collect();
        assert_eq!(names, ["Tunnel", "Bridge"]);
        for (body, field) in [(json!({"lifecycle": "draft"}), "lifecycle"), (json!({"draft_started_at": "2026-01-01T00:00:00Z"}), "draft_started_at")] {
            assert!(site.owner.patch(&site.at(""), body).await.expect(400)[field].is_array());
        }
        site.owner.patch(&site.at(""), json!({"lifecycle": "active"})).await.expect(200);
        let dig = site.task("Dig", 5).await;
        let all = site.at("risks/");
        let risk = json!({"title": "Rain", "probability": 2, "impact": 3, "owner": mara.id, "tasks": [dig]});
        let risk = site.owner.post(&all, risk).await.expect(201);
        let one = format!("{all}{}/", risk.id());
        site.owner.post(&format!("{one}comments/"), json!({"message": "Soon"})).await.expect(201);
        let members = site.owner.get(&site.at("members/")).await.expect(200);
        let membership = listed(&members).into_iter().find(|row| row["user"] == json!(mara.id)).unwrap();
        site.owner.delete(&site.at(&format!("members/{}/", text(&membership["id"])))).await.expect(204);
        let whole = json!({"title": "Rain", "probability": 2, "impact": 3, "owner": mara.id, "tasks": [dig]});
        site.owner.put(&one, whole).await.expect(200);
        assert!(site.owner.patch(&one, json!({"owner": app.person("otto").await.id})).await.expect(400)["owner"].is_array());
        assert_eq!(site.read(&dig).await["linked_risks_count"], 1);
        site.owner.patch(&one, json!({"status": "CLOSED"})).await.expect(200);
        assert_eq!(site.read(&dig).await["linked_risks_count"], 0);
        let log = site.owner.get(&site.at("changelog/")).await.expect(200);
        let label = |kind: &str| listed(&log).into_iter().find(|entry| entry["object_type"] == kind).map(|entry| entry["object_label"].clone());
        assert_eq!((label("risk_comment"), label("project_member")), (Some(json!("Rain")), Some(json!("mara"))));
        site.owner.get(&format!("{all}?page=123456789012345678901")).await.expect(404);
    }

    async fn analyses_of_one_person_do_not_push_out_those_of_others(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let site = Site::new(app).await;
        let vera = site.person("vera", 1).await;
        site.task("Dig", 5).await;
        let all = site.at("monte-carlo/drivers/");
        let kept = site.owner.post(&all, json!({"n_simulations": 100})).await.expect(202).id();
        for _ in 0..11 {
            let asked = vera.post(&all, json!({"n_simulations": 100})).await;
            assert!(asked.status == 202 || asked.status == 403, "{}", asked.text);
        }
        site.hush().await;
        site.owner.get(&format!("{all}{kept}/")).await.expect(200);
    }

    async fn a_document_keeps_drafts_and_how_a_program_deals_with_risks_and_figures(app: &TestApp) {
        let owner = app.person("ona").await;
        let program = owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        let of = |rest: &str| format!("/api/v1/programs/{program}/{rest}");
        let body = json!({"name": "Plan", "start_date": "2026-01-05", "program": program, "lifecycle": "draft"});
        owner.post("/api/v1/projects/", body).await.expect(201);
        owner.patch(&of("risk-policy/"), json!({"slip_propagation": "block", "escalation_days": 9})).await.expect(200);
        let config = json!({"aggregation_policy": "average", "enabled_kpis": ["risk_score"]});
        owner.patch(&of("rollup-config/"), config).await.expect(200);
        let document = owner.get(&of("export/")).await.expect(200).json;
        assert_eq!((&document["schema_version"], &document["projects"][0]["lifecycle"]), (&json!("2.1"), &json!("draft")));
        let bob = app.person("bob").await;
        let (accepted, _) = crate::import::import(app, &bob, document).await;
        let copy = format!("/api/v1/programs/{}/", text(&accepted["program_id"]));
        let risks = bob.get(&format!("{copy}risk-policy/")).await.expect(200);
        assert_eq!((&risks["slip_propagation"], &risks["escalation_days"]), (&json!("block"), &json!(9)));
        let figures = bob.get(&format!("{copy}rollup-config/")).await.expect(200);
        assert_eq!((&figures["aggregation_policy"], &figures["enabled_kpis"]), (&json!("average"), &json!(["risk_score"])));
        let projects = bob.get(&format!("{copy}projects/")).await.expect(200);
        assert_eq!(listed(&projects)[0]["lifecycle"], "draft");
        assert_eq!(ids(&projects.json).len(), 1);
    }
}
