//! Public keys of a provider, and which algorithms they may verify.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde_json::Value;

/// A public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Jwk {
    kid: Option<String>,
    /// The only algorithm that the key is for, if it names one.
    alg: Option<String>,
    key: JwkKeyMaterial,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum JwkKeyMaterial {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    P256(Vec<u8>),
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

impl Jwk {
    /// Reads a key that signs; others are left out.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let bytes = |name: &str| BASE64_URL_SAFE_NO_PAD.decode(text(name)?).ok();
        if text("use").is_some_and(|usage| usage != "sig") {
            return None;
        }
        // SEC 1, section 2.3.3: 4 marks an uncompressed point, x then y.
        let point = || Some([vec![4], bytes("x")?, bytes("y")?].concat());
        let key = match (text("kty")?, text("crv")) {
            ("RSA", None) => JwkKeyMaterial::Rsa { n: bytes("n")?, e: bytes("e")? },
            ("EC", Some("P-256")) => JwkKeyMaterial::P256(point()?),
            ("EC", Some("P-384")) => JwkKeyMaterial::P384(point()?),
            ("OKP", Some("Ed25519")) => JwkKeyMaterial::Ed25519(bytes("x")?),
            _ => return None,
        };
        let owned = |name: &str| text(name).map(str::to_owned);
        Some(Self { kid: owned("kid"), alg: owned("alg"), key })
    }

    /// Whether a token may mean this key.
    pub(super) fn is(&self, kid: Option<&str>) -> bool {
        kid.is_none_or(|kid| self.kid.as_deref() == Some(kid))
    }

    /// Whether a signature holds, by an algorithm that fits the key.
    pub(super) fn verifies(&self, alg: &str, signed: &[u8], signature: &[u8]) -> bool {
        // The token names its algorithm, so the key must agree: no token may choose a weaker one.
        if self.alg.as_deref().is_some_and(|own| own != alg) {
            return false;
        }
        match (&self.key, alg) {
            (JwkKeyMaterial::Rsa { n, e }, "RS256") => RsaPublicKeyComponents { n, e }
                .verify(&RSA_PKCS1_2048_8192_SHA256, signed, signature)
                .is_ok(),
            (JwkKeyMaterial::Rsa { n, e }, "PS256") => RsaPublicKeyComponents { n, e }
                .verify(&RSA_PSS_2048_8192_SHA256, signed, signature)
                .is_ok(),
            (JwkKeyMaterial::P256(point), "ES256") => {
                let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
                key.verify(signed, signature).is_ok()
            }
            (JwkKeyMaterial::P384(point), "ES384") => {
                let key = UnparsedPublicKey::new(&ECDSA_P384_SHA384_FIXED, point);
                key.verify(signed, signature).is_ok()
            }
            (JwkKeyMaterial::Ed25519(point), "EdDSA") => {
                UnparsedPublicKey::new(&ED25519, point).verify(signed, signature).is_ok()
            }
            _ => false,
        }
    }
}
