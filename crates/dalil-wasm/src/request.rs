//! The request of a host beside the file: trust, time and language.

use dalil_phrasebook::{Language, Phrase};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::key::PublicKey;
use dalil_proof::keyring::{self, Keyring};
use dalil_proof::time::Time;
use dalil_proof::trust::{TrailGrowth, Trust};
use dalil_proof::witness::WitnessPolicy;

/// A request of a host.
#[derive(Clone, Debug)]
pub struct VerifyRequest {
    /// Whom it trusts.
    pub trust: RequestedTrust,
    /// The time of the verification.
    pub at: Time,
    /// The language of every message.
    pub language: Language,
}

/// The trust of a host: a trust file, or keys and witnesses by themselves.
#[derive(Clone, Debug)]
pub enum RequestedTrust {
    /// A trust file.
    Told(Box<Trust>),
    /// The trust file of the host's own trail, which does not apply to a file of another.
    Own(Box<Trust>),
    /// Keys and witnesses, all of whom must have cosigned.
    Pinned {
        /// The keys of the trail.
        keys: Vec<PublicKey>,
        /// The witnesses.
        witnesses: Vec<PublicKey>,
        /// The trail; by default the name of the first key.
        origin: Option<String>,
    },
}

impl VerifyRequest {
    /// Reads `{"at","lang"?,"trust"?,"own_trust"?,"growth"?,"keys"?,"witnesses"?,"origin"?}`; of
    /// two trusts the one that was chosen counts.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(text: &[u8]) -> Result<Self, Refused> {
        decode::request(text, Self::read)
    }

    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let at = fields.required("at", decode::time);
        let words = &Language::WIRE_NAMES;
        let language = fields.or("lang", Language::English, |word| word.choice(words));
        let trust = fields.optional("trust", Trust::read);
        let own = fields.optional("own_trust", Trust::read);
        let growth = fields.or("growth", Vec::new(), |list| list.list(TrailGrowth::read));
        let keys = fields.or("keys", Vec::new(), |keys| keys.list(keyring::read_key));
        let witnesses = fields.or("witnesses", Vec::new(), |keys| keys.list(keyring::read_key));
        let origin = fields.optional("origin", decode::filled);
        fields.done()?;
        let (keys, witnesses, origin, growth) = (keys?, witnesses?, origin?, growth?);
        let grown = |mut trust: Trust| {
            trust.growth.extend(growth);
            Box::new(trust)
        };
        let trust = match (trust?, own?) {
            (Some(trust), _) => RequestedTrust::Told(grown(trust)),
            (None, Some(own)) => RequestedTrust::Own(grown(own)),
            (None, None) => RequestedTrust::Pinned { keys, witnesses, origin },
        };
        Some(Self { trust, at: at?, language: language? })
    }
}

impl RequestedTrust {
    /// The trust in a file that claims to be of the trail `unverified_origin`.
    ///
    /// # Errors
    /// Keys that cannot be in one keyring, and a witness that is the trail itself.
    pub fn resolve(self, unverified_origin: impl Fn() -> Option<String>) -> Result<Trust, Refused> {
        let (keys, witnesses, origin) = match self {
            Self::Told(trust) => return Ok(*trust),
            Self::Own(own) => match unverified_origin() {
                Some(origin) if origin != own.origin => (Vec::new(), Vec::new(), Some(origin)),
                _ => return Ok(*own),
            },
            Self::Pinned { keys, witnesses, origin } => (keys, witnesses, origin),
        };
        let named = origin.or_else(|| keys.first().map(|key| key.name().to_owned()));
        // Without a key nothing can pass; the file's own word keeps its other faults apart.
        let origin = named.or_else(unverified_origin).unwrap_or_else(String::new);
        let quorum = witnesses.len();
        let keyring = Keyring::new(keys, &[]).map_err(|why| refused("keys", why.phrase()))?;
        let witnesses = WitnessPolicy::new(witnesses, quorum)
            .map_err(|why| refused("witnesses", why.phrase()))?;
        let trust = Trust::in_keys(origin, keyring, witnesses);
        trust.check().map_err(|why| refused("witnesses", why.phrase()))
    }
}

fn refused(path: &'static str, message: Phrase) -> Refused {
    Fault::with_message("key", path, message).into()
}
