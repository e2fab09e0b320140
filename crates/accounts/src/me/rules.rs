//! Where a person lands, which time zones there are, and what a changed profile looks like: pure decisions.
//! Which projects somebody is in is asked in `queries.rs`.

use chrono_tz::Tz;
use planwright_domain::Role;
use planwright_domain::ids::ProjectId;
use planwright_domain::words::DefaultLanding;

use super::model::{Landing, LandingReason, PatchedUserProfileRequest, UserProfile};

const MY_WORK: &str = "/me/work";
const PORTFOLIO: &str = "/portfolio";

/// Where a person lands: where they want to, if there is such a page for them; else by their highest rank.
pub fn landing(request: DefaultLanding, highest: Option<Role>, recent: Option<ProjectId>) -> Landing {
    let at = |intent, path: &str, resolved_by| Landing { intent, path: path.to_owned(), resolved_by };
    let my_work = |resolved_by| at(DefaultLanding::MyWork, MY_WORK, resolved_by);
    let overview = recent.map(|project| format!("/projects/{project}/overview"));
    let plans = highest.is_some_and(|role| role >= Role::ResourceManager);
    match (request, overview) {
        (DefaultLanding::MyWork, _) => my_work(LandingReason::Preference),
        (DefaultLanding::Portfolio, _) => at(DefaultLanding::Portfolio, PORTFOLIO, LandingReason::Preference),
        (DefaultLanding::ProjectOverview, Some(path)) => {
            at(DefaultLanding::ProjectOverview, &path, LandingReason::Preference)
        }
        (DefaultLanding::Auto, Some(path)) if plans => {
            at(DefaultLanding::ProjectOverview, &path, LandingReason::RolePolicy)
        }
        (DefaultLanding::Auto, _) if highest.is_some() => my_work(LandingReason::RolePolicy),
        (DefaultLanding::Auto | DefaultLanding::ProjectOverview, _) => my_work(LandingReason::Fallback),
    }
}

/// Whether the IANA database knows the name, or it is `auto`.
pub fn is_time_zone(name: &str) -> bool {
    name == "auto" || name.parse::<Tz>().is_ok()
}

/// The profile with the wanted fields changed.
pub fn changed(mut profile: UserProfile, request: PatchedUserProfileRequest) -> UserProfile {
    request.default_landing.write_to(&mut profile.default_landing);
    request.role_context.write_to(&mut profile.role_context);
    request.hidden_views.write_to(&mut profile.hidden_views);
    request.schedule_in_deliver.write_to(&mut profile.schedule_in_deliver);
    request.timezone.write_to(&mut profile.timezone);
    request.date_format.write_to(&mut profile.date_format);
    profile
}

#[cfg(test)]
mod tests {
    use planwright_web::Field;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::me::model::HiddenViews;

    #[test]
    fn people_land_where_they_want_to_or_where_their_rank_is_at_work() {
        let project = ProjectId(Uuid::from_u128(7));
        let overview = format!("/projects/{project}/overview");
        let overview = overview.as_str();
        let lands = |request, highest, recent| {
            let Landing { path, resolved_by, .. } = landing(request, highest, recent);
            (path, resolved_by)
        };
        let manager = Some(Role::ResourceManager);
        for (request, highest, recent, path, by) in [
            (DefaultLanding::MyWork, manager, Some(project), MY_WORK, LandingReason::Preference),
            (DefaultLanding::Portfolio, None, None, PORTFOLIO, LandingReason::Preference),
            (
                DefaultLanding::ProjectOverview,
                Some(Role::Viewer),
                Some(project),
                overview,
                LandingReason::Preference,
            ),
            (DefaultLanding::ProjectOverview, None, None, MY_WORK, LandingReason::Fallback),
            (DefaultLanding::Auto, manager, Some(project), overview, LandingReason::RolePolicy),
            (DefaultLanding::Auto, manager, None, MY_WORK, LandingReason::RolePolicy),
            (DefaultLanding::Auto, Some(Role::Member), Some(project), MY_WORK, LandingReason::RolePolicy),
            (DefaultLanding::Auto, None, None, MY_WORK, LandingReason::Fallback),
        ] {
            assert_eq!(lands(request, highest, recent), (path.to_owned(), by), "{request:?} {highest:?}");
        }
    }

    #[test]
    fn only_real_time_zones_and_auto_are_known() {
        assert!(is_time_zone("auto"));
        assert!(is_time_zone("Europe/Lisbon"));
        assert!(is_time_zone("UTC"));
        assert!(!is_time_zone("Europe/Atlantis"));
        assert!(!is_time_zone(""));
    }

    #[test]
    fn hidden_views_are_known_ones_and_each_is_kept_once() {
        let views = HiddenViews::from_json(&json!(["grid", "risk", "grid"])).unwrap();
        assert_eq!(views.0, ["grid", "risk"]);
        assert!(HiddenViews::from_json(&json!(["overview"])).is_err());
        assert!(HiddenViews::from_json(&json!(vec!["grid"; 33])).is_err());
    }
}
