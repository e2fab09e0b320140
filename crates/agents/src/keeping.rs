//! What operators do with the log of agents: check it, write it to a file, check such a file, and prune it.

use std::io::{BufRead, Write};

use anyhow::{Context, bail};
use chrono::{DateTime, Utc};
use planwright_store::Db;
use serde::{Deserialize, Serialize};

use crate::chain::{ActionRecord, Link};
use crate::queries;

/// Records that are read at once.
const PAGE: i64 = 1000;

/// What a check found.
#[derive(Debug, PartialEq, Eq)]
pub struct Checked {
    /// How many records are good.
    pub records: i64,
    /// The last one, which can be compared with one that was written down before.
    pub end: Link,
    /// The first thing that is wrong.
    pub fault: Option<String>,
}

/// The first line of a file: where its chain begins.
#[derive(Serialize, Deserialize)]
struct Head {
    pruned_sequence: i64,
    pruned_hash: String,
}

/// Checks the chain in the database: every record, and that its last one is the end.
pub async fn verify(db: &Db) -> anyhow::Result<Checked> {
    let mut link = queries::checkpoint(db).await?;
    let begin = link.sequence;
    let checked = |link: &Link, fault| Checked { records: link.sequence - begin, end: link.clone(), fault };
    loop {
        let records = queries::after(db, link.sequence, PAGE).await?;
        if records.is_empty() {
            break;
        }
        for record in &records {
            if let Err(fault) = link.follow(record) {
                return Ok(checked(&link, Some(fault)));
            }
        }
    }
    let end = queries::end(db).await?.unwrap_or_else(Link::genesis);
    let fault =
        (end != link).then(|| format!("The last records are missing: the chain ends with {}.", end.sequence));
    Ok(checked(&link, fault))
}

/// Writes the chain as JSON lines, each record on a line. Answers how many there are.
pub async fn export(db: &Db, to: &mut impl Write) -> anyhow::Result<i64> {
    let begin = queries::checkpoint(db).await?;
    let head = Head { pruned_sequence: begin.sequence, pruned_hash: begin.record_hash };
    writeln!(to, "{}", serde_json::to_string(&head)?)?;
    let mut last = begin.sequence;
    loop {
        let records = queries::after(db, last, PAGE).await?;
        let Some(end) = records.last() else { break };
        last = end.sequence;
        for record in &records {
            writeln!(to, "{}", serde_json::to_string(record)?)?;
        }
    }
    Ok(last - begin.sequence)
}

/// Checks a file that [`export`] wrote. No database is needed.
pub fn verify_file(from: impl BufRead) -> anyhow::Result<Checked> {
    let mut lines = from.lines();
    let head = lines.next().context("the file is empty")??;
    let head: Head = serde_json::from_str(&head).context("line 1 does not say where the chain begins")?;
    let mut link = Link { sequence: head.pruned_sequence, record_hash: head.pruned_hash };
    if link.sequence == 0 && link != Link::genesis() {
        bail!("line 1 does not begin where every chain begins");
    }
    let begin = link.sequence;
    let mut fault = None;
    for (number, line) in (2..).zip(lines) {
        let record: ActionRecord =
            serde_json::from_str(&line?).with_context(|| format!("line {number} is not a record"))?;
        if let Err(found) = link.follow(&record) {
            fault = Some(found);
            break;
        }
    }
    Ok(Checked { records: link.sequence - begin, end: link, fault })
}

/// Removes the records from before a time, after a check of the whole chain. Answers how many went. The hash of the last
/// one stays as a checkpoint, so that the rest can still be checked.
pub async fn prune(db: &Db, before: DateTime<Utc>) -> anyhow::Result<u64> {
    if let Some(fault) = verify(db).await?.fault {
        bail!("nothing is pruned, because the chain is broken: {fault}");
    }
    let mut tx = db.begin().await?;
    let gone = queries::prune(&mut tx, before).await?;
    tx.commit().await?;
    Ok(gone)
}
