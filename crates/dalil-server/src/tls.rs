//! Encryption of connections, where the server does it itself.

use std::io;
use std::path::Path;
use std::sync::Arc;

use dalil_proof::time::Time;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use crate::config::TlsConfig;

mod validity;

/// Reads the certificate and its key.
///
/// # Errors
/// A file that cannot be read, a certificate whose time is over, or a key that is another
/// certificate's.
pub(crate) fn acceptor(tls: &TlsConfig, now: Time) -> Result<TlsAcceptor, io::Error> {
    let certificates = CertificateDer::pem_file_iter(&tls.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| other("certificates in PEM", &tls.certificate, &error))?;
    let Some(own) = certificates.first() else {
        return Err(other("at least one certificate in PEM", &tls.certificate, &"none"));
    };
    // rustls would serve an expired certificate, and every client would refuse it.
    if let Some(end) = validity::end(own).filter(|end| *end < now) {
        let found = format!("one that ended at {end}");
        return Err(other("a certificate whose time is not over", &tls.certificate, &found));
    }
    let key = PrivateKeyDer::from_pem_file(&tls.key)
        .map_err(|error| other("a private key in PEM", &tls.key, &error))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, key))
        .map_err(|error| other("the key of the certificate", &tls.key, &error))?;
    // The only protocol that is spoken here (RFC 7301).
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn other(what: &str, file: &Path, found: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("expected {what} in `{}`, found {found}", file.display()))
}
