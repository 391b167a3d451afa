//! Classes: who must approve an action, how hard it is to undo, how sensitive it is.

use dalil_proof::decode::JsonReader;
use serde::Serialize;

#[cfg(test)]
mod tests;

/// Who must approve an action before it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum ApprovalClass {
    /// No one.
    A0,
    /// A manager.
    A1,
    /// A department head, with legal or finance.
    A2,
    /// An executive or the board.
    A3,
}

impl ApprovalClass {
    /// Every class, from the mildest.
    pub const ALL: [Self; 4] = [Self::A0, Self::A1, Self::A2, Self::A3];

    /// How many people must approve, at least.
    pub const fn approvers(self) -> u8 {
        match self {
            Self::A0 => 0,
            Self::A1 => 1,
            Self::A2 | Self::A3 => 2,
        }
    }

    /// Reads `A0` to `A3`.
    pub fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        reader.choice(&[("A0", Self::A0), ("A1", Self::A1), ("A2", Self::A2), ("A3", Self::A3)])
    }
}

/// How hard an action is to undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum ReversibilityClass {
    /// It undoes itself: a draft, an internal note.
    R0,
    /// With a little work: a field in a register.
    R1,
    /// At a cost: a proposal that was sent.
    R2,
    /// Never: a signature, a commitment to an outside party.
    R3,
}

impl ReversibilityClass {
    /// Every class, from the mildest.
    pub const ALL: [Self; 4] = [Self::R0, Self::R1, Self::R2, Self::R3];

    /// Reads `R0` to `R3`.
    pub fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        reader.choice(&[("R0", Self::R0), ("R1", Self::R1), ("R2", Self::R2), ("R3", Self::R3)])
    }
}

/// How sensitive the data or system of an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum SensitivityClass {
    /// Public.
    S0,
    /// Internal.
    S1,
    /// Commercial.
    S2,
    /// Regulated or personal.
    S3,
}

impl SensitivityClass {
    /// Every class, from the mildest.
    pub const ALL: [Self; 4] = [Self::S0, Self::S1, Self::S2, Self::S3];

    /// Reads `S0` to `S3`.
    pub fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        reader.choice(&[("S0", Self::S0), ("S1", Self::S1), ("S2", Self::S2), ("S3", Self::S3)])
    }
}

/// The three classes of one decision or action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct DecisionClasses {
    /// Who must approve it.
    #[serde(rename = "approval_class")]
    pub approval: ApprovalClass,
    /// How hard it is to undo.
    #[serde(rename = "reversibility_class")]
    pub reversibility: ReversibilityClass,
    /// How sensitive it is.
    #[serde(rename = "sensitivity_class")]
    pub sensitivity: SensitivityClass,
}

impl DecisionClasses {
    /// What counts when a class is missing.
    pub const STRICTEST: Self =
        Self::new(ApprovalClass::A3, ReversibilityClass::R3, SensitivityClass::S3);

    /// Puts three classes together.
    pub const fn new(
        approval: ApprovalClass,
        reversibility: ReversibilityClass,
        sensitivity: SensitivityClass,
    ) -> Self {
        Self { approval, reversibility, sensitivity }
    }

    /// The classes of a type of action; an unknown type is A2 R2 S2.
    pub fn of_action(action_type: &str) -> Self {
        let known = ACTION_CLASSES.iter().find(|(name, _)| *name == action_type);
        known.map_or(UNKNOWN_ACTION_CLASSES, |(_, classes)| *classes)
    }

    /// The three of them: `A2 R1 S0`.
    pub fn label(self) -> String {
        let Self { approval, reversibility, sensitivity } = self;
        format!("{approval:?} {reversibility:?} {sensitivity:?}")
    }

    /// Whether a wrong decision would be costly: A2 or A3, R3, or S3.
    pub fn high_stakes(self) -> bool {
        self.approval >= ApprovalClass::A2
            || self.reversibility == ReversibilityClass::R3
            || self.sensitivity == SensitivityClass::S3
    }
}

/// Whether no program may ever carry out this type of action by itself.
pub fn never_automatic(action_type: &str) -> bool {
    NEVER_AUTOMATIC_ACTIONS.contains(&action_type)
}

/// The types of action that no program may carry out by itself, in order of their text.
pub const NEVER_AUTOMATIC_ACTIONS: [&str; 7] = [
    "contract_change",
    "market_facing_statement",
    "nda_send",
    "payment_terms_change",
    "pricing_offer_commit",
    "regulator_communication",
    "sensitive_data_export",
];

/// The known types of action and their classes.
pub const ACTION_CLASSES: [(&str, DecisionClasses); 24] = {
    use ApprovalClass::{A0, A1, A2, A3};
    use ReversibilityClass::{R0, R1, R2, R3};
    use SensitivityClass::{S1, S2, S3};
    [
        ("lead_intake", DecisionClasses::new(A0, R0, S2)),
        ("icp_match", DecisionClasses::new(A0, R0, S1)),
        ("pain_extract", DecisionClasses::new(A0, R0, S1)),
        ("qualification_questions", DecisionClasses::new(A0, R0, S1)),
        ("booking_schedule", DecisionClasses::new(A1, R1, S2)),
        ("crm_contact_upsert", DecisionClasses::new(A0, R1, S2)),
        ("crm_deal_create", DecisionClasses::new(A1, R1, S2)),
        ("proposal_generate_draft", DecisionClasses::new(A0, R0, S2)),
        ("proposal_send", DecisionClasses::new(A2, R2, S2)),
        ("outreach_send", DecisionClasses::new(A1, R2, S2)),
        ("followup_send", DecisionClasses::new(A1, R2, S2)),
        ("sector_intel_query", DecisionClasses::new(A0, R0, S1)),
        ("content_generate_draft", DecisionClasses::new(A0, R0, S1)),
        ("content_publish", DecisionClasses::new(A2, R2, S1)),
        ("enrichment_query", DecisionClasses::new(A0, R0, S2)),
        ("competitor_analyze", DecisionClasses::new(A0, R0, S1)),
        ("market_research_query", DecisionClasses::new(A0, R0, S1)),
        ("pricing_offer_commit", DecisionClasses::new(A3, R3, S3)),
        ("contract_change", DecisionClasses::new(A3, R3, S3)),
        ("nda_send", DecisionClasses::new(A3, R3, S3)),
        ("payment_terms_change", DecisionClasses::new(A3, R3, S3)),
        ("regulator_communication", DecisionClasses::new(A3, R3, S3)),
        ("dataroom_access_grant", DecisionClasses::new(A2, R2, S3)),
        ("sensitive_data_export", DecisionClasses::new(A3, R3, S3)),
    ]
};

/// The classes of an action of unknown type: gated, rather than carried out unseen.
const UNKNOWN_ACTION_CLASSES: DecisionClasses =
    DecisionClasses::new(ApprovalClass::A2, ReversibilityClass::R2, SensitivityClass::S2);
