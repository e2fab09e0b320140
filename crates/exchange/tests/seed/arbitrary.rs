//! Valid documents with every field in use, built from a tape of random numbers so that failures shrink.

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use planwright_domain::words::{DeliveryMode, SprintState, TaskType, Word};
use planwright_plan_files::seed::model::*;
use planwright_plan_files::seed::{Document, Slugs, TaskReference};
use proptest::prelude::*;

/// Documents of one to three projects.
pub(crate) fn document() -> impl Strategy<Value = Document> {
    prop::collection::vec(any::<u32>(), 0..1_500).prop_map(|words| Tape { words, next: 0 }.document())
}

/// Random choices in order; the first choice for ever once the tape has run out.
pub(crate) struct Tape {
    words: Vec<u32>,
    next: usize,
}

impl Tape {
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.next += 1;
        self.words.get(self.next - 1).map_or(0, |word| word % bound.max(1))
    }

    pub(crate) fn chance(&mut self) -> bool {
        self.below(2) == 1
    }

    pub(crate) fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.chance() { Some(make(self)) } else { None }
    }

    pub(crate) fn several<T>(&mut self, most: u32, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    fn word<W: Word>(&mut self) -> W {
        W::ALL[self.below(W::ALL.len() as u32) as usize]
    }

    pub(crate) fn one_of(&mut self, names: &[String]) -> Option<String> {
        let index = self.below(names.len() as u32 + 1) as usize;
        names.get(index).cloned()
    }

    pub(crate) fn text(&mut self) -> String {
        const TEXTS: [&str; 7] =
            ["", "plain", "línea\nsegunda", "„Anführung\"", "工程 🏗", "\t\\u0000\u{7f}\u{200b}", "1e3"];
        TEXTS[self.below(7) as usize].to_owned()
    }

    pub(crate) fn name(&mut self) -> String {
        let text = self.text();
        if text.is_empty() { "x".to_owned() } else { text }
    }

    pub(crate) fn day(&mut self) -> NaiveDate {
        NaiveDate::default() + Days::new(u64::from(self.below(60_000)))
    }

    fn later(&mut self, day: NaiveDate) -> NaiveDate {
        day + Days::new(u64::from(self.below(40)))
    }

    pub(crate) fn time(&mut self) -> DateTime<Utc> {
        let day = self.day().and_time(chrono::NaiveTime::MIN).and_utc();
        day + TimeDelta::microseconds(i64::from(self.below(u32::MAX)) * 7)
    }

    pub(crate) fn share(&mut self) -> f64 {
        f64::from(self.below(9_999) + 1) / 100.0
    }

    fn document(&mut self) -> Document {
        let mut slugs = Slugs::new();
        let accounts: Vec<Account> = self.several(3, |tape| tape.account(&mut slugs));
        let account_slugs: Vec<String> = accounts.iter().map(|account| account.slug.clone()).collect();
        let calendars: Vec<Calendar> = self.several(3, |tape| tape.calendar(&mut slugs));
        let calendar_slugs: Vec<String> = calendars.iter().map(|calendar| calendar.slug.clone()).collect();
        let resources: Vec<Resource> = self.several(3, |tape| Resource {
            slug: slugs.make(&tape.name(), "resource"),
            name: tape.name(),
            email: tape.maybe(|_| "r@example.org".to_owned()),
            job_role: tape.text(),
            max_units: tape.share(),
            calendar: tape.one_of(&calendar_slugs),
            account: tape.one_of(&account_slugs),
            kind: None,
            skills: Vec::new(),
            hourly_rate: tape.maybe(|tape| f64::from(tape.below(1_000_000)) / 100.0),
        });
        let resource_slugs: Vec<String> = resources.iter().map(|resource| resource.slug.clone()).collect();
        let weeks = calendars.iter().map(|calendar| calendar.working_days).collect();
        let names =
            Names { accounts: account_slugs, calendars: calendar_slugs, weeks, resources: resource_slugs };
        let mut projects: Vec<Project> = Vec::new();
        for _ in 0..=self.below(3) {
            let slug = slugs.make("project", "");
            let project = self.project(slug, &names, &projects);
            projects.push(project);
        }
        let mut risks = self.several(2, |tape| tape.risk(&mut slugs, &names, &projects[0]));
        let version = SchemaVersion { major: 1 + self.below(2) as u8, minor: self.below(3) as u16 };
        let mut resources = resources;
        if version >= SchemaVersion::WITH_EVERYTHING {
            self.surround(&mut resources, &mut projects, &names);
            projects.iter_mut().for_each(|project| project.settings = self.settings());
        } else {
            let all = projects.iter_mut().flat_map(|project| &mut project.risks).chain(&mut risks);
            all.for_each(Risk::drop_what_2_0_lacks);
            let kept = projects.iter_mut().flat_map(|project| &mut project.baselines);
            kept.for_each(Baseline::drop_what_2_0_lacks);
            resources.iter_mut().for_each(|resource| resource.hourly_rate = None);
        }
        Document {
            schema_version: version,
            program: Program {
                slug: slugs.make("program", ""),
                name: self.name(),
                methodology: self.word(),
                description: self.text(),
                color: self.maybe(|_| "#0a1B2c".to_owned()),
                lead: self.one_of(&names.accounts),
                policies: Default::default(),
                settings: Default::default(),
            },
            events: if version.major == 2 {
                self.several(4, |tape| tape.event(&names, &projects[0]))
            } else {
                vec![]
            },
            accounts,
            calendars,
            resources,
            projects,
            risks,
        }
    }

    fn settings(&mut self) -> ProjectSettings {
        ProjectSettings {
            inherits_methodology: self.below(2) == 1,
            timezone: self.maybe(|_| "Europe/Berlin".to_owned()),
            stale_task_threshold_days: self.maybe(|tape| i64::from(tape.below(365)) + 1),
            default_member_role: self.maybe(|_| planwright_domain::Role::Viewer),
            shows: Shows { baselines: self.maybe(|tape| tape.below(2) == 1), ..Shows::default() },
            overrides: SettingOverrides {
                allow_guests: self.maybe(|tape| tape.below(2) == 1),
                allowed_attachment_types: self.maybe(|_| vec!["image/png".to_owned(), "text/csv".to_owned()]),
                iteration_label: self.maybe(|_| "Iteration".to_owned()),
                ..SettingOverrides::default()
            },
            ..ProjectSettings::default()
        }
    }

    fn account(&mut self, slugs: &mut Slugs) -> Account {
        let slug = slugs.make(&self.name(), "account");
        Account {
            username: slug.clone(),
            slug,
            email: self.maybe(|_| "a@example.org".to_owned()),
            display_name: self.text(),
            role: self.word(),
        }
    }

    fn calendar(&mut self, slugs: &mut Slugs) -> Calendar {
        Calendar {
            slug: slugs.make(&self.name(), "calendar"),
            name: self.name(),
            working_days: self.below(127) as u8 + 1,
            hours_per_day: f64::from(self.below(2_399) + 1) / 100.0,
            timezone: if self.chance() { "UTC".to_owned() } else { "Asia/Tokyo".to_owned() },
            exceptions: self.several(3, |tape| {
                let start = tape.day();
                CalendarException {
                    start,
                    end: tape.later(start),
                    description: tape.text(),
                    working: tape.chance(),
                }
            }),
        }
    }

    fn project(&mut self, slug: String, names: &Names, earlier: &[Project]) -> Project {
        let mut slugs = Slugs::new();
        let labels: Vec<Label> = self.several(3, |tape| {
            let slug = slugs.make(&tape.name(), "label");
            Label { name: slug.clone(), slug, color: tape.word(), position: tape.maybe(|tape| tape.below(9)) }
        });
        let sprints: Vec<Sprint> = self.several(3, |tape| tape.sprint(&mut slugs));
        let paths: Vec<String> = self.paths();
        let tasks: Vec<Task> = (0..paths.len())
            .map(|index| {
                let mut task = self.task(&paths, index, names);
                task.labels =
                    labels.iter().filter(|_| self.chance()).map(|label| label.slug.clone()).collect();
                task.sprint =
                    self.one_of(&sprints.iter().map(|sprint| sprint.slug.clone()).collect::<Vec<_>>());
                task.links = self.several(1, |tape| Relation {
                    target: TaskReference::new(&slug, &paths[(index + 1) % paths.len()]),
                    kind: tape.word(),
                    note: tape.text(),
                });
                if paths.len() == 1 {
                    task.links.clear();
                }
                task
            })
            .collect();
        let mut project = Project {
            name: self.name(),
            methodology: self.word(),
            start_date: self.day(),
            status_date: self.maybe(Self::day),
            description: self.text(),
            calendar: self.one_of(&names.calendars),
            lag_calendar: self.maybe(Self::word),
            code: if self.chance() { "AB-1".to_owned() } else { String::new() },
            default_view: self.maybe(Self::word),
            estimation_mode: self.word(),
            forecast_history: self.maybe(Self::forecast_history),
            board_columns: self.several(2, Self::text),
            baselines: self.baselines(&slug, &tasks),
            slug,
            labels,
            tasks,
            dependencies: Vec::new(),
            sprints,
            risks: Vec::new(),
            roster: None,
            overlays: Vec::new(),
            custom_fields: Vec::new(),
            is_draft: false,
            settings: Default::default(),
            withheld: Vec::new(),
        };
        project.risks = self.several(2, |tape| tape.risk(&mut slugs, names, &project));
        project.dependencies = self.dependencies(&project, earlier);
        project
    }

    /// A few phases with a few rows each, some a level deeper, some without their parent.
    fn paths(&mut self) -> Vec<String> {
        let mut paths = Vec::new();
        for phase in 1..=self.below(3) + 1 {
            if self.chance() {
                paths.push(phase.to_string());
            }
            for row in 1..=self.below(3) + 1 {
                paths.push(format!("{phase}.{row}"));
                if self.chance() {
                    paths.push(format!("{phase}.{row}.a_1"));
                }
            }
        }
        paths
    }

    fn task(&mut self, paths: &[String], index: usize, names: &Names) -> Task {
        let path = paths[index].clone();
        let is_leaf = !paths.iter().any(|other| other.starts_with(&format!("{path}.")));
        let actual_start = self.maybe(Self::day);
        let mut task = Task {
            name: self.name(),
            kind: [TaskType::Task, TaskType::Bug, TaskType::TechDebt][self.below(3) as usize],
            status: self.word(),
            is_subtask: self.chance(),
            duration: self.below(40) + 1,
            planned_start: self.maybe(Self::day),
            actual_start,
            actual_finish: self.maybe(|tape| tape.later(actual_start.unwrap_or_default())),
            percent_complete: f64::from(self.below(10_001)) / 100.0,
            notes: self.text(),
            estimate: self.maybe(Self::estimate),
            story_points: self.maybe(|tape| tape.below(99)),
            remaining_points: self.maybe(|tape| tape.below(99)),
            assignee: self.one_of(&names.accounts),
            readiness: self.word(),
            sprint_rank: self.maybe(|tape| tape.below(99)),
            governance_class: self.maybe(Self::word),
            delivery_mode: self.maybe(|_| DeliveryMode::Kanban),
            color: self.maybe(|_| "#ABCDEF".to_owned()),
            assignments: names
                .resources
                .iter()
                .filter(|_| self.chance())
                .cloned()
                .collect::<Vec<_>>()
                .into_iter()
                .map(|resource| Assignment { resource, units: self.share() })
                .collect(),
            wbs_path: path,
            ..Task::default()
        };
        if is_leaf && self.below(4) == 3 {
            (task.is_milestone, task.duration, task.delivery_mode) = (true, 0, Some(DeliveryMode::Milestone));
        }
        task
    }

    fn estimate(&mut self) -> Estimate {
        let optimistic = self.below(9);
        let most_likely = optimistic + self.below(9);
        Estimate { optimistic, most_likely, pessimistic: most_likely + self.below(9) }
    }

    fn sprint(&mut self, slugs: &mut Slugs) -> Sprint {
        let start_date = self.day();
        Sprint {
            slug: slugs.make(&self.name(), "sprint"),
            name: self.name(),
            state: [SprintState::Planned, SprintState::Completed, SprintState::Cancelled]
                [self.below(3) as usize],
            start_date,
            finish_date: self.later(start_date) + Days::new(1),
            goal: self.text(),
            notes: self.text(),
            committed_points: self.maybe(|tape| tape.below(99)),
            completed_points: self.maybe(|tape| tape.below(99)),
            capacity_points: self.maybe(|tape| tape.below(99)),
            target_milestone: None,
            record: SprintRecord::default(),
        }
    }

    fn forecast_history(&mut self) -> ForecastHistory {
        let percentile =
            |tape: &mut Self| Percentile { start: tape.maybe(Self::day), end: tape.maybe(Self::day) };
        ForecastHistory {
            days: self.below(365) + 1,
            commitment_finish: self.day(),
            computed: (self.day(), self.day()),
            percentiles: [percentile(self), percentile(self), percentile(self)],
            mc_iterations: self.maybe(|tape| tape.below(9_999)),
            completion_ratio: self.maybe(|tape| f64::from(tape.below(1_001)) / 1_000.0),
        }
    }

    fn baselines(&mut self, slug: &str, tasks: &[Task]) -> Vec<Baseline> {
        let mut baseline = |name: &str, is_active| Baseline {
            name: name.to_owned(),
            tasks: tasks
                .iter()
                .filter(|_| self.chance())
                .collect::<Vec<_>>()
                .into_iter()
                .map(|task| {
                    let start = self.maybe(Self::day);
                    BaselineTask {
                        task: TaskReference::new(slug, &task.wbs_path),
                        start,
                        finish: self.maybe(|tape| tape.later(start.unwrap_or_default())),
                        duration: self.maybe(|tape| tape.below(99)),
                        story_points: self.maybe(|tape| tape.below(99)),
                        kept: KeptOfTask {
                            name: self.maybe(Self::name),
                            actual_start: self.maybe(Self::day),
                            actual_finish: None,
                            budget: self.maybe(|tape| f64::from(tape.below(1_000_000)) / 100.0),
                            // An export says it only where the rows do not show it.
                            is_leaf: None,
                        },
                    }
                })
                .collect(),
            calendar: BaselineCalendar {
                calendar: None,
                working_days: self.maybe(|tape| tape.below(127) as u8 + 1),
                hours_per_day: self.maybe(|tape| f64::from(tape.below(24) + 1)),
            },
            is_active,
            captured_at: self.maybe(Self::time),
        };
        vec![baseline("first", false), baseline("second", true)]
    }

    /// Links between leaves that only ever lead forward, from other projects as well.
    fn dependencies(&mut self, project: &Project, earlier: &[Project]) -> Vec<Dependency> {
        let leaves = |project: &Project| -> Vec<TaskReference> {
            let is_leaf = |task: &&Task| {
                let below = format!("{}.", task.wbs_path);
                !project.tasks.iter().any(|other| other.wbs_path.starts_with(&below))
            };
            project
                .tasks
                .iter()
                .filter(is_leaf)
                .map(|task| TaskReference::new(&project.slug, &task.wbs_path))
                .collect()
        };
        let own = leaves(project);
        let from: Vec<TaskReference> = earlier.iter().flat_map(leaves).chain(own.iter().cloned()).collect();
        let own_first = from.len() - own.len();
        let mut dependencies = Vec::new();
        for (place, successor) in own.iter().enumerate() {
            let before = own_first + place;
            if before > 0 && self.chance() {
                let predecessor = from[self.below(before as u32) as usize].clone();
                let lag = self.below(41) as i32 - 20;
                dependencies.push(Dependency {
                    predecessor,
                    successor: successor.clone(),
                    kind: self.word(),
                    lag,
                });
            }
        }
        dependencies
    }

    fn risk(&mut self, slugs: &mut Slugs, names: &Names, project: &Project) -> Risk {
        Risk {
            slug: slugs.make(&self.name(), "risk"),
            title: self.name(),
            status: self.word(),
            probability: self.below(5) as u8 + 1,
            impact: self.below(5) as u8 + 1,
            description: self.text(),
            likelihood_percent: self.maybe(|tape| tape.below(100) as i64 + 1),
            delay_days: [Some(self.below(3) as i64), Some(3), self.maybe(|tape| tape.below(9) as i64 + 3)],
            category: self.maybe(Self::word),
            response: self.maybe(Self::word),
            mitigation_due_date: self.maybe(Self::day),
            trigger: self.text(),
            contingency: self.text(),
            notes: self.text(),
            owner: self.one_of(&names.accounts),
            tasks: self.several(2, |_| TaskReference::new(&project.slug, &project.tasks[0].wbs_path)),
        }
    }

    fn event(&mut self, names: &Names, project: &Project) -> Event {
        let task = TaskReference::new(&project.slug, &project.tasks[0].wbs_path).to_string();
        Event {
            at: self.time(),
            action: planwright_domain::words::EventAction::ALL[self.below(6) as usize],
            actor: self.one_of(&names.accounts),
            target: Some(task),
            from: self.maybe(Self::text),
            to: self.maybe(Self::text),
            goal_impact: self.maybe(Self::text),
            points: self.maybe(|tape| tape.below(99)),
            remaining_points: self.maybe(|tape| tape.below(99)),
            estimate: self.maybe(Self::estimate),
            assignee: self.one_of(&names.accounts),
            body: self.text(),
            goal_outcome: self.maybe(Self::word),
        }
    }
}

pub(crate) struct Names {
    accounts: Vec<String>,
    pub(crate) calendars: Vec<String>,
    pub(crate) weeks: Vec<u8>,
    pub(crate) resources: Vec<String>,
}
