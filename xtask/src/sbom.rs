//! The bill of materials of the program: `CycloneDX` 1.5, from cargo and the files that ship.
//!
//! Every package that a build of `dalil-cli` with default features may use on any platform, and
//! every file of others that is in the program, with licence and digest. The same repository gives
//! the same bytes: there is no time in it, and its serial number is derived from its content.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use dalil_proof::canon;
use dalil_proof::digest::Digest;
use serde::Serialize;

use crate::licence::LicenceExpression;
use crate::packages::{CargoPackage, PackageGraph};
use crate::sbom::shipped_file::{SHIPPED_FILES, ShippedFile};
use crate::tree::RepositoryTree;

mod shipped_file;
#[cfg(test)]
mod tests;

/// The bill as canonical JSON, one line.
pub(crate) fn document(graph: &PackageGraph, tree: &RepositoryTree) -> io::Result<Vec<u8>> {
    let files = SHIPPED_FILES.iter().map(|file| file_component(file, tree));
    let bill = bill(graph, files.collect::<io::Result<_>>()?)?;
    let digest = canon::digest(&bill).map_err(io::Error::other)?;
    let numbered = BillOfMaterials { serial_number: Some(uuid(&digest.hex())), ..bill };
    let mut bytes = canon::bytes(&numbered).map_err(io::Error::other)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn bill(graph: &PackageGraph, files: Vec<BillComponent>) -> io::Result<BillOfMaterials> {
    let none = || io::Error::other(format!("expected a package `{PROGRAM}`, found none"));
    let root = graph.own(PROGRAM).ok_or_else(none)?;
    let in_build = graph.reached(root, |_, package| {
        package.runs_with.iter().chain(&package.builds_with).map(String::as_str).collect()
    });
    let in_program = graph.reached(root, |graph, package| {
        let is_macro = |id: &&String| graph.packages.get(*id).is_some_and(|next| next.is_macro);
        package.runs_with.iter().filter(|id| !is_macro(id)).map(String::as_str).collect()
    });
    let mut program = None;
    let mut components = Vec::new();
    for (id, package) in graph.packages.iter().filter(|(id, _)| in_build.contains(id.as_str())) {
        let component = package_component(package, in_program.contains(id.as_str()))?;
        if id == root {
            program = Some(BillComponent { kind: ComponentKind::Application, ..component });
        } else {
            components.push(component);
        }
    }
    let dependencies = dependencies(graph, &in_build, &files);
    components.extend(files);
    components.sort_by(|a, b| a.bom_ref.cmp(&b.bom_ref));
    Ok(BillOfMaterials {
        bom_format: "CycloneDX",
        spec_version: "1.5",
        serial_number: None,
        version: 1,
        metadata: BillMetadata {
            // It is made from the lock file, not from a program that was built.
            lifecycles: [BillLifecycle { phase: "pre-build" }],
            component: program.ok_or_else(none)?,
        },
        components,
        dependencies,
    })
}

fn package_component(package: &CargoPackage, is_in_program: bool) -> io::Result<BillComponent> {
    let text = package.licence.as_deref().unwrap_or_default();
    let licence = LicenceExpression::parse(text)
        .map_err(|why| io::Error::other(format!("{package}: licence `{text}`: {why}")))?;
    Ok(BillComponent {
        kind: ComponentKind::Library,
        bom_ref: bom_ref(package),
        name: package.name.clone(),
        version: Some(package.version.clone()),
        description: None,
        scope: if is_in_program { ComponentScope::Required } else { ComponentScope::Excluded },
        hashes: package.checksum.iter().map(|content| sha256(content.clone())).collect(),
        licenses: [LicenceEntry { expression: licence.to_string() }],
        // One of our names in the registry would be another author's package.
        purl: package.source.is_some().then(|| bom_ref(package)),
    })
}

fn file_component(file: &ShippedFile, tree: &RepositoryTree) -> io::Result<BillComponent> {
    let bytes = tree.bytes().find_map(|(path, bytes)| (path == file.path).then_some(bytes));
    let none = || io::Error::other(format!("expected a file `{}`, found none", file.path));
    Ok(BillComponent {
        kind: file.kind,
        bom_ref: file.path.to_owned(),
        name: file.name.to_owned(),
        version: file.version.map(str::to_owned),
        description: Some(file.description.to_owned()),
        scope: ComponentScope::Required,
        hashes: vec![sha256(Digest::of(bytes.ok_or_else(none)?).hex())],
        licenses: [LicenceEntry { expression: file.licence.to_owned() }],
        purl: file.purl.map(str::to_owned),
    })
}

/// The dependencies between packages; a file is a dependency of the package in whose folder it is.
fn dependencies(
    graph: &PackageGraph,
    in_build: &BTreeSet<&str>,
    files: &[BillComponent],
) -> Vec<BillDependency> {
    let mut links: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let packages = graph.packages.iter().filter(|(id, _)| in_build.contains(id.as_str()));
    for (_, package) in packages {
        let needed = package.runs_with.iter().chain(&package.builds_with);
        let mut needs: BTreeSet<String> =
            needed.filter_map(|id| graph.packages.get(id)).map(bom_ref).collect();
        let folder = format!("crates/{}/", package.name);
        let own =
            |file: &&BillComponent| package.source.is_none() && file.bom_ref.starts_with(&folder);
        needs.extend(files.iter().filter(own).map(|file| file.bom_ref.clone()));
        links.insert(bom_ref(package), needs);
    }
    links.extend(files.iter().map(|file| (file.bom_ref.clone(), BTreeSet::new())));
    links
        .into_iter()
        .map(|(component, depends_on)| BillDependency { component, depends_on })
        .collect()
}

/// A package URL for a package from the registry.
fn bom_ref(package: &CargoPackage) -> String {
    let prefix = if package.source.is_some() { "pkg:cargo/" } else { "" };
    // `+`, which begins build metadata, is escaped in a package URL.
    format!("{prefix}{}@{}", package.name, package.version.replace('+', "%2B"))
}

fn sha256(content: String) -> ComponentHash {
    ComponentHash { alg: "SHA-256", content }
}

/// A UUID of version 8 (RFC 9562) from the first digits of a digest.
fn uuid(digits: &str) -> String {
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    let (a, b, c, d, e) = (part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32));
    format!("urn:uuid:{a}-{b}-8{c}-8{d}-{e}")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BillOfMaterials {
    bom_format: &'static str,
    spec_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    serial_number: Option<String>,
    version: u8,
    metadata: BillMetadata,
    components: Vec<BillComponent>,
    dependencies: Vec<BillDependency>,
}

#[derive(Serialize)]
struct BillMetadata {
    lifecycles: [BillLifecycle; 1],
    component: BillComponent,
}

#[derive(Serialize)]
struct BillLifecycle {
    phase: &'static str,
}

#[derive(Serialize)]
struct BillComponent {
    #[serde(rename = "type")]
    kind: ComponentKind,
    #[serde(rename = "bom-ref")]
    bom_ref: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    scope: ComponentScope,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hashes: Vec<ComponentHash>,
    licenses: [LicenceEntry; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    purl: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum ComponentKind {
    Application,
    Data,
    File,
    Library,
    MachineLearningModel,
}

/// Whether a component is in the program, or only makes it.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ComponentScope {
    Required,
    Excluded,
}

#[derive(Serialize)]
struct ComponentHash {
    alg: &'static str,
    content: String,
}

#[derive(Serialize)]
struct LicenceEntry {
    expression: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BillDependency {
    #[serde(rename = "ref")]
    component: String,
    depends_on: BTreeSet<String>,
}

const PROGRAM: &str = "dalil-cli";
