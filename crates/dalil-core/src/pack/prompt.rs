//! Prompts of a pack: which templates were used; never what they were filled with.

use serde::Serialize;

use crate::json::MAX_INTEGER;
use crate::read::{self, Reader};

/// One prompt template that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Prompt {
    /// The template.
    pub template_name: String,
    /// Its version, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_version: Option<String>,
    /// How long it was when filled, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rendered_length: Option<u64>,
    /// Whether a system prompt stood before it, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt_present: Option<bool>,
}

impl Prompt {
    pub(crate) fn read(reader: Reader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let template_name = fields.required("template_name", read::label);
        let template_version = fields.optional("template_version", read::label);
        let rendered_length =
            fields.optional("rendered_length", |length| length.whole(0..=MAX_INTEGER));
        let system_prompt_present = fields.optional("system_prompt_present", read::flag);
        fields.done()?;
        Some(Self {
            template_name: template_name?,
            template_version: template_version?,
            rendered_length: rendered_length?,
            system_prompt_present: system_prompt_present?,
        })
    }
}
