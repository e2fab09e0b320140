//! The tools: their names, what they tell, and their arguments. The first eighteen are those that clients of the contract know
//! (facts-platform, 17); the others are ours. What each reads is in `calls.rs`.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::arguments::{Argument, Kind, schema};

const PROJECT: Argument = Argument::required("project_id", Kind::Id, "The id of the project.");
const PROGRAM: Argument = Argument::required("program_id", Kind::Id, "The id of the program.");
const TASK: Argument = Argument::required("task_id", Kind::Id, "The id of the task.");
const STATUSES: &[&str] = &["BACKLOG", "NOT_STARTED", "IN_PROGRESS", "REVIEW", "ON_HOLD", "COMPLETE"];
const TYPES: &[&str] = &["epic", "story", "task", "bug", "spike", "tech_debt"];
const QUANTITIES: &[&str] = &[
    "early_start",
    "early_finish",
    "late_start",
    "late_finish",
    "total_float",
    "free_float",
    "scheduled_start",
    "p50",
    "p80",
    "p95",
];
const MOST_DAYS: i64 = 10_000;

/// A tool.
pub(crate) struct Told {
    pub(crate) name: &'static str,
    pub(crate) tells: &'static str,
    pub(crate) arguments: &'static [Argument],
    /// The parts of its answer: lists of rows end with `[]`.
    pub(crate) parts: &'static [&'static str],
}

/// Every tool.
pub(crate) const TOOLS: &[Told] = &[
    Told {
        name: "list_projects",
        tells: "The projects that you see.",
        arguments: &[],
        parts: &["projects[]"],
    },
    Told {
        name: "get_project",
        tells: "One project in detail, with its overview: dates, counts, what is late.",
        arguments: &[PROJECT],
        parts: &["project", "overview"],
    },
    Told {
        name: "list_tasks",
        tells: "The tasks of a project with their dates, filtered.",
        arguments: &[
            PROJECT,
            Argument::optional("status", Kind::Word(STATUSES), "Only tasks that stand so."),
            Argument::optional("assignee", Kind::Id, "Only tasks of this person."),
            Argument::optional(
                "sprint",
                Kind::IdOrNone,
                "Only tasks of this sprint, or with none those of no sprint.",
            ),
            Argument::optional(
                "is_critical",
                Kind::Truth,
                "Only tasks on the critical path, or only others.",
            ),
            Argument::optional("type", Kind::Word(TYPES), "Only tasks of this type."),
        ],
        parts: &["tasks[]"],
    },
    Told { name: "get_task", tells: "One task in detail.", arguments: &[TASK], parts: &["task"] },
    Told {
        name: "get_board_state",
        tells: "The columns of the board of a project and the tasks on it.",
        arguments: &[PROJECT],
        parts: &["board", "tasks[]"],
    },
    Told {
        name: "get_schedule_summary",
        tells: "When a project ends, and the tasks that decide that.",
        arguments: &[PROJECT],
        parts: &["forecast", "critical_tasks[]"],
    },
    Told { name: "list_risks", tells: "The risks of a project.", arguments: &[PROJECT], parts: &["risks[]"] },
    Told {
        name: "get_monte_carlo_forecast",
        tells: "The newest simulation of a project: its finish at 50, 80 and 95 percent.",
        arguments: &[PROJECT],
        parts: &["simulation"],
    },
    Told {
        name: "whatif",
        tells: "What becomes of the finish if one task takes longer or shorter. Nothing is written.",
        arguments: &[
            PROJECT,
            TASK,
            Argument::optional(
                "duration_delta",
                Kind::Number(-MOST_DAYS, MOST_DAYS),
                "By how many working days it changes.",
            ),
            Argument::optional(
                "new_duration",
                Kind::Number(0, MOST_DAYS),
                "How many working days it takes then.",
            ),
            Argument::optional("n_simulations", Kind::Number(1, 10_000), "How often the plan is simulated."),
        ],
        parts: &["whatif"],
    },
    Told {
        name: "get_schedule_derivation",
        tells: "Why a task has its date or its float: the reasons, step by step.",
        arguments: &[
            PROJECT,
            TASK,
            Argument::required("quantity", Kind::Word(QUANTITIES), "What is to be explained."),
        ],
        parts: &["derivation"],
    },
    Told {
        name: "get_release_forecast",
        tells: "How many sprints the open work of a project takes at its speed.",
        arguments: &[PROJECT],
        parts: &["forecast"],
    },
    Told {
        name: "list_sprints",
        tells: "The sprints of a project.",
        arguments: &[PROJECT],
        parts: &["sprints[]"],
    },
    Told {
        name: "get_sprint",
        tells: "One sprint, and how it does if it is running.",
        arguments: &[Argument::required("sprint_id", Kind::Id, "The id of the sprint.")],
        parts: &["sprint", "health"],
    },
    Told {
        name: "list_my_work",
        tells: "Your own tasks, the most urgent first.",
        arguments: &[],
        parts: &["work[]"],
    },
    Told {
        name: "list_programs",
        tells: "The programs that you see.",
        arguments: &[],
        parts: &["programs[]"],
    },
    Told {
        name: "get_program_health",
        tells: "The key figures of a program over all of its projects.",
        arguments: &[PROGRAM],
        parts: &["health"],
    },
    Told {
        name: "list_program_backlog",
        tells: "The items of the backlog of a program.",
        arguments: &[PROGRAM],
        parts: &["items[]"],
    },
    Told { name: "whoami", tells: "Whose token this is.", arguments: &[], parts: &["me"] },
    Told {
        name: "why_this_date",
        tells: "Why a task starts when it starts, and how much later it may end.",
        arguments: &[PROJECT, TASK],
        parts: &["start", "float"],
    },
    Told {
        name: "schedule_health",
        tells: "The fourteen checks of schedule quality, with the rows that fail them.",
        arguments: &[PROJECT],
        parts: &["checks"],
    },
    Told {
        name: "risk_drivers",
        tells: "By how many days each risk and each task moves the finish, as last analysed, beside the open risks.",
        arguments: &[PROJECT],
        parts: &["drivers", "risks[]"],
    },
    Told {
        name: "search",
        tells: "Tasks and items of backlogs that contain some words, the best first.",
        arguments: &[Argument::required("q", Kind::Text, "The words.")],
        parts: &["found[]"],
    },
];

/// The tool of a name.
pub(crate) fn tool(name: &str) -> Option<&'static Told> {
    TOOLS.iter().find(|told| told.name == name)
}

impl Told {
    /// What clients are told of it.
    pub(crate) fn described(&self) -> Tool {
        let hints = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
        Tool::new(self.name, self.tells, schema(self.arguments))
            .with_raw_output_schema(self.answer_schema())
            .with_annotations(hints)
    }

    fn answer_schema(&self) -> Arc<JsonObject> {
        let part = |part: &&str| match part.strip_suffix("[]") {
            Some(rows) => (rows.to_owned(), json!({ "type": "array", "items": { "type": "object" } })),
            None => ((*part).to_owned(), json!({ "type": "object" })),
        };
        let mut properties: JsonObject = self.parts.iter().map(part).collect();
        let truncated = "Whether there are more rows than are shown.";
        properties.insert("truncated".into(), json!({ "type": "boolean", "description": truncated }));
        let schema = json!({ "type": "object", "properties": Value::Object(properties) });
        Arc::new(schema.as_object().cloned().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_tool_has_a_name_of_its_own_and_only_reads() {
        let names: HashSet<&str> = TOOLS.iter().map(|told| told.name).collect();
        assert_eq!(names.len(), TOOLS.len());
        for told in TOOLS {
            assert_eq!(told.described().annotations.unwrap().read_only_hint, Some(true), "{}", told.name);
        }
    }
}
