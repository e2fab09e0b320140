//! What a label may look like: pure decisions over rows and requests.

use planwright_plan::tasks::facets::labels::name_key;
use planwright_web::{ApiError, ApiResult};

use super::model::{LabelRow, PatchedLabelRequest};

/// The row with the wanted fields changed; `others` are the other labels of the project.
///
/// # Errors
/// 400 when another label has the name, without regard to case.
pub fn changed(mut row: LabelRow, request: PatchedLabelRequest, others: &[LabelRow]) -> ApiResult<LabelRow> {
    request.name.write_to(&mut row.name);
    request.color.write_to(&mut row.color);
    request.position.write_to(&mut row.position);
    row.name_key = name_key(&row.name);
    match others.iter().any(|other| other.id != row.id && other.name_key == row.name_key) {
        true => Err(ApiError::invalid_field("name", "A label with this name already exists in the project.")),
        false => Ok(row),
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{LabelId, ProjectId};
    use planwright_plan::tasks::labels::fresh;
    use planwright_web::Patch;
    use uuid::Uuid;

    use super::*;

    fn label(number: u128, name: &str) -> LabelRow {
        let fresh = fresh(LabelId(Uuid::from_u128(number)), ProjectId(Uuid::nil()), Default::default(), &[]);
        LabelRow { name: name.to_owned(), name_key: name_key(name), ..fresh.unwrap() }
    }

    #[test]
    fn two_labels_differ_in_more_than_case() {
        let others = [label(1, "Übung"), label(2, "bug")];
        let rename = |row: &LabelRow, name: &str| {
            let name = planwright_web::Field::from_json(&name.into()).unwrap();
            let request =
                PatchedLabelRequest { name: Patch::Set(name), color: Patch::Absent, position: Patch::Absent };
            changed(row.clone(), request, &others)
        };
        assert!(rename(&label(3, ""), "ÜBUNG").is_err());
        assert!(rename(&others[1], "Bug").is_ok(), "its own name in other letters");
        assert!(rename(&label(3, ""), "bugs").is_ok());
    }

    #[test]
    fn a_project_has_at_most_fifty_labels() {
        let full: Vec<LabelRow> = (0..50).map(|at| label(at, &at.to_string())).collect();
        let fresh = |others| fresh(LabelId(Uuid::nil()), ProjectId(Uuid::nil()), Default::default(), others);
        assert!(fresh(&full).is_err());
        assert_eq!(fresh(&full[..49]).unwrap().position, 1, "behind the others");
    }
}
