//! Which files of a crate import which, and the cycles among them.
//!
//! An import is an edge from its file to the file of the deepest module that its
//! path names. Only `use` lines count; paths written out in expressions do not.
//! Tests are left out. So are other crates: Cargo allows no cycle among them.

use std::collections::{BTreeMap, BTreeSet};

use crate::items;
use crate::source::RustSource;
use crate::tree::{RepositoryTree, crate_of, module_folder};

/// The files of a crate, and those of them that are in its largest cycle of imports.
#[derive(Debug)]
pub(crate) struct ImportCycle {
    pub(crate) crate_name: String,
    pub(crate) files: usize,
    /// As modules. No file imports itself, so these are none or at least two.
    pub(crate) largest: Vec<String>,
}

/// The largest cycle of each crate, by the crate's name.
pub(crate) fn largest_cycles(tree: &RepositoryTree) -> Vec<ImportCycle> {
    let mut crates: BTreeMap<&str, CrateModules<'_>> = BTreeMap::new();
    for (path, source) in tree.sources().filter(|(_, source)| !source.is_test()) {
        let inside = module_folder(path).split_once("/src").map(|(_, inside)| inside);
        if let (Some(name), Some(inside)) = (crate_of(path), inside) {
            let module = inside.split('/').filter(|part| !part.is_empty()).collect();
            crates.entry(name).or_default().insert(module, source);
        }
    }
    let largest = |(name, modules): (&str, CrateModules<'_>)| ImportCycle {
        crate_name: name.to_owned(),
        files: modules.len(),
        largest: largest_cycle(&imports_of(name, &modules)),
    };
    crates.into_iter().map(largest).collect()
}

/// Segments from the root of a crate, which itself has none.
type ModulePath<'t> = Vec<&'t str>;
type CrateModules<'t> = BTreeMap<ModulePath<'t>, &'t RustSource>;
type ImportEdges<'t> = BTreeMap<ModulePath<'t>, BTreeSet<ModulePath<'t>>>;

/// The modules that each module imports from.
fn imports_of<'t>(crate_name: &str, modules: &CrateModules<'t>) -> ImportEdges<'t> {
    let crate_name = crate_name.replace('-', "_");
    let imports = |(module, source): (&ModulePath<'t>, &&'t RustSource)| {
        let found = items::imports(source);
        let in_program = found.iter().filter(|import| !source.is_test_line(import.line));
        let targets = in_program
            .filter_map(|import| {
                // A `main.rs` names the library beside it by the name of the crate.
                let path: Vec<&str> = import
                    .path
                    .iter()
                    .map(|segment| if *segment == crate_name { "crate" } else { segment })
                    .collect();
                resolve(&path, module, modules)
            })
            .filter(|target| target != module)
            .collect();
        (module.clone(), targets)
    };
    modules.iter().map(imports).collect()
}

/// The deepest module that an import names, if it is one of this crate.
fn resolve<'t>(
    import: &[&'t str],
    module: &[&'t str],
    modules: &CrateModules<'t>,
) -> Option<ModulePath<'t>> {
    let supers = import.iter().take_while(|segment| **segment == "super").count();
    let (from, rest) = match *import.first()? {
        "crate" => (&[][..], import.get(1..)?),
        "self" => (module, import.get(1..)?),
        "super" => (module.get(..module.len().checked_sub(supers)?)?, import.get(supers..)?),
        child => {
            let is_child = modules.contains_key([module, &[child]].concat().as_slice());
            (is_child.then_some(module)?, import)
        }
    };
    let mut path = [from, rest].concat();
    // The last segments are items; the longest path that is a file is the module.
    while !modules.contains_key(&path) {
        path.pop()?;
    }
    Some(path)
}

/// The modules of the largest set where each reaches each; of equals the first by name.
fn largest_cycle(edges: &ImportEdges<'_>) -> Vec<String> {
    // Everything that each file reaches: quadratic, and a crate has a few hundred files.
    let reached: BTreeMap<_, _> =
        edges.keys().map(|module| (module, reachable(module, edges))).collect();
    let cycle = |(module, targets): (&&ModulePath<'_>, &BTreeSet<&ModulePath<'_>>)| {
        let reaches_back = |target: &&&ModulePath<'_>| {
            reached.get(*target).is_some_and(|targets| targets.contains(*module))
        };
        let modules = targets.iter().filter(reaches_back).map(|module| module.join("::"));
        modules.collect::<Vec<_>>()
    };
    let cycles = reached.iter().map(cycle);
    cycles.fold(Vec::new(), |best, one| if one.len() > best.len() { one } else { best })
}

/// Every module that a module imports from, or that those import from, and so on.
fn reachable<'e, 't>(
    module: &'e ModulePath<'t>,
    edges: &'e ImportEdges<'t>,
) -> BTreeSet<&'e ModulePath<'t>> {
    let mut found = BTreeSet::new();
    let mut open = vec![module];
    while let Some(module) = open.pop() {
        let targets = edges.get(module).into_iter().flatten();
        open.extend(targets.filter(|target| found.insert(*target)));
    }
    found
}
