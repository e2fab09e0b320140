//! `/api/v1/programs/samples/`: the programs that ship with the product.

use planwright_web::Routes;

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
}
