//! The product as a library: one module for each verb.
