//! Whether the parts of a document fit together: nothing twice, nothing dangling, no cycles, sums within limits.

use serde_json::{Value, json};

use super::{errors, errors_with, read, small, with};

#[test]
fn a_dangling_predecessor_is_named_with_its_path() {
    assert_eq!(
        errors_with("/projects/0/dependencies/0/predecessor", json!("7.1")),
        ["$.projects[0].dependencies[0].predecessor: no task of \"one\" is at \"7.1\""]
    );
    assert_eq!(
        errors_with("/projects/0/dependencies/0/predecessor", json!("two:1")),
        ["$.projects[0].dependencies[0].predecessor: no project has the slug \"two\""]
    );
}

#[test]
fn dangling_references_of_people_calendars_and_tasks_are_named() {
    let task = "/projects/0/tasks/1";
    for (pointer, value, expected) in [
        ("/program/lead", json!("bob"), "$.program.lead: no account has the slug \"bob\""),
        ("/resources/0/account", json!("bob"), "$.resources[0].account: no account has the slug \"bob\""),
        (
            "/resources/0/calendar",
            json!("night"),
            "$.resources[0].calendar: no calendar has the slug \"night\"",
        ),
        (
            "/projects/0/calendar",
            json!("night"),
            "$.projects[0].calendar: no calendar has the slug \"night\"",
        ),
        (
            &format!("{task}/assignee"),
            json!("bob"),
            "$.projects[0].tasks[1].assignee: no account has the slug \"bob\"",
        ),
        (
            &format!("{task}/sprint"),
            json!("t"),
            "$.projects[0].tasks[1].sprint: no sprint has the slug \"t\"",
        ),
        (
            &format!("{task}/labels"),
            json!(["blue"]),
            "$.projects[0].tasks[1].labels[0]: no label has the slug \"blue\"",
        ),
        (
            &format!("{task}/parent_epic"),
            json!("9"),
            "$.projects[0].tasks[1].parent_epic: no task is at \"9\"",
        ),
        (
            &format!("{task}/parent_epic"),
            json!("1.2"),
            "$.projects[0].tasks[1].parent_epic: the task at \"1.2\" is not an epic",
        ),
        (
            &format!("{task}/assignments"),
            json!([{"resource": "robot"}]),
            "$.projects[0].tasks[1].assignments[0].resource: no resource has the slug \"robot\"",
        ),
        (
            &format!("{task}/links"),
            json!([{"target": "8", "link_type": "blocks"}]),
            "$.projects[0].tasks[1].links[0].target: no task of \"one\" is at \"8\"",
        ),
    ] {
        assert_eq!(errors_with(pointer, value), [expected], "{pointer}");
    }
}

#[test]
fn dangling_references_of_projects_and_events_are_named() {
    for (pointer, value, expected) in [
        (
            "/projects/0/sprints/0/target_milestone",
            json!("1.1"),
            "$.projects[0].sprints[0].target_milestone: the task at \"1.1\" is not a milestone",
        ),
        (
            "/projects/0/baselines",
            json!([{"name": "B", "tasks": [{"task": "5"}]}]),
            "$.projects[0].baselines[0].tasks[0].task: no task of \"one\" is at \"5\"",
        ),
        (
            "/projects/0/risks",
            json!([{"slug": "r", "title": "R", "status": "OPEN", "probability": 1, "impact": 1, "tasks": ["5"]}]),
            "$.projects[0].risks[0].tasks[0]: no task of \"one\" is at \"5\"",
        ),
        (
            "/events",
            json!([{"at": "A-1", "action": "sprint.close", "target": "one:t"}]),
            "$.events[0].target: no sprint is called \"one:t\"",
        ),
        (
            "/events",
            json!([{"at": "A-1", "action": "task.assign", "target": "1.1", "assignee": "bob"}]),
            "$.events[0].assignee: no account has the slug \"bob\"",
        ),
    ] {
        assert_eq!(errors_with(pointer, value), [expected], "{pointer}");
    }
}

#[test]
fn what_stands_twice_is_named_with_the_first() {
    assert_eq!(
        errors_with("/projects/0/tasks/2/wbs_path", json!("2")),
        [
            "$.projects[0].tasks[3].wbs_path: \"2\" is already taken by $.projects[0].tasks[2]",
            "$.projects[0].dependencies[0].successor: no task of \"one\" is at \"1.2\"",
        ]
    );
    for (pointer, value, place) in [
        ("/accounts/-", json!({"slug": "ann", "username": "anna"}), "$.accounts[1].slug"),
        ("/accounts/-", json!({"slug": "anna", "username": "ann"}), "$.accounts[1].username"),
        ("/calendars/-", json!({"slug": "office", "name": "Other"}), "$.calendars[1].slug"),
        ("/resources/-", json!({"slug": "crew", "name": "Other"}), "$.resources[1].slug"),
        (
            "/projects/0/labels/-",
            json!({"slug": "red", "name": "R", "color": "rose"}),
            "$.projects[0].labels[1].slug",
        ),
        ("/projects/0/tasks/1/labels", json!(["red", "red"]), "$.projects[0].tasks[1].labels[1]"),
    ] {
        let errors = errors_with(pointer, value);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].starts_with(&format!("{place}: ")), "{}", errors[0]);
    }
    let again = json!({"predecessor": "one:1.1", "successor": "1.2", "dep_type": "FS", "lag": 4});
    assert_eq!(
        errors_with("/projects/0/dependencies/-", again),
        ["$.projects[0].dependencies[1]: 1.1 to 1.2 (FS) is listed twice"]
    );
}

#[test]
fn a_pair_may_carry_dependencies_of_several_kinds() {
    let start = json!({"predecessor": "1.1", "successor": "1.2", "dep_type": "SS"});
    assert!(read(&with(&[("/projects/0/dependencies/-", start)])).is_ok());
}

#[test]
fn two_active_sprints_or_baselines_are_refused() {
    let sprint = |slug: &str| json!({"slug": slug, "name": "S", "state": "ACTIVE", "start_date": "A+0", "finish_date": "A+9"});
    assert_eq!(
        errors_with("/projects/0/sprints", json!([sprint("a"), sprint("b")])),
        [
            "$.projects[0].sprints[1].state: only one sprint can be active, and $.projects[0].sprints[0] already is"
        ]
    );
    let baseline = |name: &str| json!({"name": name, "tasks": [], "is_active": true});
    assert_eq!(errors_with("/projects/0/baselines", json!([baseline("a"), baseline("b")])).len(), 1);
}

#[test]
fn a_milestone_cannot_have_rows_below_it() {
    assert_eq!(
        errors_with("/projects/0/tasks/0/is_milestone", json!(true)),
        ["$.projects[0].tasks[0].is_milestone: a milestone cannot have rows below it"]
    );
}

fn with_links(links: &[(&str, &str)]) -> Value {
    let links: Vec<Value> = links
        .iter()
        .map(|(from, to)| json!({"predecessor": from, "successor": to, "dep_type": "FS"}))
        .collect();
    with(&[("/projects/0/dependencies", json!(links))])
}

#[test]
fn a_cycle_is_spelled_out_at_its_first_link() {
    assert_eq!(
        errors(&with_links(&[("1.1", "1.2"), ("1.2", "2"), ("2", "1.1")])),
        ["$.projects[0].dependencies[0]: closes a cycle: 1.1 → 1.2 → 2 → 1.1"]
    );
    assert_eq!(
        errors(&with_links(&[("1.1", "1.1")])),
        ["$.projects[0].dependencies[0]: 1.1 depends on itself"]
    );
}

#[test]
fn two_separate_cycles_are_two_problems() {
    let mut document = with_links(&[("1.1", "1.2"), ("1.2", "1.1"), ("2", "3"), ("3", "2")]);
    let tasks = document["projects"][0]["tasks"].as_array_mut().expect("a list");
    tasks.push(json!({"wbs_path": "3", "name": "Third"}));
    assert_eq!(errors(&document).len(), 2);
}

#[test]
fn containment_counts_in_cycles() {
    for (links, expected) in [
        (vec![("1", "1.1")], "closes a cycle: 1 → 1.1 → 1"),
        (vec![("1.1", "1")], "closes a cycle: 1.1 → 1 → 1.1"),
        (vec![("1", "2"), ("2", "1.1")], "closes a cycle: 1 → 2 → 1.1 → 1"),
    ] {
        let errors = errors(&with_links(&links));
        assert_eq!(errors, [format!("$.projects[0].dependencies[0]: {expected}")]);
    }
    assert!(read(&with_links(&[("1.1", "2"), ("1.1", "1.2")])).is_ok());
}

#[test]
fn a_cycle_through_two_projects_is_found() {
    let mut document = small();
    let mut second = document["projects"][0].clone();
    second["slug"] = json!("two");
    second["dependencies"] = json!([{"predecessor": "1.1", "successor": "one:1.1", "dep_type": "FS"}]);
    document["projects"].as_array_mut().expect("a list").push(second);
    assert!(read(&document).is_ok());
    let back = json!({"predecessor": "1.2", "successor": "two:1", "dep_type": "SS"});
    document["projects"][0]["dependencies"].as_array_mut().expect("a list").push(back);
    let errors = errors(&document);
    assert_eq!(errors, ["$.projects[0].dependencies[0]: closes a cycle: 1.1 → 1.2 → two:1 → two:1.1 → 1.1"]);
}

#[test]
fn a_chain_as_long_as_a_document_is_no_cycle_and_exhausts_nothing() {
    let tasks: Vec<Value> = (0..20_000).map(|n| json!({"wbs_path": n.to_string(), "name": "T"})).collect();
    let links: Vec<Value> = (1..20_000)
        .map(|n| json!({"predecessor": (n - 1).to_string(), "successor": n.to_string(), "dep_type": "FS"}))
        .collect();
    let mut document =
        with(&[("/projects/0/tasks", json!(tasks)), ("/projects/0/dependencies", json!(links))]);
    assert!(read(&document).is_ok());
    let back = json!({"predecessor": "19999", "successor": "0", "dep_type": "FS"});
    document["projects"][0]["dependencies"].as_array_mut().expect("a list").push(back);
    let errors = errors(&document);
    assert_eq!(errors.len(), 1);
    assert!(errors[0].ends_with("… 19981 more"), "{}", errors[0]);
}

#[test]
fn limits_of_lists_and_sums_are_kept() {
    let task = |n: usize| json!({"wbs_path": n.to_string(), "name": "T"});
    let tasks: Vec<Value> = (0..20_001).map(task).collect();
    let document = with(&[("/projects/0/tasks", json!(tasks)), ("/projects/0/dependencies", json!([]))]);
    assert_eq!(errors(&document), ["$.projects[0].tasks: must have at most 20000 items, not 20001"]);
    let project = small()["projects"][0].clone();
    let projects: Vec<Value> = (0..201).map(|_| project.clone()).collect();
    assert_eq!(
        errors_with("/projects", json!(projects)),
        ["$.projects: must have at most 200 items, not 201"]
    );
    let long = (0..11).map(|n| json!({"wbs_path": n.to_string(), "name": "T", "duration": 36_000}));
    let document = with(&[("/projects/0/tasks", long.collect()), ("/projects/0/dependencies", json!([]))]);
    assert_eq!(
        errors(&document),
        ["$.projects[0].tasks: durations and lags must not exceed 366000 days in all"]
    );
}

#[test]
fn the_sum_of_all_parts_is_limited() {
    let mut document = small();
    let tasks: Vec<Value> = (0..20_000).map(|n| json!({"wbs_path": n.to_string(), "name": "T"})).collect();
    let projects = (0..5).map(|n| {
        let mut project = document["projects"][0].clone();
        project["slug"] = json!(format!("project-{n}"));
        project["tasks"] = json!(tasks);
        project["dependencies"] = json!([]);
        project
    });
    let projects: Vec<Value> = projects.collect();
    document["projects"] = json!(projects);
    let expected =
        "$: tasks, dependencies, sprints, risks and links must not exceed 100000 in all, not 100005";
    assert_eq!(errors(&document), [expected]);
}

#[test]
fn a_row_without_its_parent_is_accepted() {
    let stray = json!({"wbs_path": "4.2.1", "name": "Stray"});
    assert!(read(&with(&[("/projects/0/tasks/-", stray)])).is_ok());
}

#[test]
fn a_calendar_without_a_working_weekday_is_refused() {
    assert_eq!(
        errors_with("/calendars/0/working_days", json!(0)),
        ["$.calendars[0].working_days: a calendar needs a working weekday"]
    );
}

#[test]
fn program_risks_must_name_the_project_of_their_tasks() {
    let risk = |task: &str| json!([{"slug": "r", "title": "R", "status": "OPEN", "probability": 2, "impact": 2, "tasks": [task]}]);
    assert!(read(&with(&[("/risks", risk("one:1.1"))])).is_ok());
    assert_eq!(
        errors_with("/risks", risk("1.1")),
        ["$.risks[0].tasks[0]: must name its project, such as project-slug:1.1"]
    );
}
