//! The rules for dependencies: licences, bans and sources of `deny.toml`, for every package.
//!
//! The file is cargo-deny's, which also checks the advisory database. Building that tool takes
//! longer than all of these checks, so it is run by hand where the network allows it. Yanked
//! versions are found by [`crate::registry_index`].

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::licence::LicenceExpression;
use crate::packages::{CargoPackage, PackageGraph};

#[cfg(test)]
mod tests;

/// Reads the file `deny.toml`; a key or a value that is not held here is refused.
pub(crate) fn rules(text: &str) -> Result<DenyRules, toml::de::Error> {
    toml::from_str(text)
}

/// Everything that breaks a rule, and every rule that nothing needs.
pub(crate) fn problems(graph: &PackageGraph, rules: &DenyRules) -> Vec<String> {
    let mut found = Vec::new();
    for package in graph.packages.values() {
        found.extend(licence_problem(package, &rules.licenses.names()));
        found.extend(source_problem(package, &rules.sources));
        found.extend(ban_problem(package, &rules.bans));
    }
    found.extend(idle_licences(graph, &rules.licenses));
    found.extend(duplicates(graph, &rules.bans));
    found.extend(idle_skips(graph, &rules.bans));
    found
}

/// The content of `deny.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what cargo-deny alone uses is read so that nothing else slips in")]
pub(crate) struct DenyRules {
    graph: GraphRules,
    licenses: LicenceRules,
    bans: BanRules,
    sources: SourceRules,
    advisories: AdvisoryRules,
}

fn licence_problem(package: &CargoPackage, allowed: &[&str]) -> Option<String> {
    let Some(text) = &package.licence else {
        return Some(format!("{package}: no licence (nobody may use it)"));
    };
    match LicenceExpression::parse(text) {
        Err(why) => Some(format!("{package}: licence `{text}`: {why}")),
        Ok(expression) if expression.is_met_by(allowed) => None,
        Ok(expression) => Some(format!(
            "{package}: licence `{expression}` is not allowed (add it to deny.toml, or do without)"
        )),
    }
}

fn source_problem(package: &CargoPackage, sources: &SourceRules) -> Option<String> {
    let source = package.source.as_ref()?;
    let is_allowed = source
        .strip_prefix("registry+")
        .is_some_and(|registry| sources.allow_registry.iter().any(|allowed| allowed == registry));
    if !is_allowed {
        return Some(format!("{package}: from `{source}`, which deny.toml does not name"));
    }
    // Without it the server of the archive decides what is built.
    let no_checksum = || format!("{package}: no checksum in Cargo.lock");
    package.checksum.is_none().then(no_checksum)
}

fn ban_problem(package: &CargoPackage, bans: &BanRules) -> Option<String> {
    let ban = bans.deny.iter().find(|ban| ban.name == package.name)?;
    Some(format!("{package}: banned ({})", ban.reason))
}

/// Licences without which every package may still be used.
fn idle_licences(graph: &PackageGraph, licences: &LicenceRules) -> Vec<String> {
    let texts = graph.packages.values().filter_map(|package| package.licence.as_ref());
    let expressions: Vec<LicenceExpression> =
        texts.filter_map(|text| LicenceExpression::parse(text).ok()).collect();
    let names = licences.names();
    let is_needed = |name: &str| {
        let others: Vec<&str> = names.iter().copied().filter(|other| *other != name).collect();
        expressions.iter().any(|one| one.is_met_by(&names) && !one.is_met_by(&others))
    };
    let idle = names.iter().filter(|name| !is_needed(name));
    idle.map(|name| format!("deny.toml: no package needs the licence `{name}`")).collect()
}

/// Names with more than one version that is not skipped.
fn duplicates(graph: &PackageGraph, bans: &BanRules) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in graph.packages.values().filter(|package| !bans.skips(package)) {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    let several = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
    several
        .map(|(name, versions)| {
            let versions = versions.join(" and ");
            format!("{name}: {versions} (skip the older one in deny.toml, with its reason)")
        })
        .collect()
}

/// Skipped versions that are gone, or that have no other beside them.
fn idle_skips(graph: &PackageGraph, bans: &BanRules) -> Vec<String> {
    let is_needed = |skip: &SkippedVersion| {
        let skipped = graph.packages.values().find(|package| skip.is_of(package));
        skipped.is_some_and(|skipped| {
            let beside = |other: &&CargoPackage| {
                other.name == skipped.name && other.version != skipped.version
            };
            graph.packages.values().any(|other| beside(&other))
        })
    };
    let idle = bans.skip.iter().filter(|skip| !is_needed(skip));
    idle.map(|skip| format!("deny.toml: `{}` need not be skipped", skip.spec)).collect()
}

impl LicenceRules {
    fn names(&self) -> Vec<&str> {
        self.allow.iter().map(String::as_str).collect()
    }
}

impl BanRules {
    fn skips(&self, package: &CargoPackage) -> bool {
        self.skip.iter().any(|skip| skip.is_of(package))
    }
}

impl SkippedVersion {
    fn is_of(&self, package: &CargoPackage) -> bool {
        self.spec.split_once('@') == Some((&package.name, &package.version))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(dead_code, reason = "`cargo xtask deny` always asks for all features")]
struct GraphRules {
    all_features: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LicenceRules {
    #[expect(dead_code, reason = "read so that no other value is written")]
    unused_allowed_license: StrictLevel,
    allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BanRules {
    #[expect(dead_code, reason = "read so that no other value is written")]
    multiple_versions: StrictLevel,
    deny: Vec<BannedName>,
    skip: Vec<SkippedVersion>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BannedName {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SkippedVersion {
    /// `name@version`.
    #[serde(rename = "crate")]
    spec: String,
    #[expect(dead_code, reason = "for readers of the file, who must find one")]
    reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SourceRules {
    #[expect(dead_code, reason = "read so that no other value is written")]
    unknown_registry: StrictLevel,
    #[expect(dead_code, reason = "read so that no other value is written")]
    unknown_git: StrictLevel,
    allow_registry: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "cargo-deny alone holds it")]
struct AdvisoryRules {
    yanked: StrictLevel,
    ignore: Vec<IgnoredAdvisory>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "cargo-deny alone holds it")]
struct IgnoredAdvisory {
    id: String,
    reason: String,
}

/// The only level in use: a broken rule fails.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StrictLevel {
    Deny,
}
