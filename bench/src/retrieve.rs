//! Retrieval: the candidates of claims, from an index in files and from a database.
//!
//! The input is `{"docs", "cache", "address", "claims"}`. Without an address the index in files is
//! measured. The output has the candidates of each claim, by name and number.

use std::error::Error;
use std::path::{Path, PathBuf};

use dalil::corpus::{Corpus, CorpusCache};
use dalil::database_corpus::{self, CorpusAddress, DatabaseCorpus};
use dalil::sandbox::{SandboxLimits, SandboxReader};
use dalil_judge::judge::{self, ClaimQuery};
use dalil_proof::canon;
use serde_json::Value;
use sqlx::{Connection as _, PgConnection};

use crate::measure::{BenchFigures, once};

/// As many as the judge reads among.
const MAX_CANDIDATES: usize = 12;

type Candidates = Vec<(String, usize)>;

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let asked: Value = serde_json::from_slice(input)?;
    let text = |name: &str| asked.get(name).and_then(Value::as_str);
    let docs = [PathBuf::from(text("docs").ok_or("expected `docs`")?)];
    let claims: Vec<String> =
        serde_json::from_value(asked.get("claims").cloned().unwrap_or_default())?;
    // Plain text is read without another process.
    let reader = SandboxReader::new(Path::new("/none").to_owned(), SandboxLimits::usual());
    let (mut figures, found) = match (text("address"), text("cache")) {
        (Some(address), _) => {
            let (mut figures, found) =
                database(&docs, &reader, &CorpusAddress::parse(address)?, &claims)?;
            figures.push(("bytes", disk_bytes(address)?));
            (figures, found)
        }
        (None, Some(cache)) => {
            files(&docs, &reader, &CorpusCache::at(PathBuf::from(cache)), &claims)?
        }
        (None, None) => return Err("expected `address` or `cache`".into()),
    };
    let (mut times, found): (Vec<f64>, Vec<Candidates>) = found.into_iter().unzip();
    times.sort_by(f64::total_cmp);
    let at = |part: usize| times.get((times.len() * part / 100).min(times.len() - 1)).copied();
    figures.push(("p50", at(50).ok_or("expected claims")?));
    figures.push(("p99", at(99).ok_or("expected claims")?));
    Ok((figures, canon::bytes(&found)?))
}

type Measured = (BenchFigures, Vec<(f64, Candidates)>);

fn files(
    docs: &[PathBuf],
    reader: &SandboxReader,
    cache: &CorpusCache,
    claims: &[String],
) -> Result<Measured, Box<dyn Error>> {
    let (index, made) = once(|| Corpus::open(docs, &[], reader, cache, &|_| ()).map(drop));
    made?;
    let (open, corpus) = once(|| Corpus::open(docs, &[], reader, cache, &|_| ()));
    let corpus = corpus?;
    let found = claims.iter().map(|claim| once(|| candidates(&corpus, claim)));
    Ok((vec![("index", index), ("open", open)], found.collect()))
}

fn database(
    docs: &[PathBuf],
    reader: &SandboxReader,
    address: &CorpusAddress,
    claims: &[String],
) -> Result<Measured, Box<dyn Error>> {
    let none = CorpusCache::none();
    let (index, made) = once(|| database_corpus::index(docs, address, (reader, &none), &|_| ()));
    made?;
    let (open, corpus) = once(|| DatabaseCorpus::open(address, &[]));
    let mut corpus = corpus?;
    let mut found = Vec::with_capacity(claims.len());
    for claim in claims {
        let (time, one) =
            once(|| corpus.select(claim, None).map(|selected| candidates(&selected, claim)));
        found.push((time, one?));
    }
    Ok((vec![("index", index), ("open", open)], found))
}

/// How many bytes the corpora of a database have on its disk, with their indexes: only the one that
/// is measured is there.
fn disk_bytes(address: &str) -> Result<f64, Box<dyn Error>> {
    let (database, _) = address.split_once('#').ok_or("expected the name of a corpus")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let kib: i64 = runtime.block_on(async {
        let mut connection = PgConnection::connect(database).await?;
        sqlx::query_scalar(DISK_SQL).fetch_one(&mut connection).await
    })?;
    Ok(u32::try_from(kib).map(f64::from)? * 1024.0)
}

const DISK_SQL: &str = "SELECT (sum(pg_total_relation_size(c.oid)) / 1024)::bigint \
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE n.nspname = 'dalil_corpora' AND c.relkind = 'r'";

fn candidates(corpus: &Corpus, claim: &str) -> Candidates {
    let query = ClaimQuery { statement: claim.to_owned(), ..ClaimQuery::default() };
    let places = corpus.with(|indexed| judge::candidates(indexed.index, &query, MAX_CANDIDATES));
    let named = places
        .into_iter()
        .filter_map(|place| Some((corpus.held().get(place.source)?.name.clone(), place.chunk)));
    named.collect()
}
