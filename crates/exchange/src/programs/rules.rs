//! Whether an import may go ahead, given the programs that have its code already.
//! Only programs that the caller owns are ever looked at; somebody else's never stand in the way.

use planwright_domain::ids::ProgramId;
use planwright_plan::import::replacement::Candidate;
use planwright_web::ApiError;
use serde_json::json;

use super::model::SeedReplaceConflict;

/// What the caller allows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Replacement {
    /// Whether a program may be replaced.
    pub(super) replace: bool,
    /// Which one it must be.
    pub(super) expected: Option<ProgramId>,
}

/// Why an import does not go ahead.
#[derive(Debug, PartialEq)]
pub(super) enum Obstacle {
    /// A program has the code, and nobody said that it may go.
    Required(SeedReplaceConflict),
    /// Another program than the expected one would be replaced, or none at all.
    Mismatch(Vec<SeedReplaceConflict>),
    /// Several programs have the code, and nobody said which is meant.
    Ambiguous(Vec<SeedReplaceConflict>),
}

/// The program to be replaced, none when the code is free, or the obstacle.
pub(super) fn replaced(
    candidates: Vec<Candidate>,
    request: Replacement,
) -> Result<Option<ProgramId>, Obstacle> {
    let mut conflicts: Vec<SeedReplaceConflict> =
        candidates.into_iter().map(SeedReplaceConflict::from).collect();
    let expected = request.expected.map(|id| conflicts.iter().position(|conflict| conflict.program_id == id));
    let chosen = match expected {
        Some(Some(at)) => Some(conflicts.swap_remove(at)),
        Some(None) if request.replace || conflicts.len() != 1 => return Err(Obstacle::Mismatch(conflicts)),
        _ if conflicts.len() > 1 => return Err(Obstacle::Ambiguous(conflicts)),
        _ => conflicts.pop(),
    };
    match chosen {
        Some(conflict) if !request.replace => Err(Obstacle::Required(conflict)),
        chosen => Ok(chosen.map(|conflict| conflict.program_id)),
    }
}

impl From<Obstacle> for ApiError {
    fn from(obstacle: Obstacle) -> Self {
        let with = |detail: &str, code: &str, conflicts: Vec<SeedReplaceConflict>| {
            let error = ApiError::conflict(detail).with_code(code).with("conflict", json!(conflicts.first()));
            match conflicts.len() {
                0 | 1 => error,
                _ => error.with("conflicts", json!(conflicts)),
            }
        };
        match obstacle {
            Obstacle::Required(conflict) => with(
                "You already own a program with this code. Send replace so that the import replaces it.",
                "seed_replace_required",
                vec![conflict],
            ),
            Obstacle::Mismatch(conflicts) => with(
                "The import would replace another program than expected. Nothing was changed.",
                "seed_replace_mismatch",
                conflicts,
            ),
            Obstacle::Ambiguous(conflicts) => with(
                "You own several programs with this code. Name one with expected_program_id.",
                "seed_replace_ambiguous",
                conflicts,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn program(id: u128) -> ProgramId {
        ProgramId(Uuid::from_u128(id))
    }

    fn candidate(id: u128) -> Candidate {
        let (name, code) = (format!("Program {id}"), "plan".to_owned());
        Candidate { program_id: program(id), name, code, project_count: 1, task_count: 2 }
    }

    fn decide(
        ids: &[u128],
        replace: bool,
        expected: Option<u128>,
    ) -> Result<Option<ProgramId>, &'static str> {
        let candidates = ids.iter().map(|id| candidate(*id)).collect();
        replaced(candidates, Replacement { replace, expected: expected.map(program) }).map_err(|obstacle| {
            match obstacle {
                Obstacle::Required(_) => "required",
                Obstacle::Mismatch(_) => "mismatch",
                Obstacle::Ambiguous(_) => "ambiguous",
            }
        })
    }

    #[test]
    fn a_free_code_needs_no_consent() {
        assert_eq!(decide(&[], false, None), Ok(None));
        assert_eq!(decide(&[], true, None), Ok(None));
    }

    #[test]
    fn a_program_is_replaced_only_with_consent_and_only_the_expected_one() {
        assert_eq!(decide(&[1], false, None), Err("required"));
        assert_eq!(decide(&[1], false, Some(1)), Err("required"));
        assert_eq!(decide(&[1], true, None), Ok(Some(program(1))));
        assert_eq!(decide(&[1], true, Some(1)), Ok(Some(program(1))));
        assert_eq!(decide(&[1], true, Some(2)), Err("mismatch"));
        assert_eq!(decide(&[], true, Some(2)), Err("mismatch"));
        assert_eq!(decide(&[1], false, Some(2)), Err("required"));
    }

    #[test]
    fn of_several_the_expected_one_is_meant() {
        assert_eq!(decide(&[1, 2], true, None), Err("ambiguous"));
        assert_eq!(decide(&[1, 2], false, None), Err("ambiguous"));
        assert_eq!(decide(&[1, 2], true, Some(2)), Ok(Some(program(2))));
        assert_eq!(decide(&[1, 2], true, Some(3)), Err("mismatch"));
    }
}
