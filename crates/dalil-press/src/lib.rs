//! What people and other tools read: SARIF and JUnit.
