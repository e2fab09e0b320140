//! Which crate writes and reads which table of the database, from the SQL of the sources.

use std::collections::{BTreeMap, BTreeSet};

use super::section;
use crate::tidy::source::Source;
use crate::tidy::{boundaries, tables};

/// Each table with its writers, its other readers, and the reason why it has several writers.
pub(super) fn make_table(sources: &[Source]) -> String {
    let mut readers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for read in sources.iter().flat_map(tables::reads) {
        readers.entry(read.table).or_default().insert(read.name);
    }
    let rows = boundaries::WRITERS.iter().map(|(table, writers)| {
        let others = readers.get(*table).into_iter().flatten().map(String::as_str);
        vec![
            section::format_names([*table]),
            section::format_names(writers.iter().copied()),
            section::format_names(others.filter(|reader| !writers.contains(reader))),
            boundaries::find_reason(table).unwrap_or_default().to_owned(),
        ]
    });
    section::format_table(&["Table", "Written by", "Also read by", "Why several write it"], rows)
}
