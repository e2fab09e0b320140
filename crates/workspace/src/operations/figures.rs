//! `/api/v1/health/dead-letter/` and `/api/v1/health/email/`: figures of failed jobs and of mail, as Prometheus reads them.
//! The figures of a process are at `/metrics`; these are the same on every node.

use axum::extract::State;
use planwright_domain::words::{FailedTaskStatus, Word};
use planwright_jobs::mail::SEND_MAIL;
use planwright_store::{Read, Result, sql};
use planwright_web::reply::Text;
use planwright_web::{ApiResult, App, Routes, says};

use super::health::queries;
use crate::Administrator;

const FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .get("/api/v1/health/dead-letter/", dead_letter, says("Figures of failed jobs for Prometheus."))
        .get("/api/v1/health/email/", email, says("Figures of mail for Prometheus."))
}

async fn dead_letter(State(app): State<App>, _: Administrator) -> ApiResult<Text> {
    let dead = queries::dead(&app.db).await?;
    let mut text = head("planwright_failed_jobs", "Failed jobs, by what became of them");
    for status in FailedTaskStatus::ALL {
        let jobs = dead.by_status.iter().find(|(known, _)| known == status).map_or(0, |(_, jobs)| *jobs);
        text += &format!("planwright_failed_jobs{{status=\"{}\"}} {jobs}\n", status.as_str());
    }
    let age = dead.since.map_or(0, |since| (app.clock.now() - since).num_seconds().max(0));
    text += &head(
        "planwright_failed_jobs_oldest_seconds",
        "Age of the oldest failed job that waits for a decision",
    );
    text += &format!("planwright_failed_jobs_oldest_seconds {age}\n");
    Ok(Text(FORMAT, text))
}

async fn email(State(app): State<App>, _: Administrator) -> ApiResult<Text> {
    let [waiting, tried, failed] = letters(&app.db).await?;
    let mut text = head("planwright_mail_waiting", "Letters that wait to leave");
    text += &format!("planwright_mail_waiting {waiting}\n");
    text += &head("planwright_mail_put_off", "Letters that a mail server put off and that are tried again");
    text += &format!("planwright_mail_put_off {tried}\n");
    text += &head("planwright_mail_failed", "Letters that did not leave and wait for a decision");
    text += &format!("planwright_mail_failed {failed}\n");
    Ok(Text(FORMAT, text))
}

fn head(name: &str, help: &str) -> String {
    format!("# HELP {name} {help}\n# TYPE {name} gauge\n")
}

/// How many letters wait, were put off, and failed.
async fn letters(db: &dyn Read) -> Result<[i64; 3]> {
    let select = "SELECT
            (SELECT COUNT(*) FROM jobs WHERE kind = :kind) AS waiting,
            (SELECT COUNT(*) FROM jobs WHERE kind = :kind AND attempts > 0) AS tried,
            (SELECT COUNT(*) FROM failed_jobs WHERE kind = :kind AND status = 'dead') AS failed";
    let (waiting, tried, failed) = db.one(sql!(select, kind = SEND_MAIL)).await?;
    Ok([waiting, tried, failed])
}
