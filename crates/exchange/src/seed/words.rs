//! The words of documents and those of the domain are spelled alike; this turns the one into the other.
//! A test holds the two lists together, so a word without its counterpart cannot slip through.

use planwright_domain::words::Word as Kept;

use crate::seed::vocabulary::Word as Written;

/// The domain's word of the same spelling.
pub(crate) fn kept<W: Written, K: Kept>(word: W) -> K {
    K::parse(word.as_str()).unwrap_or(K::ALL[0])
}

/// The document's word of the same spelling.
pub(crate) fn written<K: Kept, W: Written>(word: K) -> W {
    W::named(word.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use planwright_domain::words as domain;

    use super::*;
    use crate::seed::vocabulary as seed;

    fn same<W: Written, K: Kept>() {
        let written: Vec<&str> = W::ALL.iter().map(|word| word.as_str()).collect();
        let kept: Vec<&str> = K::ALL.iter().map(|word| word.as_str()).collect();
        assert!(written.iter().all(|word| kept.contains(word)), "{written:?} {kept:?}");
        assert_eq!(written.len(), kept.len(), "{written:?} {kept:?}");
    }

    #[test]
    fn every_word_has_its_counterpart() {
        same::<seed::Methodology, domain::Methodology>();
        same::<seed::DefaultView, domain::DefaultView>();
        same::<seed::EstimationMode, domain::EstimationMode>();
        same::<seed::LagCalendar, domain::LagCalendar>();
        same::<seed::LabelColor, domain::LabelColor>();
        same::<seed::TaskKind, domain::TaskType>();
        same::<seed::TaskStatus, domain::TaskStatus>();
        same::<seed::Readiness, domain::Readiness>();
        same::<seed::GovernanceClass, domain::GovernanceClass>();
        same::<seed::DeliveryMode, domain::DeliveryMode>();
        same::<seed::RelationKind, domain::RelationKind>();
        same::<seed::DependencyKind, domain::DependencyType>();
        same::<seed::ConstraintKind, domain::ConstraintType>();
        same::<seed::SprintState, domain::SprintState>();
        same::<seed::RiskStatus, domain::RiskStatus>();
        same::<seed::RiskCategory, domain::RiskCategory>();
        same::<seed::RiskResponse, domain::RiskResponse>();
    }
}
