//! The product as a library: one module for each verb.

pub use dalil_press as press;

pub mod reader;
