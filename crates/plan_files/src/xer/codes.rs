//! The words of XER: types of links, constraints, lag calendars. Every word has one place here, both ways.

use planwright_domain::words::{ConstraintType, DependencyType, LagCalendar};

const CONSTRAINTS: [(&str, ConstraintType); 9] = [
    ("CS_ALAP", ConstraintType::AsLateAsPossible),
    ("CS_MSOA", ConstraintType::StartNoEarlierThan),
    ("CS_MSOB", ConstraintType::StartNoLaterThan),
    ("CS_MEOA", ConstraintType::FinishNoEarlierThan),
    ("CS_MEOB", ConstraintType::FinishNoLaterThan),
    ("CS_MSO", ConstraintType::StartOn),
    ("CS_MEO", ConstraintType::FinishOn),
    ("CS_MANDSTART", ConstraintType::MustStartOn),
    ("CS_MANDFIN", ConstraintType::MustFinishOn),
];

const LINKS: [(&str, DependencyType); 4] = [
    ("PR_FS", DependencyType::FinishToStart),
    ("PR_SS", DependencyType::StartToStart),
    ("PR_FF", DependencyType::FinishToFinish),
    ("PR_SF", DependencyType::StartToFinish),
];

const LAGS: [(&str, LagCalendar); 4] = [
    ("rcal_Predecessor", LagCalendar::Predecessor),
    ("rcal_Successor", LagCalendar::Successor),
    ("rcal_ProjDefault", LagCalendar::Project),
    ("rcal_24Hour", LagCalendar::Elapsed),
];

fn meaning<T: Copy>(list: &[(&str, T)], word: &str) -> Option<T> {
    list.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
}

fn word<T: PartialEq>(list: &[(&'static str, T)], meaning: T) -> &'static str {
    list.iter().find(|(_, known)| *known == meaning).map_or("", |(word, _)| word)
}

/// A constraint by its word.
pub(super) fn constraint(text: &str) -> Option<ConstraintType> {
    meaning(&CONSTRAINTS, text)
}

/// The word of a constraint.
pub(super) fn constraint_word(kind: ConstraintType) -> &'static str {
    word(&CONSTRAINTS, kind)
}

/// Whether a constraint holds the finish, so that its instant is an evening.
pub(super) fn holds_finish(kind: ConstraintType) -> bool {
    matches!(
        kind,
        ConstraintType::FinishNoEarlierThan
            | ConstraintType::FinishNoLaterThan
            | ConstraintType::FinishOn
            | ConstraintType::MustFinishOn
    )
}

/// A type of links by its word. Some versions add a number to the word.
pub(super) fn link(text: &str) -> Option<DependencyType> {
    text.get(..5).and_then(|word| meaning(&LINKS, word))
}

/// The word of a type of links.
pub(super) fn link_word(kind: DependencyType) -> &'static str {
    word(&LINKS, kind)
}

/// A lag calendar by its word.
pub(super) fn lag_calendar(text: &str) -> Option<LagCalendar> {
    meaning(&LAGS, text)
}

/// The word of a lag calendar.
pub(super) fn lag_calendar_word(calendar: LagCalendar) -> &'static str {
    word(&LAGS, calendar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use planwright_domain::words::Word;

    #[test]
    fn every_word_of_ours_has_one_of_theirs_that_leads_back() {
        for kind in ConstraintType::ALL {
            assert_eq!(constraint(constraint_word(*kind)), Some(*kind));
        }
        for kind in DependencyType::ALL {
            assert_eq!(link(link_word(*kind)), Some(*kind));
        }
        for calendar in LagCalendar::ALL {
            assert_eq!(lag_calendar(lag_calendar_word(*calendar)), Some(*calendar));
        }
        assert_eq!(
            (link("PR_FS1"), link("PR"), constraint("CS_NONE")),
            (Some(DependencyType::FinishToStart), None, None)
        );
    }
}
