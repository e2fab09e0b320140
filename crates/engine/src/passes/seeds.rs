//! The place by which the leaves of each project must be finished, on their calendars. The backward pass starts from
//! these places.

use crate::axis::{Axis, boundary_of};
use crate::compiled::{Compiled, Kind};
use crate::network::Network;
use crate::range::UNBOUND;

/// Calendars times projects up to which a table of latest finishes is made.
const FEW: usize = 4_096;

/// The places by which leaves must be finished.
pub(super) struct Seeds<'a> {
    /// The instant by which the leaves of each project must be finished; nothing asks where there is none.
    of_project: &'a [Option<i32>],
    /// The same as places, by project and axis, once for work and once for points; empty where that would be
    /// too many.
    places: Vec<[i32; 2]>,
    /// The one place of one project on one calendar.
    single: Option<i32>,
}

impl<'a> Seeds<'a> {
    pub(super) fn new(compiled: &Compiled, of_project: &'a [Option<i32>]) -> Seeds<'a> {
        let axes = &compiled.calendars.axes;
        let mut places = Vec::new();
        if axes.len() * of_project.len() <= FEW {
            for instant in of_project {
                places.extend(axes.iter().map(|axis| places_by(axis, *instant)));
            }
        }
        let single = match of_project {
            [instant] if compiled.plain => {
                compiled.axis.first().map(|axis| places_by(&axes[*axis as usize], *instant)[0])
            }
            _ => None,
        };
        Seeds { of_project, places, single }
    }

    /// The same for a few look-ups, for which a table of places would cost more.
    pub(super) fn without_table(of_project: &'a [Option<i32>]) -> Seeds<'a> {
        Seeds { of_project, places: Vec::new(), single: None }
    }

    /// The latest finish of a leaf; `UNBOUND` if nothing asks.
    #[inline(always)]
    pub(super) fn of(&self, network: &Network, compiled: &Compiled, node: usize) -> i32 {
        if let Some(place) = self.single {
            return place;
        }
        let project = compiled.project_of(network, node);
        let axis = compiled.axis[node] as usize;
        let known = self.places.get(project * compiled.calendars.axes.len() + axis).copied();
        let places = known.unwrap_or_else(|| places_by(compiled.axis_of(node), self.of_project[project]));
        places[usize::from(compiled.kind[node] == Kind::Point)]
    }
}

/// The last ordinal of an axis that is over by an instant, and the last place of a point.
fn places_by(axis: &Axis, instant: Option<i32>) -> [i32; 2] {
    instant.map_or([UNBOUND; 2], |instant| [axis.ordinal(boundary_of(instant)), axis.point_by(instant)])
}
