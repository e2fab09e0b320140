//! What tasks say in the fields of their project; nothing here writes it.

use planwright_domain::ids::CustomFieldId;
use planwright_store::{FromValue, Result};
use serde_json::Value as Json;

use super::{Branch, Piece};

/// What several tasks say in live fields.
pub(super) const FIELDS: Branch = Branch {
    kind: "field",
    of: "x.task_id",
    id: "f.id",
    word: "x.value",
    number: "f.place",
    from: "custom_field_values x JOIN custom_fields f ON f.id = x.field_id AND f.deletion_id IS NULL
        WHERE x.task_id IN (:tasks)",
    ..Branch::BARE
};

/// A field and what a task says in it.
pub(super) fn said(piece: Piece) -> Result<(CustomFieldId, Json)> {
    Ok((FromValue::from_value(piece.id)?, FromValue::from_value(piece.word)?))
}
