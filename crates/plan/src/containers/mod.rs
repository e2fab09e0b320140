//! Programs and projects as containers: bringing them into being, and putting people into them, for every way in.
//! They check no permission and know nothing of what is planned inside; whoever calls them has decided that it may happen.

pub mod attachment_types;
pub mod conferred;
pub mod inheritance;
pub mod members;
pub mod overrides;
pub mod program;
pub mod project;
mod queries;

pub use attachment_types::AttachmentTypes;
pub use inheritance::{Layer, Settings};
pub use overrides::Overrides;
pub use program::{NewProgram, ProgramFields, ProgramRow, create_program};
pub use project::{NewProject, ProjectFields, ProjectRow, create_project};
pub(crate) use project::{create_hidden, open_hidden};
