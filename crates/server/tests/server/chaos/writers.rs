//! Clients that write tasks and keep a ledger: what was acknowledged happened, what was not may have happened.
//! A task of which something is not known is left alone from then on, so the ledger stays true.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;

use super::chance::Chance;
use crate::client::Session;

/// Something that a write did, as its webhook tells it: the event, the task, and its name where one was written.
pub(crate) type Deed = (String, String, Option<String>);

/// What a writer knows.
#[derive(Default, Debug)]
pub(crate) struct Ledger {
    /// What was acknowledged.
    pub(crate) done: Vec<Deed>,
    /// Writes of which nobody knows.
    pub(crate) unknown: usize,
    /// Answers that no write should get.
    pub(crate) surprises: Vec<String>,
}

/// One who writes.
pub(crate) struct Writer {
    pub(crate) name: String,
    pub(crate) session: Session,
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) project: String,
    pub(crate) chance: Chance,
}

impl Writer {
    /// Writes until told to stop.
    pub(crate) async fn write(mut self, stop: watch::Receiver<bool>) -> Ledger {
        let mut ledger = Ledger::default();
        let mut tasks: Vec<String> = Vec::new();
        let mut count = 0;
        while !*stop.borrow() {
            count += 1;
            let name = format!("{} {count}", self.name);
            let address = self.addresses[self.chance.below(self.addresses.len())];
            let at = self.chance.below(tasks.len().max(1));
            match self.chance.below(10) {
                0 if !tasks.is_empty() => self.delete(address, tasks.swap_remove(at), &mut ledger).await,
                1..4 if !tasks.is_empty() => {
                    let task = tasks.swap_remove(at);
                    tasks.extend(self.rename(address, task, &name, &mut ledger).await);
                }
                _ => tasks.extend(self.create(address, &name, &mut ledger).await),
            }
            tokio::time::sleep(self.chance.between(Duration::from_millis(40), Duration::from_millis(200)))
                .await;
        }
        ledger
    }

    async fn create(&self, address: SocketAddr, name: &str, ledger: &mut Ledger) -> Option<String> {
        let request = json!({"project": self.project, "name": name, "duration": 1});
        let answer = self.session.send(address, "POST", "/api/v1/tasks/", Some(&request)).await;
        let Ok(answer) = answer else {
            ledger.lost();
            return None;
        };
        if !ledger.is_acknowledged(answer.status, 201) {
            return None;
        }
        let id = answer.body["id"].as_str().expect("a task has an id").to_owned();
        ledger.done.push(("task.created".into(), id.clone(), Some(name.to_owned())));
        Some(id)
    }

    async fn rename(
        &self,
        address: SocketAddr,
        task: String,
        name: &str,
        ledger: &mut Ledger,
    ) -> Option<String> {
        let path = format!("/api/v1/tasks/{task}/");
        let Ok(answer) = self.session.send(address, "PATCH", &path, Some(&json!({"name": name}))).await
        else {
            ledger.lost();
            return None;
        };
        if !ledger.is_acknowledged(answer.status, 200) {
            return None;
        }
        ledger.done.push(("task.updated".into(), task.clone(), Some(name.to_owned())));
        Some(task)
    }

    async fn delete(&self, address: SocketAddr, task: String, ledger: &mut Ledger) {
        let path = format!("/api/v1/tasks/{task}/");
        let Ok(answer) = self.session.send(address, "DELETE", &path, None).await else {
            return ledger.lost();
        };
        if ledger.is_acknowledged(answer.status, 204) {
            ledger.done.push(("task.deleted".into(), task, None));
        }
    }
}

impl Ledger {
    fn lost(&mut self) {
        self.unknown += 1;
    }

    fn is_acknowledged(&mut self, status: u16, good: u16) -> bool {
        match status {
            _ if status == good => return true,
            // The database may be away for a moment, and then nobody knows either.
            503 => self.unknown += 1,
            other => self.surprises.push(format!("a write was answered with {other}")),
        }
        false
    }
}
