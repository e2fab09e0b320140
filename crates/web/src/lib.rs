//! Everything between a request and the code that answers it: who asks, what they may, what they sent, and the shapes of answers.
//! This is the only crate of the house that names HTTP status codes; it knows no resource.

pub mod access_token;
pub mod actor;
pub mod app;
pub mod body;
pub mod cursor;
pub mod document;
pub mod edge;
pub mod envelope;
pub mod error;
mod guard;
pub mod idempotency;
pub mod input;
pub mod item;
pub mod limiter;
pub mod limits;
pub mod paging;
pub mod path;
pub mod reply;
pub mod request_id;
mod retry;
pub mod routes;
pub mod schema;
pub mod scope;
pub mod socket;
pub mod token;
pub mod version;
mod visible;
pub mod window;
mod written_body;

pub use actor::Actor;
pub use app::App;
pub use body::{Body, FileOrJson, IgnoredBody, OpenBody, Partial, Query};
pub use cursor::CursorPaging;
pub use envelope::Page;
pub use error::{ApiError, ApiResult};
pub use input::{Field, Input, Patch, Problem, Problems};
pub use item::{Item, Resource};
pub use paging::Paging;
pub use path::Path;
pub use reply::{Accepted, Created, Json, MultiStatus, NoContent};
pub use routes::{Routes, says};
pub use scope::{Place, ProgramScope, ProjectScope, Scope, WorkspaceScope};
pub use window::Window;
pub use written_body::{PatchedBody, WrittenBody};
