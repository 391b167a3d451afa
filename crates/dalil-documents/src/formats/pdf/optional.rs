//! Optional content: layers that a viewer does not show when it opens the file.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use hayro_syntax::Pdf;
use hayro_syntax::object::dict::keys::{BASE_STATE, D, OCGS, OCPROPERTIES, OFF, ON, P};
use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier};

/// The layers that are off.
#[derive(Debug, Default)]
pub(super) struct OptionalLayers {
    off: BTreeSet<ObjectIdentifier>,
    /// Cached results for objects that name layers: whether they hide.
    known: RefCell<BTreeMap<ObjectIdentifier, bool>>,
    /// How often something was found out.
    lookups: Cell<usize>,
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
        layers.off.extend(not_viewed(&usual));
        layers
    }

    /// Whether the content that an entry of a dictionary names is not shown.
    pub(super) fn hide(&self, dict: &Dict<'_>, key: &[u8]) -> bool {
        if !dict.contains_key(key) {
            return false;
        }
        let id = dict.get_ref(key).map(ObjectIdentifier::from);
        if id.is_some_and(|id| self.off.contains(&id)) {
            return true;
        }
        if let Some(hides) = id.and_then(|id| self.known.borrow().get(&id).copied()) {
            return hides;
        }
        // Content beyond the limit of lookups is shown.
        let lookups = self.lookups.get().saturating_add(1);
        if lookups > MAX_LAYER_LOOKUPS {
            return false;
        }
        self.lookups.set(lookups);
        let hides = self.is_off(dict, key);
        if let Some(id) = id {
            self.known.borrow_mut().insert(id, hides);
        }
        hides
    }

    /// Whether the layers are off that an entry of a dictionary names together.
    fn is_off(&self, dict: &Dict<'_>, key: &[u8]) -> bool {
        // A membership names several layers, and how many of them must be on.
        let Some(member) = dict.get::<Dict<'_>>(key) else { return false };
        // An expression goes before the policy (PDF 32000, 8.11.2.2).
        if let Some(expression) = member.get::<Array<'_>>(&b"VE"[..]) {
            let mut room = MAX_EXPRESSION_PARTS;
            let shown = self.holds(&expression, 0, &mut room);
            // One that is too long shows its content.
            return !shown && room > 0;
        }
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

    /// Whether an expression over layers shows its content. Each of its parts takes some of `room`,
    /// and without room nothing is known.
    fn holds(&self, expression: &Array<'_>, depth: usize, room: &mut usize) -> bool {
        let parts = expression.raw_iter().skip(1);
        let name = expression.iter::<Object<'_>>().next().and_then(Object::into_name);
        let objects = expression.iter::<Object<'_>>().skip(1);
        let mut each = parts.zip(objects).map_while(|(part, object)| {
            *room = room.checked_sub(1)?;
            Some(match (part.as_obj_ref(), object) {
                (_, Object::Array(inner)) if depth < MAX_EXPRESSION_DEPTH => {
                    self.holds(&inner, depth + 1, room)
                }
                // An invalid expression shows its content, as one that is too deep does.
                (None, _) | (_, Object::Array(_)) => true,
                (Some(layer), _) => !self.off.contains(&layer.into()),
            })
        });
        match name.as_deref() {
            Some(b"Not") => !each.next().unwrap_or(false),
            Some(b"Or") => each.any(|shown| shown),
            _ => each.all(|shown| shown),
        }
    }
}

/// The layers that a viewer does not show by their usage, as far as the file has it applied.
fn not_viewed(usual: &Dict<'_>) -> Vec<ObjectIdentifier> {
    let Some(applied) = usual.get::<Array<'_>>(&b"AS"[..]) else { return Vec::new() };
    let mut off = Vec::new();
    for one in applied.iter::<Dict<'_>>().take(MAX_OPTIONAL_LAYERS) {
        if one.get::<Name<'_>>(&b"Event"[..]).is_none_or(|event| *event != *b"View") {
            continue;
        }
        let Some(layers) = one.get::<Array<'_>>(OCGS) else { continue };
        let state = |layer: &Dict<'_>| {
            let view = layer.get::<Dict<'_>>(&b"Usage"[..])?.get::<Dict<'_>>(&b"View"[..])?;
            view.get::<Name<'_>>(&b"ViewState"[..]).map(|state| *state == *b"OFF")
        };
        for (id, layer) in ids(&one, OCGS).into_iter().zip(layers.iter::<Dict<'_>>()) {
            off.extend(Some(id).filter(|_| state(&layer) == Some(true)));
        }
    }
    off
}

fn ids(dict: &Dict<'_>, key: &[u8]) -> Vec<ObjectIdentifier> {
    let Some(all) = dict.get::<Array<'_>>(key) else { return Vec::new() };
    all.raw_iter()
        .take(MAX_OPTIONAL_LAYERS)
        .filter_map(|one| one.as_obj_ref().map(Into::into))
        .collect()
}

const MAX_OPTIONAL_LAYERS: usize = 10_000;
/// Entries that name layers, in a whole document; an object that many of them name is one.
const MAX_LAYER_LOOKUPS: usize = 10_000;
/// The parts of an expression and of all expressions inside of it.
const MAX_EXPRESSION_PARTS: usize = 1000;
const MAX_EXPRESSION_DEPTH: usize = 8;
