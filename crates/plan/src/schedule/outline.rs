//! The outline of a project: who stands below whom, in which order, under which number.
//! Numbers are derived from parents and positions, so they follow every move of an ancestor at once.

use std::collections::HashMap;

use planwright_domain::ids::TaskId;

use super::queries::TaskInput;

/// What the outline needs to know of a row.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The row.
    pub id: TaskId,
    /// The row above it.
    pub parent: Option<TaskId>,
    /// Its place among its siblings.
    pub position: i64,
    /// Whether it has a place at all; promoted backlog items have none.
    pub has_place: bool,
    /// Whether it is a drawer subtask.
    pub is_subtask: bool,
}

impl TaskInput {
    /// What the outline needs to know of it.
    pub fn placed(&self) -> Placed {
        Placed {
            id: self.id,
            parent: self.parent_id,
            position: self.position,
            has_place: self.has_place,
            is_subtask: self.is_subtask,
        }
    }
}

/// What the outline says of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// The number, such as `1.2.10`; none for a row without a place.
    pub number: Option<String>,
    /// A text that sorts the way the numbers count.
    pub order: Option<String>,
    /// Whether any row stands below it.
    pub is_summary: bool,
    /// Whether a row that is no subtask stands below it.
    pub is_phase: bool,
}

/// The place of every row, in the order of the input. A row whose parents lead round in a circle gets no number.
pub fn outline(rows: &[Placed]) -> Vec<Place> {
    let index: HashMap<TaskId, usize> = rows.iter().enumerate().map(|(at, row)| (row.id, at)).collect();
    let mut children: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut places = vec![Place::default(); rows.len()];
    for (at, row) in rows.iter().enumerate() {
        let parent = row.parent.and_then(|parent| index.get(&parent).copied());
        if let Some(parent) = parent {
            places[parent].is_summary = true;
            places[parent].is_phase |= !row.is_subtask;
        }
        if row.has_place {
            children.entry(parent).or_default().push(at);
        }
    }
    for siblings in children.values_mut() {
        siblings.sort_by_key(|at| (rows[*at].position, rows[*at].id));
    }
    let mut open: Vec<(Option<usize>, String, String)> = vec![(None, String::new(), String::new())];
    while let Some((above, number, order)) = open.pop() {
        for (nth, at) in children.get(&above).into_iter().flatten().enumerate() {
            let dot = if number.is_empty() { "" } else { "." };
            let own_number = format!("{number}{dot}{}", nth + 1);
            let own_order = format!("{order}{dot}{:06}", nth + 1);
            open.push((Some(*at), own_number.clone(), own_order.clone()));
            places[*at].number = Some(own_number);
            places[*at].order = Some(own_order);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn row(id: u128, parent: Option<u128>, position: i64) -> Placed {
        let task = |id| TaskId(Uuid::from_u128(id));
        Placed { id: task(id), parent: parent.map(task), position, has_place: true, is_subtask: false }
    }

    #[test]
    fn siblings_count_in_order_of_position_and_ten_follows_nine() {
        let mut rows = vec![row(1, None, 5)];
        rows.extend((2..=12).map(|id| row(id, Some(1), id as i64)));
        let places = outline(&rows);
        assert_eq!(places[0].number.as_deref(), Some("1"));
        assert_eq!(places[10].number.as_deref(), Some("1.10"));
        assert!(places[9].order < places[10].order);
        assert!(places[0].is_phase && !places[1].is_summary);
    }

    #[test]
    fn a_row_with_only_subtasks_is_a_summary_but_no_phase() {
        let rows = [row(1, None, 1), Placed { is_subtask: true, ..row(2, Some(1), 1) }];
        let places = outline(&rows);
        assert!(places[0].is_summary && !places[0].is_phase);
    }

    #[test]
    fn rows_that_contain_each_other_get_no_number_and_do_no_harm() {
        let places = outline(&[row(1, Some(2), 1), row(2, Some(1), 1), row(3, None, 1)]);
        assert_eq!(places[0].number, None);
        assert_eq!(places[2].number.as_deref(), Some("1"));
    }
}
