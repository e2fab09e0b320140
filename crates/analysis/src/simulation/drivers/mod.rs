//! `/api/v1/projects/{id}/monte-carlo/drivers/`: what each risk and each estimate costs at a percentile of the finish, found
//! by a job. It makes many simulations, and it never touches a task.

mod jobs;
mod model;
mod queries;
mod routes;

pub use jobs::registry as jobs;
pub use queries::has_any;
pub use routes::table;
