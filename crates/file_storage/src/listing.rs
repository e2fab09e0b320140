//! Lists what lies in a bucket, page by page. Other programs may have put keys there that no path can name; they are passed over.
//! Which of the objects are files of ours is decided elsewhere.

use object_store::aws::AmazonS3;
use object_store::list::{PaginatedListOptions, PaginatedListResult, PaginatedListStore};
use object_store::{Error, ObjectMeta, Result, path};

use crate::failure::StorageResult;

/// How many keys a page has.
const PAGE: usize = 1000;

/// Every object whose key begins with a text and can be a path.
///
/// # Errors
/// The storage does not answer, or refuses.
pub(crate) async fn objects(store: &AmazonS3, begins_with: Option<&str>) -> StorageResult<Vec<ObjectMeta>> {
    let mut walk = Walk::default();
    while let Some(options) = walk.next() {
        walk.took(store.list_paginated(begins_with, options).await)?;
    }
    Ok(walk.found)
}

/// A walk over the pages of a bucket.
struct Walk {
    found: Vec<ObjectMeta>,
    /// The key behind which the next page begins, where it does not follow the page before.
    after: Option<String>,
    page_token: Option<String>,
    /// How many keys the next page may have; 0 at the end.
    most: usize,
}

impl Default for Walk {
    fn default() -> Self {
        Self { found: Vec::new(), after: None, page_token: None, most: PAGE }
    }
}

impl Walk {
    /// What to ask for next. `None` at the end.
    fn next(&self) -> Option<PaginatedListOptions> {
        (self.most > 0).then(|| PaginatedListOptions {
            offset: self.after.clone(),
            page_token: self.page_token.clone(),
            max_keys: Some(self.most),
            ..PaginatedListOptions::default()
        })
    }

    /// Takes the answer.
    fn took(&mut self, answer: Result<PaginatedListResult>) -> Result<()> {
        match answer {
            Ok(page) => {
                self.found.extend(page.result.objects);
                self.most = if page.page_token.is_some() { PAGE.min(self.most * 2) } else { 0 };
                self.page_token = page.page_token;
            }
            // One such key spoils its page. Smaller pages come closer to it, until it is alone.
            Err(Error::InvalidPath { .. }) if self.most > 1 => self.most /= 2,
            Err(error) => {
                let Some(key) = foreign(&error) else { return Err(error) };
                tracing::warn!(key, "a key in the bucket is no path and none of ours; it is passed over");
                (self.after, self.page_token) = (Some(key.to_owned()), None);
            }
        }
        Ok(())
    }
}

/// The key that cannot be a path, if that is what is wrong.
fn foreign(error: &Error) -> Option<&str> {
    match error {
        Error::InvalidPath {
            source: path::Error::EmptySegment { path } | path::Error::BadSegment { path, .. },
        } => Some(path),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use object_store::ListResult;
    use object_store::path::Path;

    use super::*;

    /// A page of keys that are in their order, as S3 gives it.
    fn page(keys: &[String], options: PaginatedListOptions) -> Result<PaginatedListResult> {
        let after = options.page_token.or(options.offset).unwrap_or_default();
        let rest: Vec<&String> = keys.iter().filter(|key| **key > after).collect();
        let page = &rest[..rest.len().min(options.max_keys.unwrap_or(PAGE))];
        let meta = |key: &&String| {
            let location = Path::parse(key)?;
            Ok(ObjectMeta {
                location,
                last_modified: Default::default(),
                size: 1,
                e_tag: None,
                version: None,
            })
        };
        let objects = page.iter().map(meta).collect::<Result<Vec<_>>>()?;
        let page_token = page.last().filter(|_| page.len() < rest.len()).map(|key| (*key).clone());
        let result = ListResult { objects, common_prefixes: Vec::new(), extensions: Default::default() };
        Ok(PaginatedListResult { result, page_token })
    }

    #[test]
    fn keys_that_are_no_paths_hide_no_others() {
        let foreign = ["..", "0//x", "m/../z", "m//1", "zz//1", "zz//2"].map(str::to_owned);
        let ours: Vec<String> = (0..2_500).map(|number| format!("m{number:05}")).collect();
        let mut keys: Vec<String> = foreign.into_iter().chain(ours.iter().cloned()).collect();
        keys.sort_unstable();
        let mut walk = Walk::default();
        while let Some(options) = walk.next() {
            walk.took(page(&keys, options)).unwrap();
        }
        let found: Vec<String> = walk.found.into_iter().map(|object| object.location.to_string()).collect();
        assert_eq!(found, ours);
    }
}
