//! The installation that is measured: ten projects with 10 000 tasks each, three comments on each task, and a hundred
//! people. Words are drawn from a fixed list with fixed numbers, so every run has the same texts.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use xtask::running_server::{PASSWORD, RunningServer, USERNAME};

use crate::measurements::api::session::{Session, list, text};
use crate::measurements::client::Connection;

/// People who can be mentioned.
pub(crate) const PEOPLE: usize = 100;

/// What is searched for. Each word of the texts is one of `VOCABULARY` made-up words; low numbers are frequent.
pub(crate) const SEARCHES: [(&str, &[&str]); 5] = [
    ("a frequent word", &["word1q", "word2q", "word3q"]),
    ("a rare word", &["word1900q", "word1950q", "word1999q"]),
    ("two words", &["word4q word9q", "word12q word30q"]),
    ("a word that only comments have", &["remark7q", "remark40q", "remark90q"]),
    ("a word with a wrong letter", &["word19x0q", "word1a50q"]),
];

const PROJECTS: usize = 10;
const ROWS: usize = 10_000;
const PHASE: usize = 25;
const COMMENTS: usize = 3;
const VOCABULARY: usize = 2_000;
const REMARKS: usize = 100;
/// Connections that write comments at once.
const WRITERS: usize = 48;
const PAGE: usize = 500;
const MOST: Duration = Duration::from_secs(120);

/// An installation with much in it.
pub(crate) struct Place<'a> {
    /// Somebody who sees all of it.
    pub(crate) session: Session,
    /// The path of the comments of one task that has many.
    pub(crate) comments: String,
    /// The path of the files of the same task.
    pub(crate) files: String,
    server: &'a RunningServer,
    numbers: Numbers,
}

impl<'a> Place<'a> {
    /// Makes all of it.
    pub(crate) fn make(server: &'a RunningServer) -> Result<Self> {
        let session = Session::sign_in(server.address, USERNAME, PASSWORD)?;
        let (comments, files) = (String::new(), String::new());
        let mut place = Self { session, comments, files, server, numbers: Numbers(1) };
        let mut first = None;
        for number in 0..PROJECTS {
            let project = place.import(number)?;
            let tasks = place.tasks(&project)?;
            place.comment(&project, &tasks, COMMENTS)?;
            let task = tasks.first().context("the project has no task")?.clone();
            first.get_or_insert((project, task));
        }
        let (project, task) = first.context("there is no project")?;
        let task_path = format!("/api/v1/projects/{project}/tasks/{task}");
        place.comments = format!("{task_path}/comments/");
        place.files = format!("{task_path}/attachments/");
        place.comment(&project, &[task], 200)?;
        place.sign_in_again()?;
        place.invite(&project)?;
        Ok(place)
    }

    /// Goes on over a new connection with a new token: idle connections are closed, and a token is good for minutes.
    fn sign_in_again(&mut self) -> Result<()> {
        self.session = Session::sign_in(self.server.address, USERNAME, PASSWORD)?;
        Ok(())
    }

    fn import(&mut self, number: usize) -> Result<String> {
        let document = self.document(number);
        self.sign_in_again()?;
        let accepted = self.session.post("/api/v1/programs/import/", &document, 202)?;
        let program = text(&accepted, "program_id")?.to_owned();
        let job = text(&accepted, "import_request_id")?;
        self.session.follow(&format!("/api/v1/programs/{program}/import/jobs/{job}/"), MOST)?;
        let projects = self.session.get(&format!("/api/v1/programs/{program}/projects/"))?;
        Ok(text(projects.get(0).context("the import made no project")?, "id")?.to_owned())
    }

    fn document(&mut self, number: usize) -> Value {
        let numbers = &mut self.numbers;
        let mut task = |row: usize| {
            let phase = row / PHASE + 1;
            match row % PHASE {
                0 => json!({"wbs_path": phase.to_string(), "name": numbers.text("word", VOCABULARY, 4)}),
                place => json!({
                    "wbs_path": format!("{phase}.{place}"),
                    "name": numbers.text("word", VOCABULARY, 4),
                    "duration": 1 + row % 3,
                }),
            }
        };
        let tasks: Vec<Value> = (0..ROWS).map(&mut task).collect();
        let slug = format!("searched-{number}");
        let project = json!({
            "slug": "part", "name": slug, "methodology": "WATERFALL", "start_date": "2026-01-05",
            "tasks": tasks, "dependencies": [],
        });
        let program = json!({"slug": slug, "name": slug, "methodology": "WATERFALL"});
        json!({"schema_version": "2.0", "program": program, "projects": [project]})
    }

    fn tasks(&mut self, project: &str) -> Result<Vec<String>> {
        let mut tasks = Vec::with_capacity(ROWS);
        for page in 1..=ROWS / PAGE {
            let path =
                format!("/api/v1/tasks/?project={project}&page_size={PAGE}&page={page}&ordering=wbs_path");
            for task in list(&self.session.get(&path)?, "results")? {
                tasks.push(text(task, "id")?.to_owned());
            }
        }
        Ok(tasks)
    }

    /// So many comments on each of the tasks, written over several connections at once.
    fn comment(&mut self, project: &str, tasks: &[String], each: usize) -> Result<()> {
        let (session, numbers, address) = (&self.session, &mut self.numbers, self.server.address);
        let mut requests = Vec::with_capacity(tasks.len() * each);
        for task in tasks {
            let path = format!("/api/v1/projects/{project}/tasks/{task}/comments/");
            for _ in 0..each {
                let said = format!(
                    "{} {}",
                    numbers.text("word", VOCABULARY, 11),
                    numbers.text("remark", REMARKS, 1)
                );
                requests.push(session.writing("POST", &path, &json!({"body": said})));
            }
        }
        std::thread::scope(|scope| {
            let share = requests.len().div_ceil(WRITERS);
            let writers: Vec<_> = requests
                .chunks(share)
                .map(|own| {
                    scope.spawn(move || {
                        let mut connection = Connection::open(address)?;
                        for request in own {
                            let status = connection.send(request)?.status;
                            if status != 201 {
                                bail!("a comment was answered with {status}");
                            }
                        }
                        Ok(())
                    })
                })
                .collect();
            writers.into_iter().try_for_each(|writer| writer.join().unwrap_or_else(|_| bail!("panicked")))
        })
    }

    /// Adds people and makes them members of the project.
    fn invite(&mut self, project: &str) -> Result<()> {
        for number in 1..=PEOPLE {
            let arguments = ["user", "add", &format!("person-{number}")];
            let mut command = self.server.command(&arguments);
            let mut adding =
                command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
            adding.stdin.take().context("there is no standard input")?.write_all(PASSWORD.as_bytes())?;
            let ended = adding.wait_with_output()?;
            if !ended.status.success() {
                bail!("a person was not added: {}", String::from_utf8_lossy(&ended.stderr));
            }
        }
        self.sign_in_again()?;
        let is_person =
            |member: &Value| member["name"].as_str().is_some_and(|name| name.starts_with("person-"));
        let mut next = Some("/api/v1/workspace/members/?page_size=100".to_owned());
        while let Some(path) = next {
            let page = self.session.get(&path)?;
            for member in list(&page, "results")?.iter().filter(|member| is_person(member)) {
                let wish = json!({"user": text(member, "id")?, "role": 100});
                self.session.post(&format!("/api/v1/projects/{project}/members/"), &wish, 201)?;
            }
            next = page["next"].as_str().and_then(|url| url.find("/api/").map(|at| url[at..].to_owned()));
        }
        Ok(())
    }
}

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    /// So many words. The lower of two numbers is taken, then the lower of that and a third, so that low ones are frequent.
    fn text(&mut self, stem: &str, vocabulary: usize, words: usize) -> String {
        let mut word = || {
            let least = (0..3).map(|_| self.below(vocabulary)).min().unwrap_or_default();
            format!("{stem}{least}q")
        };
        (0..words).map(|_| word()).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_same_each_time_and_low_words_are_frequent() {
        let texts = || Numbers(1).text("word", VOCABULARY, 10_000);
        assert_eq!(texts(), texts());
        let low = texts().split(' ').filter(|word| word.len() <= "word99q".len()).count();
        assert!(low > 1_000, "{low}");
    }
}
