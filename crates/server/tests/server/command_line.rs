//! The command line as others on the machine see it: passwords come from the standard input and obey the policy.
//! What the commands do to people is tested through the interface.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(directory: &Path, words: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_planwright"))
        .arg("--data-dir")
        .arg(directory)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut pipe = child.stdin.take().expect("the input is a pipe");
    // A command that refuses its words reads nothing.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("the command ends")
}

#[test]
fn passwords_are_read_from_the_standard_input_and_have_to_be_good_enough() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let add = ["user", "add", "mara"];
    let refused = run(directory.path(), &["user", "add", "mara", "--password", "copper-lantern-7"], "");
    assert!(!refused.status.success(), "a command line is no place for a password");
    for (weak, why) in
        [("short\n", "at least 10"), ("Password123\n", "stolen passwords"), ("", "at least 10")]
    {
        let refused = run(directory.path(), &add, weak);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && said.contains(why), "{weak:?}: {said}");
    }
    let added = run(directory.path(), &add, "copper lantern northbound\n");
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let changed = run(directory.path(), &["user", "set-password", "mara"], "another lantern\n");
    assert!(changed.status.success(), "{}", String::from_utf8_lossy(&changed.stderr));
    let weak = run(directory.path(), &["user", "set-password", "mara"], "1234567890\n");
    assert!(!weak.status.success());
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn commands_that_read_make_nothing_where_there_is_no_database() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let nowhere = home.path().join("nowhere");
    let reading: [&[&str]; 8] = [
        &["user", "list"],
        &["user", "set-password", "mara"],
        &["migrate", "--check"],
        &["programs"],
        &["projects"],
        &["export", "a"],
        &["backup", "b"],
        &["import", "Cargo.toml", "--owner", "mara"],
    ];
    for words in reading {
        let refused = run(&nowhere, words, "");
        assert!(!refused.status.success() && said(&refused).contains("there is no database at"), "{words:?}");
    }
    assert_eq!(run(&nowhere, &["doctor"], "").status.code(), Some(1));
    assert!(!nowhere.exists());
}

#[test]
fn people_are_ranked_shut_out_and_removed_but_never_the_last_owner() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let user = |words: &[&str], input: &str| run(home.path(), &[&["user"], words].concat(), input);
    let done = |words: &[&str]| {
        let output = user(words, "");
        assert!(output.status.success(), "{words:?}: {}", said(&output));
        said(&output)
    };
    user(&["add", "ona", "--workspace-role", "owner"], "copper lantern northbound\n");
    user(&["add", "mara"], "copper lantern northbound\n");
    for words in [&["rank", "ona", "member"][..], &["deactivate", "ona"], &["remove", "ona"]] {
        let refused = user(words, "");
        assert!(!refused.status.success() && said(&refused).contains("last one"), "{words:?}");
    }
    assert!(done(&["rank", "mara", "admin"]).contains("Admin"));
    assert!(done(&["rank", "mara", "admin"]).contains("nothing to do"));
    assert!(done(&["reset-link", "mara"]).contains("/reset-password/confirm/"));
    done(&["deactivate", "mara"]);
    assert!(done(&["list"]).contains("deactivated"));
    assert!(said(&user(&["reset-link", "mara"], "")).contains("mara is deactivated"));
    done(&["activate", "mara"]);
    done(&["sessions", "mara", "--end"]);
    done(&["remove", "mara"]);
    assert!(!done(&["list"]).contains("mara"));
    assert!(said(&user(&["rank", "mara", "owner"], "")).contains("no user called mara"));
}

#[cfg(unix)]
#[test]
fn a_clean_stop_leaves_all_data_in_the_database_file() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let server = Command::new(env!("CARGO_BIN_EXE_planwright"))
        .arg("--data-dir")
        .arg(home.path())
        .args(["serve", "--demo", "--listen", "127.0.0.1:0"])
        .env("SVC_LISTN", "x")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let database = home.path().join("planwright.db");
    for _ in 0..600 {
        // The sample is the last thing that a first start writes.
        let programs = run(home.path(), &["programs"], "");
        if programs.status.success() && said(&programs).contains("software-launch") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    let told = Command::new("kill").arg(server.id().to_string()).status().expect("kill runs");
    assert!(told.success());
    let ended = server.wait_with_output().expect("it ends");
    assert!(ended.status.success(), "{}", said(&ended));
    assert!(
        said(&ended).contains("no setting called SVC_LISTN; did you mean SVC_LISTEN?"),
        "{}",
        said(&ended)
    );
    let log = home.path().join("planwright.db-wal");
    assert_eq!(std::fs::metadata(log).map_or(0, |file| file.len()), 0);
    let found = planwright_store::backup::inspect(&database).expect("the file alone is a database");
    assert!(found.faults.is_empty() && found.migrations == planwright_store::migrate::MigrationState::InSync);
}

#[test]
fn an_output_that_nobody_reads_any_more_is_no_defect() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let mut child = Command::new(env!("CARGO_BIN_EXE_planwright"))
        .arg("--data-dir")
        .arg(home.path())
        .arg("openapi")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("it ends");
    assert!(ended.status.success() && ended.stderr.is_empty(), "{}", said(&ended));
}

#[test]
fn a_plan_is_converted_between_all_formats_and_what_is_lost_is_named() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let at = |name: &str| home.path().join(name).to_string_lossy().into_owned();
    let convert = |from: &str, to: &str, words: &[&str]| {
        let (from, to) = (at(from), at(to));
        let words: Vec<&str> = ["convert", &from, &to].into_iter().chain(words.iter().copied()).collect();
        run(home.path(), &words, "")
    };
    let plan = r#"{"start": "2026-01-05", "tasks": [
        {"id": "Dig", "duration": 3}, {"id": "Pour", "duration": 2, "constraint": ["SNET", "2026-01-14"]}],
        "deps": [{"pred": "Dig", "succ": "Pour", "lag": 1}]}"#;
    std::fs::write(at("plan.json"), plan).expect("the plan is written");
    let names = ["a.xml", "b.xer", "c.xml", "d.json", "e.csv", "f.xer"];
    let mut from = "plan.json";
    for to in names {
        let done = convert(from, to, &[]);
        assert!(done.status.success(), "{from} to {to}: {}", said(&done));
        from = to;
    }
    let read = |name: &str| std::fs::read_to_string(at(name)).expect("the file is there");
    assert_eq!(read("a.xml"), read("c.xml"), "a way through Primavera changes nothing");
    assert!(read("b.xer").contains("CS_MSOA\t2026-01-14 08:00"));
    assert!(read("e.csv").contains("1FS+1d"), "{}", read("e.csv"));
    for (from, to) in [("d.json", "g.xlsx"), ("g.xlsx", "h.csv"), ("e.csv", "i.csv")] {
        let done = convert(from, to, &[]);
        assert!(done.status.success(), "{to}: {}", said(&done));
    }
    assert_eq!(read("h.csv"), read("i.csv"), "a workbook brings what a table brings");
    let lossy = convert("d.json", "e.csv", &["--strict"]);
    assert_eq!(lossy.status.code(), Some(1));
    assert!(said(&lossy).contains("not written: constraint_type (1)"), "{}", said(&lossy));
    let as_json = convert("d.json", "e.csv", &["--json"]);
    assert!(said(&as_json).contains(r#""field":"constraint_type""#), "{}", said(&as_json));
    std::fs::write(at("old.xls"), [0xd0, 0xcf, 0x11, 0xe0]).expect("the file is written");
    for (from, to, why) in [
        ("plan.json", "plan.mpp", "write .json, .xml, .xer, .csv or .xlsx"),
        ("gone.json", "a.xml", "reading"),
        ("a.xml", "a.xml", "this is the file that is read"),
        ("old.xls", "a.xml", "save it as .xlsx"),
    ] {
        let refused = convert(from, to, &[]);
        assert!(refused.status.code() == Some(2) && said(&refused).contains(why), "{}", said(&refused));
    }
    std::fs::write(at("plan.bin"), "nothing").expect("the file is written");
    assert!(said(&convert("plan.bin", "a.xml", &[])).contains("no plan in a format that is known"));
}

#[test]
fn a_link_on_a_cycle_is_left_out_of_a_converted_plan_and_named() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let at = |name: &str| home.path().join(name).to_string_lossy().into_owned();
    let table = "WBS,Task name,Duration,Predecessors\n1,Dig,2,2\n2,Pour,1,1\n3,Paint,1,2\n";
    std::fs::write(at("round.csv"), table).expect("the table is written");
    let done = run(home.path(), &["convert", &at("round.csv"), &at("plan.json")], "");
    assert!(done.status.success(), "{}", said(&done));
    assert!(said(&done).contains("not read: predecessors (2)"), "{}", said(&done));
    let plan = std::fs::read_to_string(at("plan.json")).expect("the plan is there");
    assert_eq!(plan.matches("\"dep_type\"").count(), 1, "{plan}");
}

#[test]
fn a_file_of_another_program_becomes_a_program_and_its_losses_are_named() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let added = run(home.path(), &["user", "add", "mara"], "copper lantern northbound\n");
    assert!(added.status.success(), "{}", said(&added));
    let file = home.path().join("plan.xer");
    let text = "ERMHDR\t19\n%T\tPROJECT\n%F\tproj_id\n%R\t1\n%T\tTASK\n%F\tproj_id\ttask_id\ttask_code\ttask_name\ttarget_drtn_hr_cnt\texpect_end_date\n\
        %R\t1\t7\tA10\tDig\t16\t2026-01-09 08:00\n%E\n";
    std::fs::write(&file, text).expect("the file is written");
    let imported = run(home.path(), &["import", &file.to_string_lossy(), "--owner", "mara"], "");
    assert!(imported.status.success(), "{}", said(&imported));
    assert!(
        said(&imported).contains("with 1 tasks") && said(&imported).contains("not read: expect_end_date (1)"),
        "{}",
        said(&imported)
    );
    let out = home.path().join("plan.pdf");
    let exported = run(home.path(), &["export", "plan", "-o", &out.to_string_lossy()], "");
    assert!(
        exported.status.code() == Some(2) && said(&exported).contains("write .json"),
        "{}",
        said(&exported)
    );
}

#[test]
fn an_import_that_is_killed_at_any_moment_leaves_nothing_or_everything() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let added = run(home.path(), &["user", "add", "mara"], "copper lantern northbound\n");
    assert!(added.status.success(), "{}", said(&added));
    let plan = concat!(env!("CARGO_MANIFEST_DIR"), "/../exchange/src/samples/riverside-library.json");
    let tasks = || -> Vec<i64> {
        let listed = run(home.path(), &["projects", "--json"], "");
        assert!(listed.status.success(), "{}", said(&listed));
        let text = String::from_utf8_lossy(&listed.stdout).into_owned();
        let of = |line: &str| {
            serde_json::from_str::<serde_json::Value>(line).expect("a line of JSON")["tasks"].as_i64()
        };
        text.lines().filter_map(of).collect()
    };
    for milliseconds in [20, 60, 120, 200, 300, 450, 700, 1_000, 1_500] {
        let mut import = Command::new(env!("CARGO_BIN_EXE_planwright"))
            .arg("--data-dir")
            .arg(home.path())
            .args(["import", plan, "--owner", "mara", "--replace"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        // One that has ended is not there to be killed any more.
        let _ = import.kill();
        import.wait().expect("the command ends");
        assert!(tasks().iter().all(|count| *count == 345), "after {milliseconds} ms: {:?}", tasks());
    }
    let imported = run(home.path(), &["import", plan, "--owner", "mara", "--replace"], "");
    assert!(imported.status.success(), "{}", said(&imported));
    assert_eq!(tasks(), [345]);
}

#[test]
fn a_language_model_is_told_the_tools_over_standard_output() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let token = home.path().join("token");
    let words = ["mcp", "--url", "http://127.0.0.1:9", "--token-file", token.to_str().expect("a plain path")];
    let missing = run(home.path(), &words, "");
    assert!(!missing.status.success() && said(&missing).contains("token"), "{}", said(&missing));
    std::fs::write(&token, "planwright_some_token\n").expect("a file can be written");
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a client","version":"1"}}}"#;
    let requests = [
        hello,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
    ];
    let told = run(home.path(), &words, &format!("{}\n", requests.join("\n")));
    assert!(told.status.success(), "{}", said(&told));
    let lines = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(lines.lines().all(|line| line.starts_with('{')), "only the protocol is on the output: {lines}");
    assert!(lines.contains("why_this_date"), "{lines}");
}
