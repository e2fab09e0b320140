//! Which of the two engines a database runs on. How they differ is in `dialect.rs`.

/// The engine of a [`crate::Db`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// A file, with SQLite inside the process.
    Sqlite,
    /// A database server.
    Postgres,
}

impl Engine {
    /// The name in health pages and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Sqlite => "sqlite",
            Engine::Postgres => "postgresql",
        }
    }
}
