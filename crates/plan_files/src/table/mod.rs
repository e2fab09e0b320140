//! Tables of tasks, CSV or a sheet of a workbook: which column means what, in which order dates are written, and
//! which rows do not fit.

mod cells;
mod columns;
mod dates;
mod predecessors;
mod read;
mod spelled;
mod values;
mod workbook;
mod write;

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

pub use cells::is_workbook;
pub use columns::{Column, Field};
pub use dates::{DateOrder, DateOrderFound};
pub use read::read;
pub use workbook::workbook;
pub use write::{lines, template, write};

use super::PlanFile;

/// What somebody says beside a table.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// What columns mean, by their headers: the name of a field, or an empty text for a column that is left out.
    pub columns: HashMap<String, String>,
    /// In which order dates are written; found out from the table if it is not said.
    pub date_order: Option<DateOrder>,
    /// The name of the plan, since a table has none. Empty for one that says that it is a table.
    pub name: String,
    /// The most rows that are read.
    pub most_rows: usize,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self { columns: HashMap::new(), date_order: None, name: String::new(), most_rows: usize::MAX }
    }
}

/// Something to know about one cell of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CellProblem {
    /// The line of the table, where its head is 1.
    pub row: usize,
    /// The field.
    pub field: &'static str,
    /// What is wrong with it.
    pub message: String,
}

/// What a table says.
#[derive(Clone, Debug)]
pub struct TableRead {
    /// The plan, without what could not be read.
    pub plan: PlanFile,
    /// The columns, in their order.
    pub columns: Vec<Column>,
    /// The first rows as they stand there.
    pub sample: Vec<Vec<String>>,
    /// How many rows the table has.
    pub rows: usize,
    /// How many rows stand in the branch for review.
    pub parked: usize,
    /// The cells that could not be read.
    pub problems: Vec<CellProblem>,
    /// In which order dates are written, and how that is known.
    pub date_order: DateOrderFound,
}
