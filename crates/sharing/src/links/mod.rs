//! `/api/v1/projects/{id}/share-links/`: the public links of a project, made and revoked by its managers.

mod model;
mod queries;
mod routes;
mod rules;

pub(crate) use model::ShareLinkRow;
pub(crate) use queries::{by_hash, count_access};
pub use routes::table;
pub(crate) use rules::Worth;
