//! What a job does with the error of a command: it tries again later, or it tells the person who waits for it.

use anyhow::anyhow;
use planwright_jobs::JobError;
use planwright_web::ApiError;
use serde_json::Value as Json;

/// The sentences that a person reads. Causes that speak of statements stay in the log.
///
/// # Errors
/// When the same command may succeed in a moment: the job is tried again.
pub(crate) fn sentence(error: ApiError) -> Result<String, JobError> {
    let body = Json::Object(error.body().clone());
    match error.status() {
        503 => Err(JobError::Retry(anyhow!("{body}"))),
        500.. => Ok("It failed because of an unexpected error. Nothing was written.".to_owned()),
        404 => Ok("The project was deleted in the meantime, or you may not open it any more.".to_owned()),
        401 => Ok("The account of the person who asked for it is not active any more.".to_owned()),
        _ => {
            let mut texts = Vec::new();
            collect(&body, &mut texts);
            Ok(texts.join(" "))
        }
    }
}

fn collect(value: &Json, texts: &mut Vec<String>) {
    match value {
        Json::String(text) => texts.push(text.clone()),
        Json::Array(list) => list.iter().for_each(|one| collect(one, texts)),
        Json::Object(fields) => {
            fields.iter().filter(|(name, _)| *name != "code").for_each(|(_, one)| collect(one, texts));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_sentences_and_what_may_pass_is_tried_again() {
        let refused = ApiError::invalid_field("file", "Too long.").with_code("x");
        assert_eq!(sentence(refused).unwrap(), "Too long.");
        assert!(sentence(ApiError::not_found()).unwrap().contains("deleted"));
        assert!(sentence(ApiError::unavailable("later")).is_err());
    }
}
