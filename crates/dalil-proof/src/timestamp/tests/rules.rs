//! Every rule of a token, of its certificate and of the path, broken alone.

use std::fmt::Write as _;

use expect_test::expect;

use super::forged::{
    AUTHORITY, BASIC_CONSTRAINTS, CODE_SIGNING, EXTENDED_KEY_USAGE, ForgedAttribute,
    ForgedCertificate, ForgedToken, KEY_USAGE, LOW_AUTHORITY, MESSAGE_DIGEST, NAME_CONSTRAINTS,
    SHA1, TEXT, TIME_STAMPING, TRUE, algorithm, attribute, digest, element, extension, purposes,
    rsa_key,
};
use super::*;

/// The verdicts of the authority with the forged root on tokens.
fn told(tokens: &[(&str, Vec<u8>)]) -> String {
    let root = ForgedCertificate::root().bytes();
    let authority = TimestampAuthority::new("tsa.example", vec![root]).unwrap();
    let text = std::str::from_utf8(TEXT).unwrap();
    let mut told = String::new();
    for (name, token) in tokens {
        match authority.verify(text, token) {
            Ok(stamp) => writeln!(told, "{name}: {} to {}", stamp.at, stamp.latest).unwrap(),
            Err(fault) => writeln!(told, "{name}: {fault:?}").unwrap(),
        }
    }
    told
}

/// A token that is valid except for the change.
fn changed(change: impl FnOnce(&mut ForgedToken)) -> Vec<u8> {
    let mut token = ForgedToken::sound();
    change(&mut token);
    token.bytes()
}

/// A token whose `TSTInfo` has more after the time.
fn with_rest(rest: &[u8]) -> Vec<u8> {
    changed(|token| token.content.rest = rest.to_vec())
}

/// A token whose attributes have one more.
fn with_attribute(attribute: ForgedAttribute) -> Vec<u8> {
    changed(|token| token.attributes.push(attribute))
}

/// A token whose certificate has other extensions.
fn with_extensions(extensions: &[Vec<u8>]) -> Vec<u8> {
    changed(|token| token.leaf.extensions = extensions.to_vec())
}

#[test]
fn the_form_of_a_token() {
    let sound = ForgedToken::sound().bytes();
    let critical = extension(NAME_CONSTRAINTS, TRUE, b"");
    let uncritical = extension(NAME_CONSTRAINTS, b"", b"");
    let tokens = [
        ("sound", sound.clone()),
        ("a byte after it", [sound.as_slice(), &[0]].concat()),
        ("a set around it", changed(|token| token.tag = 0x31)),
        ("no signer", changed(|token| token.signers = 0)),
        ("two signers", changed(|token| token.signers = 2)),
        ("another version", changed(|token| token.content.version = 2)),
        ("an extension", with_rest(&element(0xA1, &[&uncritical]))),
        ("a critical extension", with_rest(&element(0xA1, &[&critical]))),
        ("an extension in no form", with_rest(&element(0xA1, &[&[5, 0]]))),
        ("a field after the last", with_rest(&element(0xA2, &[]))),
        ("accuracy", with_rest(&element(0x30, &[&element(2, &[&[2]]), &element(0x80, &[&[5]])]))),
        ("the largest accuracy", with_rest(&element(0x30, &[&element(2, &[&[0, 255, 255, 255]])]))),
        ("a larger one", with_rest(&element(0x30, &[&element(2, &[&[1, 0, 0, 0]])]))),
        ("accuracy in a longer spelling", with_rest(&element(0x30, &[&element(2, &[&[0, 2]])]))),
        ("accuracy below zero", with_rest(&element(0x30, &[&element(2, &[&[0xFF]])]))),
        ("1000 milliseconds", with_rest(&element(0x30, &[&element(0x80, &[&[3, 0xE8]])]))),
    ];
    expect![[r#"
        sound: 2026-02-01T12:00:00.000Z to 2026-02-01T12:00:00.999Z
        a byte after it: Form
        a set around it: Form
        no signer: Form
        two signers: Form
        another version: Form
        an extension: 2026-02-01T12:00:00.000Z to 2026-02-01T12:00:00.999Z
        a critical extension: Extension
        an extension in no form: Form
        a field after the last: Form
        accuracy: 2026-02-01T12:00:00.000Z to 2026-02-01T12:00:03.004Z
        the largest accuracy: 2026-02-01T12:00:00.000Z to 2026-08-14T16:20:15.999Z
        a larger one: Form
        accuracy in a longer spelling: Form
        accuracy below zero: Form
        1000 milliseconds: Form
    "#]]
    .assert_eq(&told(&tokens));
}

#[test]
fn the_imprint_and_the_signed_attributes_of_a_token() {
    let sha1 = element(0x30, &[&algorithm(SHA1), &element(4, &[&digest(TEXT)[..20]])]);
    let other = element(0x30, &[&algorithm(SHA1), &element(4, &[&digest(TEXT)])]);
    let without = |at: usize| changed(|token| drop(token.attributes.remove(at)));
    let instead = |at: usize, with| changed(|token| token.attributes[at] = with);
    let value = element(4, &[&digest(TEXT)]);
    let two_values = ForgedAttribute::Bytes(attribute(MESSAGE_DIGEST, &[&value, &value]));
    let tokens = [
        ("an imprint by SHA-1", changed(|token| token.content.imprint = sha1)),
        ("an imprint of another name", changed(|token| token.content.imprint = other)),
        ("no content type", without(0)),
        ("a content type in another form", instead(0, ForgedAttribute::ContentType { tag: 4 })),
        ("no digest", without(1)),
        ("a digest in another form", instead(1, ForgedAttribute::Digest { tag: 6 })),
        ("a digest with two values", instead(1, two_values)),
        ("a second digest", with_attribute(ForgedAttribute::Digest { tag: 4 })),
        ("a second content type", with_attribute(ForgedAttribute::ContentType { tag: 6 })),
        ("no certificate named", without(2)),
        ("another certificate named", instead(2, ForgedAttribute::Named { is_leaf: false })),
        ("a second one named", with_attribute(ForgedAttribute::Named { is_leaf: true })),
        ("an attribute in no form", with_attribute(ForgedAttribute::Bytes(vec![5, 0]))),
    ];
    expect![[r#"
        an imprint by SHA-1: Imprint
        an imprint of another name: Imprint
        no content type: Attributes
        a content type in another form: Attributes
        no digest: Attributes
        a digest in another form: Attributes
        a digest with two values: Attributes
        a second digest: Attributes
        a second content type: Attributes
        no certificate named: Attributes
        another certificate named: Attributes
        a second one named: Attributes
        an attribute in no form: Attributes
    "#]]
    .assert_eq(&told(&tokens));
}

#[test]
fn the_certificate_of_a_token() {
    let stamping =
        |critical: &[u8]| extension(EXTENDED_KEY_USAGE, critical, &purposes(&[TIME_STAMPING]));
    let both = purposes(&[TIME_STAMPING, CODE_SIGNING]);
    let usage = |bits: u8| extension(KEY_USAGE, TRUE, &[3, 2, 0, bits]);
    let foreign = |critical: &[u8]| extension(NAME_CONSTRAINTS, critical, b"");
    let tokens = [
        ("no purpose", with_extensions(&[])),
        ("a purpose that is not critical", with_extensions(&[stamping(b"")])),
        ("two purposes", with_extensions(&[extension(EXTENDED_KEY_USAGE, TRUE, &both)])),
        ("a purpose twice", with_extensions(&[stamping(TRUE), stamping(TRUE)])),
        ("digital signature", with_extensions(&[stamping(TRUE), usage(0x80)])),
        ("certificate signing alone", with_extensions(&[stamping(TRUE), usage(0x04)])),
        ("a foreign extension", with_extensions(&[stamping(TRUE), foreign(b"")])),
        ("a critical one", with_extensions(&[stamping(TRUE), foreign(TRUE)])),
        ("a critical one in another spelling", with_extensions(&[stamping(TRUE), foreign(&[1])])),
        ("ended before", changed(|token| token.leaf.years = (20, 26))),
        ("begins later", changed(|token| token.leaf.years = (27, 40))),
    ];
    expect![[r#"
        no purpose: Purpose
        a purpose that is not critical: Purpose
        two purposes: Purpose
        a purpose twice: Attributes
        digital signature: 2026-02-01T12:00:00.000Z to 2026-02-01T12:00:00.999Z
        certificate signing alone: Purpose
        a foreign extension: 2026-02-01T12:00:00.000Z to 2026-02-01T12:00:00.999Z
        a critical one: Purpose
        a critical one in another spelling: Attributes
        ended before: Expired
        begins later: Expired
    "#]]
    .assert_eq(&told(&tokens));
}

#[test]
fn the_path_of_a_certificate() {
    let authority = extension(BASIC_CONSTRAINTS, TRUE, AUTHORITY);
    let through = |extensions: &[Vec<u8>]| {
        ForgedToken::through(ForgedCertificate::between(extensions)).bytes()
    };
    let and = |more: Vec<u8>| through(&[authority.clone(), more]);
    let usage = |bits: u8| extension(KEY_USAGE, TRUE, &[3, 2, 0, bits]);
    let between = ForgedCertificate::between(std::slice::from_ref(&authority));
    let change = |change: fn(&mut ForgedCertificate)| {
        let mut between = between.clone();
        change(&mut between);
        ForgedToken::through(between).bytes()
    };
    let low = ForgedCertificate {
        names: ("low", "root"),
        keys: (4, 1),
        years: (20, 40),
        extensions: vec![extension(BASIC_CONSTRAINTS, TRUE, LOW_AUTHORITY)],
    };
    let above = |issuer: ForgedCertificate| {
        let below = ForgedCertificate {
            names: ("between", issuer.names.0),
            keys: (3, issuer.keys.0),
            ..between.clone()
        };
        let mut token = ForgedToken::through(below);
        token.others.push(issuer);
        token.bytes()
    };
    let cycle = ForgedCertificate { names: ("low", "between"), keys: (4, 3), ..between.clone() };
    let tokens = [
        ("through an authority", through(std::slice::from_ref(&authority))),
        ("through one that is none", through(&[])),
        (
            "constraints in another spelling",
            through(&[extension(BASIC_CONSTRAINTS, TRUE, &[0x30, 3, 1, 1, 1])]),
        ),
        (
            "constraints in a set",
            through(&[extension(BASIC_CONSTRAINTS, TRUE, &[0x31, 3, 1, 1, 0xFF])]),
        ),
        ("certificate signing", and(usage(0x04))),
        ("digital signature alone", and(usage(0x80))),
        ("for time stamping", and(extension(EXTENDED_KEY_USAGE, b"", &purposes(&[TIME_STAMPING])))),
        ("for code signing", and(extension(EXTENDED_KEY_USAGE, b"", &purposes(&[CODE_SIGNING])))),
        ("a critical extension", and(extension(NAME_CONSTRAINTS, TRUE, b""))),
        ("ended before", change(|between| between.years = (20, 26))),
        ("signed by another key", change(|between| between.keys.1 = 5)),
        ("of another issuer", change(|between| between.names.1 = "other")),
        ("a path that is too long", above(low)),
        ("a path in a circle", above(cycle)),
        ("a leaf that issues", above(ForgedCertificate::leaf("root", 1))),
    ];
    expect![[r#"
        through an authority: 2026-02-01T12:00:00.000Z to 2026-02-01T12:00:00.999Z
        through one that is none: Untrusted
        constraints in another spelling: Untrusted
        constraints in a set: Untrusted
        certificate signing: 2026-02-01T12:00:00.000Z to 2026-02-01T12:00:00.999Z
        digital signature alone: Untrusted
        for time stamping: 2026-02-01T12:00:00.000Z to 2026-02-01T12:00:00.999Z
        for code signing: Untrusted
        a critical extension: Untrusted
        ended before: Expired
        signed by another key: Untrusted
        of another issuer: Untrusted
        a path that is too long: Untrusted
        a path in a circle: Untrusted
        a leaf that issues: Untrusted
    "#]]
    .assert_eq(&told(&tokens));
}

/// An attacker can put an old certificate into a token: it fails only where it is on the only path.
#[test]
fn an_expired_certificate_fails_only_where_it_leads_somewhere() {
    let valid = ForgedCertificate::between(&[extension(BASIC_CONSTRAINTS, TRUE, AUTHORITY)]);
    let expired = ForgedCertificate { years: (20, 26), ..valid.clone() };
    let astray = ForgedCertificate { names: ("between", "other"), ..expired.clone() };
    let through = |others: &[&ForgedCertificate]| {
        let mut token = ForgedToken::through(valid.clone());
        token.others = others.iter().map(|one| (*one).clone()).collect();
        token.bytes()
    };
    let leaf = changed(|token| {
        token.leaf.names.1 = "other";
        token.leaf.years = (20, 26);
    });
    let tokens = [
        ("expired", through(&[&expired])),
        ("expired, beside a valid one", through(&[&expired, &valid])),
        ("expired, and leads nowhere", through(&[&astray])),
        ("that one, beside a valid one", through(&[&astray, &valid])),
        ("that one, beside one that only expired", through(&[&astray, &expired])),
        ("a leaf that expired, and leads nowhere", leaf),
    ];
    expect![[r#"
        expired: Expired
        expired, beside a valid one: 2026-02-01T12:00:00.000Z to 2026-02-01T12:00:00.999Z
        expired, and leads nowhere: Untrusted
        that one, beside a valid one: 2026-02-01T12:00:00.000Z to 2026-02-01T12:00:00.999Z
        that one, beside one that only expired: Expired
        a leaf that expired, and leads nowhere: Untrusted
    "#]]
    .assert_eq(&told(&tokens));
}

/// With an exponent of one, a signature would be the message itself.
#[test]
fn the_exponent_of_a_key_has_one_spelling_and_is_odd_and_not_one() {
    let exponents: [&[u8]; 9] = [
        &[3],
        &[1, 0, 1],
        &[0, 0x80, 0, 0, 1],
        &[1],
        &[0, 1],
        &[0, 0, 1],
        &[2],
        &[0xFF],
        &[1, 0, 0, 0, 1],
    ];
    let told: Vec<String> = exponents
        .into_iter()
        .map(|exponent| {
            let certificate = ForgedCertificate::root().with_key(&rsa_key(exponent));
            let is_read = TimestampAuthority::new("tsa.example", vec![certificate]).is_ok();
            format!("{exponent:x?} {}", if is_read { "is read" } else { "is refused" })
        })
        .collect();
    expect![[r#"
        [3] is read
        [1, 0, 1] is read
        [0, 80, 0, 0, 1] is read
        [1] is refused
        [0, 1] is refused
        [0, 0, 1] is refused
        [2] is refused
        [ff] is refused
        [1, 0, 0, 0, 1] is refused"#]]
    .assert_eq(&told.join("\n"));
}
