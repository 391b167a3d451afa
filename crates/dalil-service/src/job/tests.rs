use serde_json::json;

use super::{JobKind, JobState, OpenJobs, accept, end, list, request, show};
use crate::fixture::{context_at, keyed, one, size, two, why};

#[tokio::test]
async fn a_job_is_accepted_and_ends_once() {
    let (_home, acme) = one("job").await;
    let job = accept(&acme, JobKind::Check, "ses-1", b"{}", &keyed(1, "k")).await.unwrap();
    let again = accept(&acme, JobKind::Check, "ses-1", b"{}", &keyed(2, "k")).await.unwrap();
    assert_eq!(again, job);
    assert_eq!((job.state, job.subject.as_str()), (JobState::Accepted, "ses-1"));
    assert_eq!(request(&acme, &job).await.unwrap(), b"{}");
    let mut open = OpenJobs::default();
    assert_eq!(open.look(&acme).await.unwrap(), std::slice::from_ref(&job));
    end(&acme, &job, JobState::Done, &json!({"ledger_id": "x"}), &context_at(3)).await.unwrap();
    end(&acme, &job, JobState::Failed, &json!({}), &context_at(4)).await.unwrap();
    let ended = show(&acme, &job.job_id).await.unwrap();
    assert_eq!(ended.state, JobState::Done);
    assert!(ended.result.unwrap().get("ledger_id").is_some());
    assert_eq!(open.look(&acme).await.unwrap(), []);
    assert_eq!(OpenJobs::default().look(&acme).await.unwrap(), []);
    assert_eq!(list(&acme).await.unwrap().len(), 1);
    assert_eq!(size(&acme).await, 4);
}

#[tokio::test]
async fn a_job_of_another_tenant_is_not_there() {
    let (_home, acme, zenith) = two("job-other").await;
    let job = accept(&acme, JobKind::Check, "ses-1", b"{}", &context_at(1)).await.unwrap();
    let why = why(show(&zenith, &job.job_id).await);
    assert!(why.starts_with("`job_id`: expected a job of this tenant, found `job_"), "{why}");
}

#[tokio::test]
async fn a_request_that_two_servers_take_at_once_is_one_job() {
    let (_home, acme) = one("job-twice").await;
    let (one, other) = (keyed(1, "k"), keyed(2, "k"));
    let (one, other) = tokio::join!(
        accept(&acme, JobKind::Check, "ses-1", b"{}", &one),
        accept(&acme, JobKind::Check, "ses-1", b"{}", &other)
    );
    assert_eq!(one.unwrap(), other.unwrap());
    assert_eq!(list(&acme).await.unwrap().len(), 1);
}
