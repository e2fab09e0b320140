//! Rows without governance of their own are governed as the row above them is: at their creation, when that one is changed,
//! and when they are moved below another. What a classification writes is decided there.

use std::collections::HashMap;

use planwright_domain::ids::TaskId;
use planwright_domain::words::GovernanceClass;
use planwright_store::{Result, Tx};

use super::queries;
use super::validate::{PlannedWrite, Validation};

/// Lets a new row below another inherit, unless it says how it is governed.
pub(super) fn inherit(validation: &mut Validation<'_>) {
    let parent = validation.after.parent_id.and_then(|parent| validation.context.tasks.get(&parent));
    if let Some(parent) = parent
        && !validation.request.governance_class.is_given()
    {
        validation.after.governance_class = parent.governance_class;
        validation.after.parent_governance_inherited = true;
    }
}

/// Brings rows that inherit into step with the rows above them: those that were moved, and those below rows whose
/// governance is another one now. What changes comes back among the rows.
pub async fn follow(tx: &Tx, mut rows: Vec<PlannedWrite>) -> Result<Vec<PlannedWrite>> {
    adopt(tx, &mut rows).await?;
    let at: HashMap<TaskId, usize> = rows.iter().enumerate().map(|(at, row)| (row.after.id, at)).collect();
    let differs =
        |row: &&PlannedWrite| !row.is_new && row.before.governance_class != row.after.governance_class;
    let mut changed: HashMap<TaskId, GovernanceClass> =
        rows.iter().filter(differs).map(|row| (row.after.id, row.after.governance_class)).collect();
    while !changed.is_empty() {
        let parents: Vec<TaskId> = changed.keys().copied().collect();
        let mut next = HashMap::new();
        for record in queries::inheriting(tx, &parents).await? {
            let context = at.get(&record.id).copied();
            let stands = context.map_or(&record, |at| &rows[at].after);
            let Some(class) = stands.parent_id.and_then(|parent| changed.get(&parent)).copied() else {
                continue;
            };
            if !stands.parent_governance_inherited || stands.governance_class == class {
                continue;
            }
            next.insert(record.id, class);
            match context {
                Some(at) => rows[at].after.governance_class = class,
                None => {
                    let mut after = record.clone();
                    after.governance_class = class;
                    rows.push(PlannedWrite::direct(record, after));
                }
            }
        }
        changed = next;
    }
    Ok(rows)
}

/// Rows that stand below another row than before take its governance; at the top there is none to inherit.
async fn adopt(tx: &Tx, rows: &mut [PlannedWrite]) -> Result<()> {
    let is_moved = |row: &PlannedWrite| {
        let inherits = row.before.parent_governance_inherited && row.after.parent_governance_inherited;
        !row.is_new && inherits && row.before.parent_id != row.after.parent_id
    };
    let parents: Vec<TaskId> =
        rows.iter().filter(|row| is_moved(row)).filter_map(|row| row.after.parent_id).collect();
    let mut classes = queries::governance(tx, &parents).await?;
    classes.extend(rows.iter().map(|row| (row.after.id, row.after.governance_class)));
    // One that was moved may stand below another that was, whose own class comes first.
    for _ in 0..rows.len() {
        let mut again = false;
        for row in rows.iter_mut().filter(|row| is_moved(row)) {
            match row.after.parent_id.map(|parent| classes.get(&parent).copied()) {
                None => row.after.parent_governance_inherited = false,
                Some(class) => {
                    let class = class.unwrap_or(row.after.governance_class);
                    again |= class != row.after.governance_class;
                    row.after.governance_class = class;
                    classes.insert(row.after.id, class);
                }
            }
        }
        if !again {
            break;
        }
    }
    Ok(())
}
