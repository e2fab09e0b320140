//! What a task shows of people: who blocked it, and where the caller is Product Owner.

use std::collections::HashMap;

use planwright_domain::ids::UserId;
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, sql};

/// The names people sign in with.
pub async fn usernames(db: &impl Read, people: &[UserId]) -> Result<HashMap<UserId, String>> {
    if people.is_empty() {
        return Ok(HashMap::new());
    }
    let select =
        sql!("SELECT id, username FROM users WHERE id IN (:ids)", ids = list(people.iter().copied()));
    let rows: Vec<(UserId, String)> = db.all(select).await?;
    Ok(rows.into_iter().collect())
}

/// The projects in which the caller is Product Owner.
pub fn product_owner_of(me: UserId) -> Sql {
    let select = "SELECT t.project_id FROM team_members x JOIN teams t ON t.id = x.team_id AND t.is_default
                  WHERE x.user_id = :me AND x.is_product_owner";
    sql!(select, me = me)
}
