//! The built-in rules: their order, names and replacements.

use std::ops::Range;

use crate::mask::SensitiveSpan;

/// A kind of thing that is always masked, in the order that decides between
/// equal finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BuiltinMaskRule {
    PrivateKey,
    Jwt,
    ApiKey,
    SecretMarker,
    Email,
    Iban,
    EmiratesId,
    SaudiVat,
    UaeTrn,
    CreditCard,
    SaudiCr,
    SaudiId,
    KuwaitId,
    QatarId,
    BahrainId,
    OmanId,
    Passport,
    Ssn,
    Ip,
    Phone,
}

impl BuiltinMaskRule {
    /// A find of this rule.
    pub(super) fn found((rule, range): (Self, Range<usize>)) -> SensitiveSpan<'static> {
        let (name, replacement) = rule.words();
        SensitiveSpan { rule: name, start: range.start, end: range.end, replacement }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::PrivateKey => ("private_key", "[SECRET_REDACTED]"),
            Self::Jwt => ("jwt", "[SECRET_REDACTED]"),
            Self::ApiKey => ("api_key", "[SECRET_REDACTED]"),
            Self::SecretMarker => ("secret_marker", "[SECRET_REDACTED]"),
            Self::Email => ("email", "[EMAIL_REDACTED]"),
            Self::Iban => ("iban", "[IBAN_REDACTED]"),
            Self::EmiratesId => ("emirates_id", "[EMIRATES_ID_REDACTED]"),
            Self::SaudiVat => ("saudi_vat", "[VAT_REDACTED]"),
            Self::UaeTrn => ("uae_trn", "[VAT_REDACTED]"),
            Self::CreditCard => ("credit_card", "[CC_REDACTED]"),
            Self::SaudiCr => ("saudi_cr", "[CR_REDACTED]"),
            Self::SaudiId => ("saudi_id", "[SAUDI_ID_REDACTED]"),
            Self::KuwaitId => ("kuwait_id", "[KUWAIT_ID_REDACTED]"),
            Self::QatarId => ("qatar_id", "[QATAR_ID_REDACTED]"),
            Self::BahrainId => ("bahrain_id", "[BAHRAIN_ID_REDACTED]"),
            Self::OmanId => ("oman_id", "[OMAN_ID_REDACTED]"),
            Self::Passport => ("passport", "[PASSPORT_REDACTED]"),
            Self::Ssn => ("ssn", "[SSN_REDACTED]"),
            Self::Ip => ("ip", "[IP_REDACTED]"),
            Self::Phone => ("phone", "[PHONE_REDACTED]"),
        }
    }
}
