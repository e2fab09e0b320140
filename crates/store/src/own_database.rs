//! A private PostgreSQL database for a test: created empty or as a copy, and dropped with its value. The program
//! itself creates no databases on a server.

use deadpool_postgres::Object;
use planwright_domain::Clock;
use uuid::Uuid;

use crate::{Db, Location, Result, StoreError, migrate, postgres};

/// The lock while the template is created, so that processes that start at once create it once.
const TEMPLATE_LOCK: i64 = 7_165_415;

/// From this version on a server copies files only on request, which is twice as fast as its default.
const COPIES_BY_LOG: i32 = 150_000;

/// A database that exists as long as this value.
pub struct OwnDatabase {
    server: String,
    name: String,
}

impl OwnDatabase {
    /// An empty one on the server that the URL names.
    pub async fn empty(server: &str) -> Result<Self> {
        let name = new_name();
        run_on(server, &format!("CREATE DATABASE {name}")).await?;
        Ok(Self { server: server.to_owned(), name })
    }

    /// One with every migration applied: a copy of a template that is migrated once for the whole server.
    pub async fn migrated(server: &str) -> Result<Self> {
        let client = postgres::pool(server, 1)?.get().await?;
        let template = template(&client, server).await?;
        Self::copied(&client, server, &template).await
    }

    /// A copy of this one. Its connections are closed.
    pub async fn copy(&self) -> Result<Self> {
        let client = postgres::pool(&self.server, 1)?.get().await?;
        let send_away = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1";
        client.query(send_away, &[&self.name]).await?;
        Self::copied(&client, &self.server, &self.name).await
    }

    /// Where it is, as `postgres://…`.
    pub fn url(&self) -> String {
        at(&self.server, &self.name)
    }

    async fn copied(client: &Object, server: &str, original: &str) -> Result<Self> {
        let name = new_name();
        let version: i32 =
            client.query_one("SELECT current_setting('server_version_num')::int", &[]).await?.try_get(0)?;
        let strategy = if version >= COPIES_BY_LOG { "STRATEGY file_copy" } else { "" };
        client.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {original} {strategy}")).await?;
        Ok(Self { server: server.to_owned(), name })
    }
}

impl Drop for OwnDatabase {
    fn drop(&mut self) {
        let (server, statement) =
            (self.server.clone(), format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        // Nothing can be awaited here, and the thread may well be that of a runtime.
        let dropping = std::thread::spawn(move || -> Result<()> {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| StoreError::Unexpected(error.into()))?;
            runtime.block_on(run_on(&server, &statement))
        });
        match dropping.join() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, name = self.name, "a database could not be dropped"),
            Err(_) => tracing::error!(name = self.name, "dropping a database panicked"),
        }
    }
}

/// The name of the migrated template of this version of the schema. It is created if the server does not have it.
async fn template(client: &Object, server: &str) -> Result<String> {
    let name = format!("planwright_{}", &migrate::fingerprint()[..16]);
    if is_template(client, &name).await? {
        return Ok(name);
    }
    client.query("SELECT pg_advisory_lock($1)", &[&TEMPLATE_LOCK]).await?;
    if !is_template(client, &name).await? {
        // What a process that was killed began is no template yet.
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await?;
        client.batch_execute(&format!("CREATE DATABASE {name}")).await?;
        let location = Location::Server { url: at(server, &name), connections: 1 };
        migrate::apply(&Db::open(&location, Clock::machine())?).await?;
        let freeze = format!("ALTER DATABASE {name} IS_TEMPLATE true ALLOW_CONNECTIONS false");
        client.batch_execute(&freeze).await?;
    }
    client.query("SELECT pg_advisory_unlock($1)", &[&TEMPLATE_LOCK]).await?;
    Ok(name)
}

async fn is_template(client: &Object, name: &str) -> Result<bool> {
    let found = "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)";
    Ok(client.query_one(found, &[&name]).await?.try_get(0)?)
}

async fn run_on(server: &str, statement: &str) -> Result<()> {
    Ok(postgres::pool(server, 1)?.get().await?.batch_execute(statement).await?)
}

fn new_name() -> String {
    format!("t{}", Clock::machine().mint::<Uuid>().simple())
}

/// The URL of another database of the same server.
fn at(server: &str, database: &str) -> String {
    let (address, parameters) = server.split_once('?').unwrap_or((server, ""));
    let host = address.find("://").map_or(0, |at| at + 3);
    let end = address[host..].find('/').map_or(address.len(), |at| host + at);
    let separator = if parameters.is_empty() { "" } else { "?" };
    format!("{}/{database}{separator}{parameters}", &address[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_of_the_database_changes_in_an_address() {
        assert_eq!(at("postgres://ona@host:5432/postgres", "t1"), "postgres://ona@host:5432/t1");
        assert_eq!(at("postgres://ona@host:5432", "t1"), "postgres://ona@host:5432/t1");
        assert_eq!(at("postgres://host/a?sslmode=disable", "t1"), "postgres://host/t1?sslmode=disable");
    }
}
