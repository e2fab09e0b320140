//! What a task shows of people: who blocked it, and where the caller is Product Owner.

use planwright_store::{FromValue, Result};

use super::{Branch, Piece};

/// The names people sign in with.
pub(super) const USERNAMES: Branch = Branch {
    kind: "person",
    of: "u.id",
    name: "u.username",
    from: "users u WHERE u.id IN (:people)",
    ..Branch::BARE
};

/// The projects in which the caller is Product Owner.
pub(super) const OWNED: Branch = Branch {
    kind: "owned",
    of: "t.project_id",
    from: "team_members x JOIN teams t ON t.id = x.team_id AND t.is_default
           WHERE x.user_id = :me AND x.is_product_owner",
    ..Branch::BARE
};

/// The name of a person.
pub(super) fn username(piece: Piece) -> Result<String> {
    FromValue::from_value(piece.name)
}
