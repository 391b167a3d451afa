//! Prompts of a decision: the templates that were used, never the values that filled them.

use dalil_proof::decode::{self, JsonReader};
use dalil_proof::json::MAX_INTEGER;
use serde::Serialize;

/// One prompt template that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptTemplateUse {
    /// The template.
    pub template_name: String,
    /// Its version, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_version: Option<String>,
    /// How long it was when filled, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rendered_length: Option<u64>,
    /// Whether a system prompt came before it, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt_present: Option<bool>,
}

impl PromptTemplateUse {
    pub(crate) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let template_name = fields.required("template_name", decode::label);
        let template_version = fields.optional("template_version", decode::label);
        let rendered_length =
            fields.optional("rendered_length", |length| length.whole(0..=MAX_INTEGER));
        let system_prompt_present = fields.optional("system_prompt_present", decode::flag);
        fields.done()?;
        Some(Self {
            template_name: template_name?,
            template_version: template_version?,
            rendered_length: rendered_length?,
            system_prompt_present: system_prompt_present?,
        })
    }
}
