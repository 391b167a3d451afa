//! Encryption of connections, where the server does it itself.

use std::io;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use crate::config::Tls;

/// Reads the certificate and its key.
///
/// # Errors
/// A file that cannot be read, or a key that is another certificate's.
pub(crate) fn acceptor(tls: &Tls) -> Result<TlsAcceptor, io::Error> {
    let other = |what: &str, error: &dyn std::fmt::Display| {
        io::Error::other(format!("expected {what}, found {error}"))
    };
    let certificates = CertificateDer::pem_file_iter(&tls.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| other("certificates in PEM", &error))?;
    let key = PrivateKeyDer::from_pem_file(&tls.key)
        .map_err(|error| other("a private key in PEM", &error))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, key))
        .map_err(|error| other("a certificate and its key", &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
