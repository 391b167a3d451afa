use std::collections::BTreeSet;

use dalil_evidence::apikey::{ApiKeyScope, ApiKeyToken, Pepper};
use dalil_proof::record::Actor;

use super::{NewApiKey, actor, add, find, list, revoke};
use crate::fixture::{at, context_at, keyed, one, said, size, two, why};

const PEPPER: Pepper = Pepper::new([3; 32]);

fn order(scopes: &[ApiKeyScope]) -> NewApiKey {
    let scopes = scopes.iter().copied().collect::<BTreeSet<_>>();
    NewApiKey { actor: Actor::Person("noura".to_owned()), scopes, expires_at: Some(at(100)) }
}

#[tokio::test]
async fn a_key_is_shown_once_and_kept_as_a_mac() {
    let (_home, acme) = one("apikey").await;
    let made = add(&acme, &order(&[ApiKeyScope::View]), &PEPPER, &context_at(1)).await.unwrap();
    let token = ApiKeyToken::parse(&made.api_key).unwrap();
    let known = find(&acme, token.key_id()).await.unwrap().unwrap();
    assert!(known.is(&token, &PEPPER));
    assert!(!known.is(&token, &Pepper::new([4; 32])));
    assert_eq!(known.acts(), Some(Actor::Person("noura".to_owned())));
    assert!(!known.has_ended(at(99)) && known.has_ended(at(100)));
    let shown = said(&list(&acme).await.unwrap());
    // The secret is last, and may itself contain the sign that parts it from the rest.
    let secret = made.api_key.splitn(4, '_').last().unwrap();
    assert!(shown.contains(token.key_id()) && !shown.contains(secret) && !shown.contains("mac"));
}

#[tokio::test]
async fn a_revoked_key_says_so_and_is_revoked_once() {
    let (_home, acme, zenith) = two("apikey-revoked").await;
    let made = add(&acme, &order(&[ApiKeyScope::View]), &PEPPER, &context_at(1)).await.unwrap();
    let id = made.key.key_id;
    let expected = "`key_id`: expected a key of this tenant";
    assert!(why(revoke(&zenith, &id, &context_at(2)).await).starts_with(expected));
    let first = revoke(&acme, &id, &keyed(2, "r")).await.unwrap();
    assert_eq!(find(&acme, &id).await.unwrap().unwrap().revoked_at, Some(at(2).to_string()));
    assert_eq!(first.index, 3);
    let again = why(revoke(&acme, &id, &context_at(3)).await);
    assert!(again.contains("which was revoked at"), "{again}");
    assert_eq!(size(&acme).await, 4);
}

#[tokio::test]
async fn a_request_makes_one_key_however_often_it_is_sent() {
    let (_home, acme) = one("apikey-again").await;
    let made = add(&acme, &order(&[ApiKeyScope::View]), &PEPPER, &keyed(1, "k")).await.unwrap();
    let before = size(&acme).await;
    assert_eq!(
        why(add(&acme, &order(&[ApiKeyScope::View]), &PEPPER, &keyed(2, "k")).await),
        "`idempotency_key`: expected a request that has not made a key yet, found one whose key was \
         made and shown\nhint: if its text was lost, revoke that key and ask under another name"
    );
    assert_eq!(size(&acme).await, before);
    let keys = list(&acme).await.unwrap().api_keys;
    assert_eq!(keys.iter().map(|key| &key.key_id).collect::<Vec<_>>(), [&made.key.key_id]);
}

#[tokio::test]
async fn a_key_for_nobody_or_for_nothing_is_refused() {
    let (_home, acme) = one("apikey-refused").await;
    let system = NewApiKey { actor: Actor::System, ..order(&[ApiKeyScope::View]) };
    assert_eq!(
        why(add(&acme, &system, &PEPPER, &context_at(1)).await),
        "`actor`: expected `person:NAME` or `agent:NAME`, found `system`"
    );
    assert_eq!(
        why(add(&acme, &order(&[]), &PEPPER, &context_at(1)).await),
        "`scopes`: expected at least one scope, found none"
    );
    let late = why(add(&acme, &order(&[ApiKeyScope::View]), &PEPPER, &context_at(100)).await);
    assert!(late.starts_with("`expires_at`: expected a time after"), "{late}");
    assert_eq!(size(&acme).await, 2);
    assert_eq!(actor("system"), None);
    assert_eq!(actor("agent:a"), Some(Actor::Agent("a".to_owned())));
}
