//! Programs and projects as containers: bringing them into being, and putting people into them, for every way in.
//! They check no permission and know nothing of what is planned inside; whoever calls them has decided that it may happen.

pub mod attachment_types;
pub mod deletion;
mod deletion_queries;
pub mod fields;
pub mod hold;
pub mod inheritance;
pub mod members;
pub mod overrides;
pub mod program;
pub mod project;
mod queries;

pub use attachment_types::AttachmentTypes;
pub use deletion::{delete_program, delete_projects, recalculate_neighbours, restore_project};
pub use hold::{hold_program, hold_project, hold_with_linked, lock_programs};
pub use inheritance::{Layer, Settings};
pub use members::{add_program_member, add_project_member};
pub use overrides::Overrides;
pub use program::{NewProgram, ProgramFields, create_program};
pub use project::{NewProject, ProjectFields, create_project};
