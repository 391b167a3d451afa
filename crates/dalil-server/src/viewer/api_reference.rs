//! The OpenAPI document as the reference shows it: operations with their fields and examples.

mod operation;
mod schema;
#[cfg(test)]
mod tests;

pub(super) use operation::ReferenceOperation;

/// Every operation of the API.
pub(super) struct ApiReference {
    pub(super) groups: Vec<ReferenceGroup>,
}

/// The operations about one thing, in the order of their paths.
pub(super) struct ReferenceGroup {
    pub(super) tag: String,
    pub(super) operations: Vec<ReferenceOperation>,
}

impl ApiReference {
    /// The reference of an OpenAPI document.
    pub(super) fn of(document: &serde_json::Value) -> Self {
        let mut groups: Vec<ReferenceGroup> = Vec::new();
        for (tag, operation) in operation::all(document) {
            match groups.iter_mut().find(|group| group.tag == tag) {
                Some(group) => group.operations.push(operation),
                None => groups.push(ReferenceGroup { tag, operations: vec![operation] }),
            }
        }
        groups.sort_by(|a, b| a.tag.cmp(&b.tag));
        Self { groups }
    }
}

impl ReferenceGroup {
    /// The tag as a part of an address.
    pub(super) fn address(&self) -> String {
        self.tag.replace(' ', "-")
    }
}
