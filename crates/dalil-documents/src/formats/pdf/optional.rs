//! Optional content: layers that a viewer does not show when it opens the file.

use std::collections::BTreeSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::dict::keys::{BASE_STATE, D, OCGS, OCPROPERTIES, OFF, ON, P};
use hayro_syntax::object::{Array, Dict, Name, ObjectIdentifier};

/// The layers that are off.
#[derive(Debug, Default)]
pub(super) struct OptionalLayers {
    off: BTreeSet<ObjectIdentifier>,
}

impl OptionalLayers {
    pub(super) fn of(pdf: &Pdf) -> Self {
        let mut layers = Self::default();
        let root = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
        let Some(all) = root.and_then(|root| root.get::<Dict<'_>>(OCPROPERTIES)) else {
            return layers;
        };
        let Some(usual) = all.get::<Dict<'_>>(D) else { return layers };
        if usual.get::<Name<'_>>(BASE_STATE).is_some_and(|state| *state == *b"OFF") {
            layers.off.extend(ids(&all, OCGS));
        }
        for id in ids(&usual, ON) {
            layers.off.remove(&id);
        }
        // After `ON`: a layer that both lists name counts as hidden.
        layers.off.extend(ids(&usual, OFF));
        layers
    }

    /// Whether what an entry of a dictionary names is not shown.
    pub(super) fn hide(&self, dict: &Dict<'_>, key: &[u8]) -> bool {
        if let Some(id) = dict.get_ref(key).map(ObjectIdentifier::from)
            && self.off.contains(&id)
        {
            return true;
        }
        // A membership names several layers, and says how many of them must be on.
        let Some(member) = dict.get::<Dict<'_>>(key) else { return false };
        let of: Vec<_> = match member.get_ref(OCGS) {
            Some(one) if member.get::<Array<'_>>(OCGS).is_none() => vec![one.into()],
            _ => ids(&member, OCGS),
        };
        let off = of.iter().filter(|id| self.off.contains(id)).count();
        let policy = member.get::<Name<'_>>(P);
        // The policies of PDF 32000, table 99; without one it is `AnyOn`.
        match policy.as_deref() {
            _ if of.is_empty() => false,
            Some(b"AllOn") => off > 0,
            Some(b"AnyOff") => off == 0,
            Some(b"AllOff") => off < of.len(),
            _ => off == of.len(),
        }
    }
}

fn ids(dict: &Dict<'_>, key: &[u8]) -> Vec<ObjectIdentifier> {
    let Some(all) = dict.get::<Array<'_>>(key) else { return Vec::new() };
    all.raw_iter()
        .take(MAX_OPTIONAL_LAYERS)
        .filter_map(|one| one.as_obj_ref().map(Into::into))
        .collect()
}

const MAX_OPTIONAL_LAYERS: usize = 10_000;
