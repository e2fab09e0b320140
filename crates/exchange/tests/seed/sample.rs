//! The programs that ship with the product.

use planwright_exchange::document_network::network;
use planwright_exchange::samples::{SAMPLES, sample};
use planwright_plan_files::seed::{parse, render};

use super::today;

#[test]
fn every_sample_is_valid_on_any_day_of_the_week() {
    for shipped in SAMPLES {
        for days in 0..14 {
            let today = today() + chrono::Days::new(days);
            if let Err(problems) = parse(shipped.text.as_bytes(), today) {
                panic!("{} on {today}: {problems}", shipped.key);
            }
        }
        assert_eq!(sample(shipped.key), Some(shipped));
    }
    assert_eq!(sample("unknown"), None);
}

#[test]
fn a_sample_survives_writing_and_reading() {
    for shipped in SAMPLES {
        let document = parse(shipped.text.as_bytes(), today()).expect("valid");
        assert_eq!(parse(render(&document).as_bytes(), today()), Ok(document));
    }
}

#[test]
fn the_backlog_of_the_software_launch_is_not_scheduled() {
    let document =
        parse(sample("software-launch").expect("shipped").text.as_bytes(), today()).expect("valid");
    let plan = network(&document, None);
    assert_eq!(plan.rows.len(), document.projects[0].tasks.len() - 3);
    assert_eq!(plan.links.len(), document.projects[0].dependencies.len());
}

#[test]
fn the_software_launch_has_a_critical_path_from_work_under_way_to_its_last_row() {
    let text = sample("software-launch").expect("shipped").text;
    for days in 0..7 {
        let document = parse(text.as_bytes(), today() + chrono::Days::new(days)).expect("valid");
        let plan = network(&document, None);
        let schedule = planwright_engine::schedule(&plan.network);
        assert!(schedule.faults.is_empty() && schedule.conflicts.is_empty());
        let path = schedule
            .critical_path
            .iter()
            .map(|task| document.projects[0].tasks[plan.rows[*task].task].wbs_path.as_str());
        let path: Vec<&str> = path.collect();
        assert_eq!(
            path,
            ["3.3", "4.3", "4.8", "5.4", "5.5", "5.8", "6.6", "6.7", "6.8", "6.10"],
            "day {days}"
        );
    }
}

#[test]
fn every_sample_has_dates_without_a_fault_on_any_day_of_the_week() {
    for shipped in SAMPLES {
        for days in 0..7 {
            let document = parse(shipped.text.as_bytes(), today() + chrono::Days::new(days)).expect("valid");
            let schedule = planwright_engine::schedule(&network(&document, None).network);
            assert!(schedule.faults.is_empty(), "{} on day {days}: {:?}", shipped.key, schedule.faults);
            assert!(!schedule.critical_path.is_empty(), "{}", shipped.key);
        }
    }
}

#[test]
fn the_samples_show_what_their_descriptions_promise() {
    let read = |key: &str| parse(sample(key).expect("shipped").text.as_bytes(), today()).expect("valid");
    let library = read("riverside-library");
    let project = &library.projects[0];
    assert_eq!((project.tasks.len(), project.overlays.len(), project.baselines.len()), (345, 2, 1));
    assert!(project.tasks.iter().filter(|task| task.constraint.is_some()).count() >= 3);
    let app = read("mobile-app");
    assert_eq!((app.projects[0].sprints.len(), app.projects[0].risks.len()), (6, 3));
    let crm = read("crm-replacement");
    assert_eq!(crm.projects.len(), 4);
    let of_others = |project: &planwright_plan_files::seed::model::Project| {
        project.dependencies.iter().filter(|link| link.predecessor.project != project.slug).count()
    };
    assert!(crm.projects.iter().map(of_others).sum::<usize>() >= 10);
}
