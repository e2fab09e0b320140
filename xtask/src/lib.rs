//! What the tasks of the repository and its bench share: the workspace, private servers for tests, and the program under
//! test. The tasks themselves belong to the binary.

pub mod running_server;
pub mod services;
pub mod workspace;
