//! Reading: the bytes of a file to a document.
