//! The chain of what agents did: how a record is hashed, and how a chain is checked. Nothing here reads the database, so a
//! file with the records can be checked anywhere (facts-platform §13).

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use planwright_domain::hex;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_store::record;
use serde::Serializer;
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The version of what a record contains. Since version 2 its id and the rule that refused it are part of its hash, and the keys of
/// what is hashed are sorted; records of version 1 are checked as they were written.
pub const SCHEMA_VERSION: i64 = 2;

const GENESIS: &str = "planwright agent actions";

/// What is hashed since version 2.
const SINCE_2: [&str; 2] = ["id", "refusal_constraint"];

record! {
    /// A record as it is stored.
    #[derive(serde::Deserialize)]
    pub struct ActionRecord in agent_actions {
        /// Its id.
        pub id: Uuid,
        /// Its place in the chain, from 1.
        pub sequence: i64,
        /// The version of what it contains.
        pub schema_version: i64,
        /// The kind of agent.
        pub actor_kind: String,
        /// The start of the token.
        pub actor_token_prefix: String,
        /// The person for whom the agent acted.
        pub principal_id: UserId,
        /// The route, such as `GET /api/v1/tasks/{id}/`.
        pub action: String,
        /// The method.
        pub method: String,
        /// The kind of row that the path names.
        pub object_type: String,
        /// The row.
        pub object_id: String,
        /// The project, if the request names one.
        pub project_id: Option<ProjectId>,
        /// The scope of the token that was used.
        pub capability_used: String,
        /// `allowed` or `refused`.
        pub verdict: String,
        /// `identity` or `policy`; empty if it was allowed.
        pub refusal_reason: String,
        /// The rule that refused it; empty if it was allowed.
        pub refusal_constraint: String,
        /// The version of the server.
        pub engine_version: String,
        /// The hash of the request.
        pub payload_hash: String,
        /// The hash of this record and of the one before it.
        pub record_hash: String,
        /// What happened, for people.
        pub summary: String,
        /// The address of the agent.
        pub source_ip: String,
        /// When it happened.
        #[serde(serialize_with = "as_hashed")]
        pub occurred_at: DateTime<Utc>,
    }
}

/// The text of a time that is hashed: with six digits of a second, whatever they are.
fn hashed_time(at: &DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Shows a time as it is hashed, so that a reader can compute the hash.
pub fn as_hashed<S: Serializer>(at: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&hashed_time(at))
}

/// SHA-256 as hexadecimal digits.
pub fn hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// The hash before the first record.
pub fn genesis() -> String {
    hash(GENESIS)
}

/// The hash of a request.
pub fn payload_hash(method: &str, path: &str, query: &[(String, String)]) -> String {
    // The keys are written in this order, which is sorted.
    hash(&json!({ "method": method, "path": path, "query": query }).to_string())
}

impl ActionRecord {
    /// Its hash after the record with the given hash.
    pub fn hash_after(&self, previous: &str) -> String {
        let content = match self.schema_version {
            1 => Json::Object(
                self.content().into_iter().filter(|(name, _)| !SINCE_2.contains(name)).map(named).collect(),
            ),
            _ => {
                let sorted: BTreeMap<&str, Json> = self.content().into_iter().collect();
                Json::Object(sorted.into_iter().map(named).collect())
            }
        };
        hash(&format!("{previous}\n{content}"))
    }

    /// What is hashed, in the order of version 1.
    fn content(&self) -> Vec<(&'static str, Json)> {
        vec![
            ("schema_version", json!(self.schema_version)),
            ("sequence", json!(self.sequence)),
            ("id", json!(self.id)),
            ("actor_kind", json!(self.actor_kind)),
            ("actor_token_prefix", json!(self.actor_token_prefix)),
            ("principal_id", json!(self.principal_id)),
            ("action", json!(self.action)),
            ("method", json!(self.method)),
            ("object_type", json!(self.object_type)),
            ("object_id", json!(self.object_id)),
            ("project_id", json!(self.project_id)),
            ("capability_used", json!(self.capability_used)),
            ("verdict", json!(self.verdict)),
            ("refusal_reason", json!(self.refusal_reason)),
            ("refusal_constraint", json!(self.refusal_constraint)),
            ("payload_hash", json!(self.payload_hash)),
            ("engine_version", json!(self.engine_version)),
            ("summary", json!(self.summary)),
            ("source_ip", json!(self.source_ip)),
            ("occurred_at", json!(hashed_time(&self.occurred_at))),
        ]
    }
}

fn named((name, value): (&str, Json)) -> (String, Json) {
    (name.to_owned(), value)
}

/// A place in a chain: a number, and the hash of the record with that number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The number.
    pub sequence: i64,
    /// The hash.
    pub record_hash: String,
}

impl Link {
    /// The place before the first record.
    pub fn genesis() -> Self {
        Self { sequence: 0, record_hash: genesis() }
    }

    /// Goes on to the next record.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the record.
    pub fn follow(&mut self, record: &ActionRecord) -> Result<(), String> {
        let expected = self.sequence + 1;
        if record.sequence != expected {
            return Err(format!("Record {expected} is missing; record {} comes next.", record.sequence));
        }
        if record.hash_after(&self.record_hash) != record.record_hash {
            return Err(format!("Record {expected} was changed, or the record before it was."));
        }
        *self = Self { sequence: expected, record_hash: record.record_hash.clone() };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(sequence: i64, previous: &str) -> ActionRecord {
        let mut record = ActionRecord {
            id: Uuid::nil(),
            sequence,
            schema_version: SCHEMA_VERSION,
            actor_kind: "mcp_token".into(),
            actor_token_prefix: "pw_12345678".into(),
            principal_id: UserId(Uuid::nil()),
            action: "GET /api/v1/tasks/{id}/".into(),
            method: "GET".into(),
            object_type: "tasks".into(),
            object_id: "1".into(),
            project_id: None,
            capability_used: "mcp:read".into(),
            verdict: "allowed".into(),
            refusal_reason: String::new(),
            refusal_constraint: String::new(),
            engine_version: "0.1.0".into(),
            payload_hash: payload_hash("GET", "/api/v1/tasks/1/", &[]),
            record_hash: String::new(),
            summary: "Read a task.".into(),
            source_ip: "127.0.0.1".into(),
            occurred_at: DateTime::UNIX_EPOCH,
        };
        record.record_hash = record.hash_after(previous);
        record
    }

    fn chain(length: i64) -> Vec<ActionRecord> {
        let mut previous = genesis();
        (1..=length)
            .map(|sequence| {
                let record = record(sequence, &previous);
                previous = record.record_hash.clone();
                record
            })
            .collect()
    }

    fn check(records: &[ActionRecord]) -> Result<Link, String> {
        let mut link = Link::genesis();
        records.iter().try_for_each(|record| link.follow(record)).map(|()| link)
    }

    #[test]
    fn a_chain_that_nobody_touched_is_good_to_its_end() {
        let records = chain(4);
        let end = check(&records).unwrap();
        assert_eq!((end.sequence, &end.record_hash), (4, &records[3].record_hash));
    }

    #[test]
    fn a_record_that_was_changed_or_taken_out_is_found() {
        let mut changed = chain(4);
        changed[1].verdict = "refused".into();
        assert_eq!(check(&changed).unwrap_err(), "Record 2 was changed, or the record before it was.");
        let mut short = chain(4);
        short.remove(2);
        assert_eq!(check(&short).unwrap_err(), "Record 3 is missing; record 4 comes next.");
        let mut swapped = chain(4);
        swapped.swap(1, 2);
        assert!(check(&swapped).is_err());
    }

    #[test]
    fn every_field_of_a_record_is_part_of_its_hash_and_keys_are_sorted() {
        let good = record(1, &genesis());
        let changed = |change: fn(&mut ActionRecord)| {
            let mut other = good.clone();
            change(&mut other);
            other.hash_after(&genesis())
        };
        assert_ne!(changed(|record| record.refusal_constraint = "role".into()), good.record_hash);
        assert_ne!(changed(|record| record.id = Uuid::max()), good.record_hash);
        let sorted: BTreeMap<&str, Json> = good.content().into_iter().collect();
        let text = serde_json::to_string(&sorted).unwrap();
        assert!(text.starts_with(r#"{"action":"GET "#) && text.ends_with('}'), "{text}");
        assert_eq!(good.record_hash, hash(&format!("{}\n{text}", genesis())));
    }

    #[test]
    fn a_record_of_the_first_version_is_checked_as_it_was_written() {
        let old = ActionRecord { schema_version: 1, ..record(1, &genesis()) };
        let other = ActionRecord { refusal_constraint: "role".into(), ..old.clone() };
        assert_eq!(old.hash_after(&genesis()), other.hash_after(&genesis()));
    }

    #[test]
    fn the_hash_of_a_request_depends_on_every_part_of_it() {
        let query = |value: &str| vec![("q".to_owned(), value.to_owned())];
        let one = payload_hash("GET", "/a/", &query("x"));
        for other in [
            payload_hash("HEAD", "/a/", &query("x")),
            payload_hash("GET", "/b/", &query("x")),
            payload_hash("GET", "/a/", &query("y")),
        ] {
            assert_ne!(one, other);
        }
    }
}
