//! What each tool reads. Every read is a route of the API for agents.

use serde_json::{Map, Value, json};

use crate::arguments::Given;
use crate::reader::{Reader, Refusal};
use crate::shaping::shaped;

/// Rows of a page; more than the routes allow is no error.
const PAGE: &str = "200";
const PAGED: &[(&str, &str)] = &[("page_size", PAGE)];

/// The answer of a tool, part by part.
struct Answer<'a> {
    reader: &'a Reader,
    parts: Map<String, Value>,
}

impl Answer<'_> {
    /// One object of the API as a part; it is returned as well.
    async fn one(&mut self, part: &str, path: String) -> Result<Value, Refusal> {
        let value = self.reader.get(&path).await?;
        self.parts.insert(part.to_owned(), or_empty(shaped(value.clone()), json!({})));
        Ok(value)
    }

    /// One object of the API as a part; the part is empty when there is none.
    async fn one_or_none(&mut self, part: &str, path: String) -> Result<(), Refusal> {
        match self.one(part, path).await {
            Err(refusal) if refusal.is_not_found() => {
                self.parts.insert(part.to_owned(), json!({}));
                Ok(())
            }
            answered => answered.map(drop),
        }
    }

    /// The rows of a list as a part.
    async fn rows(&mut self, part: &str, path: String) -> Result<(), Refusal> {
        let listed = self.reader.rows(&path).await?;
        let rows: Vec<Value> = listed.rows.into_iter().map(shaped).collect();
        self.parts.insert(part.to_owned(), Value::Array(rows));
        if listed.is_truncated {
            self.parts.insert("truncated".to_owned(), json!(true));
        }
        Ok(())
    }
}

fn or_empty(value: Value, empty: Value) -> Value {
    if value.is_null() { empty } else { value }
}

/// Calls a tool.
///
/// # Errors
/// What the API said when it refused a read.
pub(crate) async fn call(reader: &Reader, tool: &str, given: &Given) -> Result<Value, Refusal> {
    let mut answer = Answer { reader, parts: Map::new() };
    match tool {
        "list_projects" => answer.rows("projects", list("/api/v1/projects/")).await?,
        "list_programs" => answer.rows("programs", list("/api/v1/programs/")).await?,
        "list_my_work" => answer.rows("work", "/api/v1/me/work/?limit=200".to_owned()).await?,
        "whoami" => drop(answer.one("me", "/api/v1/auth/me/".to_owned()).await?),
        "search" => {
            let query = given.query(PAGED, &["q"]);
            answer.rows("found", format!("/api/v1/me/search/?{query}")).await?;
        }
        "get_task" => {
            drop(answer.one("task", format!("/api/v1/tasks/{}/", given.required("task_id"))).await?)
        }
        "get_sprint" => sprint(&mut answer, given.required("sprint_id")).await?,
        "get_program_health" | "list_program_backlog" => {
            of_program(&mut answer, tool, given.required("program_id")).await?;
        }
        _ => of_project(&mut answer, tool, given).await?,
    }
    Ok(Value::Object(answer.parts))
}

async fn of_program(answer: &mut Answer<'_>, tool: &str, program: &str) -> Result<(), Refusal> {
    let path = format!("/api/v1/programs/{program}");
    match tool {
        "get_program_health" => answer.one("health", format!("{path}/rollup/")).await.map(drop),
        _ => answer.rows("items", list(&format!("{path}/backlog-items/"))).await,
    }
}

async fn of_project(answer: &mut Answer<'_>, tool: &str, given: &Given) -> Result<(), Refusal> {
    let project = given.required("project_id");
    let path = format!("/api/v1/projects/{project}");
    match tool {
        "get_project" => {
            answer.one("project", format!("{path}/")).await?;
            answer.one("overview", format!("{path}/overview/")).await?;
        }
        "list_tasks" => tasks(answer, given).await?,
        "get_board_state" => {
            answer.one("board", format!("{path}/board-config/")).await?;
            answer.rows("tasks", tasks_of(project, "")).await?;
        }
        "get_schedule_summary" => {
            answer.one("forecast", format!("{path}/forecast/")).await?;
            answer.rows("critical_tasks", tasks_of(project, "&is_critical=true")).await?;
        }
        "list_risks" => answer.rows("risks", list(&format!("{path}/risks/"))).await?,
        "list_sprints" => answer.rows("sprints", list(&format!("{path}/sprints/"))).await?,
        "get_monte_carlo_forecast" => {
            answer.one("simulation", format!("{path}/monte-carlo/latest/")).await?;
        }
        "whatif" => {
            let names = ["task_id", "duration_delta", "new_duration", "n_simulations"];
            let query = given.query(&[], &names);
            answer.one("whatif", format!("{path}/monte-carlo/whatif/?{query}")).await?;
        }
        "get_schedule_derivation" => {
            let query = given.query(&[], &["task_id", "quantity"]);
            answer.one("derivation", format!("{path}/schedule/derivation/?{query}")).await?;
        }
        "why_this_date" => {
            for (part, quantity) in [("start", "early_start"), ("float", "total_float")] {
                let query = given.query(&[("quantity", quantity)], &["task_id"]);
                answer.one(part, format!("{path}/schedule/derivation/?{query}")).await?;
            }
        }
        "get_release_forecast" => drop(answer.one("forecast", format!("{path}/sprint-forecast/")).await?),
        "schedule_health" => drop(answer.one("checks", format!("{path}/schedule/health/")).await?),
        "risk_drivers" => {
            // Whoever may not see the project is told so by the risks; after that, nothing was analysed yet.
            answer.rows("risks", format!("{path}/risks/?page_size={PAGE}&status=OPEN")).await?;
            answer.one_or_none("drivers", format!("{path}/monte-carlo/drivers/latest/")).await?;
        }
        other => return Err(Refusal::said(&format!("There is no tool {other}."))),
    }
    Ok(())
}

/// A sprint, and how it does if it is running.
async fn sprint(answer: &mut Answer<'_>, sprint: &str) -> Result<(), Refusal> {
    let row = answer.one("sprint", format!("/api/v1/sprints/{sprint}/")).await?;
    answer.parts.insert("health".to_owned(), json!({}));
    if let Some(project) = row["project"].as_str().filter(|_| row["state"] == "ACTIVE") {
        answer.one("health", format!("/api/v1/projects/{project}/sprint-health/")).await?;
    }
    Ok(())
}

/// The tasks of a project by the filters that are given.
async fn tasks(answer: &mut Answer<'_>, given: &Given) -> Result<(), Refusal> {
    // A list of tasks hides what may not be seen; a tool has to say that it is refused.
    answer.reader.get(&format!("/api/v1/projects/{}/", given.required("project_id"))).await?;
    let query = given.query(&[], &["status", "assignee", "sprint", "is_critical", "type"]);
    let more = if query.is_empty() { query } else { format!("&{query}") };
    answer.rows("tasks", tasks_of(given.required("project_id"), &more)).await
}

fn tasks_of(project: &str, more: &str) -> String {
    format!("/api/v1/tasks/?page_size={PAGE}&project={project}{more}")
}

fn list(path: &str) -> String {
    format!("{path}?page_size={PAGE}")
}
