//! Acceptance criteria in storage, and what is sent of them.
//! How they are shown is in `planwright_plan::tasks::model`.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CriterionId, TaskId, UserId};
use planwright_plan::tasks::of_task::OfTask;
use planwright_store::{record, tracked};
use planwright_web::input::{Int, LongText, Patch};
use planwright_web::{Resource, body, input};

record! {
    /// A criterion as it is stored.
    pub struct CriterionRow in acceptance_criteria {
        #[serde(skip)]
        pub id: CriterionId,
        #[serde(rename = "task")]
        pub task_id: TaskId,
        pub text: String,
        #[serde(rename = "given")]
        pub given_text: String,
        #[serde(rename = "when")]
        pub when_text: String,
        #[serde(rename = "then")]
        pub then_text: String,
        pub met: bool,
        /// Who ticked it.
        #[serde(skip)]
        pub met_by_id: Option<UserId>,
        /// When that was.
        #[serde(skip)]
        pub met_at: Option<DateTime<Utc>>,
        pub position: i64,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { CriterionRow as "acceptance_criterion" }

impl Resource for CriterionRow {
    type Container = OfTask;

    fn container(&self) -> OfTask {
        OfTask(self.task_id)
    }
}

body! {
    /// A new acceptance criterion, or all of one.
    pub struct AcceptanceCriterionRequest;
    /// Some fields of an acceptance criterion.
    pub struct PatchedAcceptanceCriterionRequest;
    required {
        /// The task it belongs to, for good.
        task: TaskId,
        /// What must hold.
        text: LongText<1, 1000>,
    }
    optional {
        /// The situation.
        given: LongText<0, 1000>,
        /// The event.
        when: LongText<0, 1000>,
        /// The outcome.
        then: LongText<0, 1000>,
        /// Whether it holds; the server notes who said so, and when.
        met: bool,
        /// Its place among the criteria of the task; behind the others unless said otherwise.
        position: Int<0, 2147483647>,
    }
}

input! {
    /// Which acceptance criteria a list shows.
    pub struct CriterionFilter {
        /// Those of this task.
        pub task: Patch<TaskId>,
    }
}
