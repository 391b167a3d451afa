//! The files in the program that come from third parties, or were derived from theirs.

use crate::sbom::ComponentKind;

/// A file that is compiled into the program.
#[derive(Debug)]
pub(super) struct ShippedFile {
    /// From the root of the repository.
    pub(super) path: &'static str,
    pub(super) kind: ComponentKind,
    pub(super) name: &'static str,
    pub(super) version: Option<&'static str>,
    pub(super) licence: &'static str,
    pub(super) description: &'static str,
    pub(super) purl: Option<&'static str>,
}

/// The NOTICE files have the details of each.
pub(super) const SHIPPED_FILES: [ShippedFile; 10] = [
    ShippedFile {
        path: "crates/dalil-judge/model/judge.safetensors",
        kind: ComponentKind::MachineLearningModel,
        name: "dalil fast judge",
        version: None,
        licence: "Apache-2.0 AND MIT",
        description: "Derived from gte-small (MIT), taught by the deep judge. No set that its owner gives for \
                      non-commercial use only is behind it: crates/dalil-judge/model/NOTICE",
        purl: None,
    },
    ShippedFile {
        path: "crates/dalil-judge/model/vocab.txt",
        kind: ComponentKind::Data,
        name: "dalil fast judge, word pieces",
        version: None,
        licence: "Apache-2.0",
        description: "The word pieces of BERT, and Arabic ones of universal-sentence-encoder-multilingual",
        purl: None,
    },
    ShippedFile {
        path: "crates/dalil-judge/model/deep-adapter.safetensors",
        kind: ComponentKind::MachineLearningModel,
        name: "dalil deep judge, adapter",
        version: None,
        licence: "Apache-2.0",
        description: "For Qwen2.5-Coder-1.5B-Instruct (Apache-2.0), which is not in the program. No set that \
                      its owner gives for non-commercial use only is behind it: crates/dalil-judge/model/NOTICE",
        purl: None,
    },
    ShippedFile {
        path: "crates/dalil-judge/model/embed.bin",
        kind: ComponentKind::MachineLearningModel,
        name: "dalil ranking vectors",
        version: None,
        licence: "Apache-2.0",
        description: "Fitted to universal-sentence-encoder-multilingual v3 (Apache-2.0) on the texts of the \
                      training sets: NOTICE, crates/dalil-judge/model/NOTICE",
        purl: None,
    },
    font("crates/dalil-render/fonts/Amiri-Regular.ttf", "Amiri Regular", "1.002", AMIRI_PROJECT),
    font("crates/dalil-render/fonts/Amiri-Bold.ttf", "Amiri Bold", "1.002", AMIRI_PROJECT),
    font("crates/dalil-render/fonts/IBMPlexSans-Regular.ttf", "IBM Plex Sans", "3.201", IBM),
    font(
        "crates/dalil-render/fonts/IBMPlexSans-SemiBold.ttf",
        "IBM Plex Sans SemiBold",
        "3.201",
        IBM,
    ),
    font("crates/dalil-render/fonts/IBMPlexMono-Regular.ttf", "IBM Plex Mono", "2.3", IBM),
    ShippedFile {
        path: "crates/dalil-server/assets/htmx.js",
        kind: ComponentKind::Library,
        name: "htmx.org",
        version: Some("4.0.0"),
        licence: "0BSD",
        description: "dist/htmx.min.js of the package, unchanged",
        purl: Some("pkg:npm/htmx.org@4.0.0"),
    },
];

const fn font(
    path: &'static str,
    name: &'static str,
    version: &'static str,
    owner: &'static str,
) -> ShippedFile {
    ShippedFile {
        path,
        kind: ComponentKind::File,
        name,
        version: Some(version),
        licence: "OFL-1.1",
        description: owner,
        purl: None,
    }
}

const AMIRI_PROJECT: &str = "Copyright 2010-2022 The Amiri Project Authors";
const IBM: &str = "Copyright 2017 IBM Corp. with Reserved Font Name \"Plex\"";
