//! Verbs over real stores.
