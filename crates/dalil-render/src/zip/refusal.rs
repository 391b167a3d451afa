//! Why bytes are not an archive.

use dalil_proof::fault::quote;
use dalil_proof::report::BilingualMessage;
use dalil_proof::say;
use thiserror::Error;

/// Bytes that are no archive, and where that shows first.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at byte {at}: {}", .why.message())]
pub struct NotAnArchive {
    /// How many bytes are before the entry or the byte that is wrong.
    pub at: u64,
    /// What is wrong there.
    pub why: ZipRefusal,
}

/// What is wrong with an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZipRefusal {
    /// A name that leads elsewhere, or that systems read differently.
    Name(String),
    /// The same name twice, or a file before one that it should follow.
    Order(String),
    /// An encrypted file.
    Encrypted,
    /// A file that would have to be unpacked.
    Packed,
    /// An extra field.
    Extra,
    /// Another time.
    Time,
    /// Sizes beyond those of a plain ZIP.
    Zip64,
    /// Too much for a plain ZIP.
    Large,
    /// Too many files for a plain ZIP.
    Many,
    /// Bytes that are not what their checksum says.
    Checksum(String),
    /// Another header than the file has.
    Header(String),
    /// The end is missing.
    Cut,
    /// Bytes after the end.
    After,
    /// A directory that does not list these files.
    Directory,
}

impl ZipRefusal {
    /// The sentence that people read.
    pub fn message(&self) -> BilingualMessage {
        match self {
            Self::Name(name) => {
                let name = quote(name);
                say!(
                    "expected a plain name in a folder of the archive, found {name}",
                    "المتوقع اسم بسيط داخل مجلدات الأرشيف، والموجود {name}",
                )
            }
            Self::Order(name) => {
                let name = quote(name);
                say!(
                    "expected each name once, in ascending order, found {name}",
                    "المتوقع كل اسم مرة واحدة بترتيب تصاعدي، والموجود {name}",
                )
            }
            Self::Encrypted => say!(
                "expected a file that is not encrypted, found one that is",
                "المتوقع ملف غير معمّى، والموجود معمّى",
            ),
            Self::Packed => say!(
                "expected a file that is stored as it is, found a packed one",
                "المتوقع ملف مخزّن كما هو، والموجود مضغوط",
            ),
            Self::Extra => {
                say!(
                    "expected no extra field, found one",
                    "المتوقع ألا توجد حقول إضافية، وهي موجودة"
                )
            }
            Self::Time => say!(
                "expected the time that every file of an archive has, found another",
                "المتوقع الوقت الثابت لكل ملفات الأرشيف، والموجود غيره",
            ),
            Self::Zip64 => say!(
                "expected sizes of a plain ZIP, found a promise of larger ones",
                "المتوقع أحجام ZIP العادية، والموجود إحالة إلى أكبر منها",
            ),
            Self::Large => say!(
                "expected less than 4 GiB, found more",
                "المتوقع أقل من 4 غيغابايت، والموجود أكثر",
            ),
            Self::Many => say!(
                "expected at most 65534 files, found more",
                "المتوقع 65534 ملفًا على الأكثر، والموجود أكثر",
            ),
            Self::Checksum(name) => {
                let name = quote(name);
                say!(
                    "expected {name} as its checksum says, found other bytes",
                    "المتوقع {name} كما يبيّن مجموعه الاختباري، والموجود بايتات أخرى",
                )
            }
            Self::Header(name) => {
                let name = quote(name);
                say!(
                    "expected the one header that {name} can have, found another",
                    "المتوقع الترويسة الوحيدة الممكنة للملف {name}، والموجود غيرها",
                )
            }
            Self::Cut => {
                say!("expected more bytes, found the end", "المتوقع بايتات أخرى، والموجود النهاية")
            }
            Self::After => {
                say!("expected the end, found more bytes", "المتوقع النهاية، والموجود زيادة")
            }
            Self::Directory => say!(
                "expected the directory of the files before it, found another",
                "المتوقع فهرس الملفات التي قبله، والموجود غيره",
            ),
        }
    }
}

impl From<&NotAnArchive> for BilingualMessage {
    fn from(NotAnArchive { at, why }: &NotAnArchive) -> Self {
        why.message().about(&format!("at byte {at}"), &format!("عند البايت {at}"))
    }
}
